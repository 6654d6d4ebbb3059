// SPDX-License-Identifier: MIT
#include "kinematics/spatial/closure.h"

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "kinematics/machine/closure.h"
#include "kinematics/machine/rank.h"

namespace rodeo::spatial {
namespace {

using Matrix = Eigen::MatrixXd;

constexpr double kMostMove = 0.3;  // radians or sizes, in one step
constexpr int kMostNewtonSteps = 60;
constexpr int kMostDampedSteps = 200;
/// Rows that depend on each other in closed poses do not quite in open ones: below this they count as dependent.
constexpr double kDependent = 1e-5;

BodyFrames build_centre_frames(const Machine& machine) {
  BodyFrames frames(machine.bodies.size());
  for (std::size_t b = 1; b < frames.size(); ++b) {
    for (const Point& point : machine.bodies[b].points)
      frames[b].centre += point.at.value() / static_cast<double>(machine.bodies[b].points.size());
  }
  return frames;
}

double largest(const Vector& x) { return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff(); }

Vector limited(Vector u) {
  const double most = largest(u);
  if (most > kMostMove) u *= kMostMove / most;
  return u;
}

struct Iterate {
  Pose pose;
  Vector r;
};

/// The smallest move W^½u with J u = −r, dependent rows in the sense of least squares; with damping Levenberg's.
Vector calc_step(const Matrix& jacobian, const Vector& weights, const Vector& r, double damping) {
  const Vector root = weights.cwiseSqrt().cwiseInverse();
  Matrix scaled = jacobian * root.asDiagonal();
  if (damping > 0) {
    Matrix normal = scaled.transpose() * scaled;
    normal.diagonal().array() += damping;
    return -root.cwiseProduct(normal.ldlt().solve(scaled.transpose() * r));
  }
  Eigen::CompleteOrthogonalDecomposition<Matrix> qr(scaled.rows(), scaled.cols());
  qr.setThreshold(kDependent);
  qr.compute(scaled);
  return -root.cwiseProduct(qr.solve(r));
}

Iterate calc_next(const Closure& closure, const Iterate& at, const Vector& weights, double damping) {
  const Vector u = calc_step(closure.calc_jacobian(at.pose), weights, at.r, damping);
  Pose pose = closure.calc_moved(at.pose, limited(u));
  Vector r = closure.calc_residuals(pose);
  return {std::move(pose), std::move(r)};
}

Iterate build_newton(const Closure& closure, Iterate at, const Vector& weights) {
  for (int step = 0; step < kMostNewtonSteps && at.r.norm() > 0; ++step) {
    Iterate next = calc_next(closure, at, weights, 0);
    const bool at_rounding = largest(at.r) < 1e-13 && !(next.r.norm() < 0.5 * at.r.norm());
    if (at_rounding || !next.r.allFinite()) break;
    at = std::move(next);
  }
  return at;
}

Iterate build_least(const Closure& closure, Iterate at, const Vector& weights) {
  double damping = 1e-6;
  for (int step = 0; step < kMostDampedSteps && at.r.norm() > 0 && damping < 1e6; ++step) {
    Iterate next = calc_next(closure, at, weights, damping);
    const double gain = next.r.norm() / at.r.norm();
    damping = gain < 1 ? std::max(1e-14, damping / 30) : std::max(1e-6, damping * 30);
    if (gain < 1) at = std::move(next);
    if (gain < 1 && gain > 0.9999) break;
  }
  return at;
}

Vector build_random_tangent(const Closure& closure, const Pose& pose, std::mt19937& random) {
  const Matrix free = build_free_moves(closure.calc_jacobian(pose));
  Vector tangent = Vector::Zero(closure.moves());
  for (Eigen::Index c = 0; c < free.cols(); ++c) tangent += machine::next_uniform(random) * free.col(c);
  return tangent;
}

/// Holds the component that moves most: from a flat pose the smallest move that closes would lead straight back.
RowData build_holding(const Closure& closure, const Pose& moved, const Vector& tangent) {
  Eigen::Index most = 0;
  tangent.cwiseAbs().maxCoeff(&most);
  RowData row;
  row.second = static_cast<int>(most / 6 + 1);
  row.u = Vector3::Unit(most % 3);
  const BodyState state = build_states(moved, closure.frames())[row.second];
  if (most % 6 < 3) {
    row.value = state.c[most % 3];
  } else {
    row.kind = RowKind::small_turn;
    row.zero = state.q;
  }
  return row;
}

}  // namespace

Closure::Closure(const Machine& machine, const std::vector<Row>& rows,
                 const std::vector<double>& drive_values)
    : machine_(machine), size_(calc_size(machine)), frames_(build_centre_frames(machine)) {
  for (const Row& row : rows)
    data_.push_back(build_row_data(machine, row, frames_, row.drive < 0 ? 0.0 : drive_values[row.drive]));
}

Vector Closure::calc_residuals(const Pose& pose) const {
  const BodyStates states = build_states(pose, frames_);
  Vector r(static_cast<Eigen::Index>(data_.size()));
  RowTerms unused;
  for (Eigen::Index i = 0; i < r.size(); ++i)
    r[i] = calc_row(data_[i], states, unused).residual / unit(data_[i]);
  return r;
}

Rows Closure::calc_rows(const Pose& pose, const Vector& v) const {
  BodyStates states = build_states(pose, frames_);
  for (std::size_t b = 1; b < states.size() && v.size() > 0; ++b) {
    states[b].velocity = v.segment<3>(static_cast<Eigen::Index>(6 * (b - 1)));
    states[b].spin = v.segment<3>(static_cast<Eigen::Index>(6 * (b - 1) + 3));
  }
  Rows rows;
  spatial::calc_rows(data_, states, rows);
  return rows;
}

Matrix Closure::calc_jacobian(const Pose& pose) const {
  const Rows rows = calc_rows(pose, {});
  Matrix jacobian = Matrix::Zero(static_cast<Eigen::Index>(data_.size()), moves());
  for (Eigen::Index i = 0; i < jacobian.rows(); ++i) {
    const RowTerms& t = rows.terms[i];
    for (int side = 0; side < 2; ++side) {
      for (int c = 0; c < 6 && t.body[side] != 0; ++c)
        jacobian(i, 6 * (t.body[side] - 1) + c) += t.d[side][c] * (c < 3 ? size_ : 1.0) / unit(data_[i]);
    }
  }
  return jacobian;
}

Vector Closure::calc_gradient(const RowData& row, const Pose& pose) const {
  Closure one(machine_, {}, {});
  one.add(row);
  return one.calc_jacobian(pose).row(0);
}

Pose Closure::calc_moved(const Pose& pose, const Vector& u) const {
  Pose moved = pose;
  for (std::size_t b = 1; b < pose.bodies.size(); ++b) {
    const auto i = static_cast<Eigen::Index>(6 * (b - 1));
    BodyPose& body = moved.bodies[b];
    const Vector3 centre = body.place(frames_[b].centre) + size_ * u.segment<3>(i);
    body.q = (body.q * calc_turn(u.segment<3>(i + 3))).normalized();
    body.origin = centre - body.q * frames_[b].centre;
  }
  return moved;
}

Closed build_closed(const Closure& closure, const Pose& from, const Vector& weights) {
  const Iterate start{from, closure.calc_residuals(from)};
  Iterate end = build_newton(closure, start, weights);
  if (!(largest(end.r) <= kClosed))
    end = build_newton(closure, build_least(closure, start, weights), weights);
  if (!(largest(end.r) <= kClosed)) end = build_least(closure, start, weights);
  return {end.pose, largest(end.r)};
}

Closed build_closed(const Closure& closure, const Pose& from) {
  return build_closed(closure, from, Vector::Ones(closure.moves()));
}

Matrix build_free_moves(const Matrix& jacobian) {
  if (jacobian.rows() == 0) return Matrix::Identity(jacobian.cols(), jacobian.cols());
  return machine::RowRank(jacobian.sparseView()).build_free_moves();
}

std::optional<Pose> build_sample(const Closure& closure, const Pose& from, double amplitude,
                                 std::mt19937& random) {
  const Vector tangent = build_random_tangent(closure, from, random);
  const double length = largest(tangent);
  if (!(length > 1e-9)) return std::nullopt;  // nothing can move
  const Pose moved = closure.calc_moved(from, tangent * (amplitude / length));
  Closure holding = closure;
  holding.add(build_holding(closure, moved, tangent));
  const Closed closed = build_closed(holding, moved);
  if (!closed.ok()) return std::nullopt;
  return closed.pose;
}

}  // namespace rodeo::spatial
