// SPDX-License-Identifier: MIT
// Options, input and log around simulate::GraphRun.
#include "tools/rodeo/offline_simulate_graph.h"

#include <fmt/format.h>

#include <csignal>
#include <filesystem>
#include <map>
#include <sstream>

#include "engine/io/csv.h"
#include "engine/io/printable.h"
#include "kinematics/bondgraph/graph.h"
#include "kinematics/machine/machine.h"
#include "kinematics/simulate/run.h"
#include "kinematics/text/yaml.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/csv_rows.h"
#include "tools/rodeo/fraction_bar.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_native.h"

namespace rodeo::tools {
namespace {

using simulate::FormKind;
using simulate::MethodKind;

volatile std::sig_atomic_t interrupted = 0;

MethodKind find_method(const std::string& name) {
  static const std::map<std::string, MethodKind> kMethods{{"euler", MethodKind::euler},
                                                          {"rk4", MethodKind::rk4},
                                                          {"cvode", MethodKind::cvode},
                                                          {"adams", MethodKind::adams},
                                                          {"ida", MethodKind::ida}};
  const auto found = kMethods.find(name);
  if (found == kMethods.end()) {
    throw CLI::ValidationError("--method",
                               name + " is for machines: a bond graph takes euler, rk4, cvode, adams or ida");
  }
  return found->second;
}

std::vector<std::string> split_columns(const std::string& text) {
  std::vector<std::string> names;
  std::istringstream stream(text);
  for (std::string name; std::getline(stream, name, ',');) names.push_back(name);
  return names;
}

simulate::RunOptions build_options(const CLI::App& command, const SimulateGraphOptions& options) {
  for (const char* option : {"--closure", "--gain"}) {
    if (command.count(option) > 0)
      throw CLI::ValidationError(option, "is for machines: a bond graph has no loops to close");
  }
  simulate::RunOptions result;
  result.form = options.form == "full" ? FormKind::full : FormKind::reduced;
  if (command.count("--method") > 0) result.method = find_method(options.method);
  const std::string objection = result.method ? simulate::find_objection(result.form, *result.method) : "";
  if (!objection.empty()) throw CLI::ValidationError("--method", objection);
  result.rate = options.rate;
  result.duration = options.duration;
  result.tolerance = options.tolerance;
  result.columns = split_columns(options.columns);
  return result;
}

simulate::InputTable load_table(const reduction::Model& model, const std::string& input) {
  simulate::InputTable table;
  if (input.empty()) return table;
  std::vector<std::string> names;
  for (const reduction::Input& known : model.system.inputs) names.push_back(known.name);
  if (names.empty()) {
    throw text::ModelError(
        model.graph.where,
        "the graph has no inputs, and --input was given: an input is a source without a value");
  }
  engine::CsvTable csv = engine::build_csv_from_file(input, names, engine::CsvColumns::inputs);
  return {std::move(csv.times), std::move(csv.values), names.size()};
}

/// `LOG.units`, a header and a row of units: a header alone does not tell N from Pa. None for a pipe or device.
void write_units(const simulate::GraphRun& run, const std::string& output) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(output, ignored)) return;
  engine::AtomicFile file(output + ".units");
  file.write(fmt::format("{}\n{}\n", fmt::join(run.columns(), ","), fmt::join(run.units(), ",")));
  file.finish();
}

bool run_into(simulate::GraphRun& run, const std::string& output) {
  CsvRows log(output, run.columns());
  FractionBar bar;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  const auto finish = [&] {
    log.finish();
    write_units(run, output);
  };
  try {
    const bool is_whole = run.run([&](std::span<const double> row) { log.write(row); },
                                  [&](double fraction) {
                                    bar.show(fraction);
                                    return interrupted == 0;
                                  });
    if (is_whole) finish();
    return is_whole;
  } catch (const solve::SolveError&) {
    finish();  // the rows up to the fault
    throw;
  }
}

void run_model(const reduction::Hybrid& hybrid, simulate::InputTable table, simulate::RunOptions options,
               const std::string& output) {
  try {
    simulate::GraphRun run(hybrid, std::move(table), std::move(options));
    const std::size_t before = run.warnings().size();
    for (const std::string& warning : run.warnings()) engine::print_sentence("warning: {}", warning);
    const bool is_whole = run_into(run, output);
    if (run.warnings().size() > before) engine::print_sentence("warning: {}", run.warnings().back());
    for (const std::string& note : run.notes()) engine::print_sentence("note: {}", note);
    if (is_whole) return;
    engine::print_sentence("rodeo: stopped before the end, no log was written");
  } catch (const solve::SolveError& error) {
    engine::print_sentence("{}", error.what());
  }
  throw CLI::RuntimeError(fault);
}

}  // namespace

bool is_graph_file(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(path, ignored)) return false;
  try {
    const text::Node root = text::build_yaml_from_file(path);
    return root.is_map() && !machine::is_machine(root);
  } catch (const text::ModelError&) {
    return false;
  }
}

void simulate_graph(const CLI::App& command, const SimulateGraphOptions& options) {
  simulate::RunOptions run = build_options(command, options);
  if (options.input.empty() && options.duration < 0) {
    throw CLI::ValidationError("--duration", "is needed without --input");
  }
  Progress progress;
  ModelOptions model_options;
  model_options.path = options.path;
  model_options.overrides = options.overrides;
  const reduction::Hybrid hybrid = build_configurations(model_options, std::nullopt, progress);
  progress.finish();
  allow_native(hybrid.configurations.front().model.graph, options.allow_native);
  simulate::InputTable table = load_table(hybrid.configurations.front().model, options.input);
  if (run.duration < 0) run.duration = table.times.back();
  run_model(hybrid, std::move(table), std::move(run), options.output);
}

}  // namespace rodeo::tools
