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

void check_no_drives(const FreeNames& machine, const std::string& path) {
  if (path == "-") return;  // is read once only
  std::ifstream in = engine::open_csv(path);
  engine::CsvLines lines(in, path);
  if (!lines.next()) return;
  for (const std::string_view cell : lines.cells()) {
    for (const std::string& drive : machine.drives) {
      if (cell != drive && cell != drive + ".rate") continue;
      lines.refuse(
          fmt::format("column '{}' is of a drive, and these methods hold drives where they start, or let "
                      "them go with --free: leave the column out, or take a step of the compiled kernel",
                      cell));
    }
  }
}

bool is_payload_input(const FreeNames& machine, const std::string& name) {
  return std::any_of(machine.payloads.begin(), machine.payloads.end(),
                     [&](const std::string& payload) { return name.starts_with(payload + "."); });
}

}  // namespace

void set_force_inputs(FreeMachine& free, const std::string& path) {
  const std::vector<std::string>& names = free.names.inputs;
  if (names.empty())
    throw text::ModelError(
        free.names.where,
        "the machine has no inputs, and --input was given: an input is a force without a value, "
        "and drives are held by this method");
  check_no_drives(free.names, path);
  engine::CsvTable csv = engine::build_csv_from_file(path, {}, engine::CsvColumns::drives, names);
  const auto rows = std::make_shared<simulate::Inputs>(
      simulate::InputTable{std::move(csv.times), std::move(csv.values), names.size()});
  const auto both = std::make_shared<std::vector<double>>(2 * names.size());
  dynamics::set_inputs(free.problem, [rows, both](double t, std::span<double> values) {
    rows->sample(t, both->data());  // values, then slopes
    std::copy_n(both->begin(), values.size(), values.begin());
  });
}

std::vector<std::string> build_input_notes(const FreeNames& machine, bool has_input) {
  std::vector<std::string> payloads, others;
  for (const std::string& name : machine.inputs)
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
