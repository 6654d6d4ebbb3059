// SPDX-License-Identifier: MIT
// The drawing read back: well-formed, to scale, every name in it and escaped.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "kinematics/machine/draw.h"
#include "tests/pose/machines.h"
#include "tests/reference/drawing.h"

namespace rodeo::machine::testing {
namespace {

using reference::is_well_formed;
using reference::read_scale;

Machine driven_four_bar() {
  Builder b = four_bar();
  b.drive_angle("crank", "crank")
      .start_drive("crank", 1)
      .start_angle("coupler", 0.4)
      .start_angle("rocker", 1.4);
  return b.output("tip", "coupler.tracer").build();
}

std::string drawing_of(const Machine& machine) {
  return build_drawing(machine, build_start_pose(machine).pose);
}

std::vector<Vec2> read_circles(const std::string& svg, const std::string& kind) {
  const std::regex circle(R"re(<circle cx="([^"]+)" cy="([^"]+)" r="[^"]+" class=")re" + kind);
  std::vector<Vec2> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), circle), end; it != end; ++it) {
    found.push_back({std::stod((*it)[1]), std::stod((*it)[2])});
  }
  return found;
}

TEST(Drawing, IsWellFormedForEveryKindOfPart) {
  Builder b("parts");
  b.ground({{"O", 0, 0}, {"S", 2, 0}, {"P", -1, -1}});
  b.body("arm", {{"O", 0, 0}, {"A", 1, 0}, {"B", 0.5, 0.4}})
      .body("piston", {{"C", 0, 0}})
      .body("rod", {{"A", 0, 0}, {"C", 1, 0}});
  b.pin("ground.O", "arm.O")
      .pin("arm.A", "rod.A")
      .pin("rod.C", "piston.C")
      .prismatic("ground.S", "piston.C", 0);
  b.drive_slide("push", "ground.S", "piston.C").drive_cylinder("lift", "ground.P", "arm.B");
  b.drive_relative("bend", "arm", "rod").slider("arm.O", "rod.C", 0.2).output("tip", "rod.C");
  const Machine machine = b.build();
  const std::string svg = build_drawing(machine, build_start_pose(machine).pose);
  EXPECT_TRUE(is_well_formed(svg)) << svg;
  for (const char* name :
       {">parts<", ">arm<", ">piston<", ">rod<", ">tip<", "push = ", "lift = ", "bend = "}) {
    EXPECT_NE(svg.find(name), std::string::npos) << name;
  }
}

TEST(Drawing, PinsStandWhereThePoseSaysToScale) {
  const Machine machine = driven_four_bar();
  const Pose pose = build_start_pose(machine).pose;
  const std::string svg = build_drawing(machine, pose);
  const double scale = read_scale(svg);
  const std::vector<Vec2> pins = read_circles(svg, "pin");
  ASSERT_EQ(pins.size(), 8u);  // both sides of four joints
  for (const Joint& joint : machine.joints) {
    const Vec2 p = calc_position(machine, pose, joint.first);
    const auto count = std::count_if(pins.begin(), pins.end(), [&](Vec2 pin) {
      return std::hypot(pin.x - scale * p.x, pin.y + scale * p.y) <
             0.01;  // pixels: three decimals are written
    });
    EXPECT_EQ(count, 2) << joint.name;
  }
  const std::vector<Vec2> marked = read_circles(svg, "output");
  const Vec2 tip = calc_position(machine, pose, {2, 2});
  ASSERT_EQ(marked.size(), 1u);
  EXPECT_NEAR(marked[0].x, scale * tip.x, 0.01);
  EXPECT_NEAR(marked[0].y, -scale * tip.y, 0.01);
}

TEST(Drawing, EscapesNames) {
  Machine machine = driven_four_bar();
  machine.name = "a<b & \"c\"";
  machine.bodies[1].name = "<crank>";
  machine.bodies[1].points[0].name = "O'&";
  const std::string svg = drawing_of(machine);
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_NE(svg.find("a&lt;b &amp; &quot;c&quot;"), std::string::npos);
  EXPECT_NE(svg.find("&lt;crank&gt;"), std::string::npos);
  EXPECT_NE(svg.find("O&apos;&amp;"), std::string::npos);
}

TEST(Drawing, IsTheSameOnEveryRun) {
  EXPECT_EQ(drawing_of(driven_four_bar()), drawing_of(driven_four_bar()));
}

TEST(Drawing, NamesEveryBodyOfALongChain) {
  const Machine machine = windows(200, 1.2);
  const std::string svg = drawing_of(machine);
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    ASSERT_NE(svg.find(">" + machine.bodies[b].name + "<"), std::string::npos) << machine.bodies[b].name;
  }
}

TEST(Drawing, GroundAloneIsAPictureToo) { EXPECT_TRUE(is_well_formed(drawing_of(Builder("empty").build()))); }

}  // namespace
}  // namespace rodeo::machine::testing
