// SPDX-License-Identifier: MIT
// A page of equations solved for all its symbols, by what it says and nothing else. Unknown are the symbols and those of their time
// derivatives that occur in the equations or in the equations' own derivatives; Newton's steps are the shortest that solve the linear
// system. What the page does not determine lies in the null space of the Jacobian.
#pragma once
#include <Eigen/Dense>
#include <algorithm>

#include "tests/printed/printed_page.h"

namespace rodeo::printed {

struct Solved {
  std::map<Symbol, double> values;
  std::set<Symbol> open;  // not determined
  double residual = 0;
};

class PageSolver {
 public:
  /// `known`: values of symbols; derivatives of what is known, and of no equation, are zero (parameters, inputs).
  PageSolver(std::vector<Line> lines, std::map<Symbol, double> known, std::set<std::string> constants)
      : lines_(std::move(lines)), values_(std::move(known)), constants_(std::move(constants)) {
    for (const auto& [symbol, value] : values_) fixed_.insert(symbol);
  }

  Solved solve() {
    find_unknowns();
    const auto n = static_cast<Eigen::Index>(unknowns_.size());
    for (const Symbol& symbol : unknowns_) values_[symbol] = 0.5;
    Eigen::VectorXd rows = calc_rows();
    rows_ = Eigen::VectorXd::Ones(rows.size());
    if (n == 0) return report({}, rows);
    Eigen::MatrixXd jacobian;
    for (int i = 0; i < kMostSteps; ++i) {
      jacobian = calc_jacobian(n, rows.size());
      equilibrate(jacobian);
      Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
      solver.setThreshold(kRank);
      solver.compute(jacobian);
      const Eigen::VectorXd move = columns_.cwiseProduct(solver.solve(-rows_.cwiseProduct(rows)));
      double part = 1;
      const std::map<Symbol, double> before = values_;
      Eigen::VectorXd next = rows;
      for (int halving = 0; halving < 12; ++halving, part /= 2) {
        for (Eigen::Index u = 0; u < n; ++u) {
          const Symbol& symbol = unknowns_[static_cast<std::size_t>(u)];
          values_[symbol] = before.at(symbol) + part * move[u];
        }
        next = calc_rows();
        if (next.allFinite() && rows_.cwiseProduct(next).norm() <= rows_.cwiseProduct(rows).norm()) break;
      }
      rows = next;
      const bool is_small = (move.cwiseAbs().array() <= 1e-9 * scale().array()).all();
      if (is_small) break;
    }
    return report(jacobian, rows);
  }

 private:
  static constexpr int kMostSteps = 25;
  static constexpr double kRank = 1e-9;

  [[nodiscard]] Eigen::VectorXd scale() const {
    Eigen::VectorXd sizes(static_cast<Eigen::Index>(unknowns_.size()));
    for (std::size_t u = 0; u < unknowns_.size(); ++u)
      sizes[static_cast<Eigen::Index>(u)] = std::max(1e-6, std::abs(values_.at(unknowns_[u])));
    return sizes;
  }

  void find_unknowns() {
    std::set<Symbol> all;
    for (const Line& line : lines_) {
      std::set<Symbol> own;
      list_symbols(line.left, own);
      list_symbols(line.right, own);
      for (const Symbol& s : own) {
        used_.insert(s);
        lines_of_[s.name].insert(static_cast<std::size_t>(&line - lines_.data()));
        for (int order = s.order; order <= s.order + 1; ++order) all.insert({s.name, order});
      }
    }
    for (const Symbol& s : all) {
      if (!fixed_.contains(s) && !constants_.contains(s.name)) unknowns_.push_back(s);
    }
  }

  [[nodiscard]] double look_up(const Symbol& symbol) const {
    const auto found = values_.find(symbol);
    return found == values_.end() ? 0.0 : found->second;
  }

  /// An equation and its first derivative.
  [[nodiscard]] Eigen::Vector2d calc_line(std::size_t i) const {
    const auto look = [this](const Symbol& s) { return look_up(s); };
    const Jet left = calc(lines_[i].left, look), right = calc(lines_[i].right, look);
    return {left[0] - right[0], left[1] - right[1]};
  }
  [[nodiscard]] Eigen::VectorXd calc_rows() const {
    Eigen::VectorXd rows(static_cast<Eigen::Index>(2 * lines_.size()));
    for (std::size_t i = 0; i < lines_.size(); ++i)
      rows.segment<2>(static_cast<Eigen::Index>(2 * i)) = calc_line(i);
    return rows;
  }

  [[nodiscard]] Eigen::MatrixXd calc_jacobian(Eigen::Index n, Eigen::Index count) {
    Eigen::MatrixXd jacobian = Eigen::MatrixXd::Zero(count, n);
    for (Eigen::Index u = 0; u < n; ++u) {
      const Symbol& symbol = unknowns_[static_cast<std::size_t>(u)];
      double& value = values_[symbol];
      const double kept = value, shift = 1e-4 * std::max(1.0, std::abs(kept));
      for (const std::size_t line : lines_of_[symbol.name]) {
        value = kept + shift;
        const Eigen::Vector2d above = calc_line(line);
        value = kept - shift;
        jacobian.col(u).segment<2>(static_cast<Eigen::Index>(2 * line)) =
            (above - calc_line(line)) / (2 * shift);
        value = kept;
      }
    }
    return jacobian;
  }

  /// Rows and columns of about size 1.
  void equilibrate(Eigen::MatrixXd& jacobian) {
    rows_ = Eigen::VectorXd::Ones(jacobian.rows());
    columns_ = Eigen::VectorXd::Ones(jacobian.cols());
    for (int sweep = 0; sweep < 8; ++sweep) {
      for (Eigen::Index i = 0; i < jacobian.rows(); ++i) {
        const double size = jacobian.row(i).cwiseAbs().maxCoeff();
        if (size < 1e-30) continue;
        rows_[i] /= std::sqrt(size);
        jacobian.row(i) /= std::sqrt(size);
      }
      for (Eigen::Index j = 0; j < jacobian.cols(); ++j) {
        const double size = jacobian.col(j).cwiseAbs().maxCoeff();
        if (size < 1e-30) continue;
        columns_[j] /= std::sqrt(size);
        jacobian.col(j) /= std::sqrt(size);
      }
    }
  }

  Solved report(const Eigen::MatrixXd& jacobian, const Eigen::VectorXd& rows) {
    Solved solved{values_, {}, 0};
    if (rows.size() > 0) solved.residual = rows_.cwiseProduct(rows).cwiseAbs().maxCoeff();
    if (unknowns_.empty()) return solved;
    const Eigen::BDCSVD<Eigen::MatrixXd> svd(jacobian, Eigen::ComputeFullV);
    const Eigen::VectorXd& sizes = svd.singularValues();
    for (std::size_t u = 0; u < unknowns_.size(); ++u) {
      double open = 0;
      for (Eigen::Index k = 0; k < jacobian.cols(); ++k) {
        if (k < sizes.size() && sizes[k] > kRank * sizes[0]) continue;
        open = std::max(open, std::abs(svd.matrixV()(static_cast<Eigen::Index>(u), k)));
      }
      if (open > 1e-4 && used_.contains(unknowns_[u])) solved.open.insert(unknowns_[u]);
    }
    return solved;
  }

  std::vector<Line> lines_;
  std::map<Symbol, double> values_;
  std::set<std::string> constants_;  // derivatives are zero
  std::set<Symbol> fixed_, used_;
  std::map<std::string, std::set<std::size_t>> lines_of_;  // by name
  std::vector<Symbol> unknowns_;
  Eigen::VectorXd rows_, columns_;  // scales
};

}  // namespace rodeo::printed
