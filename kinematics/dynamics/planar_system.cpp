// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/planar_system.h"

#include <algorithm>
#include <cmath>

#include "kinematics/expr/eval.h"
#include "kinematics/machine/closure.h"

namespace rodeo::dynamics {
namespace {

using machine::Body;
using machine::Drive;
using machine::DriveKind;
using machine::Joint;
using machine::JointKind;

/// Of mass times size squared: gives a point mass an inertia in factors. Corrections take it out again (saddle.h).
constexpr double kTraceOfInertia = 1e-9;

std::vector<Point2> build_centres(const machine::Machine& machine) {
  std::vector<Point2> centres;
  for (const Body& body : machine.bodies) {
    centres.emplace_back(body.com_x ? body.com_x->value : 0.0, body.com_y ? body.com_y->value : 0.0);
  }
  return centres;
}

std::vector<double> build_masses(const machine::Machine& machine) {
  std::vector<double> masses;
  for (const Body& body : machine.bodies) masses.push_back(body.mass ? body.mass->value : 0.0);
  return masses;
}

Vector build_mass(const machine::Machine& machine) {
  Vector mass(static_cast<Eigen::Index>(3 * (machine.bodies.size() - 1)));
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const Body& body = machine.bodies[b];
    const double m = body.mass ? body.mass->value : 0.0;
    mass.segment<3>(static_cast<Eigen::Index>(3 * (b - 1))) << m, m, body.inertia ? body.inertia->value : 0.0;
  }
  return mass;
}

/// About the common centre:  I + m d² + p e² = I + |r|² m p/(m + p)  for a point p at r from the body's centre.
void add_point_mass(Body& body, double p, const Point2& at) {
  if (!(p > 0) || !body.mass) return;
  const double m = body.mass->value;
  const Point2 com(body.com_x ? body.com_x->value : 0.0, body.com_y ? body.com_y->value : 0.0);
  const Point2 common = (m * com + p * at) / (m + p);
  const double inertia =
      (body.inertia ? body.inertia->value : 0.0) + (at - com).squaredNorm() * m * p / (m + p);
  body.mass = machine::Quantity{m + p, m + p};
  body.com_x = machine::Quantity{common.x(), common.x()};
  body.com_y = machine::Quantity{common.y(), common.y()};
  body.inertia = machine::Quantity{inertia, inertia};
}

constexpr double kPreferAngles = 3.0;

Point2 left_of(const machine::Joint& joint) { return {-joint.direction_y.value, joint.direction_x.value}; }

}  // namespace

machine::Machine build_loaded(machine::Machine machine) {
  expr::Values values{{expr::time_symbol()->name, 0.0}};
  for (const expr::Parameter& parameter : machine.parameters) values[parameter.name] = parameter.number;
  for (const machine::ForceInput& input : machine.inputs)
    values[machine::input_symbol(input.name)->name] = 0.0;
  for (const machine::Force& force : machine.forces) {
    if (force.kind != machine::ForceKind::payload) continue;
    add_point_mass(machine.bodies[force.body], expr::calc_value(force.mass, values),
                   {expr::calc_value(force.com_x, values), expr::calc_value(force.com_y, values)});
  }
  return machine;
}

PlanarSystem::PlanarSystem(machine::Machine machine, std::vector<machine::Row> rows,
                           const std::vector<double>& drive_values)
    : machine_(std::move(machine)),
      rows_(std::move(rows)),
      centres_(build_centres(machine_)),
      masses_(build_masses(machine_)),
      forces_(machine_, masses_, centres_) {
  size_ = machine::calc_size(machine_);
  mass_ = weights_ = metric_ = build_mass(machine_);
  for (const machine::Row& row : rows_) data_.push_back(build_row(row, drive_values));
  for (Eigen::Index i = 2; i < weights_.size(); i += 3) {
    const double inertia = mass_[i - 1] * size_ * size_;
    if (mass_[i] < kTraceOfInertia * inertia) weights_[i] = kTraceOfInertia * inertia;
    if (mass_[i] < kTraceOfInertia * inertia) metric_[i] = inertia;
  }
}

std::string PlanarSystem::row_name(Eigen::Index row) const {
  if (row >= static_cast<Eigen::Index>(rows_.size())) return "knife edge";
  return machine::row_name(machine_, rows_[row]);
}

Point2 PlanarSystem::from_centre(machine::PointRef ref) const {
  const machine::Point& p = machine_.point(ref);
  return Point2(p.x.value, p.y.value) - centres_[ref.body];
}

RowData PlanarSystem::build_row(const machine::Row& row, const std::vector<double>& drive_values) const {
  if (row.drive >= 0) return build_drive_row(machine_.drives[row.drive], drive_values[row.drive]);
  const Joint& joint = machine_.joints[row.joint];
  RowData data{.first = joint.first.body, .second = joint.second.body};
  data.p1 = from_centre(joint.first);
  data.p2 = from_centre(joint.second);
  if (joint.kind == JointKind::revolute) {
    data.u = row.component == 0 ? Point2::UnitX() : Point2::UnitY();
  } else if (row.component == 0) {
    data.kind = RowKind::across;
    data.u = left_of(joint);
  } else {
    data.kind = RowKind::angle;
    data.value = joint.angle.value;
  }
  return data;
}

RowData PlanarSystem::build_drive_row(const Drive& drive, double value) const {
  RowData data{.kind = RowKind::angle, .value = value};
  if (drive.kind == DriveKind::angle || drive.kind == DriveKind::relative_angle) {
    data.first = drive.kind == DriveKind::angle ? 0 : drive.first_body;
    data.second = drive.second_body;
    return data;
  }
  data.first = drive.first.body;
  data.second = drive.second.body;
  data.p1 = from_centre(drive.first);
  data.p2 = from_centre(drive.second);
  data.kind = RowKind::distance;
  if (drive.kind == DriveKind::slide) {
    data.kind = RowKind::across;
    const Joint& joint = machine_.joints[drive.joint];
    data.u = {joint.direction_x.value, joint.direction_y.value};
  }
  return data;
}

void PlanarSystem::add_knife_edge(int body, const Point2& point, const Point2& along) {
  RowData data{.kind = RowKind::knife_edge, .second = body};
  data.p2 = point - centres_[body];
  data.u = left(along.normalized());
  data_.push_back(data);
}

void PlanarSystem::calc_rows(const Vector& q, const Vector& v, Workspace& work) const {
  calc_body_states(q, v, work.bodies);
  dynamics::calc_rows(data_, work.bodies, work.rows);
}

void PlanarSystem::calc(double t, const Vector& q, const Vector& v, Workspace& work) {
  calc_rows(q, v, work);
  work.power = forces_.calc(t, work.bodies, work.f);
}

Energy PlanarSystem::calc_energy(const Vector& v, const Workspace& work) const {
  return {0.5 * v.dot(mass_.cwiseProduct(v)), forces_.calc_potential(work.bodies)};
}

// Equal for both rows of a pin, so that its parasitic spring is the same in every direction and every pose.
double PlanarSystem::calc_row_mobility(Eigen::Index row, const Workspace& work) const {
  const RowData& data = data_[row];
  const Point2 at = work.bodies[data.second].c + work.bodies[data.second].turned(data.p2);
  double mobility = 0;
  for (const int body : {data.first, data.second}) {
    if (body == 0) continue;
    const double m = mass_[3 * body - 2], inertia = mass_[3 * body - 1];
    if (data.kind == RowKind::angle) {
      mobility += 1 / inertia;
    } else {
      mobility += 1 / m + (at - work.bodies[body].c).squaredNorm() / inertia;
    }
  }
  return mobility;
}

BodyLabel PlanarSystem::body_label(Eigen::Index velocity) const {
  const Body& body = machine_.bodies[velocity / 3 + 1];
  return {body.name, body.where};
}

std::string PlanarSystem::coordinate_name(int coordinate) const {
  static const char* const kParts[] = {".x", ".y", ".angle"};
  return machine_.bodies[coordinate / 3 + 1].name + kParts[coordinate % 3];
}

double PlanarSystem::coordinate_handicap(int coordinate) const {
  return coordinate % 3 == 2 ? 1.0 : kPreferAngles;
}

Vector PlanarSystem::build_coordinates(const machine::Pose& pose) const {
  Vector q(coordinates());
  for (std::size_t b = 1; b < pose.bodies.size(); ++b) {
    const machine::BodyPose& body = pose.bodies[b];
    const BodyState turn{.angle = body.angle, .cos = std::cos(body.angle), .sin = std::sin(body.angle)};
    const Point2 c = Point2(body.x, body.y) + turn.turned(centres_[b]);
    q.segment<3>(static_cast<Eigen::Index>(3 * (b - 1))) << c.x(), c.y(), body.angle;
  }
  return q;
}

machine::Pose PlanarSystem::build_pose(const Vector& q) const {
  machine::Pose pose;
  pose.bodies.resize(masses_.size());
  BodyStates bodies;
  calc_body_states(q, {}, bodies);
  for (std::size_t b = 1; b < bodies.size(); ++b) {
    const Point2 origin = bodies[b].c - bodies[b].turned(centres_[b]);
    pose.bodies[b] = {origin.x(), origin.y(), bodies[b].angle};
  }
  return pose;
}

}  // namespace rodeo::dynamics
