// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_free.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "kinematics/dynamics/equilibrium.h"
#include "tools/rodeo/offline_notes.h"
#include "viz/app/in_range.h"

namespace rodeo::tools {
namespace {

using dynamics::Solver;

Solver find_solver(const std::string& name) {
  static const std::map<std::string, Solver> kSolvers{{"", Solver::automatic},
                                                      {"euler", Solver::euler},
                                                      {"rk4", Solver::rk4},
                                                      {"cvode", Solver::cvode},
                                                      {"ida", Solver::ida}};
  return kSolvers.at(name);
}

}  // namespace

void add_free_options(CLI::App& command, FreeOptions& options) {
  command
      .add_option("--free", options.released, "NAME: a drive that does not hold the machine; all: none holds")
      ->allow_extra_args(false);
  command.add_flag("--settle", options.settle,
                   "Find the start by method rc: from the angles as written, springs in the joints pull them "
                   "closed; what it took is reported");
  const auto positive = viz::in_range(0.0, 1e9);
  command
      .add_option("--alpha", options.alpha,
                  "lagrange: gain on the rate of a constraint, 1/s; 0.1 a step if not given")
      ->check(positive);
  command.add_option("--beta", options.beta, "lagrange: gain on a constraint, 1/s; alpha if not given")
      ->check(positive);
  command
      .add_option(
          "--frequency", options.frequency,
          "rc: of a joint's parasitic spring under the mass it feels, rad/s; 18850 (3000 Hz) if not given")
      ->check(viz::in_range(1e-3, 1e9));
  command
      .add_option("--damping-ratio", options.damping_ratio, "rc: of its parasitic damper; 0.7 if not given")
      ->check(viz::in_range(0.0, 100.0));
}

dynamics::MethodOptions build_method_options(const FreeOptions& options, double rate) {
  dynamics::MethodOptions result;
  result.solver = find_solver(options.solver);
  result.step = 1 / rate;
  result.relative = options.tolerance;
  result.absolute = options.tolerance / 100;
  result.alpha = options.alpha;
  result.beta = options.beta;
  result.frequency = options.frequency;
  result.damping_ratio = options.damping_ratio;
  return result;
}

FreeMachine load_free(const ModelOptions& model, const FreeOptions& options) {
  std::error_code ignored;
  if (std::filesystem::is_directory(model.path, ignored)) {
    throw text::ModelError(
        text::build_where(model.path),
        "this is a built folder, which moves by its kernel: the methods of free motion need "
        "the machine file");
  }
  Progress progress;
  if (std::optional<FreeMachine> in_space = load_spatial_free(model, options, progress))
    return std::move(*in_space);
  std::optional<LoadedMachine> loaded = load_machine(model, progress);
  if (!loaded) {
    throw text::ModelError(
        text::build_where(model.path),
        "this is a bond graph, and the methods of free motion are for machines: 'rodeo simulate' "
        "has methods for graphs");
  }
  text::Faults faults;
  check_start(*loaded, faults);
  faults.throw_if_any();
  dynamics::Problem problem = dynamics::build_problem(loaded->machine, loaded->assembly, {options.released});
  std::vector<std::string> notes = build_file_notes(model.path, model.overrides);
  const std::vector<std::string>& missed = loaded->assembly.missed_starts;
  notes.insert(notes.end(), missed.begin(), missed.end());
  if (options.settle) {
    const dynamics::SettledStart settled = dynamics::settle_start(problem, loaded->machine, loaded->assembly);
    notes.push_back(build_settled_note(settled));
  }
  FreeNames names = build_free_names(loaded->machine);
  return {std::move(names), std::move(problem), build_planar_view(std::move(loaded->machine)),
          std::move(notes)};
}

std::string build_settled_note(const dynamics::SettledStart& settled) {
  return fmt::format(
      "settled by springs in the joints: open by {:.3g} m as written, {:.1e} m after; {:.3g} (m, "
      "rad) from the start that is projected at once",
      settled.open_before, settled.open_after, settled.moved);
}

void set_equilibrium(FreeMachine& free) {
  const bool was_moving = !free.problem.v.isZero(0.0);
  const dynamics::Equilibrium result = dynamics::find_equilibrium(free.problem);
  if (!result.found) {
    throw text::ModelError(free.names.where,
                           fmt::format("no equilibrium was found: after {} steps downhill from the start "
                                       "{:.2g} of the largest force is left unbalanced; leave out "
                                       "--equilibrium, or add what holds the machine",
                                       result.steps, result.left));
  }
  free.notes.push_back(
      fmt::format("begins in its equilibrium, found in {} steps: {:.1e} of the largest force is left "
                  "unbalanced{}",
                  result.steps, result.left, was_moving ? "; its start rates are left out" : ""));
}

std::vector<std::string> build_start_notes(const dynamics::Problem& problem) {
  std::vector<std::string> notes;
  for (const dynamics::RateChange& change : problem.changes) {
    notes.push_back(fmt::format("start rate '{}' does not fit the joints: {:.6g} became {:.6g}", change.name,
                                change.asked, change.got));
  }
  for (const std::string& row : problem.redundant) {
    notes.push_back(fmt::format("{} follows from the other joints: left out, but for method rc", row));
  }
  if (!problem.held.empty()) {
    notes.push_back(
        fmt::format("held at the start: {} (--free lets a drive go)", fmt::join(problem.held, ", ")));
  }
  return notes;
}

}  // namespace rodeo::tools
