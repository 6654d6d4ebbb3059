// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/probes.h"

#include <Eigen/Cholesky>
#include <cmath>

#include "kinematics/dynamics/partition.h"

namespace rodeo::dynamics {
namespace {

constexpr Eigen::Index kMostVelocities = 300;
constexpr double kDepth = 1e-3;       // of the machine's size: how deep a contact is touched
constexpr double kDifference = 1e-6;  // of the size, and of a radian; per second for velocities

/// tr(A⁻¹B), a mass matrix and a symmetric one.
double calc_trace(const Eigen::LDLT<Eigen::MatrixXd>& mass, const Eigen::MatrixXd& b) {
  return mass.solve(b).trace();
}

std::complex<double> calc_eigenvalue(double damping, double stiffness) {
  const std::complex<double> root = std::sqrt(std::complex<double>(0.25 * damping * damping - stiffness));
  return damping >= 0 ? -0.5 * damping - root : -0.5 * damping + root;
}

/// -Nᵀ ∂f/∂q N and -Nᵀ ∂f/∂v N by central differences.
struct Linearised {
  Eigen::MatrixXd stiffness, damping;
};

Linearised linearise(System& system, const Vector& q, const Eigen::MatrixXd& N) {
  Linearised result{Eigen::MatrixXd(N.cols(), N.cols()), Eigen::MatrixXd(N.cols(), N.cols())};
  const Vector rest = Vector::Zero(system.velocities());
  Workspace work;
  const auto force_at = [&](const Vector& at, const Vector& v) {
    system.calc(0.0, at, v, work);
    return Vector(work.f);
  };
  for (Eigen::Index k = 0; k < N.cols(); ++k) {
    const Vector move = kDifference * N.col(k);
    Vector ahead = q, behind = q;
    system.move(ahead, move);
    system.move(behind, -move);
    const Vector by_position = force_at(ahead, rest) - force_at(behind, rest);
    const Vector by_velocity = force_at(q, move) - force_at(q, -move);
    result.stiffness.col(k) = -N.transpose() * by_position / (2 * kDifference);
    result.damping.col(k) = -N.transpose() * by_velocity / (2 * kDifference);
  }
  return result;
}

machine::Quantity quantity(double value) { return {value, value}; }

/// Touched: a stop becomes the spring that it then is, a contact is lifted to its point.
machine::Force build_touched(const machine::Machine& machine, const machine::Pose& pose, machine::Force force,
                             double depth) {
  const machine::Vec2 a = machine::calc_position(machine, pose, force.first);
  if (force.kind == machine::ForceKind::contact) force.lower = quantity(a.y + depth);
  if (force.kind != machine::ForceKind::stop) return force;
  const machine::Vec2 b = machine::calc_position(machine, pose, force.second);
  force.kind = machine::ForceKind::spring;
  force.rest_length = quantity(std::hypot(b.x - a.x, b.y - a.y));
  return force;
}

}  // namespace

std::vector<Probe> build_probes(const PlanarSystem& system, const Vector& q) {
  std::vector<Probe> probes;
  const machine::Pose pose = system.build_pose(q);
  for (const machine::Force& force : system.machine().forces) {
    if (!is_element(force)) continue;
    machine::Machine alone = system.machine();
    alone.gravity_x = alone.gravity_y = std::nullopt;
    alone.forces = {build_touched(alone, pose, force, kDepth * system.size())};
    const std::vector<double> values(alone.drives.size(), 0.0);
    probes.push_back({build_element_name(system.machine(), force),
                      std::make_unique<PlanarSystem>(std::move(alone), std::vector<machine::Row>{}, values)});
  }
  return probes;
}

std::vector<ElementMode> calc_element_modes(const Problem& problem, const std::vector<Probe>& probes) {
  std::vector<ElementMode> modes;
  if (probes.empty() || problem.system.velocities() > kMostVelocities) return modes;
  const Eigen::MatrixXd N = build_free_velocities(problem.system, problem.q);
  const Eigen::MatrixXd mass = N.transpose() * problem.system.weights().asDiagonal() * N;
  const Eigen::LDLT<Eigen::MatrixXd> factor(mass);
  for (const Probe& probe : probes) {
    const Linearised at_start = linearise(*probe.system, problem.q, N);
    const double stiffness = calc_trace(factor, at_start.stiffness);
    const double damping = calc_trace(factor, at_start.damping);
    if (std::isfinite(stiffness + damping))
      modes.push_back({probe.name, calc_eigenvalue(damping, stiffness)});
  }
  return modes;
}

}  // namespace rodeo::dynamics
