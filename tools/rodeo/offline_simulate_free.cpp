// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_simulate_free.h"

#include <fmt/format.h>

#include <algorithm>
#include <csignal>
#include <optional>

#include "engine/io/printable.h"
#include "kinematics/spatial/machine.h"
#include "kinematics/text/yaml.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/csv_rows.h"
#include "tools/rodeo/fraction_bar.h"
#include "tools/rodeo/offline_free_inputs.h"
#include "tools/rodeo/offline_stiff.h"

namespace rodeo::tools {
namespace {

volatile std::sig_atomic_t interrupted = 0;

std::unique_ptr<dynamics::Method> build_method(const SimulateFreeOptions& options, FreeMachine& free) {
  const std::string method = options.method.empty() ? "minimal" : options.method;
  try {
    dynamics::MethodOptions settings = build_method_options(options.free, options.rate);
    settings.has_jumps = has_jumps(free.problem);
    return dynamics::build_method(method, free.problem, settings);
  } catch (const std::invalid_argument& error) {
    throw CLI::ValidationError("--solver", error.what());
  }
}

/// The explicit step of a method's solver; none where the solver chooses its steps.
std::optional<rodeo_method> find_step(const dynamics::Method& method) {
  if (method.solver_name() == "euler") return RODEO_EULER;
  return method.solver_name() == "rk4" ? std::optional(RODEO_RK4) : std::nullopt;
}

/// What should be known of the step before anything moves.
void warn_of_step(const std::vector<engine::StiffElement>& stiff, const dynamics::Method& method,
                  double rate) {
  const auto step = find_step(method);
  const std::string why = step ? engine::describe_long_step(stiff, *step, 1 / rate) : "";
  if (!why.empty()) engine::print_sentence("warning: {}", why);
}

/// The first of 4, 16, 64 times the rate that comes to its end without a fault; -1 if none does, 0 if it takes too many steps
/// to find out.
double find_good_rate(const SimulateFreeOptions& options, FreeMachine& free) {
  constexpr double kMostSteps = 2e5;
  for (const double factor : {4.0, 16.0, 64.0}) {
    SimulateFreeOptions finer = options;
    finer.rate = factor * options.rate;
    if (finer.rate * options.duration > kMostSteps) return 0;
    try {
      static_cast<void>(dynamics::run(*build_method(finer, free), options.duration, 1 / finer.rate,
                                      [](const dynamics::Sample&) { return interrupted == 0; }));
      return finer.rate;
    } catch (const solve::SolveError&) {
      continue;
    }
  }
  return -1;
}

/// What would help after a fault or a loss; `tried` may be 0.
std::string advise(const std::vector<engine::StiffElement>& stiff, const dynamics::Method& method,
                   double rate, double tried) {
  const auto step = find_step(method);
  if (!step) return "take a smaller --tolerance";
  return engine::describe_remedy(stiff, *step, 1 / rate, tried);
}

/// Nothing if the user stopped it.
std::optional<dynamics::RunReport> run_into(dynamics::Method& method, FreeMachine& free,
                                            const SimulateFreeOptions& options) {
  const dynamics::System& system = method.system();
  CsvRows log(options.output, free.view->build_names(system, options.all_columns));
  std::vector<double> row;
  FractionBar bar;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  const dynamics::RunReport report =
      dynamics::run(method, options.duration, 1 / options.rate, [&](const dynamics::Sample& sample) {
        row.clear();
        free.view->gather(system, sample, options.all_columns, row);
        log.write(row);
        bar.show(options.duration > 0 ? sample.t / options.duration : 1.0);
        return interrupted == 0;
      });
  if (interrupted != 0) return std::nullopt;
  log.finish();
  return report;
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
  const std::vector<engine::StiffElement> stiff = find_stiff_elements(free.problem);
  warn_of_step(stiff, *method, options.rate);
  std::optional<dynamics::RunReport> report;
  try {
    report = run_into(*method, free, options);
    if (!report) {
      engine::print_sentence("rodeo: stopped before the end, no log was written");
      throw CLI::RuntimeError(fault);
    }
  } catch (const dynamics::FaultError& error) {
    engine::print_sentence("{}: {} ({})", options.model.path, error.what(),
                           advise(stiff, *method, options.rate, find_good_rate(options, free)));
    throw CLI::RuntimeError(fault);
  } catch (const solve::SolveError& error) {
    engine::print_sentence("{}: {}", options.model.path, error.what());
    throw CLI::RuntimeError(fault);
  }
  for (const std::string& note : free.notes) engine::print_sentence("note: {}", note);
  for (const std::string& note : build_input_notes(free.names, !options.input.empty()))
    engine::print_sentence("note: {}", note);
  for (const std::string& note : build_start_notes(free.problem)) engine::print_sentence("note: {}", note);
  for (const std::string& note : method->notes()) engine::print_sentence("note: {}", note);
  if (report->has_lost())
    engine::print_sentence("note: {:.3g} J of {:.3g} J are lost that nothing dissipates ({})", report->lost,
                           report->scale, advise(stiff, *method, options.rate, 0));
}

}  // namespace rodeo::tools
