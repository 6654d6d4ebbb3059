// SPDX-License-Identifier: MIT
// Consistent initial values: F(t, y, ẏ) = 0 for ẏ of differential and y of algebraic components, the other half given. Newton with
// differences for the Jacobian; a step is the shortest that solves the linear system in the sense of least squares, and
// is halved until the rows shrink.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <cmath>

#include "kinematics/solve/solve.h"

namespace rodeo::solve {
namespace {

constexpr int kMostIterations = 60;
constexpr int kMostHalvings = 30;
constexpr double kRankThreshold = 1e-11;

class Search {
 public:
  Search(Dae& dae, double time, Consistent& at) : dae_(dae), time_(time), at_(at) {}

  [[nodiscard]] double& unknown(std::size_t i) {
    return dae_.is_differential(i) ? at_.rates[i] : at_.state[i];
  }

  [[nodiscard]] Eigen::VectorXd calc_rows() {
    Eigen::VectorXd rows(static_cast<Eigen::Index>(dae_.size()));
    dae_.residual(time_, at_.state, at_.rates, {rows.data(), dae_.size()});
    return rows;
  }

  [[nodiscard]] Eigen::MatrixXd calc_jacobian(const Eigen::VectorXd& rows) {
    Eigen::MatrixXd jacobian(rows.size(), rows.size());
    for (std::size_t i = 0; i < dae_.size(); ++i) {
      const double kept = unknown(i);
      const double shift = 1e-7 * std::max(1.0, std::abs(kept));
      unknown(i) = kept + shift;
      jacobian.col(static_cast<Eigen::Index>(i)) = (calc_rows() - rows) / shift;
      unknown(i) = kept;
    }
    return jacobian;
  }

  /// False where no part of the step makes the rows smaller.
  [[nodiscard]] bool step(Eigen::VectorXd& rows) {
    const Eigen::MatrixXd jacobian = calc_jacobian(rows);
    if (!jacobian.allFinite()) return false;
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(kRankThreshold);
    solver.compute(jacobian);
    const Eigen::VectorXd move = solver.solve(-rows);
    const Consistent before = at_;
    double part = 1.0;
    for (int i = 0; i < kMostHalvings; ++i, part /= 2) {
      for (std::size_t k = 0; k < dae_.size(); ++k) unknown(k) += part * move[static_cast<Eigen::Index>(k)];
      const Eigen::VectorXd next = calc_rows();
      if (next.allFinite() && next.norm() < rows.norm()) {
        rows = next;
        return true;
      }
      at_ = before;
    }
    return false;
  }

 private:
  Dae& dae_;
  double time_;
  Consistent& at_;
};

}  // namespace

Consistent build_consistent(Dae& dae, double time, In state, In rates, double tolerance) {
  Consistent found{{state.begin(), state.end()}, {rates.begin(), rates.end()}, 0.0, 0};
  if (found.rates.empty()) found.rates.assign(dae.size(), 0.0);
  Search search(dae, time, found);
  Eigen::VectorXd rows = search.calc_rows();
  // Past the tolerance it goes on while it gains, so that the start is as good as the arithmetic.
  while (rows.size() > 0 && rows.norm() > 0 && found.iterations < kMostIterations && rows.allFinite()) {
    const double before = rows.norm();
    if (!search.step(rows)) break;
    ++found.iterations;
    if (before <= tolerance && rows.norm() > before / 2) break;
  }
  Eigen::Index worst = 0;
  found.residual = rows.size() > 0 ? rows.cwiseAbs().maxCoeff(&worst) : 0.0;
  if (found.residual <= tolerance) return found;
  throw SolveError(
      time,
      fmt::format("no consistent start was found at t = {:.6g} s: {} is off by {:.3g} at best; give start "
                  "values that fulfil it",
                  time, dae.row_name(static_cast<std::size_t>(worst)), found.residual));
}

}  // namespace rodeo::solve
