// SPDX-License-Identifier: MIT
// Places, velocities and accelerations of points, from the outputs of a step or from the expressions that made it. THEORY L1.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "kinematics/codegen/motion.h"

namespace rodeo::codegen {

/// An output of the step, by its name.
[[nodiscard]] Expr output_symbol(const std::string& name);

struct PointMotion {
  Vec r;  // from the origin of its body
  Vec p, v, a;
};

/// From one point to another: the way, how long it is, how fast that grows.
struct LengthMotion {
  Vec d;
  Expr length, rate;
};

class LoadPoints {
 public:
  /// As the outputs of a step tell them.
  explicit LoadPoints(const machine::Machine& machine);
  /// As a routine knows them; `motions` a body each.
  LoadPoints(const machine::Machine& machine, std::vector<Placed> bodies, std::vector<BodyMotion> motions);

  [[nodiscard]] const BodyMotion& motion(int body) const { return motions_[static_cast<std::size_t>(body)]; }
  [[nodiscard]] PointMotion find(machine::PointRef ref) const;
  /// `local`: in the body's own frame.
  [[nodiscard]] PointMotion find(int body, const Vec& local) const;
  [[nodiscard]] LengthMotion find_length(machine::PointRef first, machine::PointRef second) const;
  [[nodiscard]] Expr calc_length_acceleration(machine::PointRef first, machine::PointRef second) const;
  /// Of the place p as a point of the body: from its origin, its velocity and acceleration.
  [[nodiscard]] Vec arm_there(int body, const Vec& p) const;
  [[nodiscard]] Vec velocity_there(int body, const Vec& p) const;
  [[nodiscard]] Vec acceleration_there(int body, const Vec& p) const;
  /// The direction of a slider or prismatic joint, on the page.
  [[nodiscard]] Vec guide(const machine::Joint& joint) const;
  /// Of a slider or prismatic joint, along its direction.
  [[nodiscard]] Expr calc_slide_rate(const machine::Joint& joint) const;
  [[nodiscard]] Expr calc_slide_acceleration(const machine::Joint& joint) const;
  /// Where the file gives none: the middle of the body's points.
  [[nodiscard]] Vec find_com(int body) const;
  /// The point about which the moments of a body are taken, from its origin: the joint by which it is nearest to the ground.
  [[nodiscard]] Vec find_pivot(int body) const;

 private:
  const machine::Machine& machine_;
  std::vector<Placed> bodies_;
  std::vector<BodyMotion> motions_;
  std::vector<machine::RodCentre> pivots_;
};

}  // namespace rodeo::codegen
