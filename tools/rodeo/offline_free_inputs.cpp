// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_free_inputs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>

#include "engine/io/csv.h"
#include "engine/io/csv_lines.h"
#include "kinematics/simulate/inputs.h"

namespace rodeo::tools {
namespace {

std::vector<std::string> build_input_names(const machine::Machine& machine) {
  std::vector<std::string> names;
  for (const machine::ForceInput& input : machine.inputs) names.push_back(input.name);
  return names;
}

void check_no_drives(const machine::Machine& machine, const std::string& path) {
  if (path == "-") return;  // is read once only
  std::ifstream in = engine::open_csv(path);
  engine::CsvLines lines(in, path);
  if (!lines.next()) return;
  for (const std::string_view cell : lines.cells()) {
    for (const machine::Drive& drive : machine.drives) {
      if (cell != drive.name && cell != drive.name + ".rate") continue;
      lines.refuse(
          fmt::format("column '{}' is of a drive, and these methods hold drives where they start, or let "
                      "them go with --free: leave the column out, or take a step of the compiled kernel",
                      cell));
    }
  }
}

bool is_payload_input(const machine::Machine& machine, const std::string& name) {
  return std::any_of(machine.forces.begin(), machine.forces.end(), [&](const machine::Force& force) {
    return force.kind == machine::ForceKind::payload && name.starts_with(force.name + ".");
  });
}

}  // namespace

void set_force_inputs(FreeMachine& free, const std::string& path) {
  const std::vector<std::string> names = build_input_names(free.machine);
  if (names.empty())
    throw text::ModelError(
        free.machine.where,
        "the machine has no inputs, and --input was given: an input is a force without a value, "
        "and drives are held by this method");
  check_no_drives(free.machine, path);
  engine::CsvTable csv = engine::build_csv_from_file(path, {}, engine::CsvColumns::drives, names);
  const auto rows = std::make_shared<simulate::Inputs>(
      simulate::InputTable{std::move(csv.times), std::move(csv.values), names.size()});
  const auto both = std::make_shared<std::vector<double>>(2 * names.size());
  dynamics::set_inputs(free.problem, [rows, both](double t, std::span<double> values) {
    rows->sample(t, both->data());  // values, then slopes
    std::copy_n(both->begin(), values.size(), values.begin());
  });
}

std::vector<std::string> build_input_notes(const machine::Machine& machine, bool has_input) {
  std::vector<std::string> payloads, others;
  for (const std::string& name : build_input_names(machine))
    (is_payload_input(machine, name) ? payloads : others).push_back(name);
  std::vector<std::string> notes;
  if (!others.empty() && !has_input)
    notes.push_back(fmt::format("inputs count as 0 without --input: {}", fmt::join(others, ", ")));
  if (!payloads.empty())
    notes.push_back(fmt::format("a payload that is an input weighs nothing by these methods: {}",
                                fmt::join(payloads, ", ")));
  return notes;
}

}  // namespace rodeo::tools
