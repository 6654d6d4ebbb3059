// SPDX-License-Identifier: MIT
#include "kinematics/codegen/pivot_order.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace rodeo::codegen {
namespace {

constexpr double kLarge = 0.3;  // of the largest of a column
constexpr double kSmall = 0.2;  // below that a pose is left to others
constexpr double kPart = 0.1;   // of the poses that a pivot may be small in

struct Candidate {
  Pivot at;
  int cost = 0;
  double size = 0.0;

  [[nodiscard]] bool is_better_than(const Candidate& other) const {
    const bool large = size >= kLarge, other_large = other.size >= kLarge;
    if (large != other_large) return large;
    if (!large || cost == other.cost) return size > other.size;
    return cost < other.cost;
  }
};

class Elimination {
 public:
  Elimination(Eigen::MatrixXi pattern, std::vector<Eigen::MatrixXd> samples)
      : pattern_(std::move(pattern)),
        samples_(std::move(samples)),
        rows_(Eigen::VectorXi::Ones(pattern_.rows())),
        columns_(Eigen::VectorXi::Ones(pattern_.cols())) {
    order_.columns = Eigen::VectorXd::Zero(pattern_.cols());
    for (const auto& sample : samples_)
      order_.columns = order_.columns.cwiseMax(sample.cwiseAbs().colwise().maxCoeff().transpose());
  }

  PivotOrder run() {
    const auto all = static_cast<double>(samples_.size());
    for (Eigen::Index i = 0; i < pattern_.cols(); ++i) {
      const auto best = find_best();
      if (!best) return {};
      order_.pivots.push_back(best->at);
      eliminate(best->at);
    }
    order_.share = static_cast<double>(samples_.size()) / all;
    return std::move(order_);
  }

 private:
  [[nodiscard]] double calc_size(int r, int c) const {
    std::vector<double> sizes;
    for (const auto& sample : samples_) sizes.push_back(std::fabs(sample(r, c)));
    const auto at =
        sizes.begin() + static_cast<std::ptrdiff_t>(kPart * static_cast<double>(sizes.size() - 1));
    std::nth_element(sizes.begin(), at, sizes.end());
    return *at / order_.columns[c];
  }

  [[nodiscard]] std::optional<Candidate> find_best() const {
    const Eigen::VectorXi in_row = pattern_ * columns_, in_column = pattern_.transpose() * rows_;
    std::optional<Candidate> best;
    for (int c = 0; c < pattern_.cols(); ++c) {
      for (int r = 0; r < pattern_.rows(); ++r) {
        if (rows_[r] == 0 || columns_[c] == 0 || pattern_(r, c) == 0) continue;
        const Candidate here{{r, c}, (in_row[r] - 1) * (in_column[c] - 1), calc_size(r, c)};
        if (here.size > 1e-6 && (!best || here.is_better_than(*best))) best = here;
      }
    }
    return best;
  }

  void eliminate(const Pivot& at) {
    rows_[at.row] = columns_[at.column] = 0;
    std::erase_if(samples_, [&](const auto& sample) {
      return samples_.size() > 1 &&
             !(std::fabs(sample(at.row, at.column)) >= kSmall * order_.columns[at.column]);
    });
    for (int r = 0; r < pattern_.rows(); ++r) {
      if (rows_[r] == 0 || pattern_(r, at.column) == 0) continue;
      pattern_.row(r) = pattern_.row(r).cwiseMax(pattern_.row(at.row).cwiseProduct(columns_.transpose()));
      for (auto& sample : samples_) {
        const double part = sample(r, at.column) / sample(at.row, at.column);
        sample.row(r) -= part * sample.row(at.row).cwiseProduct(columns_.cast<double>().transpose());
      }
    }
  }

  Eigen::MatrixXi pattern_;
  std::vector<Eigen::MatrixXd> samples_;
  Eigen::VectorXi rows_, columns_;  // 1 where not eliminated yet
  PivotOrder order_;
};

}  // namespace

PivotOrder build_pivot_order(Eigen::MatrixXi pattern, std::vector<Eigen::MatrixXd> samples) {
  return Elimination(std::move(pattern), std::move(samples)).run();
}

}  // namespace rodeo::codegen
