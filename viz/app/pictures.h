// SPDX-License-Identifier: MIT
// Pictures and videos of a replay, drawn off-screen, and how fast that goes.
#pragma once
#include <memory>

#include "viz/app/hud.h"
#include "viz/app/offscreen.h"
#include "viz/app/stage.h"

namespace osgViewer {  // NOLINT(readability-identifier-naming)
class Viewer;
}

namespace rodeo::viz {

/// Of one picture, ms.
struct DrawTimes {
  double update = 0;
  double cull = 0;
  double draw = 0;
  double finish = 0;
};

class Studio {
 public:
  /// Throws RenderError.
  Studio(Stage& stage, int width, int height, int samples);
  ~Studio();
  Studio(const Studio&) = delete;
  Studio& operator=(const Studio&) = delete;

  void draw(const HudState& state, const Track* track);
  /// Also waits until all of it is drawn.
  DrawTimes draw_timed(const HudState& state, const Track* track);
  [[nodiscard]] Picture take(const HudState& state, const Track* track);

 private:
  Stage& stage_;
  int width_;
  int height_;
  Offscreen surface_;
  std::unique_ptr<osgViewer::Viewer> viewer_;
};

}  // namespace rodeo::viz
