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

/// What is said of a step that is too long, and what would do instead, which is found by trying when it is asked for.
class StepAdvice {
 public:
  StepAdvice(const SimulateFreeOptions& options, FreeMachine& free, const dynamics::Method& method)
      : options_(options), free_(free), step_(find_step(method)), stiff_(find_stiff_elements(free.problem)) {}

  /// Before anything moves.
  void warn() {
    const std::string why = step_ ? engine::describe_long_step(stiff_, *step_, 1 / options_.rate) : "";
    if (!why.empty())
      engine::print_sentence("warning: {}: {}", why,
                             engine::describe_remedy(remedy(), *step_, 1 / options_.rate, kOption));
  }
  /// After a fault or a loss.
  [[nodiscard]] std::string describe() {
    if (!step_) return "take a smaller --tolerance";
    return engine::describe_fault(stiff_, remedy(), *step_, 1 / options_.rate, kOption);
  }

 private:
  static constexpr const char* kOption = "--solver";

  [[nodiscard]] const engine::Remedy& remedy() {
    constexpr double kMostSteps = 2e5, kFastest = 1e6;  // Hz
    if (!remedy_)
      remedy_ = engine::find_remedy(stiff_, *step_, options_.rate,
                                    std::min(kFastest, kMostSteps / options_.duration),
                                    [&](rodeo_method step, double rate) { return try_run(step, rate); });
    return *remedy_;
  }
  [[nodiscard]] engine::Trial try_run(rodeo_method step, double rate) {
    SimulateFreeOptions finer = options_;
    finer.rate = rate;
    finer.free.solver = step == RODEO_EULER ? "euler" : "rk4";
    try {
      const dynamics::RunReport report =
          dynamics::run(*build_method(finer, free_), options_.duration, 1 / rate,
                        [](const dynamics::Sample&) { return interrupted == 0; });
      return report.has_lost() ? engine::Trial::lossy : engine::Trial::good;
    } catch (const solve::SolveError&) {
      return engine::Trial::faulty;
    }
  }

  const SimulateFreeOptions& options_;
  FreeMachine& free_;
  std::optional<rodeo_method> step_;
  std::vector<engine::StiffElement> stiff_;
  std::optional<engine::Remedy> remedy_;
};

/// Nothing if the user stopped it.
std::optional<dynamics::RunReport> run_into(dynamics::Method& method, FreeMachine& free,
                                            const SimulateFreeOptions& options) {
  const dynamics::System& system = method.system();
  CsvRows log(options.output, free.view->build_names(system, options.all_columns));
  std::vector<double> row;
  FractionBar bar;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  const auto take = [&](const dynamics::Sample& sample) {
    row.clear();
    free.view->gather(system, sample, options.all_columns, row);
    log.write(row);
    bar.show(options.duration > 0 ? sample.t / options.duration : 1.0);
    return interrupted == 0;
  };
  try {
    const dynamics::RunReport report = dynamics::run(method, options.duration, 1 / options.rate, take);
    if (interrupted != 0) return std::nullopt;
    log.finish();
    return report;
  } catch (const solve::SolveError&) {
    log.finish();  // the rows up to the fault
    throw;
  }
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
  StepAdvice advice(options, free, *method);
  advice.warn();
  std::optional<dynamics::RunReport> report;
  try {
    report = run_into(*method, free, options);
    if (!report) {
      engine::print_sentence("rodeo: stopped before the end, no log was written");
      throw CLI::RuntimeError(fault);
    }
  } catch (const dynamics::FaultError& error) {
    engine::print_sentence("{}: {} ({})", options.model.path, error.what(), advice.describe());
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
    engine::print_sentence(
        "note: {:.3g} J of {:.3g} J are lost that nothing dissipates ({})", report->lost, report->scale,
        report->damped > 0.5 * report->lost ? "the dampers that the method puts into the joints take them"
                                            : advice.describe());
}

}  // namespace rodeo::tools
