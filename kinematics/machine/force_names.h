// SPDX-License-Identifier: MIT
// What a spring or damper is called in logs, graphs and equations, in the plane and in space.
#pragma once
#include <set>
#include <string>
#include <vector>

namespace rodeo::machine {

/// `PQ` of the points P and Q, `base_tip` of longer names.
template <typename Machine, typename Force>
[[nodiscard]] std::string name_points(const Machine& machine, const Force& force) {
  const std::string &a = machine.point(force.first).name, &b = machine.point(force.second).name;
  return a.size() + b.size() == 2 ? a + b : a + "_" + b;
}

/// A spring or a damper between two points: what has a length, a rate and a force.
template <typename Force>
[[nodiscard]] bool is_strut(const Force& force) {
  using Kind = decltype(force.kind);
  return force.kind == Kind::spring || force.kind == Kind::damper;
}

/// One a force, empty for those that are no struts: the name that the file gives, else `spring_PQ`, `damper_PQ`; a
/// second one of that name is `spring_PQ2`.
template <typename Machine>
[[nodiscard]] std::vector<std::string> name_struts(const Machine& machine) {
  std::vector<std::string> names;
  std::set<std::string> used;
  for (const auto& drive : machine.drives) used.insert(drive.name);
  for (const auto& joint : machine.joints) used.insert(joint.name);
  for (const auto& force : machine.forces) {
    names.emplace_back();
    if (!is_strut(force)) continue;
    const bool is_spring = force.kind == decltype(force.kind)::spring;
    const std::string wanted =
        !force.name.empty() ? force.name : (is_spring ? "spring_" : "damper_") + name_points(machine, force);
    names.back() = wanted;
    for (int number = 2; !used.insert(names.back()).second; ++number)
      names.back() = wanted + std::to_string(number);
  }
  return names;
}

}  // namespace rodeo::machine
