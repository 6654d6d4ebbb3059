// SPDX-License-Identifier: MIT
#include "viz/scene/body_node.h"

#include <fmt/format.h>
#include <osg/Geode>
#include <osg/Material>
#include <osg/NodeVisitor>
#include <osgDB/ReadFile>

#include <cmath>
#include <filesystem>

#include "viz/scene/convert.h"
#include "viz/scene/shapes.h"

namespace rodeo::viz {
namespace {

/// Does anything in a mesh bring a material of its own?
class MaterialFinder : public osg::NodeVisitor {
 public:
  MaterialFinder() : osg::NodeVisitor(osg::NodeVisitor::TRAVERSE_ALL_CHILDREN) {}
  void apply(osg::Node& node) override {
    const osg::StateSet* state = node.getStateSet();
    is_found_ |= state != nullptr && state->getAttribute(osg::StateAttribute::MATERIAL) != nullptr;
    traverse(node);
  }
  [[nodiscard]] bool is_found() const { return is_found_; }

 private:
  bool is_found_ = false;
};

void paint(osg::Node& node, const osg::Vec4f& colour) {
  osg::ref_ptr<osg::Material> material = new osg::Material;
  material->setColorMode(osg::Material::OFF);
  material->setAmbient(osg::Material::FRONT_AND_BACK, colour);
  material->setDiffuse(osg::Material::FRONT_AND_BACK, colour);
  node.getOrCreateStateSet()->setAttributeAndModes(material);
}

/// Null if it cannot be read or holds nothing.
osg::ref_ptr<osg::Node> try_mesh(const std::filesystem::path& path) {
  // Files are x forward, y up as the scene is; OSG would turn OBJ files upright otherwise.
  osg::ref_ptr<osgDB::Options> options = new osgDB::Options("noRotation");
  osg::ref_ptr<osg::Node> mesh = osgDB::readRefNodeFile(path.string(), options);
  if (!mesh || !mesh->getBound().valid()) return nullptr;
  const osg::BoundingSphere bound = mesh->getBound();
  const bool is_sane = std::isfinite(bound.radius()) && bound.radius() > 0;
  return is_sane ? mesh : nullptr;
}

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
    look.node = try_mesh(path);
    if (!look.node) {
      std::error_code ignored;
      look.trouble =
          fmt::format("{}: {}: body '{}' is drawn from its points", path.string(),
                      std::filesystem::exists(path, ignored) ? "cannot be read as a mesh (OBJ, STL)"
                                                             : "the mesh is not there",
                      own.name);
    }
  }
  if (!look.node) {
    look.node = body == 0 ? build_stands(scene, sizes) : build_plate(scene, body, sizes);
    return look;
  }
  MaterialFinder finder;
  look.node->accept(finder);
  if (!finder.is_found()) paint(*look.node, build_colour(own.colour));
  return look;
}

}  // namespace rodeo::viz
