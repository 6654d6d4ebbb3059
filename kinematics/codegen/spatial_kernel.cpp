// SPDX-License-Identifier: MIT
#include "kinematics/codegen/spatial_kernel.h"

#include <fmt/format.h>

#include <array>

#include "kinematics/codegen/kernel_frame.h"
#include "kinematics/codegen/routine_text.h"
#include "kinematics/codegen/spatial_flat.h"
#include "kinematics/codegen/spatial_tables.h"
#include "kinematics/codegen/spatial_text.h"
#include "kinematics/codegen/tape_builder.h"

#include "kinematics/machine/force_names.h"
#include "kinematics/machine/measures.h"

namespace rodeo::codegen {
namespace {

using spatial::Drive;
using spatial::DriveKind;
using spatial::JointKind;

constexpr std::array kAxes{"x", "y", "z"};

std::optional<double> number(const std::optional<machine::Quantity>& quantity) {
  return quantity ? std::optional(quantity->value) : std::nullopt;
}

const char* unit_of(const Drive& drive) { return drive.kind == DriveKind::angle ? "rad" : "m"; }

void add_triple(const std::string& name, const char* unit, std::vector<Channel>& list) {
  for (const char* axis : kAxes) list.push_back({name + axis, unit});
}

// ---- channels

void add_drives(const spatial::Machine& machine, const spatial::Assembly& start, KernelModel& model) {
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    const Drive& drive = machine.drives[d];
    model.drives.push_back({{drive.name, unit_of(drive)},
                            start.drive_values[d],
                            number(drive.lower),
                            number(drive.upper),
                            number(drive.speed),
                            number(drive.acceleration),
                            number(drive.jerk)});
  }
}

/// Centre and orientation of the frames of motion; free ones count as drives that nobody drives.
void add_states(const SpatialNumbers& n, KernelModel& model) {
  for (std::size_t b = 1; b < n.machine.bodies.size(); ++b) {
    const std::string& name = n.machine.bodies[b].name;
    add_triple(name + ".centre.", "m", model.states);
    for (const char* part : {"qw", "qx", "qy", "qz"}) model.states.push_back({name + ".centre." + part, ""});
  }
  model.start_states.assign(n.q.begin(), n.q.end());
  if (!n.is_free) return;
  model.is_lagrange = true;
  model.free_count = model.states.size();
  for (std::size_t i = 0; i < model.states.size(); ++i)
    model.drives.push_back({model.states[i], model.start_states[i], {}, {}, {}, {}, {}});
}

/// In the order of show_all.
void add_outputs(const SpatialNumbers& n, std::vector<Channel>& list) {
  const spatial::Machine& machine = n.machine;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const std::string name = machine.bodies[b].name + ".";
    add_triple(name + "origin.", "m", list);
    for (const char* part : {"qw", "qx", "qy", "qz"}) list.push_back({name + part, ""});
    add_triple(name + "w", "rad/s", list);
    add_triple(name + "origin.v", "m/s", list);
    for (const char* axis : kAxes) list.push_back({name + "w" + axis + ".rate", "rad/s^2"});
    add_triple(name + "origin.a", "m/s^2", list);
  }
  for (const spatial::Output& output : machine.outputs) {
    add_triple(output.name + ".", "m", list);
    add_triple(output.name + ".v", "m/s", list);
    add_triple(output.name + ".a", "m/s^2", list);
  }
  for (const spatial::Measure& measure : machine.measures) {
    for (const auto& column : machine::build_columns(machine, measure))
      list.push_back({column.name, column.unit});
  }
  for (const SpatialCoordinate& c : n.coordinates) list.push_back({c.name, c.at.is_angle() ? "rad" : "m"});
}

bool holds_turn(JointKind kind) {
  return kind != JointKind::spherical && kind != JointKind::point_on_plane &&
         kind != JointKind::point_on_line;
}

/// In the order of show_loads.
void add_loads(const spatial::Machine& machine, KernelModel& model) {
  model.inputs.push_back({"time", "s"});
  for (const machine::ForceInput& input : machine.inputs) model.inputs.push_back({input.name, input.unit});
  for (const spatial::Joint& joint : machine.joints) {
    add_triple(joint.name + ".f", "N", model.loads);
    if (holds_turn(joint.kind)) add_triple(joint.name + ".m", "N m", model.loads);
  }
  for (const Drive& drive : machine.drives) {
    const bool angular = drive.kind == DriveKind::angle;
    model.loads.push_back({drive.name + (angular ? ".torque" : ".force"), angular ? "N m" : "N"});
  }
  const std::vector<std::string> columns = machine::list_strut_columns(machine);
  for (std::size_t i = 0; i < columns.size(); ++i)
    model.loads.push_back({columns[i], std::array{"m", "m/s", "N"}[i % 3]});
  for (const auto& [name, unit] : {std::pair{"energy.kinetic", "J"},
                                   {"energy.potential", "J"},
                                   {"power.drives", "W"},
                                   {"power.forces", "W"},
                                   {"power.lost", "W"}})
    model.loads.push_back({name, unit});
}

// ---- text

std::string quote(const std::string& text) {
  std::string safe = "\"";
  for (const char c : text) safe += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return safe + "\"";
}

std::string channel_table(const char* name, const std::vector<Channel>& channels) {
  std::string text = fmt::format("static const rodeo_channel {}[] = {{\n", name);
  for (const Channel& c : channels) text += fmt::format("  {{{}, {}}},\n", quote(c.name), quote(c.unit));
  return text + (channels.empty() ? "  {0, 0}\n};\n" : "};\n");
}

std::vector<Channel> drive_channels(const KernelModel& model) {
  std::vector<Channel> list;
  for (const DriveChannel& drive : model.drives) list.push_back(drive.channel);
  return list;
}

std::string channel_tables(const KernelModel& model) {
  std::string starts;
  for (const DriveChannel& drive : model.drives) starts += number_text(drive.start) + ", ";
  return channel_table("parameter_channels", {}) + channel_table("drive_channels", drive_channels(model)) +
         channel_table("state_channels", model.states) + channel_table("output_channels", model.outputs) +
         channel_table("input_channels", model.inputs) + channel_table("load_channels", model.loads) +
         "static const double default_parameters[] = {0.0};\nstatic const double start_drives[] = {" +
         (starts.empty() ? "0.0" : starts) + "};\n\n";
}

std::string sizes(const KernelModel& model) {
  const auto size = [](const char* name, std::size_t n) { return fmt::format("#define {} {}\n", name, n); };
  return size("N_PARAMETERS", 0) + size("N_DRIVES", model.drives.size() - model.free_count) +
         size("N_FREE", model.free_count) + size("N_STATES", model.states.size()) +
         size("N_OUTPUTS", model.outputs.size()) + size("N_INPUTS", model.inputs.size()) +
         size("ROOM_INPUTS", std::max<std::size_t>(model.inputs.size(), 1)) +
         size("N_LOADS", model.loads.size()) + size("N_BLOCKS", model.velocity_blocks.size()) + "\n";
}

/// Values of forces and torques from the time and the inputs, parameters being numbers.
struct Pushes {
  std::string text;
  bool needs_functions = false;
};
Pushes write_pushes(const SpatialNumbers& n) {
  Symbols symbols;
  symbols.set(expr::time_symbol(), Space::drive, 0);
  for (std::size_t i = 0; i < n.machine.inputs.size(); ++i)
    symbols.set(machine::input_symbol(n.machine.inputs[i].name), Space::drive,
                static_cast<std::uint32_t>(i + 1));
  std::vector<Expr> values;
  for (const SpatialPush& push : n.pushes) values.insert(values.end(), push.value.begin(), push.value.end());
  values = expr::substitute(values, [&](Expr symbol) -> Expr {
    for (const expr::Parameter& p : n.machine.parameters) {
      if (expr::symbol(p.name) == symbol) return p.number;
    }
    return symbol;
  });
  std::vector<Result> results;
  for (std::size_t i = 0; i < values.size(); ++i)
    results.push_back({values[i], {Space::output, static_cast<std::uint32_t>(i)}});
  const Tape tape = TapeBuilder(symbols, false).build({}, results);
  Pushes pushes{
      "/* Forces and torques from the inputs u, the time first. */\n"
      "static int find_pushes(const double* u, double* result) {\n  (void)u; (void)result;\n" +
      routine_text(tape, fold(tape, Folding::when_long), {.output = "result"}) + "  return RODEO_OK;\n}\n\n"};
  for (const Instruction& instruction : tape.instructions) {
    pushes.needs_functions |= instruction.code == Code::exponential || instruction.code == Code::logarithm ||
                              instruction.code == Code::power;
  }
  return pushes;
}

std::string interface_text(const KernelModel& model) {
  std::string text;
  const auto add = [&](const char* kind, const std::vector<Channel>& list) {
    for (const Channel& c : list) text += fmt::format("{} {} {}\n", kind, c.name, c.unit);
  };
  std::vector<Channel> drives = drive_channels(model);
  drives.resize(drives.size() - model.free_count);
  add("drive", drives);
  add("state", model.states);
  add("output", model.outputs);
  add("input", model.inputs);
  add("load", model.loads);
  return text;
}

KernelText write_kernel(const SpatialNumbers& n, const std::string& flat, const KernelModel& model) {
  const Pushes pushes = n.has_masses ? write_pushes(n) : Pushes{};
  const std::string code = spatial_bodies_text() + std::string(spatial_rows_text()) +
                           spatial_outputs_text(!n.measures.empty()) +
                           (n.has_masses ? pushes.text + spatial_forces_text() : "") + flat +
                           (n.is_free ? spatial_free_text() + spatial_runge_kutta_text()
                                      : spatial_factors_text() + std::string(spatial_driven_text())) +
                           spatial_frame_text();
  const std::string math = kernel_math() + (pushes.needs_functions ? kernel_functions() : "");
  const std::string numbers = channel_tables(model) + sizes(model) + spatial_tables_text(n);
  KernelText text;
  text.interface_fingerprint = fingerprint_of(interface_text(model));
  text.model_fingerprint = fingerprint_of(code + numbers + math);
  text.source =
      fmt::format(
          "/* {} - a kernel made by Rodeo {}; do not edit, build it again.\n"
          " * Model {}, interface {}.\n"
          " * Compile without contraction and fast-math: cc -std=c99 -O2 -ffp-contract=off "
          "-fno-math-errno;\n"
          " * link with -lm, which has sqrt. Exports {} and, weak, rodeo_kernel_get. */\n"
          "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n#include \"rodeo_kernel.h\"\n\n",
          model.name, RODEO_VERSION_TEXT, text.model_fingerprint, text.interface_fingerprint,
          kernel_getter(model.name)) +
      math + "\n" + numbers + code +
      fmt::format(fmt::runtime(kernel_descriptor()), fmt::arg("name", quote(model.name)),
                  fmt::arg("getter", kernel_getter(model.name)),
                  fmt::arg("version", quote(RODEO_VERSION_TEXT)),
                  fmt::arg("model", quote(text.model_fingerprint)),
                  fmt::arg("interface", quote(text.interface_fingerprint)));
  return text;
}

}  // namespace

Kernel build_spatial_kernel(const spatial::Machine& machine, const spatial::Assembly& start,
                            const spatial::Mobility& mobility) {
  const SpatialNumbers n = build_spatial_numbers(machine, start, mobility);
  Kernel kernel;
  KernelModel& model = kernel.model;
  model.name = machine.name;
  model.size = n.size;
  model.notes = n.notes;
  add_drives(machine, start, model);
  add_states(n, model);
  add_outputs(n, model.outputs);
  if (n.has_masses) add_loads(machine, model);
  for (std::size_t i = 0; i < n.kept; ++i)
    model.rows.push_back({n.data[i].first, n.data[i].second, n.data[i].is_angle()});
  const FlatText flat =
      n.is_free ? build_flat_free(n) : build_flat_driven(n, build_motion(machine, start, mobility, n));
  model.velocity_blocks.push_back(
      {n.kept, flat.operations > 0 ? "elimination in a fixed order" : "factorisation at run time"});
  kernel.text = write_kernel(n, flat.text + (flat.operations > 0 ? build_flat_outputs(n).text : ""), model);
  return kernel;
}

}  // namespace rodeo::codegen
