// SPDX-License-Identifier: MIT
// Springs, dampers, stops, and outputs of length and angle of a machine in the plane or in space, as scene.json lists them.
#pragma once
#include <nlohmann/json.hpp>

#include "kinematics/machine/machine.h"

namespace rodeo::machine {

/// What stands between two points. Null if there is nothing.
template <typename AnyMachine>
[[nodiscard]] nlohmann::ordered_json forces_json(const AnyMachine& machine) {
  using nlohmann::ordered_json;
  ordered_json all;
  const auto ref = [&](auto point) {
    return ordered_json{machine.bodies[point.body].name, machine.point(point).name};
  };
  for (const auto& force : machine.forces) {
    using Kind = decltype(force.kind);
    const bool is_spring = force.kind == Kind::spring, is_stop = force.kind == Kind::stop;
    if (!is_spring && !is_stop && force.kind != Kind::damper) continue;
    ordered_json one = {{"kind", is_spring ? "spring"
                                 : is_stop ? "stop"
                                           : "damper"},
                        {"name", force.name},
                        {"first", ref(force.first)},
                        {"second", ref(force.second)}};
    if (is_spring && force.damping.value > 0) one["damped"] = true;
    if (is_stop && force.lower) one["lower"] = force.lower->value;
    if (is_stop && force.upper) one["upper"] = force.upper->value;
    all.push_back(one);
  }
  return all;
}

/// Outputs of length and angle: `start` is the value there. Null if there are none.
template <typename AnyMachine, typename AnyPose>
[[nodiscard]] nlohmann::ordered_json measures_json(const AnyMachine& machine, const AnyPose& start) {
  nlohmann::ordered_json all;
  for (const Measure& measure : machine.measures) {
    if (measure.drive >= 0) continue;  // a drive shows it
    all.push_back({{"name", measure.name},
                   {"unit", measure.kind == MeasureKind::angle ? "rad" : "m"},
                   {"start", calc_measure(machine, start, measure)}});
  }
  return all;
}

}  // namespace rodeo::machine
