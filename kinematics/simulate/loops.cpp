// SPDX-License-Identifier: MIT
// Blocks, solved numerically: linear ones by elimination with pivots, others by Newton's iteration with steps halved until the
// residuals shrink. One unknown that Newton cannot find (a law with a corner) is bracketed and bisected; several are looked for from
// other points, of every sign and size: at zero a quadratic law has no slope to follow.
#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "kinematics/simulate/program.h"

namespace rodeo::simulate {
namespace {

constexpr int kMostSteps = 50;
constexpr int kMostHalvings = 40;
constexpr double kExact = 1e-13;  // a relative step this small is rounding
constexpr double kEnough = 1e-9;  // and this is accepted where rounding lets the residuals shrink no further
constexpr double kShift = 1e-7;   // of differences
constexpr double kWidest = 1e12;  // where a bracket is given up
constexpr int kBisections = 200;
constexpr Eigen::Index kMostSigns = 4;

using Eigen::Index;

}  // namespace

/// The iteration on one system of a program.
class Newton {
 public:
  Newton(Program& program, const Program::System& system)
      : program_(program), system_(system), count_(static_cast<Index>(system.unknowns.size())) {}

  [[nodiscard]] bool run() {
    const Eigen::VectorXd start = unknowns();
    if (iterate()) return true;
    set(Eigen::VectorXd::Zero(count_));
    if (iterate() || (count_ == 1 && bisect(start[0]))) return true;
    if (count_ > 1 && look_elsewhere()) return true;
    set(start);
    return false;
  }
  [[nodiscard]] double residual() {
    const Eigen::VectorXd rows = calc_rows();
    return rows.allFinite() ? rows.cwiseAbs().maxCoeff() : HUGE_VAL;
  }

 private:
  [[nodiscard]] Eigen::VectorXd unknowns() const {
    Eigen::VectorXd x(count_);
    for (Index i = 0; i < count_; ++i) x[i] = program_.values_[slot(i)];
    return x;
  }
  void set(const Eigen::VectorXd& x) {
    for (Index i = 0; i < count_; ++i) program_.values_[slot(i)] = x[i];
  }
  [[nodiscard]] Slot slot(Index i) const { return system_.unknowns[static_cast<std::size_t>(i)]; }

  [[nodiscard]] Eigen::VectorXd calc_rows() {
    program_.run_steps(system_.first, system_.last);
    Eigen::VectorXd rows(count_);
    for (Index i = 0; i < count_; ++i) {
      rows[i] = program_.values_[system_.right[static_cast<std::size_t>(i)]];
    }
    return rows;
  }

  /// At the unknowns for which the rows were computed last.
  [[nodiscard]] Eigen::MatrixXd calc_jacobian(const Eigen::VectorXd& rows) {
    Eigen::MatrixXd jacobian(count_, count_);
    if (system_.matrix.empty()) return calc_differences(rows);
    for (Index i = 0; i < count_ * count_; ++i) {
      jacobian(i / count_, i % count_) = program_.values_[system_.matrix[static_cast<std::size_t>(i)]];
    }
    return jacobian;
  }
  [[nodiscard]] Eigen::MatrixXd calc_differences(const Eigen::VectorXd& rows) {
    Eigen::MatrixXd jacobian(count_, count_);
    const Eigen::VectorXd x = unknowns();
    for (Index j = 0; j < count_; ++j) {
      Eigen::VectorXd moved = x;
      moved[j] += kShift * std::max(1.0, std::abs(x[j]));
      set(moved);
      jacobian.col(j) = (calc_rows() - rows) / (moved[j] - x[j]);
    }
    set(x);
    return jacobian;
  }

  [[nodiscard]] bool iterate() {
    Eigen::VectorXd rows = calc_rows();
    for (int i = 0; i < kMostSteps && rows.allFinite(); ++i) {
      if (rows.isZero(0.0)) return true;
      const Eigen::MatrixXd jacobian = calc_jacobian(rows);
      const Eigen::VectorXd move = jacobian.fullPivLu().solve(-rows);
      if (!jacobian.allFinite() || !move.allFinite()) return false;
      const Eigen::VectorXd x = unknowns();
      const double size = calc_relative(move, x);
      if (!shrink(x, move, rows)) {
        set(x);
        (void)calc_rows();
        return size <= kEnough;
      }
      if (size <= kExact) return true;
    }
    return false;
  }

  [[nodiscard]] static double calc_relative(const Eigen::VectorXd& move, const Eigen::VectorXd& x) {
    const double size = x.cwiseAbs().maxCoeff();
    return size > 0 ? move.cwiseAbs().maxCoeff() / size : 1.0;
  }

  /// Halves the step until the rows shrink.
  [[nodiscard]] bool shrink(const Eigen::VectorXd& x, const Eigen::VectorXd& move, Eigen::VectorXd& rows) {
    double part = 1.0;
    for (int i = 0; i < kMostHalvings; ++i, part /= 2) {
      set(x + part * move);
      const Eigen::VectorXd next = calc_rows();
      if (next.allFinite() && next.norm() < rows.norm()) {
        rows = next;
        return true;
      }
    }
    return false;
  }

  /// Signs of the first unknowns in every way, of the others alternating.
  [[nodiscard]] bool look_elsewhere() {
    const int signs = 1 << std::min<Index>(count_, kMostSigns);
    for (const double size : {1.0, 1e-3, 1e3, 1e-6, 1e6}) {
      for (int pattern = 0; pattern < signs; ++pattern) {
        Eigen::VectorXd x(count_);
        for (Index i = 0; i < count_; ++i) x[i] = ((pattern >> (i % kMostSigns)) & 1) == 0 ? size : -size;
        set(x);
        if (iterate()) return true;
      }
    }
    return false;
  }

  [[nodiscard]] double calc_row(double x) {
    set(Eigen::VectorXd::Constant(1, x));
    return calc_rows()[0];
  }

  /// A change of sign, looked for ever farther from where the unknown was; at a jump the bisection ends on it.
  [[nodiscard]] bool bisect(double middle) {
    for (double width = 1e-6; width < kWidest; width *= 4) {
      double low = middle - width, high = middle + width;
      double at_low = calc_row(low);
      if (!(at_low * calc_row(high) <= 0)) continue;
      for (int i = 0; i < kBisections && low < high; ++i) {
        const double half = low + (high - low) / 2;
        const double row = calc_row(half);
        if (row * at_low > 0) {
          low = half;
          at_low = row;
        } else {
          high = half;
        }
      }
      return std::isfinite(calc_row(high));
    }
    return false;
  }

  Program& program_;
  const Program::System& system_;
  Index count_;
};

void Program::run_iterated(const System& system) {
  Newton newton(*this, system);
  if (newton.run()) return;
  fail(system, false, newton.residual());
}

void Program::run_linear(const System& system) {
  const std::size_t n = system.unknowns.size();
  if (n == 1) {
    const double x = values_[system.right[0]] / values_[system.matrix[0]];
    if (!std::isfinite(x)) return fail(system, true, 0.0);
    values_[system.unknowns[0]] = x;
    return;
  }
  const auto size = static_cast<Index>(n);
  Eigen::MatrixXd matrix(size, size);
  Eigen::VectorXd right(size);
  for (std::size_t i = 0; i < n; ++i) {
    right[static_cast<Index>(i)] = values_[system.right[i]];
    for (std::size_t j = 0; j < n; ++j) {
      matrix(static_cast<Index>(i), static_cast<Index>(j)) = values_[system.matrix[i * n + j]];
    }
  }
  const Eigen::VectorXd x = matrix.partialPivLu().solve(right);
  if (!x.allFinite()) return fail(system, true, 0.0);
  for (std::size_t i = 0; i < n; ++i) values_[system.unknowns[i]] = x[static_cast<Index>(i)];
}

}  // namespace rodeo::simulate
