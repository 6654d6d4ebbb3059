// SPDX-License-Identifier: MIT
// Instants at which a function of time and inputs alone changes its sign, all of them however short the pulse: intervals without a zero are
// excluded by bounds (interval.h), the rest are halved. A threshold of time itself is exact.
#pragma once
#include <vector>

#include "kinematics/expr/eval.h"
#include "kinematics/simulate/interval.h"
#include "kinematics/simulate/thresholds.h"

namespace rodeo::simulate {

class Instants {
 public:
  Instants(const reduction::Model& model, Inputs& inputs, const Thresholds& thresholds);

  /// Between begin and end, both excluded, where no input has a row.
  [[nodiscard]] std::vector<double> find(double begin, double end);
  [[nodiscard]] bool empty() const noexcept { return timed_.empty(); }

 private:
  struct Timed {
    Expr g;
    IntervalProgram program;
    double exact;  // s; NaN where it is not a threshold of time itself
  };
  void find_zeros(Timed& timed, double begin, double end, std::vector<double>& found);
  void search(Timed& timed, double begin, double end, std::vector<double>& found);
  void sample(const Timed& timed, double begin, double end, std::vector<double>& found);
  [[nodiscard]] Interval bound(Timed& timed, double begin, double end);
  [[nodiscard]] bool is_above(const Timed& timed, double t);

  const reduction::Model& model_;
  Inputs& inputs_;
  expr::Values parameters_;
  std::vector<Timed> timed_;
  std::unordered_map<std::uint32_t, Interval> symbols_;
  std::size_t looks_ = 0;
};

}  // namespace rodeo::simulate
