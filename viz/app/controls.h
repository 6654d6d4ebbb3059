// SPDX-License-Identifier: MIT
// What keys and mouse do in a window; hud.cpp's help says the same to the person. Keys that command a running machine are those of
// engine/session/key_map.h: none of them means anything else here.
#pragma once
#include <optional>

#include "viz/app/player.h"
#include "viz/app/stage.h"
#include "viz/app/window.h"

namespace rodeo::viz {

class Controls {
 public:
  explicit Controls(const ViewOptions& options) : has_shadow_(options.has_shadow) {}

  /// `width`, `height`: of the window. `state`: what it shows.
  void apply(const WindowEvent& event, int width, int height, const HudState& state, Stage& stage,
             Player& player);

  [[nodiscard]] bool wants_end() const noexcept { return wants_end_; }
  /// True once after a picture was asked for.
  [[nodiscard]] bool take_picture_wish() noexcept;

 private:
  void press(int key, Stage& stage, Player& player);
  void drag(const WindowEvent& event, int height, Stage& stage);

  bool wants_end_ = false;
  bool wants_picture_ = false;
  bool has_shadow_;
  bool is_scrubbing_ = false;
  double x_ = 0, y_ = 0;  // of the mouse before
};

/// The part of the replay's bar under a pixel, 0 to 1; nothing beside it.
[[nodiscard]] std::optional<double> find_bar_part(double x, double y, int width, int height) noexcept;

}  // namespace rodeo::viz
