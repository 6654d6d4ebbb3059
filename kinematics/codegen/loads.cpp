// SPDX-License-Identifier: MIT
// Forces and moments on every body, with their unknowns, then solved.
#include "kinematics/codegen/loads.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinematics/codegen/forces.h"
#include "kinematics/codegen/load_balance.h"
#include "kinematics/machine/force_names.h"

namespace rodeo::codegen {
namespace {

using machine::Drive;
using machine::DriveKind;
using machine::Joint;
using machine::JointKind;

class LoadBuilder {
 public:
  LoadBuilder(const machine::Machine& machine, const machine::Mobility& mobility, std::size_t driven)
      : machine_(machine),
        mobility_(mobility),
        driven_(driven),
        points_(machine),
        balance_(machine, points_) {}

  Loads build() {
    const Energies energies = add_forces(machine_, points_, balance_);
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) add_joint(static_cast<int>(j));
    for (const Drive& drive : machine_.drives) add_drive(drive);
    BalanceSolution solution = balance_.solve();
    loads_.routine.solves = std::move(solution.solves);
    loads_.blocks = std::move(solution.blocks);
    const std::size_t told = unknowns_.size() - (machine_.drives.size() - driven_);
    for (std::size_t i = 0; i < told; ++i) add(unknowns_[i].name, unknowns_[i].unit, solution.values[i]);
    const std::vector<std::string> columns = machine::list_strut_columns(machine_);
    auto column = columns.begin();
    for (const Strut& strut : build_struts(machine_, points_)) {
      add(*column++, "m", strut.length);
      add(*column++, "m/s", strut.rate);
      add(*column++, "N", strut.force);
    }
    add_energies(energies, solution.values);
    return std::move(loads_);
  }

 private:
  void add(const std::string& name, const std::string& unit, Expr value) {
    loads_.channels.push_back({name, unit});
    loads_.routine.results.push_back(value);
  }

  /// A force or torque that is wanted: its place among the unknowns of the balance.
  int want(const std::string& name, const std::string& unit) {
    unknowns_.push_back({name, unit});
    return balance_.add_unknown();
  }

  // ---- what is wanted

  [[nodiscard]] bool is_redundant(int joint, int component) const {
    return std::any_of(mobility_.redundant.begin(), mobility_.redundant.end(), [&](const machine::Row& row) {
      return row.joint == joint && row.component == component;
    });
  }

  /// The unknown pushes the second body along `direction`, and the first the other way, at one place.
  void couple(int unknown, const Joint& joint, const Vec& direction) {
    const PointMotion at = points_.find(joint.second);
    balance_.push(joint.second.body, at.r, unknown, direction);
    balance_.push(joint.first.body, points_.arm_there(joint.first.body, at.p), unknown, -direction);
  }

  void add_joint(int j) {
    const Joint& joint = machine_.joints[static_cast<std::size_t>(j)];
    const int a = joint.first.body, b = joint.second.body;
    if (joint.kind == JointKind::revolute) {
      for (const int c : {0, 1}) {
        if (is_redundant(j, c)) continue;
        const Vec axis = c == 0 ? Vec{1.0, 0.0} : Vec{0.0, 1.0};
        const int f = want(joint.name + (c == 0 ? ".fx" : ".fy"), "N");
        balance_.push(b, points_.find(joint.second).r, f, axis);
        balance_.push(a, points_.find(joint.first).r, f, -axis);
      }
      return;
    }
    if (!is_redundant(j, 0))
      couple(want(joint.name + ".force", "N"), joint, codegen::turn(points_.guide(joint)));
    if (joint.kind != JointKind::prismatic || is_redundant(j, 1)) return;
    const int torque = want(joint.name + ".torque", "N m");
    balance_.turn(b, torque, 1.0);
    balance_.turn(a, torque, -1.0);
  }

  void add_drive(const Drive& drive) {
    const bool angular = drive.kind == DriveKind::angle || drive.kind == DriveKind::relative_angle;
    const int unknown = want(drive.name + (angular ? ".torque" : ".force"), angular ? "N m" : "N");
    drive_unknowns_.push_back(unknown);
    if (angular) {
      balance_.turn(drive.second_body, unknown, 1.0);
      balance_.turn(drive.first_body, unknown, -1.0);
      drive_rates_.push_back(points_.motion(drive.second_body).w - points_.motion(drive.first_body).w);
      return;
    }
    if (drive.kind == DriveKind::slide) {
      const Joint& joint = machine_.joints[static_cast<std::size_t>(drive.joint)];
      couple(unknown, joint, points_.guide(joint));
      drive_rates_.push_back(points_.calc_slide_rate(joint));
      return;
    }
    const PointMotion second = points_.find(drive.second);
    const PointMotion first = points_.find(drive.first);
    const Vec along = (1.0 / output_symbol(drive.name + ".length")) * (second.p - first.p);
    balance_.push(drive.second.body, second.r, unknown, along);
    balance_.push(drive.first.body, first.r, unknown, -along);
    drive_rates_.push_back(output_symbol(drive.name + ".speed"));
  }

  void add_energies(const Energies& energies, const std::vector<Expr>& values) {
    Expr power = 0.0;
    for (std::size_t d = 0; d < driven_; ++d)
      power = power + values[static_cast<std::size_t>(drive_unknowns_[d])] * drive_rates_[d];
    add("energy.kinetic", "J", energies.kinetic);
    add("energy.potential", "J", energies.potential);
    add("power.drives", "W", power);
    add("power.forces", "W", energies.given);
    add("power.lost", "W", energies.lost);
  }

  const machine::Machine& machine_;
  const machine::Mobility& mobility_;
  std::size_t driven_;
  LoadPoints points_;
  LoadBalance balance_;
  std::vector<Channel> unknowns_;
  std::vector<int> drive_unknowns_;
  std::vector<Expr> drive_rates_;
  Loads loads_;
};

}  // namespace

bool has_loads(const machine::Machine& machine) {
  return !machine.forces.empty() ||
         std::any_of(machine.bodies.begin(), machine.bodies.end(),
                     [](const machine::Body& body) { return body.mass.has_value(); });
}

Loads build_loads(const machine::Machine& machine, const machine::Mobility& mobility, std::size_t driven) {
  return LoadBuilder(machine, mobility, driven).build();
}

}  // namespace rodeo::codegen
