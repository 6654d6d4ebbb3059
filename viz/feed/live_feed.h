// SPDX-License-Identifier: MIT
// A machine that runs elsewhere, as its published states tell: a track that grows, what to show at a time, and what is to be said
// when nothing comes, or something else. Of the picture's thread; the socket has its own.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "viz/feed/columns.h"
#include "viz/feed/live_clock.h"
#include "viz/feed/state_receiver.h"

namespace rodeo::viz {

/// Loads, inputs and accelerations that are to be drawn over time, as measures of the scene. Throws SceneError for one that the machine has
/// and the states that are followed have not. `signals` as below.
void add_charted(Scene& scene, const engine::Destination& from, const std::string& signals,
                 const std::vector<std::string>& charts);

class LiveFeed {
 public:
  /// `signals`: patterns, as in --publish; empty: those of `from`, or all. `scene` outlives it. Throws SceneError, engine::NetError.
  LiveFeed(const Scene& scene, const engine::Destination& from, const std::string& signals);

  /// Takes what came up to `now`.
  void update(LiveTime now);

  [[nodiscard]] const Track& track() const noexcept { return track_; }
  [[nodiscard]] bool has_data() const noexcept { return !track_.empty(); }
  /// A little in the past, between two states; the last one if none came after it; the start pose before the first.
  [[nodiscard]] Sample calc_sample(LiveTime now) const;
  /// Packets a second, over the last ones.
  [[nodiscard]] double calc_rate() const noexcept;
  /// `no data for 1.2 s`, `waiting for states at 127.0.0.1:5006`; empty while they come.
  [[nodiscard]] std::string calc_notice(LiveTime now) const;
  /// About packets that are not shown, and commands that the engine refuses or clips, as long as they come: one sentence each.
  [[nodiscard]] std::vector<std::string> calc_warnings(LiveTime now) const;

  /// Of the newest state; nothing before the first.
  [[nodiscard]] const std::optional<engine::StateHeader>& newest() const noexcept { return newest_; }
  [[nodiscard]] std::uint16_t port() const { return receiver_.port(); }

 private:
  void take(const Arrival& arrival);
  [[nodiscard]] bool is_ours(const Arrival& arrival);
  void begin(const Arrival& arrival);
  void add(const Arrival& arrival);
  void note_link(const Arrival& arrival);
  void describe_link(LiveTime now, std::vector<std::string>& warnings) const;

  const Scene& scene_;
  engine::Destination from_;
  std::vector<engine::Channel> signals_;
  StateColumns columns_;
  StateReceiver receiver_;
  Track track_;
  LiveClock clock_;
  std::optional<engine::StateHeader> newest_;
  LiveTime newest_at_;
  std::optional<LiveTime> rival_since_;  // another engine publishes there, too
  LiveTime rival_last_;
  std::optional<LiveTime> refused_at_, clipped_at_, two_senders_at_;  // of the engine's commands
  engine::Refusal refusal_ = engine::Refusal::none;                   // the last one
};

}  // namespace rodeo::viz
