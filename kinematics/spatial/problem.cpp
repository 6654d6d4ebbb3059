// SPDX-License-Identifier: MIT
#include "kinematics/spatial/problem.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinematics/spatial/independent.h"

namespace rodeo::spatial {
namespace {

using dynamics::WantedRate;

void check_masses(const Machine& machine, text::Faults& faults) {
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const Body& body = machine.bodies[b];
    if (body.mass) continue;
    faults.add(
        body.where,
        fmt::format("body '{}' has no mass: a machine that moves by its forces needs that of every body "
                    "(kg; and inertia, kg m² about the centre of mass, unless it is a point mass)",
                    body.name));
  }
}

bool is_at_rest(const Machine& machine) {
  const auto is_nil = [](const std::optional<double>& rate) { return rate.value_or(0.0) == 0; };
  return std::all_of(machine.start_rates.begin(), machine.start_rates.end(), [&](const StartRate& rate) {
    return std::all_of(rate.value.begin(), rate.value.end(), is_nil);
  });
}

std::vector<std::string> list_drives(const Machine& machine) {
  std::vector<std::string> names;
  for (const Drive& drive : machine.drives) names.push_back(drive.name);
  return names;
}

/// The machine without the drives that were let go, and the values of those that hold.
struct Driven {
  Machine machine;
  Assembly start;
};

Driven build_driven(const Machine& machine, const Assembly& start, const dynamics::ProblemOptions& options) {
  Driven result{build_loaded(machine), start};
  result.machine.drives.clear();
  result.machine.start_drives.clear();
  result.start.drive_values.clear();
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    if (dynamics::is_released(options, machine.drives[d].name)) continue;
    result.machine.drives.push_back(machine.drives[d]);
    result.machine.start_drives.push_back(machine.start_drives[d]);
    result.start.drive_values.push_back(start.drive_values[d]);
  }
  return result;
}

/// The rate of a row of data at the start.
WantedRate build_row_rate(const RowData& data, const BodyStates& states, const std::string& name,
                          double value) {
  WantedRate rate{name, value, {}};
  static_cast<void>(calc_row(data, states, rate.row));
  return rate;
}

/// A component of the spin in the body's axes, or of its origin's velocity.
WantedRate build_body_rate(const StartRate& rate, int axis, const BodyFrames& frames,
                           const BodyStates& states) {
  WantedRate wanted{fmt::format("{}.{}{}", rate.name, rate.kind == RateKind::spin ? "w" : "v", "xyz"[axis]),
                    *rate.value[axis],
                    {}};
  wanted.row.width = 6;
  wanted.row.body = {0, rate.index};
  const BodyFrame& frame = frames[rate.index];
  if (rate.kind == RateKind::spin) {
    const Vector3 u = frame.R.transpose().col(axis);
    wanted.row.d[1] = {0, 0, 0, u.x(), u.y(), u.z()};
    return wanted;
  }
  RowData place{.second = rate.index};
  place.p2 = frame.point(Vector3::Zero());
  place.u = Vector3::Unit(axis);
  static_cast<void>(calc_row(place, states, wanted.row));
  return wanted;
}

std::vector<WantedRate> build_rates(const Machine& machine, const std::vector<StartRate>& wanted,
                                    const BodyFrames& frames, const BodyStates& states) {
  std::vector<WantedRate> rates;
  for (const StartRate& rate : wanted) {
    if (rate.kind == RateKind::drive) {
      rates.push_back(build_row_rate(build_row_data(machine, {-1, rate.index, 0}, frames), states, rate.name,
                                     *rate.value[0]));
    } else if (rate.kind == RateKind::joint) {
      const Joint& joint = machine.joints[rate.index];
      rates.push_back(build_row_rate(has_turn(joint.kind) ? build_turn_data(machine, joint, frames)
                                                          : build_slide_data(machine, joint, frames),
                                     states, rate.name, *rate.value[0]));
    } else {
      for (int axis = 0; axis < 3; ++axis) {
        if (rate.value[axis]) rates.push_back(build_body_rate(rate, axis, frames, states));
      }
    }
  }
  return rates;
}

/// Whether start.rates speak of joints; else of bodies.
bool has_joint_rates(const Machine& machine) {
  return std::any_of(machine.start_rates.begin(), machine.start_rates.end(), [](const StartRate& rate) {
    return rate.kind == RateKind::joint || rate.kind == RateKind::drive;
  });
}

bool is_asked(const Machine& machine, RateKind kind, int index, int axis) {
  return std::any_of(machine.start_rates.begin(), machine.start_rates.end(), [&](const StartRate& rate) {
    return rate.kind == kind && rate.index == index && rate.value[axis];
  });
}

/// What start.rates do not name: angles of joints where they speak of joints, spins of bodies where they speak of bodies; slides.
std::vector<WantedRate> build_others(const Machine& machine, const BodyFrames& frames,
                                     const BodyStates& states) {
  std::vector<WantedRate> others;
  const bool of_joints = has_joint_rates(machine);
  for (int j = 0; j < std::ssize(machine.joints); ++j) {
    const Joint& joint = machine.joints[j];
    const bool is_named = is_asked(machine, RateKind::joint, j, 0);
    if (of_joints && !is_named && has_turn(joint.kind))
      others.push_back(build_row_rate(build_turn_data(machine, joint, frames), states, joint.name, 0.0));
    if (!has_slide(joint.kind) || (is_named && !has_turn(joint.kind))) continue;
    others.push_back(build_row_rate(build_slide_data(machine, joint, frames), states,
                                    joint.name + (has_turn(joint.kind) ? ".slide" : ""), 0.0));
    others.back().unit = calc_size(machine);
  }
  for (int b = 1; !of_joints && b < std::ssize(machine.bodies); ++b) {
    for (int axis = 0; axis < 3; ++axis) {
      if (is_asked(machine, RateKind::spin, b, axis)) continue;
      StartRate still{RateKind::spin, b, {}, machine.bodies[b].name, {}};
      still.value[axis] = 0.0;
      others.push_back(build_body_rate(still, axis, frames, states));
    }
  }
  return others;
}

}  // namespace

void set_start_velocity(dynamics::Problem& problem, const Machine& machine) {
  const auto& system = dynamic_cast<const System&>(problem.system);
  problem.changes.clear();
  const BodyStates states = system.build_states(problem.q, {});
  problem.v = dynamics::calc_start_velocity(
      problem, build_rates(machine, machine.start_rates, system.frames(), states),
      build_others(machine, system.frames(), states));
}

dynamics::Problem build_problem(const Machine& machine, const Assembly& start,
                                const dynamics::ProblemOptions& options) {
  text::Faults faults;
  dynamics::check_released(list_drives(machine), machine.where, options, faults);
  check_masses(machine, faults);
  faults.throw_if_any();
  const Driven driven = build_driven(machine, start, options);
  const Mobility mobility = calc_mobility(driven.machine, driven.start);
  const RowChoice choice = choose_rows(driven.machine, driven.start, mobility);
  auto independent = std::make_unique<System>(driven.machine, choice.kept, driven.start.drive_values);
  auto all =
      std::make_unique<System>(driven.machine, build_rows(driven.machine, true), driven.start.drive_values);
  System& system = *independent;
  dynamics::Problem problem(std::move(independent), std::move(all));
  problem.q = system.build_coordinates(start.pose);
  problem.mobility = mobility.free_motions;
  for (const Row& row : choice.left_out) problem.redundant.push_back(row_name(driven.machine, row));
  problem.held = list_drives(driven.machine);
  const bool is_still = system.forces().empty() && is_at_rest(machine);
  const text::Where& where = problem.held.empty() ? machine.where : machine.drives.front().where;
  dynamics::check_motion(problem, where, mobility.mobility, is_still, "[0, 0, -9.81]", faults);
  dynamics::close_start(problem);
  dynamics::check_inertia(problem, faults);
  faults.throw_if_any();
  set_start_velocity(problem, machine);
  return problem;
}

}  // namespace rodeo::spatial
