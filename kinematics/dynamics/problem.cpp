// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/problem.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/machine/closure.h"
#include "kinematics/machine/coordinates.h"
#include "kinematics/machine/rank.h"
#include "kinematics/machine/start_speeds.h"

namespace rodeo::dynamics {
namespace {

using machine::Machine;

constexpr double kSameRate = 1e-9;      // relative: below it a rate counts as got
constexpr double kNoInertia = 1e-7;     // of the largest: a freedom that no mass resists
constexpr double kClosedEnough = 1e-9;  // of the machine's size
constexpr int kMostNewtonSteps = 20;

void check_masses(const Machine& machine, text::Faults& faults) {
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const machine::Body& body = machine.bodies[b];
    if (body.mass) continue;
    faults.add(
        body.where,
        fmt::format("body '{}' has no mass: a machine that moves by its forces needs that of every body "
                    "(kg; and inertia, kg m² about the centre of mass, unless it is a point mass)",
                    body.name));
  }
}

bool is_at_rest(const Machine& machine) {
  return std::all_of(machine.start_rates.begin(), machine.start_rates.end(),
                     [](const machine::StartValue& rate) { return rate.value == 0; });
}

/// The machine without the drives that were let go, and the values of those that hold.
struct Driven {
  Machine machine;
  machine::Assembly start;
};

Driven build_driven(const Machine& machine, const machine::Assembly& start, const ProblemOptions& options) {
  Driven result{build_loaded(machine), start};
  result.machine.drives.clear();
  result.machine.start_drives.clear();
  result.start.drive_values.clear();
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    if (is_released(options, machine.drives[d].name)) continue;
    result.machine.drives.push_back(machine.drives[d]);
    result.machine.start_drives.push_back(machine.start_drives[d]);
    result.start.drive_values.push_back(start.drive_values[d]);
  }
  return result;
}

std::vector<machine::Row> build_independent_rows(const Machine& machine, const machine::Mobility& mobility) {
  std::vector<machine::Row> rows = machine::build_rows(machine, true);
  std::erase_if(rows, [&](const machine::Row& row) {
    const auto is_same = [&](const machine::Row& other) {
      return row.joint == other.joint && row.drive == other.drive && row.component == other.component;
    };
    return std::any_of(mobility.redundant.begin(), mobility.redundant.end(), is_same) ||
           std::any_of(mobility.conflicting_drives.begin(), mobility.conflicting_drives.end(), is_same);
  });
  return rows;
}

/// Rates as rows; drives by the machine as it was written, with all its drives, and with slides that have a rate as such.
std::vector<WantedRate> build_rates(Machine machine, machine::Assembly start, const Vector& q,
                                    const std::vector<machine::StartValue>& values) {
  for (const machine::StartValue& rate : values) {
    const auto slide = machine::find_slide(machine, rate.name);
    if (!slide) continue;
    machine.drives.push_back(*slide);
    start.drive_values.push_back(0.0);
  }
  std::vector<WantedRate> rates;
  for (const machine::StartValue& rate : values) {
    rates.push_back({rate.name, rate.value, {}});
    for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
      if (machine.bodies[b].name == rate.name) rates.back().row = build_unit_row(static_cast<int>(3 * b - 1));
    }
    if (rates.back().row.body[1] != 0) continue;
    for (std::size_t d = 0; d < machine.drives.size(); ++d) {
      if (machine.drives[d].name != rate.name) continue;
      const PlanarSystem drive(machine, {{.drive = static_cast<int>(d)}}, start.drive_values);
      Workspace work;
      drive.calc_rows(q, {}, work);
      rates.back().row = work.rows.terms[0];
      rates.back().unit =
          machine.drives[d].kind == machine::DriveKind::slide ? machine::calc_size(machine) : 1;
    }
  }
  return rates;
}

/// Angles of bodies and slides that start.rates do not name.
std::vector<machine::StartValue> list_others(const Machine& machine) {
  std::vector<machine::StartValue> others;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) others.push_back({machine.bodies[b].name, 0.0, {}});
  for (const machine::Joint& joint : machine.joints) {
    if (joint.kind != machine::JointKind::revolute) others.push_back({joint.name, 0.0, {}});
  }
  std::erase_if(others, [&](const machine::StartValue& other) {
    return std::any_of(machine.start_rates.begin(), machine.start_rates.end(),
                       [&](const machine::StartValue& rate) { return rate.name == other.name; });
  });
  return others;
}

/// Columns: velocities that leave all rows as they are.
Eigen::MatrixXd build_free_moves(const System& system, const std::vector<RowTerms>& rows) {
  Vector units(system.velocities());
  for (Eigen::Index i = 0; i < units.size(); ++i) units[i] = system.velocity_unit(i);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const auto row = static_cast<Eigen::Index>(r);
    for (std::size_t side = 0; side < 2; ++side) {
      if (rows[r].body[side] == 0) continue;
      for (int i = 0; i < rows[r].width; ++i) {
        const Eigen::Index column = rows[r].width * (rows[r].body[side] - 1) + i;
        entries.emplace_back(
            row, column, rows[r].d[side][static_cast<std::size_t>(i)] * units[column] / system.row_unit(row));
      }
    }
  }
  Eigen::SparseMatrix<double> jacobian(static_cast<Eigen::Index>(rows.size()), units.size());
  jacobian.setFromTriplets(entries.begin(), entries.end());
  return units.asDiagonal() * machine::RowRank(jacobian).build_free_moves();
}

Eigen::MatrixXd calc_effects(const std::vector<WantedRate>& rates, const Eigen::MatrixXd& moves) {
  Eigen::MatrixXd effects(static_cast<Eigen::Index>(rates.size()), moves.cols());
  for (std::size_t i = 0; i < rates.size(); ++i) {
    for (Eigen::Index c = 0; c < moves.cols(); ++c)
      effects(static_cast<Eigen::Index>(i), c) = calc_product(rates[i].row, moves.col(c)) / rates[i].unit;
  }
  return effects;
}

void add_still(const text::Where& where, const char* gravity, text::Faults& faults) {
  faults.add(where, fmt::format("there is no gravity, no force and no start rate, so nothing would move: add "
                                "'gravity: {}', 'forces:' or 'start: {{rates: ...}}'",
                                gravity));
}

std::vector<std::string> list_drives(const Machine& machine) {
  std::vector<std::string> names;
  for (const machine::Drive& drive : machine.drives) names.push_back(drive.name);
  return names;
}

}  // namespace

bool is_released(const ProblemOptions& options, const std::string& drive) {
  return std::any_of(options.released.begin(), options.released.end(),
                     [&](const std::string& name) { return name == "all" || name == drive; });
}

void check_released(const std::vector<std::string>& names, const text::Where& where,
                    const ProblemOptions& options, text::Faults& faults) {
  for (const std::string& name : options.released) {
    if (name == "all" || std::find(names.begin(), names.end(), name) != names.end()) continue;
    faults.add(where, fmt::format("--free {}: there is no such drive (there are {})", name,
                                  names.empty() ? "none" : text::join_names(names)));
  }
}

Vector calc_start_velocity(Problem& problem, std::vector<WantedRate> rates,
                           const std::vector<WantedRate>& others) {
  Vector v = Vector::Zero(problem.system.velocities());
  Workspace work;
  problem.system.calc_rows(problem.q, {}, work);
  const Eigen::MatrixXd moves = build_free_moves(problem.system, work.rows.terms);
  if (rates.empty() || moves.cols() == 0) return v;
  Vector wanted(static_cast<Eigen::Index>(rates.size()));
  for (std::size_t i = 0; i < rates.size(); ++i) {
    rates[i].unit = 1;
    wanted[static_cast<Eigen::Index>(i)] = rates[i].value;
  }
  const Vector roots = problem.system.metric().cwiseSqrt();
  v = moves * machine::calc_start_speeds({calc_effects(rates, moves), wanted, calc_effects(others, moves),
                                          roots.asDiagonal() * moves});
  Saddle saddle(problem.system.metric());
  close_velocity(saddle, work, v);
  problem.rates.clear();
  for (const auto* list : {&std::as_const(rates), &others}) {
    for (const WantedRate& rate : *list) problem.rates.emplace_back(rate.name, calc_product(rate.row, v));
  }
  for (const WantedRate& rate : rates) {
    const double got = calc_product(rate.row, v);
    if (std::abs(got - rate.value) > kSameRate * std::max(1.0, std::abs(rate.value))) {
      problem.changes.push_back({rate.name, rate.value, got});
    }
  }
  return v;
}

// A unit torque on each such body tells.
void check_inertia(Problem& problem, text::Faults& faults) {
  const Vector& mass = problem.system.mass();
  Workspace work;
  problem.system.calc_rows(problem.q, {}, work);
  Saddle saddle(problem.system.weights());
  saddle.factor(work.rows.terms);
  for (Eigen::Index i = 0; i < mass.size(); ++i) {
    if (mass[i] > 0) continue;
    Vector f = Vector::Zero(mass.size()), a = f, lambda = Vector::Zero(problem.system.row_count());
    f[i] = 1.0;
    saddle.solve(saddle.weights(), f, Vector::Zero(lambda.size()), a, lambda);
    if (!(a[i] * problem.system.metric()[i] * kNoInertia > 1)) continue;
    const BodyLabel body = problem.system.body_label(i);
    faults.add(body.where,
               fmt::format("body '{}': inertia 0, and the joints let it turn about its centre of mass, "
                           "which no body does without inertia; give it one (kg m²)",
                           body.name));
  }
}

void close_start(Problem& problem) {
  Saddle saddle(problem.system.metric());
  Workspace work;
  const Vector before = problem.q;
  if (!close_position(problem.system, saddle, problem.q, work)) problem.q = before;
  problem.moved = (problem.q - before).cwiseAbs().maxCoeff();
}

void check_motion(const Problem& problem, const text::Where& where, int all_mobility, bool is_still,
                  const char* gravity, text::Faults& faults) {
  if (problem.mobility <= 0) {
    faults.add(where, fmt::format("nothing is left to move freely: the joints{} fix mobility {}{}",
                                  problem.held.empty() ? "" : " and drives", all_mobility,
                                  problem.held.empty() ? "" : "; let a drive go with --free NAME"));
  }
  if (is_still) add_still(where, gravity, faults);
}

void set_inputs(Problem& problem, const ForceInputs& inputs) {
  problem.system.set_inputs(inputs);
  problem.redundant_system.set_inputs(inputs);
}

void check_forces(const Machine& machine, text::Faults& faults) {
  const bool is_heavy = machine.gravity_x && (machine.gravity_x->value != 0 || machine.gravity_y->value != 0);
  const bool is_pushed = std::any_of(machine.forces.begin(), machine.forces.end(), [](const auto& force) {
    return force.kind != machine::ForceKind::payload;
  });
  if (!is_heavy && !is_pushed && is_at_rest(machine)) add_still(machine.where, "[0, -9.81]", faults);
}

void check_point_masses(const Machine& machine, const machine::Assembly& start, text::Faults& faults) {
  const bool has_inertias =
      std::all_of(machine.bodies.begin() + 1, machine.bodies.end(),
                  [](const machine::Body& body) { return body.inertia && body.inertia->value > 0; });
  if (has_inertias) return;
  const Driven driven = build_driven(machine, start, {});
  const machine::Mobility mobility = machine::calc_mobility(driven.machine, driven.start);
  const auto build = [&](std::vector<machine::Row> rows) {
    return std::make_unique<PlanarSystem>(driven.machine, std::move(rows), driven.start.drive_values);
  };
  auto independent = build(build_independent_rows(driven.machine, mobility));
  const Vector q = independent->build_coordinates(start.pose);
  Problem problem(std::move(independent), build({}));
  problem.q = q;
  check_inertia(problem, faults);
}

bool close_position(const System& system, Saddle& saddle, Vector& q, Workspace& work) {
  double best = HUGE_VAL;
  Vector closest = q;
  for (int step = 0; step < kMostNewtonSteps; ++step) {
    system.calc_rows(q, {}, work);
    const double open = system.calc_largest(work.rows.residual);
    if (!(open < 0.5 * best)) break;
    best = open;
    closest = q;
    if (open == 0) break;
    saddle.factor(work.rows.terms);
    Vector move = Vector::Zero(system.velocities());
    saddle.project(-work.rows.residual, move);
    system.move(q, move);
  }
  q = closest;
  system.calc_rows(q, {}, work);
  return best <= kClosedEnough * system.size();
}

void close_velocity(Saddle& saddle, const Workspace& work, Vector& v) {
  saddle.factor(work.rows.terms);
  saddle.project(Vector::Zero(static_cast<Eigen::Index>(work.rows.terms.size())), v);
}

void set_start_velocity(Problem& problem, const Machine& machine, const machine::Assembly& start) {
  problem.changes.clear();
  problem.v = calc_start_velocity(problem, build_rates(machine, start, problem.q, machine.start_rates),
                                  build_rates(machine, start, problem.q, list_others(machine)));
}

Problem build_problem(const Machine& machine, const machine::Assembly& start, const ProblemOptions& options) {
  text::Faults faults;
  check_released(list_drives(machine), machine.where, options, faults);
  check_masses(machine, faults);
  faults.throw_if_any();
  const Driven driven = build_driven(machine, start, options);
  const machine::Mobility mobility = machine::calc_mobility(driven.machine, driven.start);
  auto independent = std::make_unique<PlanarSystem>(
      driven.machine, build_independent_rows(driven.machine, mobility), driven.start.drive_values);
  auto all = std::make_unique<PlanarSystem>(driven.machine, machine::build_rows(driven.machine, true),
                                            driven.start.drive_values);
  const Vector q = independent->build_coordinates(start.pose);
  Problem problem(std::move(independent), std::move(all));
  problem.q = q;
  problem.mobility = mobility.free_motions;
  for (const machine::Row& row : mobility.redundant)
    problem.redundant.push_back(row_name(driven.machine, row));
  for (const machine::Drive& drive : driven.machine.drives) problem.held.push_back(drive.name);
  const text::Where& where = problem.held.empty() ? machine.where : machine.drives.front().where;
  check_motion(problem, where, mobility.mobility, false, "", faults);
  check_forces(machine, faults);
  close_start(problem);
  check_inertia(problem, faults);
  faults.throw_if_any();
  set_start_velocity(problem, machine, start);
  return problem;
}

}  // namespace rodeo::dynamics
