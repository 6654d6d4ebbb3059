// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/equilibrium.h"

#include <Eigen/Eigenvalues>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace rodeo::dynamics {
namespace {

using Matrix = Eigen::MatrixXd;

constexpr int kMostSteps = 400;
constexpr double kLongest = 0.15;     // a step, machine sizes or radians: what a linear forecast is good for
constexpr double kDifference = 1e-6;  // the same units: half the distance of a difference quotient
constexpr double kBalanced = 1e-10;   // of the largest force
constexpr double kNearly = 1e-7;      // where rounding lets it come no nearer
constexpr double kSoft = 1e-9;        // a stiffness that is none, of the largest force a unit
constexpr double kNudge = 1e-2;       // off a pose that balances but does not stand

/// The machine at rest in any pose near by.
class Statics {
 public:
  explicit Statics(Problem& problem)
      : system_(problem.system), saddle_(problem.system.metric()), q_(problem.q) {
    units_.resize(system_.velocities());
    for (Eigen::Index i = 0; i < units_.size(); ++i) units_[i] = system_.velocity_unit(i);
    still_ = Vector::Zero(system_.velocities());
  }

  /// f less what the joints take of it, in units of machine size and radian: J.
  Vector calc_force(const Vector& at) {
    system_.calc(0.0, at, still_, work_);
    largest_ = std::max(largest_, units_.cwiseProduct(work_.f).cwiseAbs().maxCoeff());
    saddle_.factor(work_.rows.terms);
    Vector a = Vector::Zero(still_.size()), lambda = Vector::Zero(system_.row_count());
    saddle_.solve(saddle_.weights(), work_.f, Vector::Zero(lambda.size()), a, lambda);
    return units_.cwiseProduct(saddle_.weights().cwiseProduct(a));
  }

  /// Directions that the joints leave open at q, orthonormal.
  Matrix build_basis() {
    system_.calc_rows(q_, {}, work_);
    const Eigen::Index n = still_.size(), m = system_.row_count();
    if (m == 0) return Matrix::Identity(n, n);
    Matrix J(n, m);  // transposed
    for (Eigen::Index i = 0; i < m; ++i) {
      Vector row = Vector::Zero(n);
      add_transposed({work_.rows.terms[i]}, Vector::Ones(1), row);
      J.col(i) = units_.cwiseProduct(row);
      J.col(i) /= std::max(J.col(i).norm(), 1e-300);
    }
    Eigen::ColPivHouseholderQR<Matrix> qr(J);
    qr.setThreshold(1e-9);
    return Matrix(qr.householderQ()).rightCols(n - qr.rank());
  }

  Vector calc_moved(const Vector& x) {
    Vector moved = q_;
    system_.move(moved, units_.cwiseProduct(x));
    static_cast<void>(close_position(system_, saddle_, moved, work_));
    return moved;
  }

  [[nodiscard]] const Vector& q() const { return q_; }
  void set(const Vector& q) { q_ = q; }
  [[nodiscard]] double largest() const { return largest_; }

 private:
  System& system_;
  Saddle saddle_;
  Workspace work_;
  Vector units_, still_;
  Vector q_;
  double largest_ = 0.0;
};

/// −∂g/∂y of the open directions, symmetric part: what stands has positive eigenvalues.
Matrix calc_stiffness(Statics& statics, const Matrix& basis) {
  Matrix K(basis.cols(), basis.cols());
  for (Eigen::Index j = 0; j < basis.cols(); ++j) {
    const Vector x = kDifference * basis.col(j);
    const Vector ahead = statics.calc_force(statics.calc_moved(x)),
                 behind = statics.calc_force(statics.calc_moved(-x));
    K.col(j) = basis.transpose() * (behind - ahead) / (2 * kDifference);
  }
  return (K + K.transpose()) / 2;
}

/// Newton's step where it stands, downhill where it does not: g/|κ| along every eigenvector.
Vector calc_step(const Matrix& K, const Vector& g, double largest, bool balanced, bool& stands) {
  const Eigen::SelfAdjointEigenSolver<Matrix> modes(K);
  Vector along = modes.eigenvectors().transpose() * g;
  stands = true;
  for (Eigen::Index i = 0; i < along.size(); ++i) {
    const double stiffness = modes.eigenvalues()[i];
    if (stiffness < -1e-6 * largest) stands = false;
    along[i] /= std::max(std::abs(stiffness), kSoft * largest);
    if (balanced && stiffness < -1e-6 * largest) along[i] += kNudge;
  }
  const Vector step = modes.eigenvectors() * along;
  const double length = step.norm();
  return length > kLongest ? Vector(kLongest / length * step) : step;
}

}  // namespace

Equilibrium find_equilibrium(Problem& problem) {
  Statics statics(problem);
  Equilibrium result;
  double best = HUGE_VAL;
  int idle = 0;
  for (; result.steps < kMostSteps; ++result.steps) {
    const Matrix basis = statics.build_basis();
    const Vector g = basis.transpose() * statics.calc_force(statics.q());
    result.left = g.norm() / std::max(statics.largest(), 1e-300);
    idle = result.left < 0.5 * best ? 0 : idle + 1;
    best = std::min(best, result.left);
    const bool balanced = result.left <= kBalanced || (result.left <= kNearly && idle > 3);
    bool stands = true;
    const Matrix K = calc_stiffness(statics, basis);
    const Vector step = calc_step(K, g, statics.largest(), balanced, stands);
    result.found = balanced && stands;
    if (result.found) break;
    statics.set(statics.calc_moved(basis * step));
    result.farthest += step.norm();
  }
  if (!result.found) return result;
  problem.q = statics.q();
  problem.v.setZero();
  return result;
}

}  // namespace rodeo::dynamics
