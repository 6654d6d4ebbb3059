// SPDX-License-Identifier: MIT
// JSON about kernels.
#include "kinematics/codegen/certificate.h"

#include <cmath>
#include <nlohmann/json.hpp>

#include "kinematics/causality/paths.h"
#include "kinematics/codegen/kernel_frame.h"
#include "kinematics/codegen/workspace.h"
#include "kinematics/machine/rods.h"
#include "kinematics/reduction/model.h"

namespace rodeo::codegen {
namespace {

using nlohmann::ordered_json;

ordered_json or_null(const std::optional<double>& value) {
  return value ? ordered_json(*value) : ordered_json(nullptr);
}

ordered_json channels_json(const std::vector<Channel>& channels) {
  ordered_json list = ordered_json::array();
  for (const Channel& channel : channels) list.push_back({{"name", channel.name}, {"unit", channel.unit}});
  return list;
}

ordered_json paths_json(const reduction::Model& model) {
  ordered_json list = ordered_json::array();
  for (const causality::ZeroOrderPath& path :
       causality::find_zero_order_paths(model.graph, model.causality)) {
    const char* opened = path.zcp_class == 4
                             ? "break variables at the arbitrary bond, eliminated with their block"
                         : path.zcp_class == 1 ? "the dependent port's rate is differentiated"
                                               : "solved with its block";
    list.push_back({{"class", path.zcp_class}, {"path", path.elements}, {"opened", opened}});
  }
  return list;
}

ordered_json blocks_json(const KernelModel& model) {
  ordered_json list = ordered_json::array();
  for (const BlockReport& block : model.velocity_blocks)
    list.push_back({{"unknowns", block.unknowns}, {"solved_by", block.method}});
  return list;
}

ordered_json operations_json(const Operations& operations) {
  return {{"adds", operations.adds},
          {"multiplies", operations.multiplies},
          {"divides", operations.divides},
          {"square_roots", operations.roots},
          {"trigonometric", operations.trigonometric}};
}

ordered_json free_coordinates(const KernelModel& model) {
  ordered_json list = ordered_json::array();
  for (std::size_t d = model.drives.size() - model.free_count; d < model.drives.size(); ++d)
    list.push_back(model.drives[d].channel.name);
  return list;
}

/// The coordinates of every chart, the first one's first.
ordered_json charts_json(const KernelModel& model) {
  ordered_json list = ordered_json::array({free_coordinates(model)});
  for (const KernelModel& chart : model.charts) list.push_back(free_coordinates(chart));
  return list;
}

}  // namespace

std::string interface_json(const machine::Machine& machine, const machine::Assembly& start,
                           const Kernel& kernel) {
  ordered_json drives = ordered_json::array();
  for (std::size_t d = 0; d + kernel.model.free_count < kernel.model.drives.size(); ++d) {
    const DriveChannel& drive = kernel.model.drives[d];
    drives.push_back({{"name", drive.channel.name},
                      {"unit", drive.channel.unit},
                      {"start", drive.start},
                      {"lower", or_null(drive.lower)},
                      {"upper", or_null(drive.upper)},
                      {"speed", or_null(drive.speed)},
                      {"acceleration", or_null(drive.acceleration)},
                      {"jerk", or_null(drive.jerk)}});
  }
  ordered_json parameters = ordered_json::array();
  for (const expr::Parameter& parameter : kernel.model.parameters) {
    parameters.push_back({{"name", parameter.name}, {"value", parameter.number}});
  }
  ordered_json bodies = ordered_json::array();
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) bodies.push_back(machine.bodies[b].name);
  ordered_json outputs = ordered_json::array();
  for (const machine::Output& output : machine.outputs) outputs.push_back(output.name);
  for (const machine::Measure& measure : machine.measures) outputs.push_back(measure.name);
  const ordered_json all = {{"name", machine.name},
                            {"rodeo", RODEO_VERSION_TEXT},
                            {"kernel", "kernel.so"},
                            {"model_fingerprint", kernel.text.model_fingerprint},
                            {"interface_fingerprint", kernel.text.interface_fingerprint},
                            {"drives", drives},
                            {"parameters", parameters},
                            {"bodies", bodies},
                            {"outputs", outputs},
                            {"channels", channels_json(kernel.model.outputs)},
                            {"loads", channels_json(kernel.model.loads)},
                            {"states", channels_json(kernel.model.states)},
                            {"inputs", channels_json(kernel.model.inputs)},
                            {"method", kernel.model.is_lagrange ? "lagrange" : "minimal"},
                            {"notes", kernel.model.notes},
                            {"residual", start.residual}};
  return all.dump(2) + "\n";
}

std::string certificate_json(const machine::Machine& machine, const machine::Mobility& mobility,
                             const Kernel& kernel) {
  machine::RodOptions rods;
  rods.redundant = mobility.redundant;
  const bool is_lagrange = kernel.model.is_lagrange;
  if (kernel.model.free_count > 0) rods.form = machine::RodForm::traditional;
  const reduction::Model model = reduction::build_model(machine::build_rods(machine, rods));
  const auto full = reduction::build_full(model.graph, model.causality, model.system, model.solution);
  const Workspace workspace = is_lagrange ? Workspace{} : sample_workspace(kernel.model, kernel.text.tapes);
  const ordered_json all = {
      {"name", machine.name},
      {"rodeo", RODEO_VERSION_TEXT},
      {"model_fingerprint", kernel.text.model_fingerprint},
      {"interface_fingerprint", kernel.text.interface_fingerprint},
      {"equations_before", {{"differential", model.system.states.size()}, {"algebraic", full.breaks.size()}}},
      {"equations_after",
       {{"differential", (is_lagrange ? 2 : 1) * kernel.model.states.size()},
        {"algebraic", kernel.model.rows.size()}}},
      {"method", is_lagrange ? "lagrange" : "minimal"},
      {"inputs", kernel.model.drives.size() - kernel.model.free_count},
      {"free_coordinates", free_coordinates(kernel.model)},
      {"charts", charts_json(kernel.model)},
      {"zero_order_causal_paths", paths_json(model)},
      {"positions", kernel.model.position_steps},
      {"blocks", blocks_json(kernel.model)},
      {"operations_per_step", operations_json(kernel.text.step)},
      {"operations_of_loads", operations_json(kernel.text.loads)},
      {"operations_of_accelerations", operations_json(kernel.text.accelerations)},
      {"workspace",
       {{"sampled", workspace.sampled},
        {"closed", workspace.closed},
        {"largest_residual", workspace.largest_residual},
        {"smallest_margin", workspace.smallest_margin}}},
      {"singular_when", reduction::find_singular_conditions(model)}};
  return all.dump(2) + "\n";
}

}  // namespace rodeo::codegen
