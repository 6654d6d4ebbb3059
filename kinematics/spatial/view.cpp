// SPDX-License-Identifier: MIT
#include "kinematics/spatial/view.h"

#include <algorithm>
#include <cmath>

namespace rodeo::spatial {
namespace {

constexpr double kWidth = 420, kHeight = 340;  // of a view, pixels

machine::Box build_extent(const Machine& machine, const Pose& pose, const Projection& projection) {
  machine::Box box;
  for (int b = 0; b < static_cast<int>(machine.bodies.size()); ++b) {
    for (const Vector3& p : build_corners(machine, pose, b)) box.include(projection.flat(p));
  }
  return box;
}

}  // namespace

const Projection& front_view() {
  static const Projection view{"front", "front (x, z)", {1, 0, 0}, {0, 0, 1}, {0, -1, 0}};
  return view;
}

const Projection& side_view() {
  static const Projection view{"side", "right side (y, z)", {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  return view;
}

const Projection& top_view() {
  static const Projection view{"top", "top (x, y)", {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  return view;
}

const Projection& isometric_view() {
  static const double kCos30 = std::sqrt(0.75);
  static const Projection view{
      "isometric", "isometric", {kCos30, kCos30, 0}, {-0.5, 0.5, 1}, Vector3(1, -1, 1).normalized()};
  return view;
}

double find_scale(const Machine& machine, const Pose& pose) {
  const double size = calc_size(machine);
  double fit = 400 / size;
  bool has_extent = false;
  for (const Projection* projection : {&front_view(), &side_view(), &top_view(), &isometric_view()}) {
    const machine::Box box = build_extent(machine, pose, *projection);
    if (!(std::max(box.width(), box.height()) > 1e-9 * size)) continue;
    has_extent = true;
    fit = std::min({fit, kWidth / std::max(box.width(), 1e-9), kHeight / std::max(box.height(), 1e-9)});
  }
  return has_extent ? std::max(fit, 40 / size) : 200 / size;
}

View build_view(const Machine& machine, const Pose& pose, const Projection& projection, double scale) {
  const double link = std::clamp(0.055 * calc_size(machine) * scale, 3.0, 9.0);
  return {{{}, {}, 5}, machine, pose, projection, scale, link};
}

std::vector<Vector3> build_corners(const Machine& machine, const Pose& pose, int body) {
  std::vector<Vector3> corners;
  for (const Point& point : machine.bodies[body].points)
    corners.push_back(pose.bodies[body].place(point.at.value()));
  return corners;
}

}  // namespace rodeo::spatial
