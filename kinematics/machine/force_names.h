// SPDX-License-Identifier: MIT
// What a spring, damper, stop or contact is called in logs, graphs and equations, in the plane and in space.
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

/// What has columns of its own in a log: a strut, a stop, a contact.
template <typename Force>
[[nodiscard]] bool is_logged(const Force& force) {
  using Kind = decltype(force.kind);
  return is_strut(force) || force.kind == Kind::stop || force.kind == Kind::contact;
}

/// `spring_PQ`, `damper_PQ`, `stop_PQ`, `contact_P`.
template <typename Machine, typename Force>
[[nodiscard]] std::string name_by_points(const Machine& machine, const Force& force) {
  using Kind = decltype(force.kind);
  if (force.kind == Kind::contact) return "contact_" + machine.point(force.first).name;
  const char* kind = force.kind == Kind::spring ? "spring_" : force.kind == Kind::stop ? "stop_" : "damper_";
  return kind + name_points(machine, force);
}

/// One a force, empty for those that have no columns: the name that the file gives, else that of its points; a second one of that
/// name is `spring_PQ2`.
template <typename Machine>
[[nodiscard]] std::vector<std::string> name_struts(const Machine& machine) {
  std::vector<std::string> names;
  std::set<std::string> used;
  for (const auto& drive : machine.drives) used.insert(drive.name);
  for (const auto& joint : machine.joints) used.insert(joint.name);
  for (const auto& force : machine.forces) {
    names.emplace_back();
    if (!is_logged(force)) continue;
    const std::string wanted = !force.name.empty() ? force.name : name_by_points(machine, force);
    names.back() = wanted;
    for (int number = 2; !used.insert(names.back()).second; ++number)
      names.back() = wanted + std::to_string(number);
  }
  return names;
}

/// Of all struts, stops and contacts in turn: three each, m, m/s and N. The force of a strut or stop is positive where it pulls its ends
/// together; a contact has its point's height over the ground, and a force that is positive where the ground bears it.
template <typename Machine>
[[nodiscard]] std::vector<std::string> list_strut_columns(const Machine& machine) {
  std::vector<std::string> columns;
  const std::vector<std::string> names = name_struts(machine);
  for (std::size_t f = 0; f < names.size(); ++f) {
    if (names[f].empty()) continue;
    const bool is_contact = machine.forces[f].kind == decltype(machine.forces[f].kind)::contact;
    columns.insert(columns.end(),
                   {names[f] + (is_contact ? ".gap" : ".length"), names[f] + ".rate", names[f] + ".force"});
  }
  return columns;
}

}  // namespace rodeo::machine
