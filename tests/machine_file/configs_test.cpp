// SPDX-License-Identifier: MIT
// The machines of configs/ are read, and close at their start angles. The oracle is each mechanism's own trigonometry.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "kinematics/machine/machine.h"
#include "kinematics/machine/pose.h"

namespace rodeo::machine {
namespace {

/// A start angle is a hint, written in whole degrees: within half of one.
constexpr double kHint = 0.5 * std::numbers::pi / 180.0;

Machine read_config(const std::string& name) {
  return build_machine_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/" + name + ".yaml");
}

double length_of(const Machine& m, std::size_t body) {
  return m.bodies[body].points[1].x.value - m.bodies[body].points[0].x.value;
}

TEST(Configs, DoublePendulumHasTwoRodsDrivenByTheirAngles) {
  const Machine m = read_config("double_pendulum");
  EXPECT_EQ(m.bodies.size(), 3u);
  EXPECT_EQ(m.joints.size(), 2u);
  ASSERT_EQ(m.drives.size(), 2u);
  EXPECT_EQ(m.drives[0].name, "rod1");
  EXPECT_EQ(m.drives[1].name, "rod2");
  EXPECT_EQ(m.bodies[2].points[1].x.expr, expr::symbol("L2"));
}

TEST(Configs, CrankSliderHasNoPistonAndClosesAtItsStart) {
  const Machine m = read_config("crank_slider");
  EXPECT_EQ(m.bodies.size(), 3u);
  EXPECT_EQ(m.joints[2].kind, JointKind::slider);
  // L1 sin x1 + L2 sin x2 = 0
  const double rod = -std::asin(length_of(m, 1) * std::sin(*m.start_drives[0]) / length_of(m, 2));
  EXPECT_NEAR(*m.start_angles[2], rod, kHint);
}

TEST(Configs, FourBarRunsItsRockerFromTheMovingPinToTheGroundAndClosesAtItsStart) {
  const Machine m = read_config("four_bar");
  EXPECT_EQ(m.point_name({3, 0}), "rocker.C");
  EXPECT_EQ(m.point_name({3, 1}), "rocker.Q");
  const double L0 = m.bodies[0].points[1].x.value, L1 = length_of(m, 1), L2 = length_of(m, 2),
               L3 = length_of(m, 3);
  // cosine rule in the triangle B C Q
  const double dx = L0 - L1 * std::cos(*m.start_drives[0]), dy = -L1 * std::sin(*m.start_drives[0]);
  const double d = std::hypot(dx, dy);
  const double coupler = std::atan2(dy, dx) + std::acos((L2 * L2 + d * d - L3 * L3) / (2 * L2 * d));
  const double rocker = std::atan2(dy - L2 * std::sin(coupler), dx - L2 * std::cos(coupler));
  EXPECT_NEAR(*m.start_angles[2], coupler, kHint);
  EXPECT_NEAR(*m.start_angles[3], rocker, kHint);
}

TEST(Configs, AssembleAtTheirStart) {
  for (const char* name : {"double_pendulum", "crank_slider", "four_bar"}) {
    const Assembly start = build_start_pose(read_config(name));
    EXPECT_TRUE(start.assembled) << name << " " << start.worst;
    EXPECT_LT(start.residual, 1e-12) << name;
  }
}

TEST(Configs, GiveEveryBodyItsMassData) {
  for (const char* name : {"double_pendulum", "crank_slider", "four_bar"}) {
    const Machine m = read_config(name);
    EXPECT_TRUE(m.gravity_y.has_value()) << name;
    for (std::size_t i = 1; i < m.bodies.size(); ++i) {
      EXPECT_TRUE(m.bodies[i].mass && m.bodies[i].com_x && m.bodies[i].inertia)
          << name << " " << m.bodies[i].name;
      EXPECT_EQ(m.bodies[i].com_x->value, length_of(m, i) / 2);
    }
  }
}

}  // namespace
}  // namespace rodeo::machine
