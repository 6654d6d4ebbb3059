// SPDX-License-Identifier: MIT
// A planar machine file with `space: 3` is its lift into space and moves as it does in the plane: the oracle is kinematics/machine
// and kinematics/dynamics' planar system, which know nothing of space.
#include <fstream>
#include <sstream>

#include "kinematics/machine/closure.h"
#include "kinematics/spatial/driven.h"
#include "tests/spatial/support.h"

namespace rodeo::spatial {
namespace {

using testing_support::system_of;

struct Both {
  machine::Machine plane;
  Machine space;
};

Both build_both(const std::string& name, const std::vector<std::string>& overrides = {}) {
  const std::string path = std::string(RODEO_SOURCE_DIR) + "/configs/" + name + ".yaml";
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return {machine::build_machine(text::build_yaml_from_text(text.str(), path), path, overrides),
          build_machine(text::build_yaml_from_text(text.str() + "\nspace: 3\n", path), path, overrides)};
}

constexpr double kSame = 1e-9;

/// Origins, angles and rates of all bodies.
void expect_same(const machine::Pose& plane, const Pose& space, double tolerance, const std::string& when) {
  ASSERT_EQ(plane.bodies.size(), space.bodies.size());
  for (std::size_t b = 1; b < plane.bodies.size(); ++b) {
    const machine::BodyPose& p = plane.bodies[b];
    EXPECT_LT((space.bodies[b].origin - Vector3(p.x, p.y, 0)).norm(), tolerance) << b << " " << when;
    const Matrix3 turned = calc_cardan_rotation({0, 0, p.angle});
    EXPECT_LT((space.bodies[b].q.toRotationMatrix() - turned).norm(), tolerance) << b << " " << when;
  }
}

class LiftedStart : public testing::TestWithParam<const char*> {};

TEST_P(LiftedStart, AssemblesInTheSamePoseWithTheSameMobility) {
  const Both both = build_both(GetParam());
  const machine::Assembly plane = machine::build_start_pose(both.plane);
  const Assembly space = build_start_pose(both.space);
  ASSERT_TRUE(plane.assembled && space.assembled) << space.worst;
  expect_same(plane.pose, space.pose, 1e-11, "start");
  const machine::Mobility m = machine::calc_mobility(both.plane, plane);
  const Mobility n = calc_mobility(both.space, space);
  EXPECT_EQ(n.mobility, m.mobility);
  EXPECT_EQ(n.free_motions, m.free_motions);
  EXPECT_EQ(n.gruebler + static_cast<int>(n.redundant.size()), n.mobility);
}

INSTANTIATE_TEST_SUITE_P(Machines, LiftedStart,
                         testing::Values("four_bar", "crank_slider", "double_pendulum", "wheel_loader",
                                         "wheel_loader_cylinders", "z_bar_loader", "free/slider_crank",
                                         "free/wheel_loader_free", "free/pendulum", "excavator", "backhoe",
                                         "telehandler", "scissor_lift"),
                         [](const auto& test) {
                           std::string name = test.param;
                           std::replace(name.begin(), name.end(), '/', '_');
                           return name;
                         });

/// Values of all drives over time.
using Cycle = std::vector<std::vector<double>>;

Cycle build_waves(const machine::Assembly& start, double swing, int steps) {
  Cycle cycle;
  for (int i = 0; i <= steps; ++i) {
    cycle.push_back(start.drive_values);
    for (double& value : cycle.back()) value += swing * std::sin(0.02 * i);
  }
  return cycle;
}

/// The columns after the time.
Cycle read_cycle(const std::string& name) {
  std::ifstream in(std::string(RODEO_SOURCE_DIR) + "/configs/cycles/" + name + ".csv");
  std::string line;
  std::getline(in, line);
  Cycle cycle;
  while (std::getline(in, line)) {
    std::istringstream cells(line);
    std::string cell;
    std::getline(cells, cell, ',');
    cycle.emplace_back();
    while (std::getline(cells, cell, ',')) cycle.back().push_back(std::stod(cell));
  }
  return cycle;
}

void expect_same_driven(const Both& both, const Cycle& cycle) {
  const machine::Assembly plane = machine::build_start_pose(both.plane);
  const Assembly space = build_start_pose(both.space);
  Driven driven(both.space, space, calc_mobility(both.space, space));
  machine::Pose pose = plane.pose;
  for (std::size_t i = 0; i < cycle.size(); ++i) {
    const machine::Closure closure(both.plane, machine::build_rows(both.plane, true), cycle[i]);
    const machine::Closed closed = machine::build_closed(closure, pose);
    ASSERT_TRUE(closed.ok()) << i;
    pose = closed.pose;
    const std::vector<double> still(cycle[i].size());
    ASSERT_EQ(driven.step(cycle[i], still, still), DrivenStatus::ok) << i;
    expect_same(pose, driven.state().pose, kSame, std::to_string(i));
    EXPECT_LT(driven.state().residual, 1e-12);
  }
}

TEST(LiftedDrives, MoveTheFourBarAsInThePlane) {
  const Both both = build_both("four_bar");
  expect_same_driven(both, build_waves(machine::build_start_pose(both.plane), 1.0, 300));
}
TEST(LiftedDrives, MoveTheSliderCrankAsInThePlane) {
  const Both both = build_both("crank_slider");
  expect_same_driven(both, build_waves(machine::build_start_pose(both.plane), 1.0, 300));
}
TEST(LiftedDrives,
     MoveTheDoublePendulumAsInThePlane) {  // one drive is an angle to the ground without a joint there
  const Both both = build_both("double_pendulum");
  expect_same_driven(both, build_waves(machine::build_start_pose(both.plane), 3.0, 300));
}
TEST(LiftedDrives, MoveTheWheelLoaderThroughItsLoadingCycleAsInThePlane) {
  const Cycle cycle = read_cycle("loading");
  ASSERT_EQ(cycle.size(), 601u);
  expect_same_driven(build_both("wheel_loader"), cycle);
}
TEST(LiftedDrives, MoveTheWheelLoaderByItsCylindersAsInThePlane) {
  expect_same_driven(build_both("wheel_loader_cylinders"), read_cycle("loading_cylinders"));
}

void expect_same_free(const std::string& name, const std::string& method, double step,
                      const std::vector<std::string>& overrides = {}) {
  const Both both = build_both(name, overrides);
  dynamics::Problem plane =
      dynamics::build_problem(both.plane, machine::build_start_pose(both.plane), {{"all"}});
  dynamics::Problem space = build_problem(both.space, build_start_pose(both.space), {{"all"}});
  EXPECT_EQ(plane.mobility, space.mobility);
  const auto first = build_method(method, plane, {.step = step}),
             second = build_method(method, space, {.step = step});
  std::vector<machine::Pose> poses;
  std::vector<double> energies;
  run(*first, 1.0, 0.02, [&](const dynamics::Sample& sample) {
    poses.push_back(dynamic_cast<const dynamics::PlanarSystem&>(first->system()).build_pose(sample.state.q));
    energies.push_back(sample.energy.total());
    return true;
  });
  std::size_t i = 0;
  run(*second, 1.0, 0.02, [&](const dynamics::Sample& sample) {
    expect_same(poses[i], system_of(*second).build_pose(sample.state.q), kSame,
                name + " " + std::to_string(sample.t));
    EXPECT_NEAR(sample.energy.total(), energies[i], kSame * (1 + std::abs(energies[i])));
    ++i;
    return true;
  });
}

TEST(LiftedForces, MoveTheSliderCrankAsInThePlane) {
  expect_same_free("free/slider_crank", "minimal", 2e-4, {"T=0.5", "b=0.02"});
  expect_same_free("free/slider_crank", "lagrange", 1e-4, {"T=0.5", "b=0.02"});
}
TEST(LiftedForces, MoveTheFourBarAsInThePlane) { expect_same_free("four_bar", "minimal", 5e-4); }
TEST(LiftedForces, MoveTheWheelLoaderAsInThePlane) {
  expect_same_free("free/wheel_loader_free", "minimal", 1e-3);
}

}  // namespace
}  // namespace rodeo::spatial
