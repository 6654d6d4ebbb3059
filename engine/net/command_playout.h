// SPDX-License-Identifier: MIT
// What a machine is commanded between packets: position, rate and acceleration of every drive at every tick, from packets that come
// at their sender's pace, late, in bursts or not at all. A jitter buffer (StreamClock) plays what was sent a stated delay ago; the
// motion through it has a continuous acceleration. No socket, no clock, no heap after construction; one thread.
//
// The motion is a chain of quintics, each from the state (x, v, a) at its begin to that at a later packet (StreamFit), about every
// 10 ms or every packet, whichever is longer. A packet's state is taken when its quintic begins and stays: what comes later changes
// only what follows, so nothing jumps. Of rates the same chain without positions: the rate is a cubic with its acceleration.
//
// Packets with accelerations whose rates and accelerations follow from each other within the drives' jerk are a motion already: it is
// played packet by packet, as it was sent. `rodeo drive` sends one for every tick.
//
// Positions that come with rates move by the rates; the difference to the positions is taken away within 0.3 s, so that a
// sender's clock that trembles by microseconds does not shake the machine: 3 µm within 1 ms would be 30 m/s². Where that is more than
// the drive's jerk allows (positions that are rounded), its mean is, by the rate. A rate that jumps by more than the drive can, a lever
// that is pushed, is no motion to be rounded: it is given to the limiter as it is.
//
// A lever of 10 bits, or any other noise, would still shake the machine: 0.7 mm within 40 ms are 0.9 m/s². Where the mean
// accelerations of successive quintics go to and fro, again and again, by more than a tenth of what the drive can do, quintics,
// look-ahead and so the delay become longer, up to 100 ms, until they do not, and shorter again when they need not be. Neighbours of the past cost no delay: of
// these more are asked.
//
// Packets that are lost are bridged by the next one. Where there is none, the motion goes on as it was going, for two packets or
// 50 ms; then a position without a rate is returned to and rested at, a position with a rate goes on for 0.2 s and comes to rest, a rate
// stays what it was: what a machine does without commands is the watchdog's to say.
#pragma once
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "engine/net/packet.h"
#include "engine/net/stream_clock.h"
#include "engine/net/stream_fit.h"

namespace rodeo::engine {

/// One packet, in the machine's units and time.
struct TimedCommand {
  CommandMode mode = CommandMode::none;
  std::uint64_t session = 0;
  std::uint64_t sequence = 0;  // 0: it has none
  std::int64_t sent = 0;       // the sender's clock, ns
  std::int64_t arrival = 0;    // the machine's time, ns
  double least_delay = 0;      // s: what the sender asks for
};

class CommandPlayout {
 public:
  /// Limits: one a drive. `forces`: how many. `period`: of the loop, s. `delay`: added, s, if it is not to be found from what comes.
  CommandPlayout(std::span<const DriveLimits> limits, std::size_t forces, double period,
                 std::optional<double> delay = {});

  /// A tick at `time` begins at `now` of the clock, ns: before its packets. What waited while the engine itself stood still is not late by
  /// its sender's or the network's fault: the stream begins anew with what is newest.
  void begin_tick(std::int64_t now, std::int64_t time) noexcept;
  /// In the order of arrival. `commands`: one a drive.
  void add(const TimedCommand& packet, std::span<const Command> commands,
           std::span<const double> forces) noexcept;
  /// What the machine is to do at `time`, ns, which rises from call to call. Nothing before the first packet.
  void sample(std::int64_t time, std::span<Command> out, std::span<double> forces) noexcept;

  /// s, as it is now; 0 before the first packet.
  [[nodiscard]] double delay() const noexcept { return has_any_ ? clock_.delay() : 0; }
  /// Times that the motion had to go on without a packet.
  [[nodiscard]] std::uint64_t underruns() const noexcept { return underruns_; }

 private:
  struct Quintic {
    DriveState begin;
    DriveState end;
    double c3, c4, c5;
    double mean;    // acceleration of the quintic
    double change;  // of the mean, from the one before
    double noise;   // of the mean, squared
    double quiet;   // noise below which nothing is done about it
    double most;    // jerk; infinite if there is no limit
    double off;     // m or rad: the mean by which its rates do not lead to its positions
  };
  [[nodiscard]] bool is_rate() const noexcept;
  [[nodiscard]] double calc_spacing() const noexcept;
  [[nodiscard]] StreamFit::Window calc_window() const noexcept;
  void start(const TimedCommand& packet, std::span<const Command> commands,
             std::span<const double> forces) noexcept;
  [[nodiscard]] bool is_of_stall(const TimedCommand& packet) noexcept;
  void begin() noexcept;
  void go_on() noexcept;
  void lead_to(double time, bool is_fitted, std::size_t index) noexcept;
  [[nodiscard]] bool is_rough(std::size_t drive, double off, double h) const noexcept;
  void note_difference(std::size_t drive, double off, double h) noexcept;
  [[nodiscard]] bool is_reached(std::size_t index) const noexcept;
  void copy(std::size_t index) noexcept;
  void coast() noexcept;
  void coast(std::size_t drive, double since) noexcept;
  [[nodiscard]] DriveState calc_predicted(std::size_t index, std::size_t drive, double ahead) const noexcept;
  void set(std::size_t drive, const DriveState& end, double way) noexcept;
  [[nodiscard]] DriveState calc_at(std::size_t drive, double time) const noexcept;
  [[nodiscard]] double calc_smoothest() const noexcept;
  void note_noise() noexcept;
  void hold_first(std::span<Command> out) const noexcept;
  void sample_forces(double time, std::span<double> out) const noexcept;

  StreamClock clock_;
  StreamFit packets_;
  CommandMode mode_ = CommandMode::none;
  std::uint64_t session_ = 0;
  std::uint64_t sequence_ = 0;
  bool has_any_ = false;
  bool is_untimed_ = false;  // of this session: its times are no times
  bool is_playing_ = false;
  std::optional<std::int64_t> ticked_at_;  // ns of the clock
  std::int64_t stalled_until_ = 0;  // the machine's time, ns, up to which packets may come that have waited
  bool is_stalled_ = false;         // no packet has come since
  std::int64_t first_way_ = 0;      // arrival less sending of the first packet of the stream, ns
  std::int64_t arrived_ = 0;        // the newest packet
  double pace_ = 0;                 // s between packets before the stall
  std::uint64_t underruns_ = 0;
  double begin_ = 0;
  double end_ = 0;
  double used_ = 0;  // the time of the newest packet that the motion knows
  double period_;
  std::optional<double> delay_;
  double smoothing_ = 1;  // how much longer than usual quintics and look-ahead are
  bool is_coasting_ = false;
  std::vector<Quintic> motion_;
};

}  // namespace rodeo::engine
