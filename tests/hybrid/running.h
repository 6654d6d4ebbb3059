// SPDX-License-Identifier: MIT
// Graphs with controlled junctions, run in tests.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "kinematics/simulate/run.h"
#include "tests/bondgraph/reading.h"

namespace rodeo::simulate {

using reduction::Hybrid;

inline Hybrid hybrid_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return reduction::build_hybrid(bondgraph::build_from_text(text, overrides));
}
inline Hybrid config(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return reduction::build_hybrid(
      bondgraph::build_graph_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/graphs/" + name, overrides));
}

struct Log {
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
  std::vector<GraphRun::Switch> switches;

  [[nodiscard]] std::vector<double> column(const std::string& name) const {
    const auto found = std::find(names.begin(), names.end(), name);
    std::vector<double> values;
    if (found == names.end()) ADD_FAILURE() << "no column " << name;
    for (const auto& row : rows)
      values.push_back(found == names.end() ? 0.0 : row[static_cast<std::size_t>(found - names.begin())]);
    return values;
  }
};

inline Log run(const Hybrid& hybrid, const RunOptions& options) {
  GraphRun graph(hybrid, {}, options);
  Log log{graph.columns(), {}, {}};
  EXPECT_TRUE(graph.run([&](std::span<const double> row) { log.rows.emplace_back(row.begin(), row.end()); }));
  log.switches = graph.switches();
  return log;
}

inline std::string failure_of(const std::string& text, const RunOptions& options) {
  try {
    const Hybrid hybrid = hybrid_of(text);
    (void)run(hybrid, options);
  } catch (const std::runtime_error& error) {
    return error.what();
  }
  return "";
}

/// A mass that falls from a height onto a spring on the ground.
inline const std::string kBounce = R"(
name: bounce
domain: translation
parameters: {m: 2, k: 5000, g: 9.81, h: 0.5}
elements:
  ball: {I: m}
  weight: {Se: -m*g}
  pad: {K: k}
  ground: {Sf: 0}
junctions: {v: 1, contact: {X0: "height < 0"}}
signals: {height: {integrate: ball.flow, start: h}}
bonds:
  - weight -> v
  - v -> ball
  - contact -> v
  - ground -> contact
  - contact -> pad
outputs: {force: contact.effort}
)";

}  // namespace rodeo::simulate
