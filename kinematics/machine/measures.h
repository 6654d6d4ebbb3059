// SPDX-License-Identifier: MIT
// Outputs of length and angle, in the plane and in space: the columns they have, the names they may have.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "kinematics/machine/force_names.h"
#include "kinematics/machine/machine.h"

namespace rodeo::machine {

/// 0 the value, 1 its rate, 2 its acceleration.
struct MeasureColumn {
  std::size_t derivative = 0;
  std::string name;  // `lift`, `lift.rate`, `lift.acceleration`
  std::string unit;
};

/// A measure's own columns; those that a drive or body of the same name and quantity has already are left out.
template <typename AnyMachine>
[[nodiscard]] std::vector<MeasureColumn> build_columns(const AnyMachine& machine, const Measure& measure) {
  const bool is_angle = measure.kind == MeasureKind::angle, is_planar = std::is_same_v<AnyMachine, Machine>;
  const bool is_body = is_planar && is_angle && machine.bodies[measure.of].name == measure.name;
  const bool is_cylinder = is_planar && !is_angle && measure.drive >= 0;  // which has an acceleration
  const std::string unit = is_angle ? "rad" : "m";
  std::vector<MeasureColumn> columns;
  if (measure.drive < 0) columns.push_back({0, measure.name, unit});
  if (!is_body) columns.push_back({1, measure.name + ".rate", unit + "/s"});
  if (!is_body && !is_cylinder) columns.push_back({2, measure.name + ".acceleration", unit + "/s^2"});
  return columns;
}

/// Columns of every log and keys of every state.
inline constexpr auto kReservedColumns =
    std::to_array<std::string_view>({"t", "residual", "margin", "status", "energy", "energy_error", "work",
                                     "tick", "lost", "timestamp", "rodeo"});

/// After all else is read: finds the drives that are the same, faults names whose columns are another's. `is_same`: whether a drive
/// imposes the measure.
template <typename AnyMachine, typename IsSame>
void check_measures(AnyMachine& machine, text::Faults& faults, const IsSame& is_same) {
  const std::vector<std::string> struts = name_struts(machine);
  for (Measure& measure : machine.measures) {
    const auto refuse = [&](const std::string& why) {
      faults.add(measure.where,
                 fmt::format("output '{}': {}: give the output another name", measure.name, why));
    };
    if (std::find(kReservedColumns.begin(), kReservedColumns.end(), measure.name) != kReservedColumns.end())
      refuse("this name is reserved");
    if (std::find(struts.begin(), struts.end(), measure.name) != struts.end())
      refuse(fmt::format("force '{0}' has the column '{0}.rate'", measure.name));
    const auto drive = std::find_if(machine.drives.begin(), machine.drives.end(),
                                    [&](const auto& d) { return d.name == measure.name; });
    if (drive == machine.drives.end()) continue;
    if (is_same(*drive, measure)) {
      measure.drive = static_cast<int>(drive - machine.drives.begin());
    } else {
      refuse(fmt::format("a drive has this name, and it does not impose this {}",
                         measure.kind == MeasureKind::angle ? "angle" : "length"));
    }
  }
}

[[nodiscard]] inline bool is_same(PointRef a, PointRef b) { return a.body == b.body && a.point == b.point; }
/// Of two points, in either order.
template <typename AnyDrive>
[[nodiscard]] bool is_same_length(const AnyDrive& drive, const Measure& measure) {
  return (is_same(drive.first, measure.first) && is_same(drive.second, measure.second)) ||
         (is_same(drive.first, measure.second) && is_same(drive.second, measure.first));
}

/// Faults lengths that are nil at the start: they have no rate there. `size`: of the machine, m.
template <typename AnyMachine, typename AnyPose>
void check_lengths(const AnyMachine& machine, const AnyPose& start, double size, text::Faults& faults) {
  constexpr double kSamePlace = 1e-9;
  for (const Measure& measure : machine.measures) {
    if (measure.kind == MeasureKind::angle) continue;
    if (calc_measure(machine, start, measure) > kSamePlace * size) continue;
    faults.add(
        measure.where,
        fmt::format("output '{}': {} and {} are in one place at the start, where a length has no rate: "
                    "name two points that are apart, or change 'start'",
                    measure.name, machine.point_name(measure.first), machine.point_name(measure.second)));
  }
}

}  // namespace rodeo::machine
