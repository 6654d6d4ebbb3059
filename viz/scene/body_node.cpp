// SPDX-License-Identifier: MIT
#include "viz/scene/body_node.h"

#include <fmt/format.h>

#include <filesystem>

#include "viz/scene/convert.h"
#include "viz/scene/mesh.h"
#include "viz/scene/shapes.h"
#include "viz/scene/spatial_body.h"

namespace rodeo::viz {
namespace {

bool is_pin(const Scene& scene, std::size_t body, std::size_t point) {
  const auto is_it = [&](PointRef ref) { return ref.body == body && ref.point == point; };
  for (const SceneJoint& joint : scene.joints) {
    if (is_it(joint.first) || is_it(joint.second)) return true;
  }
  for (const SceneDrive& drive : scene.drives) {
    if (drive.kind == DriveKind::cylinder && (is_it(drive.first) || is_it(drive.second))) return true;
  }
  return false;
}

std::vector<Vec2> points_of(const SceneBody& body) {
  std::vector<Vec2> points;
  for (const ScenePoint& point : body.points) points.push_back(point.at);
  return points;
}

/// Around a pin the plate is thicker.
void add_bosses(const Scene& scene, std::size_t body, const DrawnSizes& sizes, double z, Solid& solid) {
  const auto& points = scene.bodies[body].points;
  for (std::size_t p = 0; p < points.size(); ++p) {
    if (!is_pin(scene, body, p)) continue;
    solid.add_prism(build_circle(points[p].at, 0.72 * sizes.bar, 24), z - 0.62 * sizes.layer,
                    z + 0.62 * sizes.layer);
  }
}

osg::ref_ptr<osg::Node> build_plate(const Scene& scene, std::size_t body, const DrawnSizes& sizes) {
  Solid plate;
  const double z = calc_layer(scene, body, sizes);
  plate.add_prism(build_rounded_hull(points_of(scene.bodies[body]), sizes.bar), z - sizes.layer / 2,
                  z + sizes.layer / 2);
  add_bosses(scene, body, sizes, z, plate);
  return plate.build(build_colour(scene.bodies[body].colour));
}

/// A stand below every pin of the ground, and a rail along every guide.
osg::ref_ptr<osg::Node> build_stands(const Scene& scene, const DrawnSizes& sizes) {
  Solid solid;
  const double r = sizes.bar;
  const double back = calc_layer(scene, 0, sizes);
  for (std::size_t p = 0; p < scene.bodies[0].points.size(); ++p) {
    const Vec2 at = scene.bodies[0].points[p].at;
    if (!is_pin(scene, 0, p)) continue;
    std::vector<Vec2> outline = build_circle(at, r, 24);
    outline.push_back({at.x - 2 * r, at.y - 3.2 * r});
    outline.push_back({at.x + 2 * r, at.y - 3.2 * r});
    solid.add_prism(build_hull(outline), back - sizes.layer / 2, back + sizes.layer / 2);
  }
  return solid.build(build_colour(scene.bodies[0].colour));
}

}  // namespace

DrawnSizes::DrawnSizes(const Scene& scene) {
  const double size = scene.calc_size();
  bar = 0.022 * size;
  layer = 0.022 * size;
}

double calc_layer(const Scene& scene, std::size_t body, const DrawnSizes& sizes) {
  const double count = static_cast<double>(scene.bodies.size());
  return 1.25 * sizes.layer * (static_cast<double>(body) - (count - 1) / 2);
}

BodyLook build_body(const Scene& scene, std::size_t body, const DrawnSizes& sizes) {
  const SceneBody& own = scene.bodies[body];
  BodyLook look;
  if (!own.mesh.empty()) {
    const std::filesystem::path path = scene.folder / own.mesh;
    Mesh mesh = build_mesh(path, build_colour(own.colour));
    look.node = mesh.node;
    if (!look.node) {
      look.trouble =
          fmt::format("{}{}: body '{}' is drawn from its points", path.string(), mesh.fault, own.name);
    }
  }
  if (!look.node && scene.is_spatial) look.node = build_spatial_body(scene, body, sizes);
  if (!look.node) look.node = body == 0 ? build_stands(scene, sizes) : build_plate(scene, body, sizes);
  return look;
}

}  // namespace rodeo::viz
