// SPDX-License-Identifier: MIT
// Figures over the picture: drives as bars, what the tool does, how the engine fares, charts, the bar of a replay, and help. Laid
// out for 720 lines and scaled with the window's height.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "viz/app/options.h"
#include "viz/feed/track.h"
#include "viz/scene/name_places.h"

namespace osg {
class Node;
}

namespace rodeo::viz {

/// What is shown at one moment.
struct HudState {
  Sample sample;
  bool is_live = false;
  bool has_data = true;               // false: nothing has come yet, the start pose is shown
  std::string notice;                 // in the middle of the picture: `no data for 1.2 s`
  std::vector<std::string> warnings;  // below it: meshes, packets of other machines
  std::string source;                 // file or address
  double rate = 0;                    // ticks or packets a second
  double begin = 0, end = 0;          // of a replay, s
  double speed = 1;                   // of a replay
  bool is_paused = false;
  std::vector<std::pair<double, std::string>> phases;
};

/// Where the bar of a replay is, in lines of the canvas: from the left and right edge, and from the bottom.
inline constexpr double kBarEdge = 26;
inline constexpr double kBarBottom = 30;

class Hud {
 public:
  /// Throws SceneError: a chart's signal that is not there.
  Hud(const Scene& scene, const ViewOptions& options);
  ~Hud();
  Hud(const Hud&) = delete;
  Hud& operator=(const Hud&) = delete;

  [[nodiscard]] osg::Node* root() const noexcept;
  void toggle_help();
  void toggle();
  void update(const HudState& state, const Track* track, int width, int height);
  /// What the figures cover now, pixels of the picture from its lower left corner.
  [[nodiscard]] const std::vector<PixelBox>& panels() const noexcept;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rodeo::viz
