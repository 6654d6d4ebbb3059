// SPDX-License-Identifier: MIT
// A window on the screen: draws a stage, gathers what keys and mouse do, takes pictures of itself. One thread.
#pragma once
#include <memory>
#include <vector>

#include "viz/app/hud.h"
#include "viz/app/offscreen.h"
#include "viz/app/stage.h"

namespace rodeo::viz {

struct WindowEvent {
  enum class Kind { key_down, key_up, button_down, drag, button_up, wheel };
  Kind kind = Kind::key_down;
  int key = 0;           // as osgGA counts them, lower case
  bool is_left = false;  // of a button, or of a drag
  double x = 0, y = 0;   // pixels, from the top left corner
  int wheel = 0;         // 1 away from the person, -1 towards
};

class Window {
 public:
  /// Throws RenderError: no display.
  explicit Window(const ViewOptions& options);
  ~Window();
  Window(const Window&) = delete;
  Window& operator=(const Window&) = delete;

  /// What is drawn from now on. The window bears its title from the first picture on: then it takes keys.
  void set_stage(Stage& stage, const std::string& title);
  /// False once it is closed.
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] int width() const noexcept;
  [[nodiscard]] int height() const noexcept;

  /// Since the last call.
  [[nodiscard]] std::vector<WindowEvent> take_events();
  void draw(const HudState& state, const Track* track);
  /// Keys and mouse without a new picture.
  void poll();
  /// The same, and what is seen then.
  [[nodiscard]] Picture take_picture(const HudState& state, const Track* track);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rodeo::viz
