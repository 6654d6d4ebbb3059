// SPDX-License-Identifier: MIT
// How fast pictures are drawn here: the replay off-screen, one picture after the other, and where their time goes.
#pragma once
#include <string>

#include "viz/app/hud.h"
#include "viz/app/stage.h"

namespace rodeo::viz {

/// Of one picture, in milliseconds of the clock; `cpu` is of all threads, those of the graphics driver too.
struct PictureCost {
  int pictures = 0;
  double total = 0;
  double update = 0;  // bringing the scene to the state
  double cull = 0;    // what is to be drawn, in order
  double draw = 0;    // calls of OpenGL
  double finish = 0;  // until the last pixel is there
  double cpu = 0;
};

/// Draws the replay, 30 pictures a second of it, again and again for `seconds`. Throws RenderError.
[[nodiscard]] PictureCost measure_pictures(const ViewOptions& options, Stage& stage, const Track& track,
                                           HudState state, double seconds);

/// As lines for a person.
[[nodiscard]] std::string describe_cost(const PictureCost& cost, const ViewOptions& options);

/// What --benchmark does: measures and prints. Exit status.
[[nodiscard]] int run_benchmark(const ViewOptions& options, Stage& stage, const Track& track,
                                const HudState& state);

}  // namespace rodeo::viz
