// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_stiff.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "kinematics/spatial/probes.h"
#include "kinematics/spatial/problem.h"

namespace rodeo::tools {
namespace {

std::vector<dynamics::Probe> build_probes(const dynamics::Problem& problem) {
  if (const auto* planar = dynamic_cast<const dynamics::PlanarSystem*>(&problem.system))
    return dynamics::build_probes(*planar, problem.q);
  if (const auto* spatial = dynamic_cast<const spatial::System*>(&problem.system))
    return spatial::build_probes(*spatial, problem.q);
  return {};
}

/// What cannot move by its forces is refused elsewhere, with the reason.
template <typename Build>
std::vector<engine::StiffElement> find_if_free(bool is_free, const Build& build) {
  if (!is_free) return {};
  try {
    return find_stiff_elements(build());
  } catch (const text::ModelError&) {
    return {};
  }
}

template <typename Machine>
bool has_touch(const Machine& machine) {
  return std::any_of(machine.forces.begin(), machine.forces.end(), [](const auto& force) {
    using Kind = decltype(force.kind);
    return force.kind == Kind::stop || force.kind == Kind::contact;
  });
}

std::string add_to(const std::string& interface, const std::vector<engine::StiffElement>& elements,
                   bool finds_jumps) {
  if (elements.empty()) return interface;
  auto all = nlohmann::ordered_json::parse(interface);
  for (const engine::StiffElement& element : elements)
    all["stiff_elements"].push_back({{"name", element.name},
                                     {"real", element.eigenvalue.real()},
                                     {"imaginary", element.eigenvalue.imag()}});
  all["finds_jumps"] = finds_jumps;
  return all.dump(2) + "\n";
}

}  // namespace

bool has_jumps(const dynamics::Problem& problem) {
  if (const auto* planar = dynamic_cast<const dynamics::PlanarSystem*>(&problem.system))
    return has_touch(planar->machine());
  const auto* spatial = dynamic_cast<const spatial::System*>(&problem.system);
  return spatial != nullptr && has_touch(spatial->machine());
}

std::vector<engine::StiffElement> find_stiff_elements(const dynamics::Problem& problem) {
  std::vector<engine::StiffElement> elements;
  for (const dynamics::ElementMode& mode : dynamics::calc_element_modes(problem, build_probes(problem)))
    elements.push_back({mode.name, mode.eigenvalue});
  return elements;
}

std::vector<engine::StiffElement> find_stiff_elements(const LoadedMachine& loaded) {
  const bool is_free = loaded.assembly.assembled && loaded.mobility.free_motions > 0;
  return find_if_free(is_free, [&] { return dynamics::build_problem(loaded.machine, loaded.assembly, {}); });
}

std::vector<engine::StiffElement> find_stiff_elements(const LoadedSpatial& loaded) {
  const bool is_free = loaded.assembly.assembled && loaded.mobility.free_motions > 0;
  return find_if_free(is_free, [&] { return spatial::build_problem(loaded.machine, loaded.assembly, {}); });
}

std::string add_stiff_elements(const std::string& interface, const LoadedMachine& loaded) {
  return add_to(interface, find_stiff_elements(loaded), has_touch(loaded.machine));
}

std::string add_stiff_elements(const std::string& interface, const LoadedSpatial& loaded) {
  return add_to(interface, find_stiff_elements(loaded), has_touch(loaded.machine));
}

}  // namespace rodeo::tools
