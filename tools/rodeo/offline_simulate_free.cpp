// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_simulate_free.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>

#include "kinematics/spatial/machine.h"
#include "kinematics/text/yaml.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/csv_rows.h"
#include "tools/rodeo/fraction_bar.h"
#include "tools/rodeo/offline_free_inputs.h"

namespace rodeo::tools {
namespace {

volatile std::sig_atomic_t interrupted = 0;

std::unique_ptr<dynamics::Method> build_method(const SimulateFreeOptions& options, FreeMachine& free) {
  const std::string method = options.method.empty() ? "minimal" : options.method;
  try {
    return dynamics::build_method(method, free.problem, build_method_options(options.free, options.rate));
  } catch (const std::invalid_argument& error) {
    throw CLI::ValidationError("--solver", error.what());
  }
}

/// False if the user stopped it.
bool run_into(dynamics::Method& method, FreeMachine& free, const SimulateFreeOptions& options) {
  const dynamics::System& system = method.system();
  CsvRows log(options.output, free.view->build_names(system, options.all_columns));
  std::vector<double> row;
  FractionBar bar;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  dynamics::run(method, options.duration, 1 / options.rate, [&](const dynamics::Sample& sample) {
    row.clear();
    free.view->gather(system, sample, options.all_columns, row);
    log.write(row);
    bar.show(options.duration > 0 ? sample.t / options.duration : 1.0);
    return interrupted == 0;
  });
  if (interrupted == 0) log.finish();
  return interrupted == 0;
}

}  // namespace

bool is_free_method(const std::string& method) {
  const auto& names = dynamics::method_names();
  return std::find(names.begin(), names.end(), method) != names.end();
}

void check_equilibrium_input(const ModelOptions& model) {
  const text::Node root = text::build_yaml_from_file(model.path);
  if (!machine::is_machine(root)) return;
  const bool has_inputs = spatial::is_spatial(root)
                              ? !spatial::build_machine(root, model.path, model.overrides).inputs.empty()
                              : !machine::build_machine(root, model.path, model.overrides).inputs.empty();
  if (has_inputs) return;
  throw CLI::ValidationError(
      "--equilibrium",
      "begins a motion by forces, in which drives hold still or are let go, and --input would move them: "
      "leave out one "
      "of the two (only forces without a value take an input there, and this machine has none)");
}

void simulate_free(const SimulateFreeOptions& options) {
  FreeMachine free = load_free(options.model, options.free);
  if (!options.input.empty()) set_force_inputs(free, options.input);
  if (options.free.equilibrium) set_equilibrium(free);
  const std::unique_ptr<dynamics::Method> method = build_method(options, free);
  try {
    if (!run_into(*method, free, options)) {
      fmt::print(stderr, "rodeo: stopped before the end, no log was written\n");
      throw CLI::RuntimeError(fault);
    }
  } catch (const solve::SolveError& error) {
    fmt::print(stderr, "{}: {}\n", options.model.path, error.what());
    throw CLI::RuntimeError(fault);
  }
  for (const std::string& note : free.notes) fmt::print(stderr, "note: {}\n", note);
  for (const std::string& note : build_input_notes(free.names, !options.input.empty()))
    fmt::print(stderr, "note: {}\n", note);
  for (const std::string& note : build_start_notes(free.problem)) fmt::print(stderr, "note: {}\n", note);
  for (const std::string& note : method->notes()) fmt::print(stderr, "note: {}\n", note);
}

}  // namespace rodeo::tools
