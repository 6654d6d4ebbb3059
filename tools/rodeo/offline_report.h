// SPDX-License-Identifier: MIT
// What `rodeo check` found, once, for both of its outputs.
#pragma once
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "kinematics/causality/paths.h"
#include "tools/rodeo/offline_model.h"

namespace rodeo::tools {

/// An output of length or angle at the start: `lift = 1.2 m`, `level = 0.3 rad (17.2 deg)`.
struct StartOutput {
  std::string name;
  bool is_angle = false;
  double value = 0.0;
};
template <typename AnyMachine, typename AnyPose>
[[nodiscard]] std::vector<StartOutput> build_start_outputs(const AnyMachine& machine, const AnyPose& pose) {
  std::vector<StartOutput> outputs;
  for (const machine::Measure& measure : machine.measures)
    outputs.push_back(
        {measure.name, measure.kind == machine::MeasureKind::angle, calc_measure(machine, pose, measure)});
  return outputs;
}
/// Empty for none.
[[nodiscard]] std::string to_text(const std::vector<StartOutput>& outputs);
[[nodiscard]] nlohmann::ordered_json to_json(const std::vector<StartOutput>& outputs);

/// rad/s and m/s by name; nothing for none.
using StartRates = std::vector<std::pair<std::string, double>>;
[[nodiscard]] std::string describe_rates(const StartRates& rates);
[[nodiscard]] nlohmann::ordered_json to_json(const StartRates& rates);

/// What rounding left of a start at 0.
[[nodiscard]] inline double round_to_zero(double value) { return std::abs(value) < 1e-12 ? 0.0 : value; }

struct MachineReport {
  std::size_t bodies = 0, joints = 0, drives = 0;
  int gruebler = 0, mobility = 0, free_motions = 0, loops = 0;
  std::vector<std::string> redundant;
  bool assembled = false;
  double residual = 0.0;
  std::vector<std::string> start;  // `crank = 1.0472 rad (60 deg)`
  std::vector<StartOutput> outputs;
  std::vector<std::pair<std::string, double>> angles;  // of every body at the start, degrees
  StartRates rates;                                    // at the start, where one is asked for
  std::vector<std::string> changed_rates;              // of the start, that the joints do not allow
};

struct GraphReport {
  std::size_t elements = 0, bonds = 0;
  std::size_t states = 0, algebraic = 0, inputs = 0;
  std::vector<std::size_t> blocks;
  std::string algorithm;  // and why, when it was the second
  std::vector<std::string> arbitrary_bonds;
  std::vector<std::string> differential_ports;
  std::vector<causality::ZeroOrderPath> paths;
  std::vector<std::string> singular_when;
  std::vector<std::string> free_ends;     // junctions of one bond: ports that nothing is bonded to
  std::vector<std::string> vector_bonds;  // `4 of dimension 3`; none where all are scalar
  std::vector<std::string> fixed;         // two-ports that rule C2 fixes
  std::vector<std::string> bitten;        // ports that are differential by rules C1 and C2 alone
};

/// A start out of reach is reported beside; every joint is closed then.
[[nodiscard]] std::string describe_start_pose(bool is_assembled, double residual);
/// `1, and 2 degrees of freedom without one`: those move by forces, or are a joint that was forgotten.
[[nodiscard]] std::string describe_drives(std::size_t drives, int free_motions);
[[nodiscard]] MachineReport build_machine_report(const LoadedMachine& loaded);
[[nodiscard]] GraphReport build_graph_report(const reduction::Model& model);

[[nodiscard]] nlohmann::ordered_json to_json(const MachineReport& report);
[[nodiscard]] nlohmann::ordered_json to_json(const GraphReport& report);
[[nodiscard]] std::string to_text(const MachineReport& report);
[[nodiscard]] std::string to_text(const GraphReport& report);

}  // namespace rodeo::tools
