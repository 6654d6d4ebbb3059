// SPDX-License-Identifier: MIT
#include "kinematics/spatial/masses.h"

#include <Eigen/Eigenvalues>

#include "kinematics/expr/eval.h"
#include "kinematics/spatial/system.h"

namespace rodeo::spatial {
namespace {

Inertia build_inertia(const Matrix3& m) {
  const auto q = [](double x) { return Quantity{x, x}; };
  return {q(m(0, 0)), q(m(1, 1)), q(m(2, 2)), q(m(0, 1)), q(m(0, 2)), q(m(1, 2))};
}

/// About the common centre: I + μ (|r|² 1 − r rᵀ), μ = m p/(m + p), for a point p at r from the body's centre.
void add_point_mass(Body& body, double p, const Vector3& at) {
  if (!(p > 0) || !body.mass) return;
  const double m = body.mass->value;
  const Vector3 com = body.com.value(), r = at - com, common = (m * com + p * at) / (m + p);
  const Matrix3 before = body.inertia ? body.inertia->value() : Matrix3(Matrix3::Zero());
  body.inertia =
      build_inertia(before + m * p / (m + p) * (r.squaredNorm() * Matrix3::Identity() - r * r.transpose()));
  body.mass = Quantity{m + p, m + p};
  body.com = {{common.x(), common.x()}, {common.y(), common.y()}, {common.z(), common.z()}};
}

/// Axes of a body whose matrix is diagonal are its own; the others form a right-handed frame.
Matrix3 build_principal_axes(const Matrix3& inertia) {
  if (inertia.isDiagonal(1e-14)) return Matrix3::Identity();
  Matrix3 R = Eigen::SelfAdjointEigenSolver<Matrix3>(inertia).eigenvectors();
  if (R.determinant() < 0) R.col(2) = -R.col(2);
  return R;
}

}  // namespace

Machine build_loaded(Machine machine) {
  expr::Values values{{expr::time_symbol()->name, 0.0}};
  for (const expr::Parameter& parameter : machine.parameters) values[parameter.name] = parameter.number;
  for (const ForceInput& input : machine.inputs) values[machine::input_symbol(input.name)->name] = 0.0;
  for (const Force& force : machine.forces) {
    if (force.kind != ForceKind::payload) continue;
    Vector3 at;
    for (int i = 0; i < 3; ++i) at[i] = expr::calc_value(force.com[i], values);
    add_point_mass(machine.bodies[force.body], expr::calc_value(force.mass, values), at);
  }
  return machine;
}

BodyFrames build_mass_frames(const Machine& machine) {
  BodyFrames frames(machine.bodies.size());
  for (std::size_t b = 1; b < frames.size(); ++b) {
    const Body& body = machine.bodies[b];
    frames[b].centre = body.com.value();
    if (body.inertia) frames[b].R = build_principal_axes(body.inertia->value());
  }
  return frames;
}

Vector build_mass(const Machine& machine, const BodyFrames& frames) {
  Vector mass = Vector::Zero(static_cast<Eigen::Index>(6 * (machine.bodies.size() - 1)));
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const Body& body = machine.bodies[b];
    const auto i = static_cast<Eigen::Index>(6 * (b - 1));
    if (body.mass) mass.segment<3>(i).setConstant(body.mass->value);
    if (!body.inertia) continue;
    const Matrix3 principal = frames[b].R.transpose() * body.inertia->value() * frames[b].R;
    mass.segment<3>(i + 3) = principal.diagonal().cwiseMax(0.0);
  }
  return mass;
}

}  // namespace rodeo::spatial
