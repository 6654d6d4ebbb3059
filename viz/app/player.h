// SPDX-License-Identifier: MIT
// What a window shows, over time, and what its keys do to that: a replay, or a machine that runs.
#pragma once
#include <memory>

#include "viz/app/hud.h"
#include "viz/app/options.h"
#include "viz/feed/state_receiver.h"

namespace rodeo::viz {

class Player {
 public:
  Player() = default;
  virtual ~Player() = default;
  Player(const Player&) = delete;
  Player& operator=(const Player&) = delete;

  /// A key, as osgGA counts them. Passed over if it means nothing here.
  virtual void press(int key) = 0;
  virtual void release(int) {}
  /// The mouse on the bar of a replay: 0 its begin, 1 its end.
  virtual void scrub(double) {}

  /// Goes to `now` and fills all of `state` but stage's own warnings, which are there.
  virtual void update(LiveTime now, HudState& state) = 0;
  [[nodiscard]] virtual const Track* track() const = 0;
  /// Nothing moves until a key is pressed.
  [[nodiscard]] virtual bool is_still() const = 0;
};

/// By --follow, or --replay, or the start pose. `scene` outlives it. Throws SceneError, engine::NetError, engine::IoError.
[[nodiscard]] std::unique_ptr<Player> build_player(const Scene& scene, const ViewOptions& options);

/// The states of --replay, or the start pose alone. Throws SceneError.
[[nodiscard]] Track build_track(const ViewOptions& options, const Scene& scene);
/// What the figures say of a replay, whatever its time.
[[nodiscard]] HudState build_replay_state(const ViewOptions& options, const Track& track);

}  // namespace rodeo::viz
