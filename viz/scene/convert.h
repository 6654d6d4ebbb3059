// SPDX-License-Identifier: MIT
// From the plane of a machine to OpenSceneGraph: the only place that knows that OSG multiplies row vectors (p·M), so that a
// matrix there is the transpose of X_WB. World axes are the machine's: x forward, y up, z to the right, out of the drawing.
#pragma once
#include <osg/Matrixd>
#include <osg/Vec3d>
#include <osg/Vec4f>

#include <array>
#include <cmath>

#include "viz/feed/scene_file.h"

namespace rodeo::viz {

/// X_WB of a body as OSG takes it.
[[nodiscard]] inline osg::Matrixd build_matrix(const Pose& pose) {
  const double c = std::cos(pose.angle);
  const double s = std::sin(pose.angle);
  const Vec3 x = calc_turned(pose.turn, {c, s, 0}), y = calc_turned(pose.turn, {-s, c, 0}),
             z = calc_turned(pose.turn, {0, 0, 1});
  return {x.x, x.y, x.z, 0, y.x, y.y, y.z, 0, z.x, z.y, z.z, 0, pose.x, pose.y, pose.z, 1};
}

[[nodiscard]] inline osg::Vec3d build_vec(Vec2 at, double z = 0) { return {at.x, at.y, z}; }

[[nodiscard]] inline osg::Vec3d build_vec(Vec3 at) { return {at.x, at.y, at.z}; }

[[nodiscard]] inline osg::Vec4f build_colour(const std::array<float, 3>& rgb, float alpha = 1) {
  return {rgb[0], rgb[1], rgb[2], alpha};
}

}  // namespace rodeo::viz
