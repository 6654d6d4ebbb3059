// SPDX-License-Identifier: MIT
// Where slides begin that nothing drives and no loop holds, by hand.
#include <gtest/gtest.h>

#include "kinematics/machine/pose.h"
#include "tests/machine_file/sample.h"

namespace rodeo::machine {
namespace {

constexpr double kTight = 1e-14;

Vec2 find_place(const Machine& machine, int body) {
  const Assembly start = build_start_pose(machine);
  EXPECT_TRUE(start.assembled) << start.worst;
  EXPECT_LT(start.residual, kTight);
  return calc_position(machine, start.pose, {body, 0});
}

void expect_at(const std::string& text, double x, double y) {
  const Vec2 at = find_place(read(text), 1);
  EXPECT_NEAR(at.x, x, kTight);
  EXPECT_NEAR(at.y, y, kTight);
}

std::string sled(const std::string& joint, const std::string& start) {
  return "ground: {points: {S: [0.5, 0.2]}}\n"
         "bodies: {sled: {points: {P: [0.3, 0.1]}}}\n"
         "joints: [{" +
         joint + ": [ground.S, sled.P], direction: [0.8, 0.6], name: ram}]\nstart: {" + start + "}\n";
}

TEST(FreeSlide, BeginsWithItsSecondPointAtItsFirst) {
  expect_at(sled("prismatic", ""), 0.5, 0.2);
  expect_at(sled("slider", ""), 0.5, 0.2);
  expect_at(sled("slider", "sled: 40 deg"), 0.5, 0.2);
}

TEST(FreeSlide, BeginsWhereTheFileSays) {
  expect_at(sled("prismatic", "ram: 0.25"), 0.7, 0.35);
  expect_at(sled("slider", "sled: 40 deg, ram: -250 mm"), 0.3, 0.05);
}

TEST(FreeSlide, OfTheGroundInABodyMovesTheBody) {
  expect_at(
      "ground: {points: {S: [0.5, 0.2]}}\n"
      "bodies: {sled: {points: {P: [0.3, 0.1]}}}\n"
      "joints: [{prismatic: [sled.P, ground.S], direction: [0, 1], name: ram}]\nstart: {ram: 0.25}\n",
      0.5, -0.05);
}

TEST(FreeSlide, CarriesWhatHangsOnIt) {
  const Machine machine = read(
      "ground: {points: {S: [0.5, 0.2]}}\n"
      "bodies: {sled: {points: {P: [0.3, 0.1], Q: [1.3, 0.1]}}, bob: {points: {R: [0, 0]}}}\n"
      "joints: [{revolute: [sled.Q, bob.R]}, {prismatic: [ground.S, sled.P], direction: [1, 0], name: ram}]\n"
      "start: {ram: 2}\n");
  const Vec2 bob = find_place(machine, 2);
  EXPECT_NEAR(bob.x, 3.5, kTight);
  EXPECT_NEAR(bob.y, 0.2, kTight);
}

/// On a link of a closed loop, whose iteration moves everything a little.
TEST(FreeSlide, OnAMovingGuideBeginsThereToo) {
  const std::string text =
      with(with(kFourBar, "bodies:\n", "bodies:\n  block: {points: {K: [0.1, 0]}}\n"),
           "joints:", "joints:\n  - {slider: [coupler.tracer, block.K], direction: [0, 1]}\n  #");
  const Machine machine = read(text);
  const Assembly start = build_start_pose(machine);
  ASSERT_TRUE(start.assembled);
  const Vec2 block = calc_position(machine, start.pose, {1, 0});
  const Vec2 tracer = calc_position(machine, start.pose, machine.joints[0].first);
  EXPECT_NEAR(block.x, tracer.x, kTight);
  EXPECT_NEAR(block.y, tracer.y, kTight);
}

TEST(FreeSlide, OfADrawingIsWhereItIsDrawn) {
  const Machine machine = read(
      "drawing:\n"
      "  points: {S: [0.5, 0.2], P: [0.9, 0.2]}\n"
      "  ground: [S]\n"
      "  bodies: {sled: [P]}\n"
      "joints: [{prismatic: [S, P], direction: [1, 0]}]\n");
  const Vec2 at = find_place(machine, 1);
  EXPECT_NEAR(at.x, 0.9, kTight);
  EXPECT_NEAR(at.y, 0.2, kTight);
}

TEST(FreeSlide, IsNoneThatALoopHolds) {
  EXPECT_EQ(
      faults_of("ground: {points: {O: [0, 0]}}\n"
                "bodies:\n"
                "  piston: {points: {C: [0, 0]}}\n"
                "  crank: {points: {O: [0, 0], B: [1, 0]}}\n"
                "  rod: {points: {B: [0, 0], C: [2, 0]}}\n"
                "joints:\n"
                "  - {revolute: [ground.O, crank.O]}\n"
                "  - {prismatic: [ground.O, piston.C], direction: [1, 0], name: guide}\n"
                "  - {revolute: [piston.C, rod.C]}\n"
                "  - {revolute: [crank.B, rod.B]}\n"
                "start: {crank: 90 deg, guide: 1.7}\n"),
      "m.yaml:11: start 'guide': a loop of the machine holds this slide: give angles of bodies, which pick "
      "the branch");
}

TEST(FreeSlide, ThatIsDrivenHasTheStartOfItsDrive) {
  EXPECT_EQ(faults_of(with(sled("prismatic", "ram: 1"),
                           "start:", "drives: {push: {slide: [ground.S, sled.P]}}\nstart:")),
            "m.yaml:5: start 'ram': drive 'push' moves this joint: give 'push' a value");
}

}  // namespace
}  // namespace rodeo::machine
