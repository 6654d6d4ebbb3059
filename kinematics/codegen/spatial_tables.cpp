// SPDX-License-Identifier: MIT
#include "kinematics/codegen/spatial_tables.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinematics/codegen/row_order.h"
#include "kinematics/dynamics/problem.h"
#include "kinematics/machine/measures.h"
#include "kinematics/spatial/masses.h"
#include "kinematics/spatial/problem.h"

namespace rodeo::codegen {
namespace {

using namespace spatial;

/// What fits the stack of the loop beside everything else: 24 bodies without redundant constraints.
constexpr std::size_t kMostNumbers = 144 * 144;

bool has_all_masses(const Machine& machine) {
  return std::all_of(machine.bodies.begin() + 1, machine.bodies.end(),
                     [](const Body& body) { return body.mass.has_value(); });
}

/// A payload that comes from outside would change the masses, which are numbers here.
void check_payloads(const Machine& machine, text::Faults& faults) {
  for (const Force& force : machine.forces) {
    if (force.kind != ForceKind::payload) continue;
    std::vector<Expr> values{force.com.begin(), force.com.end()};
    values.push_back(force.mass);
    for (const Expr symbol : expr::symbols_of(values)) {
      const bool is_parameter = std::any_of(machine.parameters.begin(), machine.parameters.end(),
                                            [&](const auto& p) { return expr::symbol(p.name) == symbol; });
      if (is_parameter) continue;
      faults.add(force.where, fmt::format("payload on body '{}': in space a payload is a number, not an "
                                          "input or a function of time",
                                          machine.bodies[force.body].name));
      break;
    }
  }
}

void check(const Machine& machine, text::Faults& faults) {
  const std::size_t bodies = machine.bodies.size() - 1;
  if (bodies == 0) faults.add(machine.where, "there is no body that moves: add one under 'bodies'");
  const std::size_t rows = build_rows(machine, true).size(), numbers = rows * 6 * bodies;
  if (numbers > kMostNumbers) {
    faults.add(machine.where,
               fmt::format(
                   "{} bodies and {} constraints in space make a matrix of {} numbers, a kernel has room for "
                   "{}: fix bodies to each other that do not move against each other",
                   bodies, rows, numbers, kMostNumbers));
  }
  check_payloads(machine, faults);
}

// ---- what moves it

void add_friction(const Machine& machine, const Joint& joint, const BodyFrames& frames, double viscous,
                  std::vector<SpatialElement>& list) {
  const bool turns = has_turn(joint.kind), slides = has_slide(joint.kind);
  list.push_back({turns || slides ? "FREEDOM" : "SPIN",
                  turns ? build_turn_data(machine, joint, frames) : build_slide_data(machine, joint, frames),
                  0, 0, viscous});
}

void add_joint_elements(const Machine& machine, const BodyFrames& frames, std::vector<SpatialElement>& list) {
  const auto is_there = [](const FreeElement& e) { return e.stiffness.value > 0 || e.damping.value > 0; };
  for (const Joint& joint : machine.joints) {
    const FreeElement &about = joint.turn, &along = joint.slide;
    if (is_there(along))
      list.push_back({"FREEDOM", build_slide_data(machine, joint, frames), along.stiffness.value,
                      along.rest.value, along.damping.value});
    if (!is_there(about)) continue;
    if (!has_turn(joint.kind)) {
      add_friction(machine, joint, frames, about.damping.value, list);
    } else {
      list.push_back({"FREEDOM", build_turn_data(machine, joint, frames), about.stiffness.value,
                      about.rest.value, about.damping.value});
    }
  }
}

RowData build_ends(const Force& force, const SpatialNumbers& n) {
  const auto at = [&](PointRef ref) { return n.frames[ref.body].point(n.machine.point(ref).at.value()); };
  RowData ends{.kind = RowKind::distance, .first = force.first.body, .second = force.second.body};
  ends.p1 = at(force.first);
  ends.p2 = at(force.second);
  return ends;
}

/// An end each; a second one is marked by `at.value`.
void add_stop(const Force& force, SpatialNumbers& n) {
  const auto add = [&](const char* kind, const std::optional<Quantity>& end, double is_second) {
    if (!end) return;
    RowData ends = build_ends(force, n);
    ends.value = is_second;
    n.elements.push_back({kind, ends, force.stiffness.value, end->value, force.damping.value});
  };
  add("SHORTEST", force.lower, 0.0);
  add("LONGEST", force.upper, force.lower ? 1.0 : 0.0);
}

void add_contact(const Force& force, SpatialNumbers& n) {
  RowData at{.second = force.first.body};
  at.p2 = n.frames[force.first.body].point(n.machine.point(force.first).at.value());
  at.u = force.normal.value();
  at.value = force.viscous.value;
  n.elements.push_back({"CONTACT", at, force.stiffness.value, force.lower->value, force.damping.value});
}

void add_force(const Force& force, SpatialNumbers& n) {
  const auto at = [&](PointRef ref) { return n.frames[ref.body].point(n.machine.point(ref).at.value()); };
  switch (force.kind) {
    case ForceKind::spring:
    case ForceKind::damper:
      n.elements.push_back({"SPRING", build_ends(force, n), force.stiffness.value, force.rest_length.value,
                            force.damping.value});
      break;
    case ForceKind::stop: add_stop(force, n); break;
    case ForceKind::contact: add_contact(force, n); break;
    case ForceKind::friction:
      add_friction(n.machine, n.machine.joints[force.joint], n.frames, force.viscous.value, n.elements);
      break;
    case ForceKind::torque:
      n.pushes.push_back({force.body, force.against, force.axis_body, true, Vector3::Zero(),
                          n.frames[force.axis_body].R.transpose(), force.value});
      break;
    case ForceKind::force:
      n.pushes.push_back({force.first.body, 0, 0, false, at(force.first), Matrix3::Identity(), force.value});
      break;
    case ForceKind::payload: break;  // in the masses
  }
}

// ---- rows

bool is_same(const Row& a, const Row& b) {
  return a.joint == b.joint && a.drive == b.drive && a.component == b.component;
}

/// Independent rows in an order that keeps the factor of multipliers narrow, then what is redundant.
void set_rows(const std::vector<Row>& independent, const std::vector<double>& drive_values,
              SpatialNumbers& n) {
  std::vector<MultiplierRow> bodies;
  for (const Row& row : independent) {
    const RowData data = build_row_data(n.machine, row, n.frames);
    bodies.push_back({data.first, data.second, data.is_angle()});
  }
  for (const std::size_t i : order_rows(bodies)) n.rows.push_back(independent[i]);
  n.kept = n.rows.size();
  for (const Row& row : build_rows(n.machine, false)) {
    const auto kept = [&](const Row& other) { return is_same(row, other); };
    if (std::any_of(independent.begin(), independent.end(), kept)) continue;
    n.rows.push_back(row);
    n.notes.push_back(fmt::format("{} follows from the other joints: left out", row_name(n.machine, row)));
  }
  for (const Row& row : n.rows)
    n.data.push_back(build_row_data(n.machine, row, n.frames, row.drive < 0 ? 0.0 : drive_values[row.drive]));
}

void set_driven(const Assembly& start, const Mobility& mobility, SpatialNumbers& n) {
  n.frames = build_mass_frames(n.machine);
  n.mass = n.weight = build_mass(n.machine, n.frames);
  n.size = calc_size(n.machine);
  set_rows(build_independent_rows(n.machine, mobility), start.drive_values, n);
  const System system(n.machine, {}, start.drive_values);
  n.q = system.build_coordinates(start.pose);
  n.v = Vector::Zero(n.mass.size());
}

void set_free(const Machine& machine, const Assembly& start, SpatialNumbers& n) {
  dynamics::Problem problem = build_problem(machine, start);
  const auto& system = dynamic_cast<const System&>(problem.system);
  n.frames = system.frames();
  n.mass = system.mass();
  n.weight = system.weights();
  n.size = system.size();
  set_rows(system.rows(), start.drive_values, n);
  n.q = problem.q;
  n.v = problem.v;
  for (const auto& change : problem.changes)
    n.notes.push_back(fmt::format("start rate '{}' does not fit the joints: {:.6g} became {:.6g}",
                                  change.name, change.asked, change.got));
}

/// Where a joint's angle begins: a drive's value may be more than a turn.
double find_start(const Machine& machine, const Assembly& start, int joint) {
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    const Drive& drive = machine.drives[d];
    if (drive.kind != DriveKind::angle || drive.joint != joint) continue;
    const bool is_straight = machine.joints[static_cast<std::size_t>(joint)].first.body == drive.first_body;
    return is_straight ? start.drive_values[d] : -start.drive_values[d];
  }
  return machine.start_joints[static_cast<std::size_t>(joint)].value_or(0.0);
}

void set_coordinates(const Assembly& start, SpatialNumbers& n) {
  for (std::size_t j = 0; j < n.machine.joints.size(); ++j) {
    const Joint& joint = n.machine.joints[j];
    if (has_turn(joint.kind))
      n.coordinates.push_back({joint.name + ".angle", build_turn_data(n.machine, joint, n.frames),
                               find_start(n.machine, start, static_cast<int>(j))});
    if (has_slide(joint.kind))
      n.coordinates.push_back({joint.name + ".slide", build_slide_data(n.machine, joint, n.frames)});
  }
}

/// An angle is one of the coordinates.
void set_measures(SpatialNumbers& n) {
  for (const Measure& measure : n.machine.measures) {
    SpatialMeasure m{build_measure_data(n.machine, measure, n.frames)};
    for (std::size_t i = 0; measure.kind == MeasureKind::angle && i < n.coordinates.size(); ++i) {
      if (n.coordinates[i].name == n.machine.joints[measure.of].name + ".angle")
        m.coordinate = static_cast<int>(i);
    }
    for (const auto& column : machine::build_columns(n.machine, measure)) m.told[column.derivative] = true;
    n.measures.push_back(m);
  }
}

}  // namespace

SpatialNumbers build_spatial_numbers(const Machine& given, const Assembly& start, const Mobility& mobility) {
  text::Faults faults;
  check(given, faults);
  faults.throw_if_any();
  Machine machine = given;
  machine.orientation = Orientation::quaternion;
  SpatialNumbers n;
  n.machine = build_loaded(machine);
  n.is_free = mobility.free_motions > 0;
  n.is_free ? set_free(machine, start, n) : set_driven(start, mobility, n);
  for (Vector* numbers : {&n.q, &n.v}) *numbers = numbers->unaryExpr([](double x) { return flushed(x); });
  set_coordinates(start, n);
  set_measures(n);
  n.has_masses = has_all_masses(n.machine);
  if (!n.has_masses) return n;
  for (const Force& force : n.machine.forces) add_force(force, n);
  add_joint_elements(n.machine, n.frames, n.elements);
  return n;
}

}  // namespace rodeo::codegen
