// SPDX-License-Identifier: MIT
#include "kinematics/spatial/probes.h"

namespace rodeo::spatial {
namespace {

constexpr double kDepth = 1e-3;  // of the machine's size: how deep a contact is touched

Quantity quantity(double value) { return {value, value}; }

Force build_touched(const Machine& machine, const Pose& pose, Force force, double depth) {
  const Vector3 a = calc_position(machine, pose, force.first);
  if (force.kind == ForceKind::contact) force.lower = quantity(force.normal.value().dot(a) + depth);
  if (force.kind != ForceKind::stop) return force;
  force.kind = ForceKind::spring;
  force.rest_length = quantity((calc_position(machine, pose, force.second) - a).norm());
  return force;
}

/// Nothing that pulls.
Machine build_bare(Machine machine) {
  machine.gravity = std::nullopt;
  machine.forces.clear();
  for (Joint& joint : machine.joints) joint.turn = joint.slide = {};
  return machine;
}

dynamics::Probe build_probe(std::string name, Machine machine) {
  const std::vector<double> values(machine.drives.size(), 0.0);
  return {std::move(name), std::make_unique<System>(std::move(machine), std::vector<Row>{}, values)};
}

bool is_there(const FreeElement& element) { return element.stiffness.value > 0 || element.damping.value > 0; }

}  // namespace

std::vector<dynamics::Probe> build_probes(const System& system, const Vector& q) {
  std::vector<dynamics::Probe> probes;
  const Machine& machine = system.machine();
  const Pose pose = system.build_pose(q);
  for (const Force& force : machine.forces) {
    if (!dynamics::is_element(force)) continue;
    Machine alone = build_bare(machine);
    alone.forces = {build_touched(machine, pose, force, kDepth * system.size())};
    probes.push_back(build_probe(dynamics::build_element_name(machine, force), std::move(alone)));
  }
  for (std::size_t j = 0; j < machine.joints.size(); ++j) {
    if (!is_there(machine.joints[j].turn) && !is_there(machine.joints[j].slide)) continue;
    Machine alone = build_bare(machine);
    alone.joints[j] = machine.joints[j];
    probes.push_back(build_probe("joint '" + machine.joints[j].name + "'", std::move(alone)));
  }
  return probes;
}

}  // namespace rodeo::spatial
