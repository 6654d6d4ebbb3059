// SPDX-License-Identifier: MIT
#include "viz/scene/spatial_body.h"

#include <osg/MatrixTransform>
#include <osg/Shape>
#include <osg/ShapeDrawable>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <vector>

#include "viz/feed/track.h"
#include "viz/scene/convert.h"
#include "viz/scene/shapes.h"

namespace rodeo::viz {
namespace {

const osg::Vec4f kSteel(0.36F, 0.38F, 0.41F, 1);
constexpr float kDetail = 0.6F;

void add(osg::Group& group, osg::Shape* shape, const osg::Vec4f& colour) {
  osg::ref_ptr<osg::TessellationHints> hints = new osg::TessellationHints;
  hints->setDetailRatio(kDetail);
  osg::ref_ptr<osg::ShapeDrawable> drawable = new osg::ShapeDrawable(shape, hints);
  drawable->setColor(colour);
  group.addChild(drawable);
}

void add_ball(osg::Group& group, const osg::Vec3d& at, double radius, const osg::Vec4f& colour) {
  add(group, new osg::Sphere(at, static_cast<float>(radius)), colour);
}

void add_rod(osg::Group& group, const osg::Vec3d& from, const osg::Vec3d& to, double radius,
             const osg::Vec4f& colour) {
  const osg::Vec3d way = to - from;
  if (way.length() < 1e-9) return;
  osg::ref_ptr<osg::Cylinder> rod =
      new osg::Cylinder((from + to) / 2, static_cast<float>(radius), static_cast<float>(way.length()));
  osg::Quat turn;
  turn.makeRotate(osg::Vec3d(0, 0, 1), way);
  rod->setRotation(turn);
  add(group, rod, colour);
}

std::vector<osg::Vec3d> places_of(const SceneBody& body) {
  std::vector<osg::Vec3d> places;
  for (const ScenePoint& point : body.points) places.push_back(build_vec(point.place()));
  return places;
}

/// Prim's tree: every point joined to the nearest that is joined already.
void add_rods(osg::Group& group, const std::vector<osg::Vec3d>& places, double radius,
              const osg::Vec4f& colour) {
  std::vector<bool> joined(places.size(), false);
  if (!places.empty()) joined[0] = true;
  for (std::size_t n = 1; n < places.size(); ++n) {
    std::size_t from = 0, to = 0;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < places.size(); ++i) {
      for (std::size_t j = 0; joined[i] && j < places.size(); ++j) {
        const double way = (places[j] - places[i]).length();
        if (!joined[j] && way < least) least = way, from = i, to = j;
      }
    }
    joined[to] = true;
    add_rod(group, places[from], places[to], radius, colour);
  }
}

/// A plane that all points lie in; none if they are on a line or spread in space.
struct Plane {
  osg::Vec3d origin, x, y, z;
};

std::optional<Plane> find_plane(const std::vector<osg::Vec3d>& places) {
  Plane plane;
  double longest = 0, widest = 0;
  plane.origin = places.empty() ? osg::Vec3d() : places[0];
  for (const osg::Vec3d& p : places) {
    if ((p - plane.origin).length() > longest)
      longest = (p - plane.origin).length(), plane.x = p - plane.origin;
  }
  if (longest < 1e-9) return {};
  plane.x /= longest;
  for (const osg::Vec3d& p : places) {
    const osg::Vec3d off = (p - plane.origin) - plane.x * ((p - plane.origin) * plane.x);
    if (off.length() > widest) widest = off.length(), plane.y = off / off.length();
  }
  plane.z = plane.x ^ plane.y;
  const auto is_off = [&](const osg::Vec3d& p) {
    return std::abs((p - plane.origin) * plane.z) > 1e-6 * longest;
  };
  if (widest < 0.02 * longest || std::any_of(places.begin(), places.end(), is_off)) return {};
  return plane;
}

/// As thick as rods are; rounded as plates of machines in the plane are.
osg::ref_ptr<osg::Node> build_plate(const std::vector<osg::Vec3d>& places, const Plane& plane, double radius,
                                    const osg::Vec4f& colour) {
  std::vector<Vec2> flat;
  for (const osg::Vec3d& p : places)
    flat.push_back({(p - plane.origin) * plane.x, (p - plane.origin) * plane.y});
  Solid solid;
  solid.add_prism(build_rounded_hull(flat, radius), -0.6 * radius, 0.6 * radius);
  const osg::Vec3d &x = plane.x, &y = plane.y, &z = plane.z, &o = plane.origin;
  osg::ref_ptr<osg::MatrixTransform> node = new osg::MatrixTransform(osg::Matrixd(
      x.x(), x.y(), x.z(), 0, y.x(), y.y(), y.z(), 0, z.x(), z.y(), z.z(), 0, o.x(), o.y(), o.z(), 1));
  node->addChild(solid.build(colour));
  return node;
}

bool is_joined(const Scene& scene, std::size_t body, std::size_t point) {
  const auto is_it = [&](PointRef ref) { return ref.body == body && ref.point == point; };
  for (const SceneJoint& joint : scene.joints) {
    if (is_it(joint.first) || is_it(joint.second)) return true;
  }
  for (const SceneDrive& drive : scene.drives) {
    if (drive.kind == DriveKind::cylinder && (is_it(drive.first) || is_it(drive.second))) return true;
  }
  return false;
}

/// Down is along -y of the viewer, whatever axis that is in the ground's frame.
void add_feet(osg::Group& group, const Scene& scene, const DrawnSizes& sizes, const osg::Vec4f& colour) {
  const Turn& t = scene.bodies[0].start.turn;
  const osg::Vec3d down = build_vec(calc_turned({t[0], -t[1], -t[2], -t[3]}, {0, -1, 0}));
  for (std::size_t p = 0; p < scene.bodies[0].points.size(); ++p) {
    if (!is_joined(scene, 0, p)) continue;
    const osg::Vec3d at = build_vec(scene.bodies[0].points[p].place()), foot = at + down * (3.6 * sizes.bar);
    add_rod(group, at, foot, 0.7 * sizes.bar, colour);
    add_rod(group, foot, foot + down * (0.7 * sizes.bar), 2 * sizes.bar, colour);
  }
}

}  // namespace

osg::ref_ptr<osg::Node> build_spatial_body(const Scene& scene, std::size_t body, const DrawnSizes& sizes) {
  osg::ref_ptr<osg::Group> group = new osg::Group;
  const osg::Vec4f colour = build_colour(scene.bodies[body].colour);
  if (body == 0) {
    add_feet(*group, scene, sizes, colour);
    return group;
  }
  const std::vector<osg::Vec3d> places = places_of(scene.bodies[body]);
  if (const auto plane = find_plane(places))
    group->addChild(build_plate(places, *plane, 0.8 * sizes.bar, colour));
  else
    add_rods(*group, places, 0.6 * sizes.bar, colour);
  for (const osg::Vec3d& at : places) add_ball(*group, at, 0.85 * sizes.bar, colour);
  return group;
}

osg::ref_ptr<osg::Node> build_joint_look(const Scene& scene, const SceneJoint& joint,
                                         const DrawnSizes& sizes) {
  osg::ref_ptr<osg::Group> group = new osg::Group;
  const osg::Vec3d at = build_vec(scene.place(joint.first)), axis = build_vec(joint.axis);
  const auto add_sleeve = [&](const osg::Vec3d& along, double half, double radius) {
    add_rod(*group, at - along * half, at + along * half, radius, kSteel);
  };
  switch (joint.kind) {
    case JointKind::spherical:
    case JointKind::point_on_plane:
    case JointKind::point_on_line: add_ball(*group, at, 1.15 * sizes.bar, kSteel); break;
    case JointKind::universal: {
      const Sample start = build_start_sample(scene);
      const Pose &first = start.bodies[joint.first.body].pose, &second = start.bodies[joint.second.body].pose;
      const Turn back{first.turn[0], -first.turn[1], -first.turn[2], -first.turn[3]};
      add_sleeve(axis, 1.8 * sizes.bar, 0.6 * sizes.bar);
      add_sleeve(build_vec(calc_turned(back, calc_turned(second.turn, joint.second_axis))), 1.8 * sizes.bar,
                 0.6 * sizes.bar);
      break;
    }
    case JointKind::prismatic:
    case JointKind::cylindrical:
    case JointKind::screw:
    case JointKind::slider: add_sleeve(axis, 6 * sizes.bar, 0.45 * sizes.bar); break;
    case JointKind::planar: add_sleeve(axis, 0.3 * sizes.bar, 4 * sizes.bar); break;
    case JointKind::revolute:
    case JointKind::fixed: add_sleeve(axis, 1.8 * sizes.bar, 0.95 * sizes.bar); break;
  }
  return group;
}

osg::Matrixd build_along(const osg::Vec3d& at, const osg::Vec3d& from, const osg::Vec3d& to) {
  return osg::Matrixd::rotate(osg::Vec3d(1, 0, 0), to - from) * osg::Matrixd::translate(at);
}

}  // namespace rodeo::viz
