// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_free.h"

#include <fmt/format.h>

#include <filesystem>
#include <map>

#include "kinematics/dynamics/settle.h"

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

/// As the loads of imposed motion are named.
std::string load_name(const machine::Machine& machine, const machine::Row& row) {
  if (row.drive >= 0) {
    const machine::Drive& drive = machine.drives[row.drive];
    const bool turns =
        drive.kind == machine::DriveKind::angle || drive.kind == machine::DriveKind::relative_angle;
    return drive.name + (turns ? ".torque" : ".force");
  }
  const machine::Joint& joint = machine.joints[row.joint];
  if (joint.kind == machine::JointKind::revolute) return joint.name + (row.component == 0 ? ".fx" : ".fy");
  return joint.name + (row.component == 0 ? ".force" : ".torque");
}

}  // namespace

void add_free_options(CLI::App& command, FreeOptions& options) {
  command
      .add_option("--free", options.released, "NAME: a drive that does not hold the machine; all: none holds")
      ->allow_extra_args(false);
  command.add_flag("--settle", options.settle,
                   "Find the start by method rc: from the angles as written, springs in the joints pull them "
                   "closed; what it took is reported");
  const auto positive = CLI::Range(0.0, 1e9);
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
      ->check(CLI::Range(1e-3, 1e9));
  command
      .add_option("--damping-ratio", options.damping_ratio, "rc: of its parasitic damper; 0.7 if not given")
      ->check(CLI::Range(0.0, 100.0));
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
  std::vector<std::string> notes;
  if (options.settle) {
    const dynamics::SettledStart settled = dynamics::settle_start(problem, loaded->machine, loaded->assembly);
    notes.push_back(fmt::format(
        "settled by springs in the joints: open by {:.3g} m as written, {:.1e} m after; {:.3g} (m, "
        "rad) from the start that is projected at once",
        settled.open_before, settled.open_after, settled.moved));
  }
  return {std::move(loaded->machine), std::move(problem), std::move(notes)};
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

FreeColumns::FreeColumns(const FreeMachine& free, const dynamics::PlanarSystem& system, bool all)
    : free_(free), system_(system), all_(all) {
  const machine::Machine& machine = free.machine;
  names_.emplace_back("t");
  // A drive that is a body's angle has that body's name, as in the log of imposed motion.
  for (const machine::Drive& drive : machine.drives) names_.push_back(drive.name);
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) names_.push_back(machine.bodies[b].name + ".angle");
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) names_.push_back(machine.bodies[b].name + ".rate");
  for (const machine::Output& output : machine.outputs) {
    names_.push_back(output.name + ".x");
    names_.push_back(output.name + ".y");
  }
  names_.insert(names_.end(), {"energy", "energy_error", "residual"});
  if (all_) add_rest();
}

void FreeColumns::add_rest() {
  for (std::size_t b = 1; b < free_.machine.bodies.size(); ++b) {
    const std::string& name = free_.machine.bodies[b].name;
    names_.insert(names_.end(), {name + ".origin.x", name + ".origin.y"});
  }
  names_.insert(names_.end(), {"energy.kinetic", "energy.potential", "work"});
  for (const machine::Row& row : system_.rows()) names_.push_back(load_name(system_.machine(), row));
}

std::span<const double> FreeColumns::gather(const dynamics::Sample& sample) {
  row_.clear();
  const machine::Machine& machine = free_.machine;
  const machine::Pose pose = system_.build_pose(sample.state.q);
  row_.push_back(sample.t);
  for (const machine::Drive& drive : machine.drives) row_.push_back(calc_drive_value(machine, pose, drive));
  for (std::size_t b = 1; b < pose.bodies.size(); ++b) row_.push_back(pose.bodies[b].angle);
  for (std::size_t b = 1; b < pose.bodies.size(); ++b) {
    row_.push_back(sample.state.v[static_cast<Eigen::Index>(3 * b - 1)]);
  }
  for (const machine::Output& output : machine.outputs) {
    const machine::Vec2 p = machine::calc_position(machine, pose, output.point);
    row_.insert(row_.end(), {p.x, p.y});
  }
  row_.insert(row_.end(), {sample.energy.total(), sample.energy_error, sample.residual});
  if (!all_) return row_;
  for (std::size_t b = 1; b < pose.bodies.size(); ++b)
    row_.insert(row_.end(), {pose.bodies[b].x, pose.bodies[b].y});
  row_.insert(row_.end(), {sample.energy.kinetic, sample.energy.potential, sample.state.work});
  for (const double lambda : sample.state.lambda) row_.push_back(-lambda);  // M v̇ = f − Jᵀλ
  return row_;
}

}  // namespace rodeo::tools
