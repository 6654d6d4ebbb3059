// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_scalar.h"

#include <fmt/format.h>

#include "kinematics/dynamics/run.h"
#include "kinematics/simulate/run.h"
#include "kinematics/spatial/problem.h"

namespace rodeo::tools {
namespace {

constexpr double kRelative = 1e-10, kAbsolute = 1e-12;  // of the library's CVODE
constexpr double kGraphTolerance = 1e-9;

std::vector<spatial::Vector3> calc_points(const spatial::Machine& machine, const spatial::Pose& pose) {
  std::vector<spatial::Vector3> points;
  for (const spatial::Output& output : machine.outputs)
    points.push_back(spatial::calc_position(machine, pose, output.point));
  for (std::size_t b = 1; b < machine.bodies.size(); ++b)
    points.push_back(pose.bodies[b].place(machine.bodies[b].com.value()));
  return points;
}

simulate::InputTable build_zero_inputs(const reduction::Hybrid& hybrid) {
  simulate::InputTable table;
  table.count = hybrid.configurations.front().model.system.inputs.size();
  if (table.count == 0) return table;
  table.times = {0.0};
  table.values.assign(table.count, 0.0);
  return table;
}

}  // namespace

std::vector<TrackedPoint> list_tracked_points(const spatial::Machine& machine, bool scalar) {
  std::vector<TrackedPoint> points;
  for (const spatial::Output& output : machine.outputs)
    points.push_back({output.name, {output.name + ".x", output.name + ".y", output.name + ".z"}});
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    TrackedPoint centre{machine.bodies[b].name + ".com", {}};
    for (std::size_t k = 0; k < 3; ++k)
      centre.columns[k] = scalar ? fmt::format("{}.m_{}.displacement", machine.bodies[b].name, k + 1)
                                 : fmt::format("{}.m.displacement_{}", machine.bodies[b].name, k + 1);
    points.push_back(centre);
  }
  return points;
}

PointRows build_library_motion(const spatial::Machine& machine, const MotionOptions& options) {
  const spatial::Assembly start = spatial::build_start_pose(machine);
  const auto ticks = static_cast<std::size_t>(std::llround(options.duration * options.rate));
  if (spatial::calc_mobility(machine, start).free_motions == 0)  // its drives hold all of it
    return PointRows(ticks + 1, calc_points(machine, start.pose));
  dynamics::Problem problem = spatial::build_problem(machine, start);
  dynamics::MethodOptions how;
  how.solver = dynamics::Solver::cvode;
  how.step = 1.0 / options.rate;
  how.relative = kRelative;
  how.absolute = kAbsolute;
  const auto method = dynamics::build_method("minimal", problem, how);
  PointRows rows;
  dynamics::run(*method, options.duration, how.step, [&](const dynamics::Sample& sample) {
    const auto& system = dynamic_cast<const spatial::System&>(method->system());
    rows.push_back(calc_points(machine, system.build_pose(sample.state.q)));
    return true;
  });
  return rows;
}

PointRows build_graph_motion(const bondgraph::Graph& graph, const std::vector<TrackedPoint>& points,
                             const MotionOptions& options) {
  const reduction::Hybrid hybrid = reduction::build_hybrid(graph);
  simulate::RunOptions how;
  how.method = simulate::MethodKind::cvode;  // springs in joints are stiff
  how.rate = options.rate;
  how.duration = options.duration;
  how.tolerance = kGraphTolerance;
  for (const TrackedPoint& point : points)
    how.columns.insert(how.columns.end(), point.columns.begin(), point.columns.end());
  simulate::GraphRun run(hybrid, build_zero_inputs(hybrid), how);
  PointRows rows;
  run.run([&](std::span<const double> row) {
    std::vector<spatial::Vector3>& places = rows.emplace_back();
    for (std::size_t i = 1; i + 2 < row.size(); i += 3) places.emplace_back(row[i], row[i + 1], row[i + 2]);
  });
  return rows;
}

LargestDistance find_largest_distance(const PointRows& a, const PointRows& b,
                                      const std::vector<TrackedPoint>& points, double rate) {
  LargestDistance largest;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    for (std::size_t p = 0; p < points.size(); ++p) {
      const double distance = (a[i][p] - b[i][p]).norm();
      if (distance <= largest.distance) continue;  // a NaN is the largest of all
      largest = {distance, static_cast<double>(i) / rate, points[p].name};
      if (!(distance >= 0)) return largest;
    }
  }
  return largest;
}

}  // namespace rodeo::tools
