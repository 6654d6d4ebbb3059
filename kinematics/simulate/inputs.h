// SPDX-License-Identifier: MIT
// What a run holds from outside the equations. Inputs of a graph over time: rows, linear between them, the first and last held outside;
// two rows of one time are a step. At a row an input has two slopes, at a step two values; within an interval of integration they are
// those of the interval's own side. And the sides of thresholds (sides.h), and which rules held last.
#pragma once
#include <cstddef>
#include <limits>
#include <vector>

#include "kinematics/simulate/sides.h"

namespace rodeo::simulate {

/// Rows of all inputs, in the order of System::inputs.
struct InputTable {
  std::vector<double> times;   // s, never falling
  std::vector<double> values;  // row by row
  std::size_t count = 0;       // inputs
};

/// Which rule of an element held last (bondgraph::RuleMemory), as of the last tick or event.
struct Rules {
  std::vector<expr::Expr> symbols;
  std::vector<double> values;
};

class Inputs {
 public:
  explicit Inputs(InputTable table) : table_(std::move(table)) {}

  [[nodiscard]] std::size_t count() const noexcept { return table_.count; }
  [[nodiscard]] double end() const noexcept { return table_.times.empty() ? 0.0 : table_.times.back(); }
  /// Until the next call, `end` belongs to what came before it.
  void set_interval(double begin, double end) noexcept;
  void set_instant() noexcept { set_interval(-kForever, kForever); }
  [[nodiscard]] double interval_begin() const noexcept { return interval_begin_; }
  [[nodiscard]] double interval_end() const noexcept { return interval_end_; }
  /// t, and just inside of the interval where it is one of its ends: a condition on the time is there as in between.
  [[nodiscard]] double calc_inside(double t) const noexcept;
  /// Values, then slopes: 2 · count numbers.
  void sample(double t, double* out) noexcept;

  /// Times of rows in begin < t < end, each once.
  [[nodiscard]] std::vector<double> find_rows(double begin, double end) const;
  /// Whether two rows stand at t.
  [[nodiscard]] bool steps_at(double t) const noexcept;

  [[nodiscard]] Sides& sides() noexcept { return sides_; }
  [[nodiscard]] Rules& rules() noexcept { return rules_; }

 private:
  static constexpr double kForever = std::numeric_limits<double>::infinity();
  InputTable table_;
  std::size_t row_ = 0;  // the segment of the last sample begins here
  double interval_begin_ = -kForever, interval_end_ = kForever;
  Sides sides_;
  Rules rules_;
};

}  // namespace rodeo::simulate
