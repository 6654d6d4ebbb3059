// SPDX-License-Identifier: MIT
// Inputs of a graph over time: rows, linear between them, the first and last held outside. An input's slope has two
// values at a row; within an interval of integration it is that of the interval's own side.
#pragma once
#include <cstddef>
#include <limits>
#include <vector>

namespace rodeo::simulate {

/// Rows of all inputs, in the order of System::inputs.
struct InputTable {
  std::vector<double> times;   // s, rising
  std::vector<double> values;  // row by row
  std::size_t count = 0;       // inputs
};

class Inputs {
 public:
  explicit Inputs(InputTable table) : table_(std::move(table)) {}

  [[nodiscard]] std::size_t count() const noexcept { return table_.count; }
  [[nodiscard]] double end() const noexcept { return table_.times.empty() ? 0.0 : table_.times.back(); }
  /// Until the next call, `end` belongs to what came before it.
  void set_interval_end(double end) noexcept { interval_end_ = end; }
  /// Values, then slopes: 2 · count numbers.
  void sample(double t, double* out) noexcept;

 private:
  InputTable table_;
  std::size_t row_ = 0;  // the segment of the last sample begins here
  double interval_end_ = std::numeric_limits<double>::infinity();
};

}  // namespace rodeo::simulate
