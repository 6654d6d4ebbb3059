// SPDX-License-Identifier: MIT
#include "viz/app/show.h"

#include "viz/app/camera.h"
#include "viz/feed/live_feed.h"
#include "viz/feed/log_file.h"

namespace rodeo::viz {

struct Show::Parts {
  explicit Parts(const ViewOptions& options) : scene(build_scene(options.folder)) {
    add_charted(scene, options.replay, options.charts);
    if (!options.follow.empty())
      add_charted(scene, engine::build_destination(options.follow), options.signals, options.charts);
  }

  Scene scene;
  std::unique_ptr<Player> player;
  std::unique_ptr<Stage> stage;
};

Show::Show(const ViewOptions& options) : parts_(std::make_unique<Parts>(options)) {
  parts_->player = build_player(parts_->scene, options);
  parts_->stage = std::make_unique<Stage>(parts_->scene, options, parts_->player->track());
}

Show::~Show() = default;

const Scene& Show::scene() const noexcept { return parts_->scene; }
Stage& Show::stage() noexcept { return *parts_->stage; }
Player& Show::player() noexcept { return *parts_->player; }
const std::vector<std::string>& Show::troubles() const noexcept { return parts_->stage->troubles(); }

/// A port is bound once: the old player has to let go of it before the new one can have it.
void Show::rebuild(const ViewOptions& options) {
  auto fresh = std::make_unique<Parts>(options);
  parts_->player.reset();
  try {
    fresh->player = build_player(fresh->scene, options);
    fresh->stage = std::make_unique<Stage>(fresh->scene, options, fresh->player->track());
  } catch (...) {
    fresh->player.reset();
    parts_->player = build_player(parts_->scene, options);
    throw;
  }
  fresh->stage->camera() = parts_->stage->camera();
  parts_ = std::move(fresh);
}

}  // namespace rodeo::viz
