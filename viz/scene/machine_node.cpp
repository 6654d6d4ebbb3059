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

/// The drive of this guide, if it has one with both ends.
const SceneDrive* find_stroke(const Scene& scene, const SceneJoint& joint) {
  const auto is_same = [](PointRef a, PointRef b) { return a.body == b.body && a.point == b.point; };
  for (const SceneDrive& drive : scene.drives) {
    const bool is_its = drive.kind == DriveKind::slide && is_same(drive.first, joint.first) &&
                        is_same(drive.second, joint.second);
    if (is_its && drive.lower && drive.upper) return &drive;
  }
  return nullptr;
}

/// `hull` is counter-clockwise.
bool is_inside(const std::vector<Vec2>& hull, Vec2 p) {
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec2 a = hull[i], b = hull[(i + 1) % hull.size()];
    if ((b.x - a.x) * (p.y - a.y) - (b.y - a.y) * (p.x - a.x) < 0) return false;
  }
  return true;
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
  add_struts();
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
    Rail rail = build_rail(joint);
    rail.node = build_part(bar, kSteel);
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

/// A stroke that is known; else on the ground as far as a machine of this size may slide, and on a body that moves what the
/// body spans itself.
MachineNode::Rail MachineNode::build_rail(const SceneJoint& joint) const {
  Rail rail{&joint, {}};
  rail.low = rail.high = calc_slide(joint, build_start_sample(scene_));
  if (const SceneDrive* stroke = find_stroke(scene_, joint)) {
    rail.low = std::min(rail.low, *stroke->lower), rail.high = std::max(rail.high, *stroke->upper);
  } else if (joint.first.body == 0) {
    rail.low -= 0.3 * scene_.calc_size(), rail.high += 0.3 * scene_.calc_size();
  } else {
    const Vec2 from = scene_.local(joint.first);
    const double size = std::hypot(joint.direction.x, joint.direction.y);
    for (const ScenePoint& point : scene_.bodies[joint.first.body].points) {
      const double along =
          ((point.at.x - from.x) * joint.direction.x + (point.at.y - from.y) * joint.direction.y) / size;
      rail.low = std::min(rail.low, along), rail.high = std::max(rail.high, along);
    }
  }
  return rail;
}

/// Farther where it slides farther.
void MachineNode::place(const Rail& rail, const Sample& sample) const {
  const double spare = 1.2 * sizes_.bar, slide = calc_slide(*rail.joint, sample);
  const double low = std::min(rail.low, slide) - spare, high = std::max(rail.high, slide) + spare;
  const Vec2 at = scene_.local(rail.joint->first);
  const double angle = std::atan2(rail.joint->direction.y, rail.joint->direction.x);
  rail.node->setMatrix(osg::Matrixd::scale(high - low, 1, 1) * osg::Matrixd::translate(low, 0, 0) *
                       build_matrix({at.x, at.y, angle}));
}

/// Does the plate of a body lie over a strut, as one looks at the start pose?
bool MachineNode::is_over(std::size_t body, const StrutShape& shape) const {
  if (body == shape.first.body || body == shape.second.body) return true;
  const Sample start = build_start_sample(scene_);
  const Vec2 a = calc_point(scene_, start, shape.first), b = calc_point(scene_, start, shape.second);
  std::vector<Vec2> plate;
  for (const ScenePoint& point : scene_.bodies[body].points)
    plate.push_back(start.bodies[body].pose.calc_world(point.at));
  const std::vector<Vec2> hull = build_rounded_hull(plate, sizes_.bar + shape.radius);
  constexpr int kSteps = 50;
  for (int i = 0; i <= kSteps; ++i) {
    const double u = static_cast<double>(i) / kSteps;
    if (is_inside(hull, {a.x + u * (b.x - a.x), a.y + u * (b.y - a.y)})) return true;
  }
  return false;
}

/// Just before the plates that it crosses, so that it is seen.
double MachineNode::find_front(const StrutShape& shape) const {
  double front = -INFINITY;
  for (std::size_t b = 0; b < scene_.bodies.size(); ++b) {
    if (!scene_.bodies[b].points.empty() && is_over(b, shape))
      front = std::max(front, calc_layer(scene_, b, sizes_));
  }
  return front + 0.8 * sizes_.layer + 1.1 * shape.radius;
}

StrutShape MachineNode::build_shape(PointRef first, PointRef second) const {
  const Sample start = build_start_sample(scene_);
  const Vec3 from = calc_place(scene_, start, first), to = calc_place(scene_, start, second);
  StrutShape shape{first, second, std::hypot(std::hypot(to.x - from.x, to.y - from.y), to.z - from.z)};
  shape.radius = std::min(0.9 * sizes_.bar, 0.1 * shape.length);
  const bool is_in_middle = has_meshes(scene_) || scene_.is_spatial;
  if (!is_in_middle) shape.across = {find_front(shape)};
  return shape;
}

StrutShape MachineNode::build_shape(const SceneDrive& drive) const {
  StrutShape shape = build_shape(drive.first, drive.second);
  const double drawn_in = drive.lower.value_or(0.65 * shape.length);
  shape.radius = drive.radius.value_or(std::min(0.9 * sizes_.bar, 0.11 * drawn_in));
  const bool is_in_middle = has_meshes(scene_) || scene_.is_spatial;
  if (!is_in_middle) shape.across = {find_front(shape)};
  if (!drive.across.empty()) shape.across = drive.across;
  return shape;
}

/// From the plate of a body to what hangs on it.
void MachineNode::add_strut_pin(PointRef at, const StrutShape& shape) {
  const double plate = calc_layer(scene_, at.body, sizes_), radius = shape.radius;
  const auto [low, high] = std::minmax_element(shape.across.begin(), shape.across.end());
  Solid bolt;
  bolt.add_prism(build_circle(scene_.local(at), 0.42 * std::min(sizes_.bar, radius), 20),
                 std::min(plate - 0.62 * sizes_.layer, *low - 1.15 * radius),
                 std::max(plate + 0.62 * sizes_.layer, *high + 1.15 * radius));
  bodies_[at.body]->addChild(bolt.build(kSteel));
}

void MachineNode::add_strut(Strut strut, const StrutShape& shape) {
  if (!has_meshes(scene_) && !scene_.is_spatial) {
    for (const PointRef end : {shape.first, shape.second}) add_strut_pin(end, shape);
  }
  root_->addChild(strut.foot);
  root_->addChild(strut.head);
  struts_.push_back(std::move(strut));
}

void MachineNode::add_struts() {
  for (const SceneDrive& drive : scene_.drives) {
    if (drive.kind != DriveKind::cylinder) continue;
    const StrutShape shape = build_shape(drive);
    add_strut(build_cylinder(shape, drive.lower), shape);
  }
  for (const SceneForce& force : scene_.forces) {
    const StrutShape shape = build_shape(force.first, force.second);
    if (force.kind == ForceKind::spring) add_strut(build_spring(shape), shape);
    if (force.kind == ForceKind::damper || force.is_damped) add_strut(build_damper(shape), shape);
    if (force.kind == ForceKind::stop) add_strut(build_stop(shape, force.lower, force.upper), shape);
  }
}

void MachineNode::update(const Sample& sample) {
  for (std::size_t b = 0; b < bodies_.size(); ++b) bodies_[b]->setMatrix(build_matrix(sample.bodies[b].pose));
  for (const Rail& rail : rails_) place(rail, sample);
  for (const Strut& strut : struts_) strut.place(scene_, sample);
}

}  // namespace rodeo::viz
