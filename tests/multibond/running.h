// SPDX-License-Identifier: MIT
// A graph's equations moved in time, for tests: rows with their columns by name.
#pragma once
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

#include "kinematics/simulate/run.h"

namespace rodeo::multibond {

struct LogRows {
  std::vector<std::string> columns;
  std::vector<std::vector<double>> rows;

  [[nodiscard]] double at(std::size_t row, const std::string& column) const {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (columns[c] == column) return rows[row][c];
    }
    throw std::out_of_range(column);
  }
};

inline LogRows run(const reduction::Model& model, const simulate::RunOptions& options) {
  simulate::GraphRun graph_run(model, {}, options);
  LogRows result{graph_run.columns(), {}};
  graph_run.run([&](std::span<const double> row) { result.rows.emplace_back(row.begin(), row.end()); });
  return result;
}

inline LogRows run(const reduction::Model& model, double duration, double rate, simulate::MethodKind method) {
  return run(model, {.method = method, .rate = rate, .duration = duration});
}

}  // namespace rodeo::multibond
