// SPDX-License-Identifier: MIT
#include "kinematics/spatial/driven.h"

#include <Eigen/QR>
#include <cmath>

namespace rodeo::spatial {
namespace {

constexpr int kMostNewtonSteps = 20;
constexpr double kRounding = 1e-15;
constexpr double kSingular = 1e-9;  // smallest by largest pivot
constexpr double kMostTurn = 1.0;   // rad or sizes, in one tick

/// Least squares over all rows: redundant ones take part, so that no choice of rows can go bad on the way.
using Solver = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;

double calc_pivot_ratio(const Solver& qr) {
  const Vector pivots = qr.matrixR().diagonal().cwiseAbs();
  return pivots.size() == 0 ? 1.0 : pivots.minCoeff() / pivots.maxCoeff();
}

std::vector<Row> build_driven_rows(const Machine& machine, const Mobility& mobility) {
  std::vector<Row> rows = build_rows(machine, false);
  for (const Row& row : build_independent_rows(machine, mobility)) {
    if (row.drive >= 0) rows.push_back(row);
  }
  return rows;
}

double largest(const Vector& x) { return x.size() == 0 ? 0.0 : x.cwiseAbs().maxCoeff(); }

}  // namespace

Driven::Driven(const Machine& machine, const Assembly& start, const Mobility& mobility)
    : machine_(machine), closure_(machine, build_driven_rows(machine, mobility), start.drive_values) {
  for (const Row& row : build_driven_rows(machine, mobility)) {
    if (row.drive < 0) {
      ++first_drive_;
    } else {
      drives_.push_back(row.drive);
    }
  }
  state_.pose = start.pose;
}

DrivenStatus Driven::close(Pose& pose) {
  double before = HUGE_VAL;
  for (int i = 0; i < kMostNewtonSteps; ++i) {
    const Vector r = closure_.calc_residuals(pose);
    const double open = largest(r);
    if (open <= kRounding || (open < 1e-12 && open > 0.3 * before)) return DrivenStatus::ok;
    before = open;
    const Solver qr(closure_.calc_jacobian(pose));
    if (!(calc_pivot_ratio(qr) > kSingular)) return DrivenStatus::singular;
    const Vector u = qr.solve(-r);
    if (!(largest(u) < kMostTurn)) return DrivenStatus::open;
    pose = closure_.calc_moved(pose, u);
  }
  return before < kClosed ? DrivenStatus::ok : DrivenStatus::open;
}

DrivenStatus Driven::step(const std::vector<double>& values, const std::vector<double>& rates,
                          const std::vector<double>& accelerations) {
  for (std::size_t i = 0; i < drives_.size(); ++i) closure_.set_value(first_drive_ + i, values[drives_[i]]);
  Pose pose = state_.pose;
  const DrivenStatus status = close(pose);
  if (status != DrivenStatus::ok) return status;
  calc_rates(pose, rates, accelerations);
  return status;
}

// J v = [0; rates],  J a = [0; accelerations] − J̇v.
void Driven::calc_rates(const Pose& pose, const std::vector<double>& rates,
                        const std::vector<double>& accelerations) {
  const auto n = closure_.moves();
  const Rows rows = closure_.calc_rows(pose, {});
  Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(closure_.row_count()), n);
  for (Eigen::Index i = 0; i < jacobian.rows(); ++i) {
    const RowTerms& t = rows.terms[i];
    for (int side = 0; side < 2; ++side) {
      for (int c = 0; c < 6 && t.body[side] != 0; ++c)
        jacobian(i, 6 * (t.body[side] - 1) + c) += t.d[side][c];
    }
  }
  const Solver qr(jacobian);
  Vector wanted = Vector::Zero(jacobian.rows()), second = wanted;
  for (std::size_t i = 0; i < drives_.size(); ++i) {
    wanted[static_cast<Eigen::Index>(first_drive_ + i)] = rates[drives_[i]];
    second[static_cast<Eigen::Index>(first_drive_ + i)] = accelerations[drives_[i]];
  }
  const Vector v = qr.solve(wanted);
  const Vector a = qr.solve(second - closure_.calc_rows(pose, v).bias);
  set_state(pose, v, a);
}

/// From the centres of the bodies' points to their origins: ẍ = c̈ − R(α×p + w×(w×p)).
void Driven::set_state(const Pose& pose, const Vector& v, const Vector& a) {
  const std::size_t n = pose.bodies.size();
  state_.pose = pose;
  for (auto* list : {&state_.velocity, &state_.spin, &state_.acceleration, &state_.spin_rate})
    list->assign(n, Vector3::Zero());
  for (std::size_t b = 1; b < n; ++b) {
    const auto i = static_cast<Eigen::Index>(6 * (b - 1));
    const Vector3 p = closure_.frames()[b].centre, w = v.segment<3>(i + 3), alpha = a.segment<3>(i + 3);
    state_.spin[b] = w;
    state_.spin_rate[b] = alpha;
    state_.velocity[b] = v.segment<3>(i) - pose.bodies[b].q * w.cross(p);
    state_.acceleration[b] = a.segment<3>(i) - pose.bodies[b].q * (alpha.cross(p) + w.cross(w.cross(p)));
  }
  state_.residual = closure_.size() * largest(closure_.calc_residuals(pose));
}

}  // namespace rodeo::spatial
