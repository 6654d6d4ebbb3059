// SPDX-License-Identifier: MIT
#include "viz/scene/machine_node.h"

#include <osg/ComputeBoundsVisitor>
#include <osg/Geometry>
#include <osg/Material>

#include <algorithm>
#include <cmath>

#include "viz/scene/convert.h"
#include "viz/scene/shapes.h"
#include "viz/scene/spatial_body.h"

namespace rodeo::viz {
namespace {

const osg::Vec4f kSteel(0.36F, 0.38F, 0.41F, 1);
const osg::Vec4f kChrome(0.78F, 0.79F, 0.81F, 1);
const osg::Vec4f kBarrel(0.20F, 0.22F, 0.25F, 1);

/// Vertex colours become what lights fall on; meshes bring materials of their own.
void use_vertex_colours(osg::StateSet& state) {
  osg::ref_ptr<osg::Material> material = new osg::Material;
  material->setColorMode(osg::Material::AMBIENT_AND_DIFFUSE);
  material->setSpecular(osg::Material::FRONT_AND_BACK, osg::Vec4f(0.18F, 0.18F, 0.18F, 1));
  material->setShininess(osg::Material::FRONT_AND_BACK, 24);
  state.setAttributeAndModes(material);
  state.setMode(GL_NORMALIZE, osg::StateAttribute::ON);
}

bool has_meshes(const Scene& scene) {
  return std::any_of(scene.bodies.begin(), scene.bodies.end(),
                     [](const SceneBody& body) { return !body.mesh.empty(); });
}

osg::ref_ptr<osg::MatrixTransform> build_part(const Solid& solid, const osg::Vec4f& colour) {
  osg::ref_ptr<osg::MatrixTransform> part = new osg::MatrixTransform;
  part->addChild(solid.build(colour));
  return part;
}

}  // namespace

MachineNode::MachineNode(const Scene& scene) : scene_(scene), sizes_(scene), root_(new osg::Group) {
  use_vertex_colours(*root_->getOrCreateStateSet());
  add_bodies();
  osg::ComputeBoundsVisitor bounds;
  root_->accept(bounds);
  const osg::BoundingBox box = bounds.getBoundingBox();
  if (box.valid()) half_width_ = std::max(std::abs(box.zMin()), std::abs(box.zMax()));
  if (scene.is_spatial) {
    add_joints();
  } else {
    if (!has_meshes(scene)) add_pins();
    add_rails();
  }
  add_cylinders();
  update(build_start_sample(scene));
}

void MachineNode::add_bodies() {
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    BodyLook look = build_body(scene_, b, sizes_);
    if (!look.trouble.empty()) troubles_.push_back(look.trouble);
    osg::ref_ptr<osg::MatrixTransform> transform = new osg::MatrixTransform;
    transform->setName(scene_.bodies[b].name);
    transform->addChild(look.node);
    root_->addChild(transform);
    bodies_.push_back(transform);
  }
}

/// In space: what the joints look like, on their first bodies.
void MachineNode::add_joints() {
  if (has_meshes(scene_)) return;
  for (const SceneJoint& joint : scene_.joints)
    bodies_[joint.first.body]->addChild(build_joint_look(scene_, joint, sizes_));
}

/// A bolt through the layers of the two bodies that it joins, on the first of them.
void MachineNode::add_pins() {
  for (const SceneJoint& joint : scene_.joints) {
    if (joint.kind != JointKind::revolute) continue;
    const double a = calc_layer(scene_, joint.first.body, sizes_);
    const double b = calc_layer(scene_, joint.second.body, sizes_);
    Solid bolt;
    bolt.add_prism(build_circle(scene_.local(joint.first), 0.42 * sizes_.bar, 20),
                   std::min(a, b) - sizes_.layer, std::max(a, b) + sizes_.layer);
    bodies_[joint.first.body]->addChild(bolt.build(kSteel));
  }
}

/// Along a guide: a thin bar on the first body, and a roller or block on the second that runs on it.
void MachineNode::add_rails() {
  for (const SceneJoint& joint : scene_.joints) {
    if (joint.kind == JointKind::revolute) continue;
    const double z = calc_layer(scene_, joint.first.body, sizes_) - 0.2 * sizes_.layer;
    const double w = 0.35 * sizes_.bar;
    Solid bar;
    bar.add_prism({{0, -w}, {1, -w}, {1, w}, {0, w}}, z - sizes_.layer / 3, z + sizes_.layer / 3);
    Rail rail{&joint, build_part(bar, kSteel), calc_slide(joint, build_start_sample(scene_))};
    bodies_[joint.first.body]->addChild(rail.node);
    rails_.push_back(rail);
    add_slider(joint, z);
  }
}

/// From the rail to the plate of its body.
void MachineNode::add_slider(const SceneJoint& joint, double rail_z) {
  const double plate = calc_layer(scene_, joint.second.body, sizes_);
  const double low = std::min(plate, rail_z) - 0.7 * sizes_.layer,
               high = std::max(plate, rail_z) + 0.7 * sizes_.layer;
  const Vec2 at = scene_.local(joint.second);
  Solid solid;
  if (joint.kind == JointKind::slider) {
    solid.add_prism(build_circle(at, 0.6 * sizes_.bar, 24), low, high);
  } else {
    std::vector<Vec2> block;
    const Sample start = build_start_sample(scene_);
    const double angle = std::atan2(joint.direction.y, joint.direction.x) +
                         start.bodies[joint.first.body].pose.angle -
                         start.bodies[joint.second.body].pose.angle;
    const double w = 0.6 * sizes_.bar;
    for (const Vec2 corner : {Vec2{-2 * w, -w}, {2 * w, -w}, {2 * w, w}, {-2 * w, w}})
      block.push_back(Pose{at.x, at.y, angle}.calc_world(corner));
    solid.add_prism(block, low, high);
  }
  bodies_[joint.second.body]->addChild(solid.build(kSteel));
}

/// Of the second point along the guide, from the first.
double MachineNode::calc_slide(const SceneJoint& joint, const Sample& sample) const {
  const Vec2 from = calc_point(scene_, sample, joint.first), to = calc_point(scene_, sample, joint.second);
  const Vec2 along = Pose{0, 0, sample.bodies[joint.first.body].pose.angle}.calc_world(joint.direction);
  return ((to.x - from.x) * along.x + (to.y - from.y) * along.y) / std::hypot(along.x, along.y);
}

/// As far to both sides of the start as a machine of this size may slide, and farther where it does.
void MachineNode::place(const Rail& rail, const Sample& sample) const {
  const double reach = 0.3 * scene_.calc_size(), spare = 2 * sizes_.bar;
  const double slide = calc_slide(*rail.joint, sample);
  const double low = std::min(rail.start - reach, slide - spare),
               high = std::max(rail.start + reach, slide + spare);
  const Vec2 at = scene_.local(rail.joint->first);
  const double angle = std::atan2(rail.joint->direction.y, rail.joint->direction.x);
  rail.node->setMatrix(osg::Matrixd::scale(high - low, 1, 1) * osg::Matrixd::translate(low, 0, 0) *
                       build_matrix({at.x, at.y, angle}));
}

/// Where nothing is said: in the middle of a machine with meshes, else in front of all plates, so that it is seen.
std::vector<double> MachineNode::find_across(const SceneDrive& drive, double radius) const {
  if (!drive.across.empty()) return drive.across;
  if (has_meshes(scene_) || scene_.is_spatial) return {0};
  return {calc_layer(scene_, scene_.bodies.size() - 1, sizes_) + 0.8 * sizes_.layer + 1.1 * radius};
}

/// The barrel is as long as leaves the rod a little to show when it is drawn in.
MachineNode::Cylinder MachineNode::build_cylinder(const SceneDrive& drive) const {
  const Sample start = build_start_sample(scene_);
  const Vec3 from = calc_place(scene_, start, drive.first), to = calc_place(scene_, start, drive.second);
  const double length = std::hypot(std::hypot(to.x - from.x, to.y - from.y), to.z - from.z);
  const double barrel = 0.93 * drive.lower.value_or(0.65 * length);
  const double r = drive.radius.value_or(std::min(0.9 * sizes_.bar, 0.12 * barrel));
  Solid tube, eye, shaft;
  for (const double z : find_across(drive, r)) {
    tube.add_bar(0, barrel, r, z);
    tube.add_bar(-0.9 * r, 0.9 * r, 1.05 * r, z);
    tube.add_bar(barrel - 0.6 * r, barrel, 1.12 * r, z);
    eye.add_bar(-0.8 * r, 0.8 * r, 0.8 * r, z);
    shaft.add_bar(-1, 0, 0.5 * r, z);  // stretched to its length
  }
  Cylinder cylinder{drive.first, drive.second, barrel, r, build_part(tube, kBarrel), {}, {}};
  cylinder.rod_node = build_part(eye, kChrome);
  cylinder.shaft_node = build_part(shaft, kChrome);
  cylinder.rod_node->addChild(cylinder.shaft_node);
  return cylinder;
}

/// From the plate of a body to the cylinders that hang on it.
void MachineNode::add_cylinder_pin(PointRef at, const std::vector<double>& across, double radius) {
  const double plate = calc_layer(scene_, at.body, sizes_);
  const auto [low, high] = std::minmax_element(across.begin(), across.end());
  Solid bolt;
  bolt.add_prism(build_circle(scene_.local(at), 0.42 * std::min(sizes_.bar, radius), 20),
                 std::min(plate - 0.62 * sizes_.layer, *low - 1.15 * radius),
                 std::max(plate + 0.62 * sizes_.layer, *high + 1.15 * radius));
  bodies_[at.body]->addChild(bolt.build(kSteel));
}

void MachineNode::add_cylinders() {
  for (const SceneDrive& drive : scene_.drives) {
    if (drive.kind != DriveKind::cylinder) continue;
    cylinders_.push_back(build_cylinder(drive));
    const double radius = cylinders_.back().radius;
    if (!has_meshes(scene_) && !scene_.is_spatial) {
      for (const PointRef end : {drive.first, drive.second})
        add_cylinder_pin(end, find_across(drive, radius), radius);
    }
    root_->addChild(cylinders_.back().barrel_node);
    root_->addChild(cylinders_.back().rod_node);
  }
}

void MachineNode::place(const Cylinder& cylinder, Vec3 from, Vec3 to) {
  const double length = std::hypot(std::hypot(to.x - from.x, to.y - from.y), to.z - from.z);
  if (scene_.is_spatial) {
    cylinder.barrel_node->setMatrix(build_along(build_vec(from), build_vec(from), build_vec(to)));
    cylinder.rod_node->setMatrix(build_along(build_vec(to), build_vec(from), build_vec(to)));
  } else {
    const double angle = std::atan2(to.y - from.y, to.x - from.x);
    cylinder.barrel_node->setMatrix(build_matrix({from.x, from.y, angle}));
    cylinder.rod_node->setMatrix(build_matrix({to.x, to.y, angle}));
  }
  // To the middle of the barrel: it never sticks out behind.
  cylinder.shaft_node->setMatrix(
      osg::Matrixd::scale(std::max(length - cylinder.barrel / 2, 0.1 * length), 1, 1));
}

void MachineNode::update(const Sample& sample) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) bodies_[b]->setMatrix(build_matrix(sample.bodies[b].pose));
  for (const Rail& rail : rails_) place(rail, sample);
  for (const Cylinder& cylinder : cylinders_) {
    place(cylinder, calc_place(scene_, sample, cylinder.first), calc_place(scene_, sample, cylinder.second));
  }
}

}  // namespace rodeo::viz
