// SPDX-License-Identifier: MIT
// Spanning tree of the joints.
#include "kinematics/codegen/tree.h"

#include <algorithm>
#include <optional>

#include "kinematics/text/fault.h"

namespace rodeo::codegen {
namespace {

using machine::Drive;
using machine::DriveKind;
using machine::Joint;
using machine::JointKind;
using machine::PointRef;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

class TreeBuilder {
 public:
  TreeBuilder(const machine::Machine& machine, const std::vector<Frame>& frames,
              const std::vector<Vec>& cylinders, const std::vector<Expr>& slides)
      : machine_(machine),
        frames_(frames),
        cylinders_(cylinders),
        slides_(slides),
        origins_(machine.bodies.size()),
        used_joint_(machine.joints.size(), false),
        used_drive_(machine.drives.size(), false) {
    origins_[0] = Vec{};
  }

  Tree build() {
    while (grow_by_joints() || grow_by_cylinders() || grow_by_slides()) {
    }
    Tree tree;
    for (const auto& origin : origins_) {
      if (!origin)
        throw text::ModelError(
            machine_.where, "a body hangs on nothing but guides: the kernel cannot place it from its angles");
      tree.origins.push_back(*origin);
    }
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) close_joint(j, tree);
    for (std::size_t d = 0; d < machine_.drives.size(); ++d) close_cylinder(d, tree);
    return tree;
  }

 private:
  [[nodiscard]] Vec arm(PointRef ref) const {
    return carry(frames_[at(ref.body)], {machine_.point(ref).x.expr, machine_.point(ref).y.expr});
  }
  [[nodiscard]] Vec place(PointRef ref) const { return *origins_[at(ref.body)] + arm(ref); }
  [[nodiscard]] Vec guide(const Joint& joint) const {
    return carry(frames_[at(joint.first.body)], {joint.direction_x.expr, joint.direction_y.expr});
  }

  /// second = first + gap; whichever body is placed places the other.
  bool join(PointRef first, PointRef second, const Vec& gap) {
    auto& a = origins_[at(first.body)];
    auto& b = origins_[at(second.body)];
    if (a.has_value() == b.has_value()) return false;
    if (a) {
      b = place(first) + gap - arm(second);
    } else {
      a = place(second) - gap - arm(first);
    }
    return true;
  }

  bool grow_by_joints() {
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const Joint& joint = machine_.joints[j];
      if (joint.kind == JointKind::revolute && join(joint.first, joint.second, {}))
        return used_joint_[j] = true;
    }
    return false;
  }

  bool grow_by_cylinders() {
    for (std::size_t d = 0; d < machine_.drives.size(); ++d) {
      const Drive& drive = machine_.drives[d];
      if (drive.kind != DriveKind::cylinder) continue;
      if (join(drive.first, drive.second, cylinders_[d])) return used_drive_[d] = true;
    }
    return false;
  }

  [[nodiscard]] bool has_slide(std::size_t joint) const { return !slides_[joint].is_number(0); }

  bool grow_by_slides() {
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const Joint& joint = machine_.joints[j];
      if (joint.kind == JointKind::revolute || !has_slide(j)) continue;
      if (join(joint.first, joint.second, slides_[j] * guide(joint))) return used_joint_[j] = true;
    }
    return false;
  }

  void close_joint(std::size_t j, Tree& tree) const {
    const Joint& joint = machine_.joints[j];
    if (used_joint_[j]) return;
    const Vec gap = place(joint.second) - place(joint.first);
    if (joint.kind == JointKind::revolute) {
      tree.residuals.insert(tree.residuals.end(), {gap.x, gap.y});
      return;
    }
    tree.residuals.push_back(dot(turn(guide(joint)), gap));
    if (has_slide(j)) tree.residuals.push_back(dot(guide(joint), gap) - slides_[j]);
  }

  void close_cylinder(std::size_t d, Tree& tree) const {
    const Drive& drive = machine_.drives[d];
    if (drive.kind != DriveKind::cylinder || used_drive_[d]) return;
    const Vec gap = place(drive.second) - place(drive.first) - cylinders_[d];
    tree.residuals.insert(tree.residuals.end(), {gap.x, gap.y});
  }

  const machine::Machine& machine_;
  const std::vector<Frame>& frames_;
  const std::vector<Vec>& cylinders_;
  const std::vector<Expr>& slides_;
  std::vector<std::optional<Vec>> origins_;
  std::vector<bool> used_joint_, used_drive_;
};

/// Which bodies hang on the ground, by pins, cylinders and guides whose position is known.
class Reach {
 public:
  Reach(const machine::Machine& machine, const std::vector<bool>& has_state)
      : machine_(machine), has_state_(has_state), reached_(machine.bodies.size(), false) {
    reached_[0] = true;
  }

  /// The first guide that leads on where nothing else does, or -1.
  int find_missing() {
    while (grow()) {
    }
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const Joint& joint = machine_.joints[j];
      if (reached_[at(joint.first.body)] != reached_[at(joint.second.body)]) return static_cast<int>(j);
    }
    return -1;
  }

 private:
  bool join(PointRef first, PointRef second) {
    if (reached_[at(first.body)] == reached_[at(second.body)]) return false;
    reached_[at(first.body)] = reached_[at(second.body)] = true;
    return true;
  }

  bool grow() {
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const Joint& joint = machine_.joints[j];
      const bool is_known = joint.kind == JointKind::revolute || has_state_[j];
      if (is_known && join(joint.first, joint.second)) return true;
    }
    return std::any_of(machine_.drives.begin(), machine_.drives.end(), [&](const Drive& drive) {
      return drive.kind == DriveKind::cylinder && join(drive.first, drive.second);
    });
  }

  const machine::Machine& machine_;
  const std::vector<bool>& has_state_;
  std::vector<bool> reached_;
};

}  // namespace

std::vector<int> find_placing_slides(const machine::Machine& machine, std::vector<bool> has_state) {
  std::vector<int> joints;
  for (int j = -1; (j = Reach(machine, has_state).find_missing()) >= 0;) {
    has_state[at(j)] = true;
    joints.push_back(j);
  }
  return joints;
}

Tree build_tree(const machine::Machine& machine, const std::vector<Frame>& frames,
                const std::vector<Vec>& cylinders, const std::vector<Expr>& slides) {
  return TreeBuilder(machine, frames, cylinders, slides).build();
}

}  // namespace rodeo::codegen
