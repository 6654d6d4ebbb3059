// SPDX-License-Identifier: MIT
#include "viz/scene/world_node.h"

#include <osg/BlendFunc>
#include <osg/Depth>
#include <osg/Geometry>
#include <osg/Light>
#include <osg/LightSource>
#include <osg/Material>
#include <osg/MatrixTransform>
#include <osg/Stencil>

#include <algorithm>
#include <cmath>
#include <vector>

#include "viz/scene/light.h"
#include "viz/scene/ruler.h"
#include "viz/scene/shapes.h"

namespace rodeo::viz {
namespace {

const osg::Vec4f kZenith(0.36F, 0.55F, 0.78F, 1);
const osg::Vec4f kHorizon(0.86F, 0.90F, 0.94F, 1);
const osg::Vec4f kSoil(0.60F, 0.58F, 0.53F, 1);
const osg::Vec3d kToSun(-0.35, 0.85, 0.55);  // not normalised
constexpr float kShadowDarkness = 0.34F;
/// Order of drawing: what blends with the ground comes after it.
/// The sky fills what is left before what one sees through (OSG's bin 10) comes.
enum Bin : int { kSheetBin = -5, kGroundBin = 5, kGridBin = 6, kShadowBin = 7, kSkyBin = 8 };

osg::Vec4f mix(const osg::Vec4f& a, const osg::Vec4f& b, float u) { return a * (1 - u) + b * u; }

void set_bin(osg::Node& node, int bin, bool writes_depth) {
  osg::StateSet* state = node.getOrCreateStateSet();
  state->setRenderBinDetails(bin, "RenderBin");
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL, 0, 1, writes_depth));
}

/// Half of a ball around the machine, open below; its colour depends on the height over the horizon alone.
osg::ref_ptr<osg::Node> build_sky(const WorldOptions& options) {
  constexpr int kRings = 12, kSides = 32;
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array;
  const auto add = [&](int ring, int side) {
    const double up = osg::PI_2 * (1.25 * ring / kRings - 0.25), round = 2 * osg::PI * side / kSides;
    const double r = 0.9 * calc_world_radius(options.size);
    vertices->push_back(osg::Vec3f(static_cast<float>(options.centre_x + r * std::cos(up) * std::cos(round)),
                                   static_cast<float>(options.ground + r * std::sin(up)),
                                   static_cast<float>(r * std::cos(up) * std::sin(round))));
    const auto u = static_cast<float>(std::clamp(std::sin(up) * 1.6, 0.0, 1.0));
    colours->push_back(mix(kHorizon, kZenith, u));
  };
  for (int ring = 0; ring < kRings; ++ring) {
    for (int side = 0; side < kSides; ++side) {
      add(ring, side), add(ring + 1, side), add(ring + 1, side + 1), add(ring, side), add(ring + 1, side + 1),
          add(ring, side + 1);
    }
  }
  osg::ref_ptr<osg::Geometry> sky = build_lines(vertices, colours, GL_TRIANGLES, 1);
  set_bin(*sky, kSkyBin, false);
  sky->setCullingActive(false);
  return sky;
}

struct Ring {
  double inner = 0, outer = 0;  // radii, m
  osg::Vec4f inner_colour, outer_colour;
};

osg::ref_ptr<osg::Geometry> build_rings(const WorldOptions& options, const std::vector<Ring>& rings) {
  constexpr int kSides = 64;
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array;
  for (const Ring& ring : rings) {
    const auto add = [&](bool is_outer, int side) {
      const double round = 2 * osg::PI * side / kSides, r = is_outer ? ring.outer : ring.inner;
      vertices->push_back(osg::Vec3f(static_cast<float>(options.centre_x + r * std::cos(round)),
                                     static_cast<float>(options.ground),
                                     static_cast<float>(r * std::sin(round))));
      colours->push_back(is_outer ? ring.outer_colour : ring.inner_colour);
    };
    for (int side = 0; side < kSides; ++side) {
      add(false, side), add(true, side + 1), add(true, side);
      if (ring.inner > 0) add(false, side), add(false, side + 1), add(true, side + 1);
    }
  }
  osg::ref_ptr<osg::Geometry> geometry = build_lines(vertices, colours, GL_TRIANGLES, 1);
  set_bin(*geometry, kGroundBin, true);
  return geometry;
}

/// Fades into the horizon at its rim. Where the machine is it lets a digging bucket shine through a little; blending costs, so
/// farther out the soil has the colour that it would have over the horizon's.
osg::ref_ptr<osg::Node> build_soil(const WorldOptions& options) {
  constexpr float kCover = 0.88F;
  const double size = options.size, reach = 1.4 * size;
  osg::Vec4f clear = kSoil;
  clear.a() = kCover;
  const osg::Vec4f solid = mix(kHorizon, kSoil, kCover), far = mix(kSoil, kHorizon, 0.75F);
  osg::ref_ptr<osg::Geometry> inner = build_rings(options, {{0, reach, clear, clear}});
  inner->getOrCreateStateSet()->setMode(GL_BLEND, osg::StateAttribute::ON);
  osg::ref_ptr<osg::Group> soil = new osg::Group;
  soil->addChild(inner);
  soil->addChild(build_rings(options, {{reach, 4 * size, solid, solid},
                                       {4 * size, 12 * size, solid, far},
                                       {12 * size, 0.5 * calc_world_radius(size), far, kHorizon}}));
  return soil;
}

/// p' = p - (p_y - h) / s_y · s: along the sun's rays onto the plane y = h. Rows are what OSG multiplies from the left.
osg::Matrixd build_shadow_matrix(double height) {
  const double kx = kToSun.x() / kToSun.y(), kz = kToSun.z() / kToSun.y();
  return {1, 0, 0, 0, -kx, 0, -kz, 0, 0, 0, 1, 0, kx * height, height, kz * height, 1};
}

/// Each pixel is darkened once, however many parts lie over it: the stencil counts.
osg::ref_ptr<osg::Node> build_shadow(double height, osg::Node* machine) {
  osg::ref_ptr<osg::MatrixTransform> shadow = new osg::MatrixTransform(build_shadow_matrix(height + 1e-3));
  shadow->addChild(machine);
  osg::StateSet* state = shadow->getOrCreateStateSet();
  constexpr auto kForced = osg::StateAttribute::ON | osg::StateAttribute::OVERRIDE;
  osg::ref_ptr<osg::Material> dark = new osg::Material;
  dark->setColorMode(osg::Material::OFF);
  for (const auto set :
       {&osg::Material::setAmbient, &osg::Material::setSpecular, &osg::Material::setEmission}) {
    (dark.get()->*set)(osg::Material::FRONT_AND_BACK, osg::Vec4f(0, 0, 0, 1));
  }
  dark->setDiffuse(osg::Material::FRONT_AND_BACK, osg::Vec4f(0, 0, 0, kShadowDarkness));
  state->setAttributeAndModes(dark, kForced);
  state->setMode(GL_BLEND, kForced);
  state->setTextureMode(0, GL_TEXTURE_2D, osg::StateAttribute::OFF | osg::StateAttribute::OVERRIDE);
  osg::ref_ptr<osg::Stencil> once = new osg::Stencil;
  once->setFunction(osg::Stencil::EQUAL, 0, ~0U);
  once->setOperation(osg::Stencil::KEEP, osg::Stencil::KEEP, osg::Stencil::INCR);
  state->setAttributeAndModes(once, kForced);
  state->setAttributeAndModes(new osg::Depth(osg::Depth::LEQUAL, 0, 1, false), kForced);
  state->setRenderBinDetails(kShadowBin, "RenderBin", osg::StateSet::OVERRIDE_RENDERBIN_DETAILS);
  return shadow;
}

void add_light(osg::Group& root, int number, const osg::Vec3d& towards, const osg::Vec4f& colour,
               const osg::Vec4f& ambient) {
  osg::ref_ptr<osg::LightSource> source = new osg::LightSource;
  osg::Light* light = source->getLight();
  light->setLightNum(number);
  osg::Vec3f direction(towards);
  direction.normalize();
  light->setPosition(osg::Vec4f(direction, 0));
  light->setDiffuse(colour);
  light->setSpecular(number == 0 ? colour : osg::Vec4f(0, 0, 0, 1));
  light->setAmbient(ambient);
  root.addChild(source);
  root.getOrCreateStateSet()->setMode(static_cast<GLenum>(GL_LIGHT0 + number), osg::StateAttribute::ON);
}

void add_lights(osg::Group& root) {
  root.getOrCreateStateSet()->setAttributeAndModes(build_light_model(true));
  root.getOrCreateStateSet()->setMode(GL_LIGHTING, osg::StateAttribute::ON);
  add_light(root, 0, kToSun, osg::Vec4f(0.78F, 0.76F, 0.72F, 1), osg::Vec4f(0.10F, 0.10F, 0.10F, 1));
  add_light(root, 1, osg::Vec3d(0.8, 0.25, 0.7), osg::Vec4f(0.26F, 0.27F, 0.30F, 1), osg::Vec4f(0, 0, 0, 1));
}

/// A line where the ground is, over a grid of metres; behind the machine.
osg::ref_ptr<osg::Node> build_sheet(const WorldOptions& options) {
  const double radius = calc_world_radius(options.size);
  osg::ref_ptr<osg::MatrixTransform> sheet =
      new osg::MatrixTransform(osg::Matrixd::translate(0, 0, -0.25 * radius));
  for (const auto& part : {build_grid(options, osg::Vec3f(0, 1, 0), 0.55F), build_sheet_labels(options)}) {
    set_bin(*part, kSheetBin, false);
    sheet->addChild(part);
  }
  const auto y = static_cast<float>(options.ground), reach = static_cast<float>(radius / 2);
  osg::ref_ptr<osg::Vec3Array> corners = new osg::Vec3Array;
  for (const auto& [x, low] : {std::pair{-reach, y}, {-reach, y - reach}, {reach, y - reach}, {reach, y}})
    corners->push_back(osg::Vec3f(x, low, -1));
  const osg::Vec4f colour(kSoil.x(), kSoil.y(), kSoil.z(), 0.55F);
  osg::ref_ptr<osg::Geometry> soil = build_lines(corners, new osg::Vec4Array(1, &colour), GL_QUADS, 1);
  soil->getOrCreateStateSet()->setMode(GL_BLEND, osg::StateAttribute::ON);
  set_bin(*soil, kSheetBin - 1, false);
  sheet->addChild(soil);
  return sheet;
}

osg::ref_ptr<osg::Switch> build_switch(osg::Group& root, bool on) {
  osg::ref_ptr<osg::Switch> result = new osg::Switch;
  result->setNewChildDefaultValue(on);
  root.addChild(result);
  return result;
}

}  // namespace

WorldNode::WorldNode(const WorldOptions& options, osg::Node* machine) : root_(new osg::Group) {
  add_lights(*root_);
  ground_ = build_switch(*root_, true);
  ground_->addChild(build_sky(options));
  ground_->addChild(build_soil(options));
  // Just above the soil, so that the two do not flicker into each other.
  osg::ref_ptr<osg::MatrixTransform> raised = new osg::MatrixTransform(osg::Matrixd::translate(0, 2e-3, 0));
  for (const auto& part : {build_grid(options, osg::Vec3f(0, 0, 1), 0.6F), build_ground_labels(options)}) {
    set_bin(*part, kGridBin, false);
    raised->addChild(part);
  }
  ground_->addChild(raised);
  shadow_ = build_switch(*root_, options.has_shadow);
  shadow_->addChild(build_shadow(options.ground, machine));
  sheet_ = build_switch(*root_, false);
  sheet_->addChild(build_sheet(options));
}

void WorldNode::show_shadow(bool on) { on ? shadow_->setAllChildrenOn() : shadow_->setAllChildrenOff(); }

void WorldNode::show_from_side(bool on) {
  on ? sheet_->setAllChildrenOn() : sheet_->setAllChildrenOff();
  on ? ground_->setAllChildrenOff() : ground_->setAllChildrenOn();
  shadow_->setNodeMask(on ? 0 : ~0U);
}

}  // namespace rodeo::viz
