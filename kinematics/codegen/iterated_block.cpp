// SPDX-License-Identifier: MIT
#include "kinematics/codegen/iterated_block.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/codegen/block_rows.h"
#include "kinematics/codegen/placing.h"
#include "kinematics/machine/closure.h"
#include "kinematics/text/fault.h"

namespace rodeo::codegen {
namespace {

using machine::Drive;
using machine::DriveKind;
using machine::Joint;
using machine::JointKind;
using machine::PointRef;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class BlockBuilder {
 public:
  BlockBuilder(Placement& known, const machine::Assembly& start, const std::vector<int>& bodies,
               const std::vector<machine::Row>& redundant)
      : known_(known),
        machine_(known.linkage().machine()),
        start_(start),
        bodies_(bodies),
        redundant_(redundant),
        size_(machine::calc_size(machine_)) {}

  IteratedBlock build(const Positions& earlier) {
    block_.bodies = bodies_;
    for (const int body : bodies_) {
      if (known_.has_direction(body)) continue;
      add_angle(body);
      while (spread_directions()) {
      }
    }
    while (place_one()) {
    }
    close(earlier);
    return std::move(block_);
  }

 private:
  Expr add(BlockUnknown::Kind kind, int index, const std::string& name, double value) {
    const Expr unknown = expr::variable(name);
    block_.what.push_back({kind, index});
    block_.unknowns.push_back(unknown);
    block_.at_start.push_back(value);
    return unknown;
  }

  [[nodiscard]] bool is_inside(int body) const {
    return std::find(bodies_.begin(), bodies_.end(), body) != bodies_.end();
  }

  // ---- directions

  void add_angle(int body) {
    const Expr angle = add(BlockUnknown::Kind::body_angle, body, "z:" + known_.linkage().name(body),
                           start_.pose.bodies[at(body)].angle);
    known_.set_frame(body, {{1.0, 0.0}, direction(angle)}, angle);
  }

  /// Over prismatic joints and drives of angles, within the block.
  bool spread_directions() {
    const auto inside = [&](int first, int second) { return is_inside(first) && is_inside(second); };
    for (const Joint& joint : machine_.joints) {
      if (inside(joint.first.body, joint.second.body) && try_direct(known_, joint) >= 0) return true;
    }
    for (const Drive& drive : machine_.drives) {
      if (inside(drive.first_body, drive.second_body) && try_direct(known_, drive) >= 0) return true;
    }
    return false;
  }

  // ---- places: by pins, along driven guides, along other guides, along cylinders

  bool place_one() {
    for (const int body : bodies_) {
      if (!known_.is_placed(body) && try_place_by_point(known_, body)) return true;
    }
    for (const bool driven : {true, false}) {
      for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
        const Drive* drive = find_drive(static_cast<int>(j));
        if ((drive != nullptr) == driven && place_along(static_cast<int>(j), drive)) return true;
      }
    }
    return std::any_of(machine_.drives.begin(), machine_.drives.end(),
                       [&](const Drive& drive) { return place_by_cylinder(drive); });
  }

  [[nodiscard]] const Drive* find_drive(int joint) const {
    for (const Drive& drive : machine_.drives) {
      if (drive.kind == DriveKind::slide && drive.joint == joint) return &drive;
    }
    return nullptr;
  }

  /// One end placed, the other in the block and not placed yet.
  [[nodiscard]] bool leads_on(PointRef first, PointRef second) const {
    if (known_.is_placed(first.body) == known_.is_placed(second.body)) return false;
    return is_inside(known_.is_placed(first.body) ? second.body : first.body);
  }

  /// A position along a guide is counted in sizes of the machine, so that all derivatives are metres.
  bool place_along(int j, const Drive* drive) {
    const Joint& joint = machine_.joints[at(j)];
    if (joint.kind == JointKind::revolute || !leads_on(joint.first, joint.second)) return false;
    if (drive != nullptr) return try_place_along(known_, joint, drive_position(*drive)) >= 0;
    const double start = calc_slide(machine_, start_.pose, j) / size_;
    const Expr unknown = add(BlockUnknown::Kind::slide, j, "z:" + joint.name + ".slide", start);
    return try_place_along(known_, joint, size_ * unknown) >= 0;
  }

  bool place_by_cylinder(const Drive& drive) {
    if (drive.kind != DriveKind::cylinder || !leads_on(drive.first, drive.second)) return false;
    const machine::Vec2 a = machine::calc_position(machine_, start_.pose, drive.first);
    const machine::Vec2 b = machine::calc_position(machine_, start_.pose, drive.second);
    const Expr angle =
        add(BlockUnknown::Kind::cylinder_angle, static_cast<int>(&drive - machine_.drives.data()),
            "z:" + drive.name + ".angle", std::atan2(b.y - a.y, b.x - a.x));
    const Vec way = drive_position(drive) * direction(angle);
    const bool forward = known_.is_placed(drive.first.body);
    const PointRef here = forward ? drive.second : drive.first;
    const Vec place = known_.on_body(forward ? drive.first : drive.second);
    known_.set_base(here.body, known_.linkage().local(here), forward ? place + way : place - way);
    return true;
  }

  // ---- residuals

  void close(const Positions& earlier) {
    BlockRows rows(known_, start_, block_, redundant_);
    rows.select(earlier, size_);
    block_.residuals = rows.residuals();
    block_.jacobian = rows.jacobian();
    if (block_.residuals.size() == block_.unknowns.size()) return;
    throw text::ModelError(
        machine_.where,
        fmt::format("the start pose is singular: {} independent equations for {} unknowns of the bodies {}; "
                    "start from another pose",
                    block_.residuals.size(), block_.unknowns.size(), names()));
  }

  [[nodiscard]] std::string names() const {
    std::vector<std::string> names;
    for (const int body : bodies_) names.push_back(known_.linkage().name(body));
    return text::join_names(names);
  }

  Placement& known_;
  const machine::Machine& machine_;
  const machine::Assembly& start_;
  const std::vector<int>& bodies_;
  const std::vector<machine::Row>& redundant_;
  double size_;
  IteratedBlock block_;
};

}  // namespace

IteratedBlock open_block(Placement& known, const machine::Assembly& start, const std::vector<int>& bodies,
                         const std::vector<machine::Row>& redundant, const Positions& earlier) {
  return BlockBuilder(known, start, bodies, redundant).build(earlier);
}

}  // namespace rodeo::codegen
