// SPDX-License-Identifier: MIT
// The time of a replay: runs, pauses, goes slower, jumps. Knows neither keys nor a clock: advance() is told how much time passed.
#pragma once
#include "viz/feed/phase_file.h"
#include "viz/feed/track.h"

namespace rodeo::viz {

class Playback {
 public:
  /// `track` is not empty and outlives it; it begins to run at its begin.
  Playback(const Track& track, Phases phases, double speed);

  /// `seconds` of the person's time. Pauses at the end.
  void advance(double seconds) noexcept;

  /// At the end it begins anew.
  void toggle_pause() noexcept;
  /// States on (or back, negative), and pauses there.
  void step(int states) noexcept;
  /// To the next of 1, 2, 5 times powers of ten and their halves: 0.1, 0.2, 0.5, 1, 2, 5 ... from 0.01 to 100.
  void change_speed(int steps) noexcept;
  /// Seconds on, or back.
  void jump(double seconds) noexcept;
  void go_to(double time) noexcept;
  /// A part of the whole, 0 to 1.
  void go_to_part(double part) noexcept;
  /// The begin of the next phase; of the first one after the last.
  void go_to_next_phase() noexcept;

  [[nodiscard]] double time() const noexcept { return time_; }
  [[nodiscard]] double speed() const noexcept { return speed_; }
  [[nodiscard]] bool is_paused() const noexcept { return is_paused_; }
  [[nodiscard]] const Phases& phases() const noexcept { return phases_; }
  [[nodiscard]] const Track& track() const noexcept { return track_; }

 private:
  const Track& track_;
  Phases phases_;
  double time_;
  double speed_;
  bool is_paused_ = false;
};

}  // namespace rodeo::viz
