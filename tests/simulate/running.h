// SPDX-License-Identifier: MIT
// Graphs run in tests, and the exact solution of linear systems by the matrix exponential, which shares nothing with them.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <algorithm>
#include <string>
#include <unsupported/Eigen/MatrixFunctions>
#include <vector>

#include "kinematics/simulate/run.h"
#include "tests/bondgraph/reading.h"

namespace rodeo::simulate {

inline Model model_of(const std::string& text) {
  return reduction::build_model(bondgraph::build_from_text(text));
}
inline Model config(const std::string& name) {
  return reduction::build_model(
      bondgraph::build_graph_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/graphs/" + name));
}

struct Log {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  solve::Statistics statistics;

  [[nodiscard]] double at(std::size_t row, const std::string& name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end()) {
      ADD_FAILURE() << "no column " << name;
      return 0.0;
    }
    return rows.at(row).at(static_cast<std::size_t>(found - names.begin()));
  }
  [[nodiscard]] double last(const std::string& name) const { return at(rows.size() - 1, name); }
};

inline Log run(const Model& model, const RunOptions& options, const InputTable& table = {}) {
  GraphRun graph(model, table, options);
  Log log{graph.columns(), {}, {}};
  EXPECT_TRUE(graph.run([&](std::span<const double> row) { log.rows.emplace_back(row.begin(), row.end()); }));
  log.statistics = graph.statistics();
  return log;
}

/// The sentence that a run ends with.
inline std::string failure_of(const Model& model, const RunOptions& options, const InputTable& table = {}) {
  try {
    (void)run(model, options, table);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// ẋ = A x + b + c t after `time`, exactly: the exponential of the system with 1 and t as states of its own. `sizes` makes the
/// states about 1: the exponential of a matrix with entries of very different sizes is inaccurate.
inline Eigen::VectorXd calc_exact(const Eigen::MatrixXd& A, const Eigen::VectorXd& b,
                                  const Eigen::VectorXd& c, const Eigen::VectorXd& start,
                                  const Eigen::VectorXd& sizes, double time) {
  const Eigen::Index n = A.rows();
  Eigen::MatrixXd whole = Eigen::MatrixXd::Zero(n + 2, n + 2);
  whole.topLeftCorner(n, n) = sizes.cwiseInverse().asDiagonal() * A * sizes.asDiagonal();
  whole.col(n).head(n) = b.cwiseQuotient(sizes);
  whole.col(n + 1).head(n) = c.cwiseQuotient(sizes);
  whole(n + 1, n) = 1.0;  // d/dt t = 1
  Eigen::VectorXd x(n + 2);
  x << start.cwiseQuotient(sizes), 1.0, 0.0;
  const Eigen::MatrixXd scaled = whole * time;
  return (scaled.exp() * x).head(n).cwiseProduct(sizes);
}

}  // namespace rodeo::simulate
