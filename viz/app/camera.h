// SPDX-License-Identifier: MIT
// Where the picture is taken from: orbit and follow turn about a point, side is orthographic and to scale, cab sits on the machine.
#pragma once
#include <osg/Camera>

#include <array>
#include <optional>

#include "viz/app/options.h"
#include "viz/feed/scene_file.h"

namespace rodeo::viz {

/// A box in the plane of the machine, m.
struct Box2 {
  double x0 = 0, y0 = 0, x1 = 1, y1 = 1;
};

struct CameraHome {
  Box2 bounds;             // all that moves, over the whole replay
  double half_width = 0;   // across, m
  double middle = 0;       // across, m: of a machine in space
  double elevation = 0.2;  // rad, of the orbiting camera
  osg::Vec3d cab;          // eye
  double world = 400;      // radius of all that is drawn, m
};

class CameraRig {
 public:
  CameraRig(const ViewOptions& options, const CameraHome& home);

  [[nodiscard]] CameraKind kind() const noexcept { return kind_; }
  void select(CameraKind kind);
  void reset();

  /// By the mouse; in parts of the window's height.
  void turn(double right, double up);
  void shift(double right, double up);
  void zoom(double factor);

  /// `target`: what follow and cab look at.
  void apply(osg::Camera& camera, int width, int height, Vec3 target) const;
  /// Metres a pixel; of the side camera.
  [[nodiscard]] double calc_scale(int width, int height) const;
  /// The same of the camera in use; where it has a perspective, at what it looks at.
  [[nodiscard]] double calc_scale_there(int width, int height) const;

 private:
  void apply_side(osg::Camera& camera, int width, int height) const;
  void apply_perspective(osg::Camera& camera, int width, int height, const osg::Vec3d& eye,
                         const osg::Vec3d& at) const;
  [[nodiscard]] Box2 calc_side_box(int width, int height) const;

  CameraHome home_;
  CameraKind kind_;
  Channel channel_;
  std::optional<Box2> view_;
  osg::Vec3d centre_;
  double azimuth_ = 0;  // rad, from +z towards +x
  double elevation_ = 0;
  double distance_ = 1;
  double zoom_ = 1;  // of the side camera
  osg::Vec2d pan_;   // of the side camera, m
};

}  // namespace rodeo::viz
