// SPDX-License-Identifier: MIT
// A scene with all that is drawn for it, as one OSG graph; show() brings it to a state. Windows and off-screen pictures share it.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "viz/app/options.h"
#include "viz/feed/track.h"

namespace osg {
class Camera;
class Group;
}  // namespace osg

namespace rodeo::viz {

class CameraRig;
class Hud;
struct HudState;
class OverlayNode;
class WorldNode;

class Stage {
 public:
  /// `track`: of a replay, for the bounds of the camera; may be null. Both outlive it. Throws SceneError: a trail or chart that is
  /// not there.
  Stage(const Scene& scene, const ViewOptions& options, const Track* track);
  ~Stage();
  Stage(const Stage&) = delete;
  Stage& operator=(const Stage&) = delete;

  [[nodiscard]] osg::Group* root() const noexcept;
  [[nodiscard]] CameraRig& camera() noexcept;
  [[nodiscard]] OverlayNode& overlay() noexcept;
  [[nodiscard]] WorldNode& world() noexcept;
  [[nodiscard]] Hud& hud() noexcept;
  /// One sentence a mesh that could not be shown.
  [[nodiscard]] const std::vector<std::string>& troubles() const noexcept;

  /// `state.sample` is what is shown; `track`: what came before it, for trails and charts.
  void show(const HudState& state, const Track* track, osg::Camera& camera, int width, int height);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace rodeo::viz
