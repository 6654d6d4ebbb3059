// SPDX-License-Identifier: MIT
#include "kinematics/codegen/lagrange.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/codegen/forces.h"
#include "kinematics/codegen/lagrange_rows.h"
#include "kinematics/codegen/loads.h"
#include "kinematics/codegen/outputs.h"
#include "kinematics/codegen/row_order.h"
#include "kinematics/machine/closure.h"
#include "kinematics/machine/force_names.h"
#include "kinematics/text/fault.h"

namespace rodeo::codegen {
namespace {

using machine::Drive;
using machine::DriveKind;
using machine::JointKind;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

bool is_angular(const Drive& drive) {
  return drive.kind == DriveKind::angle || drive.kind == DriveKind::relative_angle;
}

/// Forces and moments about the centres of mass.
class CentreWrenches final : public ForceSink {
 public:
  explicit CentreWrenches(const CentredBodies& bodies) : bodies_(bodies), sums_(bodies.placed.size()) {}

  void push(int body, const Vec& arm, const Vec& force) override {
    std::array<Expr, 3>& sum = sums_[at(body)];
    sum[0] = sum[0] + force.x;
    sum[1] = sum[1] + force.y;
    const Vec& centre = bodies_.from_origin[at(body)];
    if (!(arm.x == centre.x && arm.y == centre.y)) turn(body, cross(arm - centre, force));
  }
  void turn(int body, Expr torque) override { sums_[at(body)][2] = sums_[at(body)][2] + torque; }

  [[nodiscard]] const std::array<Expr, 3>& of(std::size_t body) const { return sums_[body]; }

 private:
  const CentredBodies& bodies_;
  std::vector<std::array<Expr, 3>> sums_;
};

/// Where nobody asks.
class Nowhere final : public ForceSink {
 public:
  void push(int /*body*/, const Vec& /*arm*/, const Vec& /*force*/) override {}
  void turn(int /*body*/, Expr /*torque*/) override {}
};

class LagrangeBuilder {
 public:
  LagrangeBuilder(const machine::Machine& machine, const machine::Assembly& start,
                  const machine::Mobility& mobility)
      : machine_(machine), start_(start), points_(machine) {
    check_masses();
    order_rows(mobility);
    if (mobility.free_motions > 0)
      velocities_ = machine::choose_coordinates(machine, start, mobility).velocities;
    for (const machine::Row& row : mobility.redundant) {
      model_.notes.push_back(
          fmt::format("{} follows from the other joints: left out", machine::row_name(machine, row)));
    }
  }

  KernelModel build() {
    model_.is_lagrange = true;
    model_.name = machine_.name;
    model_.parameters = machine_.parameters;
    model_.size = machine::calc_size(machine_);
    add_drives();
    add_coordinates();
    model_.outputs = name_outputs(machine_);
    build_accelerations();
    build_poses();
    build_loads();
    model_.velocity_blocks.push_back({model_.rows.size(), "factorisation at run time"});
    return std::move(model_);
  }

 private:
  void check_masses() const {
    text::Faults faults;
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) {
      const machine::Body& body = machine_.bodies[b];
      if (body.mass) continue;
      faults.add(body.where, fmt::format("body '{}' has no mass: method lagrange moves every body by its "
                                         "forces and needs it (kg)",
                                         body.name));
    }
    faults.throw_if_any();
  }

  // ---- rows

  void order_rows(const machine::Mobility& mobility) {
    std::vector<machine::Row> kept = machine::build_rows(machine_, true);
    std::erase_if(kept, [&](const machine::Row& row) {
      return std::any_of(mobility.redundant.begin(), mobility.redundant.end(), [&](const machine::Row& r) {
        return row.joint >= 0 && r.joint == row.joint && r.component == row.component;
      });
    });
    std::vector<MultiplierRow> rows;
    for (const machine::Row& row : kept) rows.push_back(find_bodies(row));
    for (const std::size_t i : codegen::order_rows(rows)) {
      model_.rows.push_back(rows[i]);
      rows_.push_back(kept[i]);
    }
    std::size_t numbers = 0;
    const std::vector<std::size_t> first = find_profile(model_.rows);
    for (std::size_t i = 0; i < first.size(); ++i) numbers += i + 1 - first[i];
    if (numbers <= kMostFactorNumbers) return;
    throw text::ModelError(machine_.where,
                           fmt::format("method lagrange would factorise {} numbers a stage, at most {} are "
                                       "compiled: choose --method minimal",
                                       numbers, kMostFactorNumbers));
  }

  [[nodiscard]] MultiplierRow find_bodies(const machine::Row& row) const {
    if (row.drive >= 0) {
      const Drive& drive = machine_.drives[at(row.drive)];
      if (is_angular(drive)) return {drive.first_body, drive.second_body, true};
      return {drive.first.body, drive.second.body, false};
    }
    const machine::Joint& joint = machine_.joints[at(row.joint)];
    const bool is_angle = joint.kind == JointKind::prismatic && row.component == 1;
    return {joint.first.body, joint.second.body, is_angle};
  }

  // ---- channels

  static std::optional<double> number(const std::optional<machine::Quantity>& quantity) {
    return quantity ? std::optional(quantity->value) : std::nullopt;
  }

  void add_drives() {
    for (std::size_t d = 0; d < machine_.drives.size(); ++d) {
      const Drive& drive = machine_.drives[d];
      model_.drives.push_back({{drive.name, is_angular(drive) ? "rad" : "m"},
                               start_.drive_values[d],
                               number(drive.lower),
                               number(drive.upper),
                               number(drive.speed),
                               number(drive.acceleration),
                               number(drive.jerk)});
    }
  }

  [[nodiscard]] machine::Vec2 calc_com(const machine::Body& body) const {
    if (body.com_x && body.com_y) return {body.com_x->value, body.com_y->value};
    machine::Vec2 sum;
    for (const machine::Point& p : body.points) sum = {sum.x + p.x.value, sum.y + p.y.value};
    const auto n = static_cast<double>(body.points.size());
    return {sum.x / n, sum.y / n};
  }

  /// Every body's, as free coordinates and as states.
  void add_coordinates() {
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) {
      const machine::BodyPose& pose = start_.pose.bodies[b];
      const machine::Vec2 com = calc_com(machine_.bodies[b]);
      const double c = std::cos(pose.angle), s = std::sin(pose.angle);
      const machine::Vec2 r{c * com.x - s * com.y, s * com.x + c * com.y};
      const double* v = velocities_.empty() ? nullptr : &velocities_[3 * (b - 1)];
      const std::array values{pose.x + r.x, pose.y + r.y, pose.angle};
      const std::array rates{v ? v[0] - v[2] * r.y : 0.0, v ? v[1] + v[2] * r.x : 0.0, v ? v[2] : 0.0};
      const auto channels = coordinate_channels(machine_.bodies[b]);
      for (std::size_t i = 0; i < 3; ++i) {
        model_.drives.push_back({channels[i], values[i], {}, {}, {}, {}, {}});
        model_.free_rates.push_back(rates[i]);
        model_.states.push_back(channels[i]);
        model_.start_states.push_back(values[i]);
      }
    }
    model_.free_count = model_.states.size();
  }

  // ---- routines

  /// Nine numbers a row, three forces a body, four numbers of its mass.
  void build_accelerations() {
    const auto position = [](const std::string& name) { return expr::variable("q:" + name); };
    const CentredBodies bodies = build_centred_bodies(machine_, position, false);
    std::vector<Expr>& results = model_.accelerations.results;
    for (const machine::Row& row : rows_) {
      const RowExprs e = build_row(machine_, bodies, row);
      results.insert(results.end(), e.terms.begin(), e.terms.end());
      results.insert(results.end(), {e.residual, e.rate, e.bias});
    }
    CentreWrenches wrenches(bodies);
    static_cast<void>(add_forces(machine_, LoadPoints(machine_, bodies.placed, bodies.motions), wrenches));
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b)
      results.insert(results.end(), wrenches.of(b).begin(), wrenches.of(b).end());
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) add_mass(b, bodies, results);
    model_.closure.results.resize(rows_.size(), 0.0);  // one a row; the kernel takes them from here
  }

  /// Mass, its first moments about the centre (of payloads), its inertia there.
  void add_mass(std::size_t b, const CentredBodies& bodies, std::vector<Expr>& results) const {
    const machine::Body& body = machine_.bodies[b];
    Expr mass = body.mass->expr, inertia = body.inertia ? body.inertia->expr : Expr(0.0);
    Vec moment{0.0, 0.0};
    for (const machine::Force& force : machine_.forces) {
      if (force.kind != machine::ForceKind::payload || at(force.body) != b) continue;
      const Vec local = Vec{force.com_x, force.com_y} - points_.find_com(force.body);
      mass = mass + force.mass;
      moment = moment + force.mass * carry(bodies.placed[b].frame, local);
      inertia = inertia + force.mass * dot(local, local);
    }
    results.insert(results.end(), {mass, moment.x, moment.y, inertia});
  }

  void build_poses() {
    const CentredBodies bodies = build_centred_bodies(machine_, state_symbol, true);
    std::vector<DriveMotion> drives(machine_.drives.size());
    for (std::size_t d = 0; d < drives.size(); ++d) {
      if (machine_.drives[d].kind == DriveKind::cylinder)
        drives[d] = build_length(machine_, bodies, machine_.drives[d]);
    }
    model_.poses.results = build_outputs(machine_, bodies.placed, bodies.angles, bodies.motions, drives);
  }

  // ---- loads: the multipliers themselves

  void add_load(const std::string& name, const std::string& unit, Expr value) {
    model_.loads.push_back({name, unit});
    model_.loading.results.push_back(value);
  }

  /// M v̇ + Jᵀλ = f: what the first body does to the second is −λ.
  [[nodiscard]] std::optional<Expr> find_force(int joint, int drive, int component) const {
    for (std::size_t r = 0; r < rows_.size(); ++r) {
      if (rows_[r].joint == joint && rows_[r].drive == drive && rows_[r].component == component)
        return -expr::variable(fmt::format("l:{}", r));
    }
    return std::nullopt;
  }

  void build_loads() {
    model_.inputs.push_back({"time", "s"});
    for (const machine::ForceInput& input : machine_.inputs)
      model_.inputs.push_back({input.name, input.unit});
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) add_joint_loads(static_cast<int>(j));
    Expr power = 0.0;
    for (std::size_t d = 0; d < machine_.drives.size(); ++d) {
      const Drive& drive = machine_.drives[d];
      const Expr force = *find_force(-1, static_cast<int>(d), 0);
      add_load(drive.name + (is_angular(drive) ? ".torque" : ".force"), is_angular(drive) ? "N m" : "N",
               force);
      power = power + force * find_rate(drive);
    }
    const std::vector<std::string> columns = machine::list_strut_columns(machine_);
    auto column = columns.begin();
    for (const Strut& strut : build_struts(machine_, points_)) {
      add_load(*column++, "m", strut.length);
      add_load(*column++, "m/s", strut.rate);
      add_load(*column++, "N", strut.force);
    }
    Nowhere nowhere;
    const Energies energies = add_forces(machine_, points_, nowhere);
    add_load("energy.kinetic", "J", energies.kinetic);
    add_load("energy.potential", "J", energies.potential);
    add_load("power.drives", "W", power);
    add_load("power.forces", "W", energies.given);
    add_load("power.lost", "W", energies.lost);
  }

  void add_joint_loads(int j) {
    const machine::Joint& joint = machine_.joints[at(j)];
    const bool is_pin = joint.kind == JointKind::revolute;
    const std::array names{is_pin ? ".fx" : ".force", is_pin ? ".fy" : ".torque"};
    for (const int c : {0, 1}) {
      if (const auto force = find_force(j, -1, c))
        add_load(joint.name + names[at(c)], is_pin || c == 0 ? "N" : "N m", *force);
    }
  }

  [[nodiscard]] Expr find_rate(const Drive& drive) const {
    if (is_angular(drive)) return points_.motion(drive.second_body).w - points_.motion(drive.first_body).w;
    if (drive.kind == DriveKind::slide) return points_.calc_slide_rate(machine_.joints[at(drive.joint)]);
    return output_symbol(drive.name + ".speed");
  }

  const machine::Machine& machine_;
  const machine::Assembly& start_;
  LoadPoints points_;               // as outputs tell them
  std::vector<machine::Row> rows_;  // those of model_.rows
  std::vector<double> velocities_;
  KernelModel model_;
};

}  // namespace

KernelModel build_lagrange_model(const machine::Machine& machine, const machine::Assembly& start,
                                 const machine::Mobility& mobility) {
  return LagrangeBuilder(machine, start, mobility).build();
}

}  // namespace rodeo::codegen
