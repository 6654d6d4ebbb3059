// SPDX-License-Identifier: MIT
// Start poses against closed forms that share no code with the solver. Tolerance 1e-12: two orders above the rounding of
// lengths near 1 in a well-conditioned pose.
#include <gtest/gtest.h>

#include <random>

#include "kinematics/machine/pose.h"
#include "tests/pose/machines.h"

namespace rodeo::machine::testing {
namespace {

constexpr double kTight = 1e-12;

/// Where two circles meet, left (+1) or right (-1) of the line between their centres.
Vec2 intersect(Vec2 a, double ra, Vec2 b, double rb, int side) {
  const double dx = b.x - a.x, dy = b.y - a.y, d = std::sqrt(dx * dx + dy * dy);
  const double along = (ra * ra - rb * rb + d * d) / (2 * d),
               across = side * std::sqrt(ra * ra - along * along);
  return {a.x + (along * dx - across * dy) / d, a.y + (along * dy + across * dx) / d};
}

struct FourBarAngles {
  double coupler, rocker;
};
FourBarAngles solve_four_bar(double crank, int side) {
  const FourBar l;
  const Vec2 b{l.crank * std::cos(crank), l.crank * std::sin(crank)}, q{l.ground, 0};
  const Vec2 c = intersect(b, l.coupler, q, l.rocker, side);
  return {std::atan2(c.y - b.y, c.x - b.x), std::atan2(c.y, c.x - q.x)};
}

double angle_of(const Machine& machine, const Assembly& assembly, const std::string& name) {
  for (std::size_t b = 0; b < machine.bodies.size(); ++b) {
    if (machine.bodies[b].name == name) return assembly.pose.bodies[b].angle;
  }
  throw std::out_of_range(name);
}

TEST(StartPose, FourBarEqualsTheIntersectionOfTwoCircles) {
  for (const double crank : {0.1, 1.0, 2.0, 3.0, -1.0, -2.5}) {
    const Machine machine = four_bar()
                                .drive_angle("crank", "crank")
                                .start_drive("crank", crank)
                                .start_angle("crank", crank)
                                .start_angle("rocker", 1.5)
                                .build();
    const Assembly start = build_start_pose(machine);
    ASSERT_TRUE(start.assembled) << crank << ": " << start.worst;
    EXPECT_LT(start.residual, 1e-14);
    const FourBarAngles exact = solve_four_bar(crank, 1);
    EXPECT_EQ(start.drive_values[0], crank);
    EXPECT_NEAR(angle_of(machine, start, "crank"), crank, kTight);
    EXPECT_NEAR(angle_of(machine, start, "coupler"), exact.coupler, kTight);
    EXPECT_NEAR(angle_of(machine, start, "rocker"), exact.rocker, kTight);
  }
}

TEST(StartPose, RoughStartAnglesPickEitherBranch) {
  for (const int side : {1, -1}) {
    const FourBarAngles exact = solve_four_bar(1.0, side);
    const Machine machine = four_bar()
                                .drive_angle("crank", "crank")
                                .start_drive("crank", 1.0)
                                .start_angle("coupler", exact.coupler + 0.3)
                                .start_angle("rocker", exact.rocker - 0.3)
                                .build();
    const Assembly start = build_start_pose(machine);
    ASSERT_TRUE(start.assembled);
    EXPECT_NEAR(angle_of(machine, start, "coupler"), exact.coupler, kTight);
    EXPECT_NEAR(angle_of(machine, start, "rocker"), exact.rocker, kTight);
  }
}

TEST(StartPose, OneRoughAnglePicksEitherBranch) {
  for (const int side : {1, -1}) {
    const FourBarAngles exact = solve_four_bar(0.8, side);
    const Machine machine = four_bar()
                                .drive_angle("crank", "crank")
                                .start_drive("crank", 0.8)
                                .start_angle("rocker", exact.rocker + 0.2)
                                .build();
    const Assembly start = build_start_pose(machine);
    ASSERT_TRUE(start.assembled);
    EXPECT_NEAR(angle_of(machine, start, "rocker"), exact.rocker, kTight) << side;
  }
}

TEST(StartPose, AssemblesWithoutAnyStartAngle) {
  const Machine machine = four_bar().drive_angle("lift", "crank").start_drive("lift", 1.0).build();
  const Assembly start = build_start_pose(machine);
  ASSERT_TRUE(start.assembled);
  EXPECT_NEAR(angle_of(machine, start, "crank"), 1.0, kTight);
  const double rocker = angle_of(machine, start, "rocker");
  const double nearest = std::min(std::abs(rocker - solve_four_bar(1.0, 1).rocker),
                                  std::abs(rocker - solve_four_bar(1.0, -1).rocker));
  EXPECT_LT(nearest, kTight);
}

TEST(StartPose, CrankSliderEqualsItsClosedForm) {
  for (const double crank : {0.0, 0.7, 1.6, 3.0, -2.0}) {
    const Machine machine = crank_slider()
                                .drive_angle("crank", "crank")
                                .start_drive("crank", crank)
                                .start_angle("rod", 0.1)
                                .build();
    const Assembly start = build_start_pose(machine);
    ASSERT_TRUE(start.assembled);
    EXPECT_NEAR(angle_of(machine, start, "rod"), -std::asin(0.3 / 0.8 * std::sin(crank)), kTight);
    const double stroke = 0.3 * std::cos(crank) + std::sqrt(0.64 - std::pow(0.3 * std::sin(crank), 2));
    EXPECT_NEAR(calc_position(machine, start.pose, {2, 1}).x, stroke, kTight);
  }
}

TEST(StartPose, DriveThatIsNotListedTakesItsBodysStartAngleExactly) {
  const Machine machine = four_bar()
                              .drive_angle("lift", "crank")
                              .start_angle("crank", 1.0)
                              .start_angle("coupler", 0.5)
                              .start_angle("rocker", 1.5)
                              .build();
  const Assembly start = build_start_pose(machine);
  ASSERT_TRUE(start.assembled);
  EXPECT_EQ(start.drive_values[0], 1.0);
  EXPECT_NEAR(angle_of(machine, start, "rocker"), solve_four_bar(1.0, 1).rocker, kTight);
}

TEST(StartPose, RelativeDriveThatIsNotListedTakesTheDifference) {
  Builder b("arm");
  b.ground({{"O", 0, 0}}).body("boom", {{"O", 0, 0}, {"A", 2, 0}}).body("stick", {{"A", 0, 0}, {"T", 1, 0}});
  b.pin("ground.O", "boom.O").pin("boom.A", "stick.A");
  b.drive_angle("lift", "boom").drive_relative("tilt", "boom", "stick").start_drive("lift", 0.35);
  b.start_angle("boom", 0.3).start_angle("stick", 0.5);
  const Assembly start = build_start_pose(b.build());
  ASSERT_TRUE(start.assembled);
  EXPECT_DOUBLE_EQ(start.drive_values[1], 0.2);
  EXPECT_NEAR(start.pose.bodies[2].angle, 0.55, kTight);
}

/// Boom of 2 m on (0, 0), cylinder from (0.5, -0.8) to 1.2 m along the boom.
Builder boom() {
  Builder b("boom");
  b.ground({{"O", 0, 0}, {"P", 0.5, -0.8}}).body("boom", {{"O", 0, 0}, {"R", 1.2, 0}, {"tip", 2, 0}});
  b.pin("ground.O", "boom.O").drive_cylinder("lift", "ground.P", "boom.R");
  return b;
}

TEST(StartPose, CylinderThatIsNotListedTakesTheLengthOfItsBodysAngle) {
  const Machine machine = boom().start_angle("boom", 0.4).build();
  const Assembly start = build_start_pose(machine);
  ASSERT_TRUE(start.assembled);
  EXPECT_NEAR(start.pose.bodies[1].angle, 0.4, kTight);
  const double length = std::hypot(1.2 * std::cos(0.4) - 0.5, 1.2 * std::sin(0.4) + 0.8);
  EXPECT_NEAR(start.drive_values[0], length, kTight);
}

TEST(StartPose, CylinderSetsTheBoomByTheLawOfCosines) {
  const Machine machine = boom().start_drive("lift", 1.3).start_angle("boom", 0.2).build();
  const Assembly start = build_start_pose(machine);
  ASSERT_TRUE(start.assembled);
  const double foot = std::hypot(0.5, 0.8);
  const double between = std::acos((foot * foot + 1.44 - 1.69) / (2 * foot * 1.2));
  EXPECT_NEAR(start.pose.bodies[1].angle, std::atan2(-0.8, 0.5) + between, kTight);
  EXPECT_EQ(start.drive_values[0], 1.3);
}

TEST(StartPose, SlideOfAPistonIsItsPositionThroughZero) {
  for (const double slide : {-0.4, 0.0, 0.7}) {
    Builder b("piston");
    b.ground({{"S", 0.2, 0.1}}).body("piston", {{"P", 0.05, 0}});
    b.prismatic("ground.S", "piston.P", 30 * kDegree, 0.25).drive_slide("push", "ground.S", "piston.P");
    const Machine machine = b.start_drive("push", slide).build();
    const Assembly start = build_start_pose(machine);
    ASSERT_TRUE(start.assembled);
    EXPECT_NEAR(start.pose.bodies[1].angle, 0.25, kTight);
    const Vec2 p = calc_position(machine, start.pose, {1, 0});
    EXPECT_NEAR(p.x, 0.2 + slide * std::cos(30 * kDegree), kTight);
    EXPECT_NEAR(p.y, 0.1 + slide * std::sin(30 * kDegree), kTight);
  }
}

TEST(StartPose, PistonOnARodFollowsTheCrank) {
  Builder b("engine");
  b.ground({{"O", 0, 0}})
      .body("crank", {{"O", 0, 0}, {"B", 0.3, 0}})
      .body("rod", {{"B", 0, 0}, {"C", 0.8, 0}});
  b.body("piston", {{"C", 0, 0}, {"top", 0.1, 0}});
  b.pin("ground.O", "crank.O")
      .pin("crank.B", "rod.B")
      .pin("rod.C", "piston.C")
      .prismatic("ground.O", "piston.C", 0);
  const Machine machine = b.drive_angle("crank", "crank").start_drive("crank", 1.1).build();
  const Assembly start = build_start_pose(machine);
  ASSERT_TRUE(start.assembled);
  EXPECT_NEAR(calc_position(machine, start.pose, {3, 0}).x,
              0.3 * std::cos(1.1) + std::sqrt(0.64 - std::pow(0.3 * std::sin(1.1), 2)), kTight);
}

TEST(StartPose, KeepsAnglesBeyondAWholeTurn) {
  const double crank = 1.0 + 4 * std::numbers::pi;
  const Machine machine = four_bar()
                              .drive_angle("crank", "crank")
                              .start_drive("crank", crank)
                              .start_angle("crank", crank)
                              .start_angle("coupler", 0.4 - 2 * std::numbers::pi)
                              .start_angle("rocker", 1.5)
                              .build();
  const Assembly start = build_start_pose(machine);
  ASSERT_TRUE(start.assembled);
  EXPECT_NEAR(angle_of(machine, start, "crank"), crank, kTight);
  EXPECT_NEAR(angle_of(machine, start, "coupler"), solve_four_bar(1.0, 1).coupler - 2 * std::numbers::pi,
              kTight);
  EXPECT_NEAR(angle_of(machine, start, "rocker"), solve_four_bar(1.0, 1).rocker, kTight);
}

TEST(StartPose, WithoutDrivesTheFirstBodysAngleIsExactAndTheRestPickTheBranch) {
  const Machine machine =
      four_bar().start_angle("crank", 1.0).start_angle("coupler", 0.5).start_angle("rocker", 1.4).build();
  const Assembly start = build_start_pose(machine);
  ASSERT_TRUE(start.assembled);
  EXPECT_NEAR(angle_of(machine, start, "crank"), 1.0, kTight);
  EXPECT_NEAR(angle_of(machine, start, "rocker"), solve_four_bar(1.0, 1).rocker, kTight);
}

/// The four-bar with every frame at the origin in the pose drawn.
Builder drawn_four_bar() {
  Builder b("drawn");
  b.ground({{"O", 10, 0}, {"Q", 11.4, 0}}).body("crank", {{"O", 10, 0}, {"B", 10.25, 0.433}});
  b.body("coupler", {{"B", 10.25, 0.433}, {"C", 11.35, 0.91}})
      .body("rocker", {{"C", 11.35, 0.91}, {"Q", 11.4, 0}});
  b.pin("ground.O", "crank.O")
      .pin("crank.B", "coupler.B")
      .pin("coupler.C", "rocker.C")
      .pin("ground.Q", "rocker.Q");
  b.start_angle("crank", 0).start_angle("coupler", 0).start_angle("rocker", 0);
  return b;
}

TEST(StartPose, DrawingStartsExactlyAsDrawn) {
  const Assembly start = build_start_pose(drawn_four_bar().drive_angle("crank", "crank").build());
  ASSERT_TRUE(start.assembled);
  EXPECT_EQ(start.residual, 0.0);
  for (const BodyPose& body : start.pose.bodies) {
    EXPECT_EQ(body.x, 0.0);
    EXPECT_EQ(body.y, 0.0);
    EXPECT_EQ(body.angle, 0.0);
  }
}

TEST(StartPose, AngleListedInADrawingWinsOverTheOnesAsDrawn) {
  const Machine machine = drawn_four_bar().start_angle("rocker", 0.2).build();
  const Assembly start = build_start_pose(machine);
  ASSERT_TRUE(start.assembled);
  EXPECT_NEAR(angle_of(machine, start, "rocker"), 0.2, kTight);
}

TEST(StartPose, RedundantCranksAssembleToRounding) {
  for (const double angle : {0.0, 0.5, 1.5}) {
    const Assembly start =
        build_start_pose(three_cranks(angle).drive_angle("a", "a").start_drive("a", angle).build());
    EXPECT_TRUE(start.assembled);
    EXPECT_LT(start.residual, 1e-14);
  }
}

TEST(StartPose, LinksThatCannotMeetNameTheWorstRow) {
  const Machine machine = four_bar({.crank = 5.0})
                              .drive_angle("crank", "crank")
                              .start_drive("crank", 1.0)
                              .start_angle("rocker", 1.0)
                              .build();
  const Assembly start = build_start_pose(machine);
  EXPECT_FALSE(start.assembled);
  EXPECT_GT(start.residual, 0.1);
  EXPECT_NE(start.worst.find("joint '"), std::string::npos) << start.worst;
  EXPECT_GT(start.where.line, 0);
}

TEST(StartPose, DrivesThatContradictEachOtherDoNotAssemble) {
  const Machine machine = four_bar()
                              .drive_angle("crank", "crank")
                              .drive_angle("rocker", "rocker")
                              .start_drive("crank", 1.0)
                              .start_drive("rocker", 0.5)
                              .build();
  EXPECT_FALSE(build_start_pose(machine).assembled);
}

TEST(PoseNear, FollowsTheBranchOverSeveralTurns) {
  const Machine machine = four_bar()
                              .drive_angle("crank", "crank")
                              .start_drive("crank", 1.0)
                              .start_angle("coupler", 0.4)
                              .start_angle("rocker", 1.5)
                              .build();
  const Assembly start = build_start_pose(machine);
  const double target = 1.3 + 4 * std::numbers::pi;
  const Assembly moved = build_pose_near(machine, start.pose, {target});
  ASSERT_TRUE(moved.assembled);
  EXPECT_NEAR(angle_of(machine, moved, "crank"), target, kTight);
  EXPECT_NEAR(angle_of(machine, moved, "rocker"), solve_four_bar(1.3, 1).rocker, kTight);
}

TEST(PoseNear, OutOfReachIsNotAssembled) {
  const Machine machine = boom().start_drive("lift", 1.3).start_angle("boom", 0.2).build();
  EXPECT_FALSE(build_pose_near(machine, build_start_pose(machine).pose, {3.0}).assembled);
}

/// Every kind of row in one machine, in a pose that closes nothing.
Machine all_kinds() {
  Builder b("all");
  b.ground({{"O", 0.1, 0.2}}).body("a", {{"P", 0.3, -0.4}, {"Q", 1, 0.5}}).body("b", {{"R", -0.6, 0.7}});
  b.pin("ground.O", "a.P").pin("a.Q", "b.R").slider("a.P", "b.R", 0.3).prismatic("a.Q", "b.R", 1.1, 0.2);
  b.drive_slide("d0", "a.Q", "b.R").drive_angle("d1", "b").drive_relative("d2", "a", "b");
  return b.drive_cylinder("d3", "a.P", "b.R").build();
}

TEST(Jacobian, EqualsCentralDifferences) {
  const Machine machine = all_kinds();
  const std::vector<Row> rows = build_rows(machine, true);
  const std::vector<double> values(4, 0.5);
  ASSERT_EQ(rows.size(), 2u + 2u + 1u + 2u + 4u);
  Pose pose{{{}, {0.3, -0.2, 0.7}, {-0.5, 0.9, -1.9}}};
  const Eigen::MatrixXd jacobian = calc_jacobian(machine, pose, rows);
  constexpr double kStep = 1e-6;
  for (int c = 0; c < 6; ++c) {
    BodyPose& body = pose.bodies[1 + c / 3];
    double& q = c % 3 == 0 ? body.x : c % 3 == 1 ? body.y : body.angle;
    const double at = q;
    q = at + kStep;
    const Eigen::VectorXd high = calc_residuals(machine, pose, rows, values);
    q = at - kStep;
    const Eigen::VectorXd low = calc_residuals(machine, pose, rows, values);
    q = at;
    // Central differences of smooth rows of size 1: step² and rounding / step, both below 1e-9.
    EXPECT_LT(((high - low) / (2 * kStep) - jacobian.col(c)).cwiseAbs().maxCoeff(), 1e-9)
        << "coordinate " << c;
  }
}

TEST(RowName, SaysJointAndComponentOrDrive) {
  const Machine machine = all_kinds();
  EXPECT_EQ(row_name(machine, {.joint = 0, .component = 1}), "joint 'ground.O-a.P' (y)");
  EXPECT_EQ(row_name(machine, {.joint = 2}), "joint 'a.P-b.R' (across)");
  EXPECT_EQ(row_name(machine, {.joint = 3, .component = 1}), "joint 'a.Q-b.R' (angle)");
  EXPECT_EQ(row_name(machine, {.drive = 2}), "drive 'd2'");
}

}  // namespace
}  // namespace rodeo::machine::testing
