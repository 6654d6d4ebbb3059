// SPDX-License-Identifier: MIT
// The multibond graph of a machine in space beside the library's own motion of that machine (kinematics/spatial): where outputs and
// centres of mass are. The two share the file's numbers and nothing of the mechanics.
#pragma once
#include <array>
#include <string>
#include <vector>

#include "kinematics/bondgraph/graph.h"
#include "kinematics/spatial/machine.h"
#include "tools/rodeo/offline_model.h"

namespace rodeo::tools {

/// MODEL as a machine in space, without the parameters of the joints' springs.
[[nodiscard]] spatial::Machine load_spatial_machine(const ModelOptions& options);

/// A point and its coordinates' columns in the log of a graph.
struct TrackedPoint {
  std::string name;
  std::array<std::string, 3> columns;
};
/// Outputs, then centres of mass; `scalar`: of the graph with scalar bonds.
[[nodiscard]] std::vector<TrackedPoint> list_tracked_points(const spatial::Machine& machine, bool scalar);

struct MotionOptions {
  double duration = 1.0, rate = 100.0;
};
/// Positions of the tracked points, a row a sample. Drives are held at their start.
using PointRows = std::vector<std::vector<spatial::Vector3>>;
[[nodiscard]] PointRows build_library_motion(const spatial::Machine& machine, const MotionOptions& options);
/// By CVODE, inputs of 0.
[[nodiscard]] PointRows build_graph_motion(const bondgraph::Graph& graph,
                                           const std::vector<TrackedPoint>& points,
                                           const MotionOptions& options);

struct LargestDistance {
  double distance = 0.0;  // m
  double t = 0.0;
  std::string point;
};
[[nodiscard]] LargestDistance find_largest_distance(const PointRows& a, const PointRows& b,
                                                    const std::vector<TrackedPoint>& points, double rate);

}  // namespace rodeo::tools
