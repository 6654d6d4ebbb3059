// SPDX-License-Identifier: MIT
// JSON about kernels of machines in space.
#include <nlohmann/json.hpp>

#include "kinematics/codegen/kernel_frame.h"
#include "kinematics/codegen/spatial_kernel.h"

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

ordered_json drives_json(const KernelModel& model) {
  ordered_json drives = ordered_json::array();
  for (std::size_t d = 0; d + model.free_count < model.drives.size(); ++d) {
    const DriveChannel& drive = model.drives[d];
    drives.push_back({{"name", drive.channel.name},
                      {"unit", drive.channel.unit},
                      {"start", drive.start},
                      {"lower", or_null(drive.lower)},
                      {"upper", or_null(drive.upper)},
                      {"speed", or_null(drive.speed)},
                      {"acceleration", or_null(drive.acceleration)},
                      {"jerk", or_null(drive.jerk)}});
  }
  return drives;
}

const char* method_name(const KernelModel& model) { return model.is_lagrange ? "lagrange" : "minimal"; }

}  // namespace

std::string spatial_interface_json(const spatial::Machine& machine, const spatial::Assembly& start,
                                   const Kernel& kernel) {
  ordered_json bodies = ordered_json::array(), outputs = ordered_json::array();
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) bodies.push_back(machine.bodies[b].name);
  for (const spatial::Output& output : machine.outputs) outputs.push_back(output.name);
  for (const spatial::Measure& measure : machine.measures) outputs.push_back(measure.name);
  const ordered_json all = {{"name", machine.name},
                            {"rodeo", RODEO_VERSION_TEXT},
                            {"space", 3},
                            {"kernel", "kernel.so"},
                            {"model_fingerprint", kernel.text.model_fingerprint},
                            {"interface_fingerprint", kernel.text.interface_fingerprint},
                            {"drives", drives_json(kernel.model)},
                            {"parameters", ordered_json::array()},
                            {"bodies", bodies},
                            {"outputs", outputs},
                            {"channels", channels_json(kernel.model.outputs)},
                            {"loads", channels_json(kernel.model.loads)},
                            {"states", channels_json(kernel.model.states)},
                            {"inputs", channels_json(kernel.model.inputs)},
                            {"method", method_name(kernel.model)},
                            {"notes", kernel.model.notes},
                            {"residual", start.residual}};
  return all.dump(2) + "\n";
}

std::string spatial_certificate_json(const spatial::Machine& machine, const spatial::Mobility& mobility,
                                     const Kernel& kernel) {
  ordered_json redundant = ordered_json::array(), parameters = ordered_json::object();
  for (const spatial::Row& row : mobility.redundant) redundant.push_back(row_name(machine, row));
  for (const expr::Parameter& parameter : machine.parameters) parameters[parameter.name] = parameter.number;
  const KernelModel& model = kernel.model;
  const std::size_t moves = 6 * (machine.bodies.size() - 1);
  const ordered_json all = {{"name", machine.name},
                            {"rodeo", RODEO_VERSION_TEXT},
                            {"space", 3},
                            {"model_fingerprint", kernel.text.model_fingerprint},
                            {"interface_fingerprint", kernel.text.interface_fingerprint},
                            {"parameters", parameters},
                            {"gruebler", mobility.gruebler},
                            {"mobility", mobility.mobility},
                            {"redundant_constraints", redundant},
                            {"equations_before",
                             {{"differential", model.is_lagrange ? 2 * moves : 0},
                              {"algebraic", model.rows.size() + redundant.size()}}},
                            {"equations_after",
                             {{"differential", model.is_lagrange ? model.states.size() + moves : 0},
                              {"algebraic", model.rows.size()}}},
                            {"method", method_name(model)},
                            {"inputs", model.drives.size() - model.free_count},
                            {"positions",
                             {model.is_lagrange ? "integrated, with multipliers and Baumgarte's correction"
                                                : "Newton's corrections on all rows at once"}},
                            {"blocks",
                             {{{"unknowns", model.is_lagrange ? model.rows.size() : moves},
                               {"solved_by", model.velocity_blocks.front().method}}}}};
  return all.dump(2) + "\n";
}

}  // namespace rodeo::codegen
