// SPDX-License-Identifier: MIT
// Every step solves the quasi-definite system  [W Jᵀ; J −εI] [u; λ] = [Wz; −r],  which is
// u = −W⁻¹Jᵀ(J W⁻¹ Jᵀ + εI)⁻¹ r  for z = 0: sparse, and not disturbed by redundant rows. THEORY M5.
#include "kinematics/machine/closure.h"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>

namespace rodeo::machine {
namespace {

constexpr double kLeastDamping = 1e-12;
constexpr double kMostDamping = 1e8;
constexpr double kMostTurn = 0.3;  // rad a step: a longer one leaves the branch that the start angles pick
constexpr int kMostNewtonSteps = 40;
constexpr int kMostDampedSteps = 80;

Vec2 calc_centre(const Body& body) {
  Vec2 sum;
  for (const Point& p : body.points) sum = {sum.x + p.x.value, sum.y + p.y.value};
  const double n = std::max<double>(1.0, static_cast<double>(body.points.size()));
  return {sum.x / n, sum.y / n};
}

double calc_extent(const Body& body) {
  const Vec2 c = calc_centre(body);
  double radius = 0;
  for (const Point& p : body.points) radius = std::max(radius, std::hypot(p.x.value - c.x, p.y.value - c.y));
  return 2 * radius;
}

Vec2 rotated(double angle, Vec2 a) {
  return {std::cos(angle) * a.x - std::sin(angle) * a.y, std::sin(angle) * a.x + std::cos(angle) * a.y};
}

using Matrix = Eigen::SparseMatrix<double>;
using Vector = Eigen::VectorXd;

/// The lower half of [W Jᵀ; J −εI].
Matrix build_step_matrix(const Matrix& jacobian, const Vector& weights, double damping) {
  const auto n = jacobian.cols(), m = jacobian.rows();
  std::vector<Eigen::Triplet<double, Eigen::Index>> entries;
  for (Eigen::Index i = 0; i < n; ++i) entries.emplace_back(i, i, weights[i]);
  for (Eigen::Index c = 0; c < n; ++c) {
    for (Matrix::InnerIterator it(jacobian, c); it; ++it) entries.emplace_back(n + it.row(), c, it.value());
  }
  for (Eigen::Index i = 0; i < m; ++i) entries.emplace_back(n + i, n + i, -damping);
  Matrix matrix(n + m, n + m);
  matrix.setFromTriplets(entries.begin(), entries.end());
  return matrix;
}

/// The move nearest to z (in the norm of the weights) that changes the residuals by −r.
Vector solve_step(const Matrix& jacobian, const Vector& weights, double damping, const Vector& z,
                  const Vector& r) {
  Vector rhs(z.size() + r.size());
  rhs << weights.cwiseProduct(z), -r;
  const Eigen::SimplicialLDLT<Matrix> ldlt(build_step_matrix(jacobian, weights, damping));
  if (ldlt.info() != Eigen::Success) return Vector::Zero(z.size());
  return Vector(ldlt.solve(rhs)).head(z.size());
}

/// Shortens a move to at most kMostTurn for any body.
Vector limited(Vector u) {
  double turn = 0;
  for (Eigen::Index i = 2; i < u.size(); i += 3) turn = std::max(turn, std::abs(u[i]));
  if (turn > kMostTurn) u *= kMostTurn / turn;
  return u;
}

double largest(const Vector& r) { return r.size() == 0 ? 0.0 : r.cwiseAbs().maxCoeff(); }

/// A random move that changes no residual to first order.
Vector build_random_tangent(const Closure& closure, const Pose& from, std::mt19937& random) {
  const Matrix jacobian = closure.calc_jacobian(from);
  Vector z(jacobian.cols());
  for (double& value : z) value = next_uniform(random);
  return solve_step(jacobian, Vector::Ones(z.size()), kLeastDamping, z, Vector::Zero(jacobian.rows()));
}

int find_most_turned(const Vector& u) {
  Eigen::Index most = 2;
  for (Eigen::Index i = 2; i < u.size(); i += 3) {
    if (std::abs(u[i]) > std::abs(u[most])) most = i;
  }
  return static_cast<int>(most / 3 + 1);
}

}  // namespace

double calc_size(const Machine& machine) {
  double sum = 0;
  int count = 0;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const double extent = calc_extent(machine.bodies[b]);
    sum += extent;
    count += extent > 0 ? 1 : 0;
  }
  if (count > 0) return sum / count;
  const double ground = machine.bodies.empty() ? 0.0 : calc_extent(machine.bodies[0]);
  return ground > 0 ? ground : 1.0;
}

Closure::Closure(const Machine& machine, std::vector<Row> rows, std::vector<double> drive_values,
                 std::vector<HeldAngle> held)
    : machine_(machine),
      rows_(std::move(rows)),
      drive_values_(std::move(drive_values)),
      held_(std::move(held)),
      size_(calc_size(machine)) {
  for (const Body& body : machine.bodies) centres_.push_back(calc_centre(body));
}

Closure Closure::build_holding(const HeldAngle& angle) const {
  Closure result = *this;
  result.held_.push_back(angle);
  return result;
}

double Closure::row_scale(const Row& row) const {
  if (row.drive >= 0) {
    const DriveKind kind = machine_.drives[row.drive].kind;
    return kind == DriveKind::angle || kind == DriveKind::relative_angle ? 1.0 : 1.0 / size_;
  }
  const bool angle = machine_.joints[row.joint].kind == JointKind::prismatic && row.component == 1;
  return angle ? 1.0 : 1.0 / size_;
}

Vector Closure::calc_residuals(const Pose& pose) const {
  const auto m = static_cast<Eigen::Index>(rows_.size());
  Vector r(m + static_cast<Eigen::Index>(held_.size()));
  r.head(m) = machine::calc_residuals(machine_, pose, rows_, drive_values_);
  for (Eigen::Index i = 0; i < m; ++i) r[i] *= row_scale(rows_[i]);
  Eigen::Index next = m;
  for (const HeldAngle& held : held_) r[next++] = pose.bodies[held.body].angle - held.angle;
  return r;
}

/// With c = p + R(θ) c_B:  dx = L u₀ + (R c_B)_y u₂,  dy = L u₁ − (R c_B)_x u₂,  dθ = u₂.
Matrix Closure::calc_move_to_coordinates(const Pose& pose) const {
  std::vector<Eigen::Triplet<double>> entries;
  for (int b = 1; b < static_cast<int>(pose.bodies.size()); ++b) {
    const Vec2 c = rotated(pose.bodies[b].angle, centres_[b]);
    const int i = 3 * (b - 1);
    entries.emplace_back(i, i, size_);
    entries.emplace_back(i, i + 2, c.y);
    entries.emplace_back(i + 1, i + 1, size_);
    entries.emplace_back(i + 1, i + 2, -c.x);
    entries.emplace_back(i + 2, i + 2, 1.0);
  }
  const auto n = 3 * (static_cast<Eigen::Index>(pose.bodies.size()) - 1);
  Matrix s(n, n);
  s.setFromTriplets(entries.begin(), entries.end());
  return s;
}

Matrix Closure::calc_jacobian(const Pose& pose) const {
  const auto m = static_cast<Eigen::Index>(rows_.size());
  Vector scale(m);
  for (Eigen::Index i = 0; i < m; ++i) scale[i] = row_scale(rows_[i]);
  const Matrix coordinates = machine::calc_jacobian(machine_, pose, rows_);
  const Matrix top = scale.asDiagonal() * (coordinates * calc_move_to_coordinates(pose));
  std::vector<Eigen::Triplet<double, Eigen::Index>> entries;
  for (Eigen::Index c = 0; c < top.cols(); ++c) {
    for (Matrix::InnerIterator it(top, c); it; ++it) entries.emplace_back(it.row(), c, it.value());
  }
  Eigen::Index rows = m;
  for (const HeldAngle& held : held_) entries.emplace_back(rows++, 3 * held.body - 1, 1.0);
  Matrix jacobian(rows, top.cols());
  jacobian.setFromTriplets(entries.begin(), entries.end());
  return jacobian;
}

Pose Closure::calc_moved(const Pose& pose, const Vector& u) const {
  Pose moved = pose;
  for (std::size_t b = 1; b < pose.bodies.size(); ++b) {
    const auto i = static_cast<Eigen::Index>(3 * (b - 1));
    BodyPose& body = moved.bodies[b];
    const Vec2 before = rotated(body.angle, centres_[b]);
    body.angle += u[i + 2];
    const Vec2 after = rotated(body.angle, centres_[b]);
    body.x += size_ * u[i] + (before.x - after.x);
    body.y += size_ * u[i + 1] + (before.y - after.y);
  }
  return moved;
}

namespace {

struct Iterate {
  Pose pose;
  Vector r;
};

Iterate calc_next(const Closure& closure, const Iterate& at, const Vector& weights, double damping) {
  const Vector zero = Vector::Zero(weights.size());
  const Vector u = solve_step(closure.calc_jacobian(at.pose), weights, damping, zero, at.r);
  Pose pose = closure.calc_moved(at.pose, limited(u));
  Vector r = closure.calc_residuals(pose);
  return {std::move(pose), std::move(r)};
}

/// Newton, to rounding. The residual may rise on the way: in a long chain it does, and damping would only creep.
Iterate build_newton(const Closure& closure, Iterate at, const Vector& weights) {
  for (int step = 0; step < kMostNewtonSteps && at.r.norm() > 0; ++step) {
    Iterate next = calc_next(closure, at, weights, kLeastDamping);
    const bool at_rounding = largest(at.r) < 1e-13 && !(next.r.norm() < 0.5 * at.r.norm());
    if (at_rounding) break;
    at = std::move(next);
  }
  return at;
}

/// Levenberg-Marquardt: to the least residual nearby, where Newton wanders.
Iterate build_least(const Closure& closure, Iterate at, const Vector& weights) {
  double damping = kLeastDamping;
  for (int step = 0; step < kMostDampedSteps && at.r.norm() > 0 && damping < kMostDamping; ++step) {
    Iterate next = calc_next(closure, at, weights, damping);
    const double gain = next.r.norm() / at.r.norm();
    damping = gain < 1 ? std::max(kLeastDamping, damping / 100) : std::max(1e-4, damping * 100);
    if (gain < 1) at = std::move(next);
    if (gain < 1 && gain > 0.9999) break;
  }
  return at;
}

}  // namespace

Closed build_closed(const Closure& closure, const Pose& from, const Vector& weights) {
  const Iterate start{from, closure.calc_residuals(from)};
  Iterate end = build_newton(closure, start, weights);
  if (!(largest(end.r) <= kClosed)) end = build_least(closure, start, weights);
  return {end.pose, largest(end.r)};
}

Closed build_closed(const Closure& closure, const Pose& from) {
  const auto n = 3 * (static_cast<Eigen::Index>(from.bodies.size()) - 1);
  return build_closed(closure, from, Vector::Ones(n));
}

// The angle that turns most is held while the rest is closed: from a flat pose the smallest move that closes would
// lead straight back.
std::optional<Pose> build_sample(const Closure& closure, const Pose& from, double amplitude,
                                 std::mt19937& random) {
  const Vector tangent = build_random_tangent(closure, from, random);
  const double length = largest(tangent);
  if (!(length > 1e-9)) return std::nullopt;  // nothing can move
  const Pose moved = closure.calc_moved(from, tangent * (amplitude / length));
  const int body = find_most_turned(tangent);
  const bool turns = std::abs(tangent[3 * body - 1]) > 0.01 * length;
  const Closed closed =
      build_closed(turns ? closure.build_holding({body, moved.bodies[body].angle}) : closure, moved);
  if (!closed.ok()) return std::nullopt;
  return closed.pose;
}

double next_uniform(std::mt19937& random) { return static_cast<double>(random()) / 2147483648.0 - 1.0; }

}  // namespace rodeo::machine
