// SPDX-License-Identifier: MIT
// The drawing read back: well-formed, to scale, every name in it and escaped.
#include <gtest/gtest.h>

#include <algorithm>
#include <regex>

#include "kinematics/machine/draw.h"
#include "kinematics/text/yaml.h"
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

/// An arm straight up: A is at (0, 1), B at (0, 0.5).
std::string drawing_with(const std::string& forces) {
  const std::string yaml =
      "{name: arm, ground: {points: {O: [0, 0], W: [2, 1], P: [0, -1]}}, bodies: {arm: {points: "
      "{O: [0, 0], A: [1, 0], B: [0.5, 0]}}}, joints: [{revolute: [ground.O, arm.O]}], start: {arm: 90 deg}, "
      "forces: [" +
      forces + "]}";
  return drawing_of(build_machine(text::build_yaml_from_text(yaml, "test.yaml"), "test.yaml"));
}

/// Numbers of the points of each polyline or line of a class, x and y in turn.
std::vector<std::vector<double>> read_lines(const std::string& svg, const std::string& kind) {
  const std::regex shape(R"re(<(?:poly)?line ([^>]*)class=")re" + kind + "\"");
  const std::regex number(R"re([" ,](-?[0-9]+\.[0-9]+))re");
  std::vector<std::vector<double>> found;
  for (std::sregex_iterator it(svg.begin(), svg.end(), shape), end; it != end; ++it) {
    const std::string text = (*it)[1];
    found.emplace_back();
    for (std::sregex_iterator n(text.begin(), text.end(), number); n != end; ++n)
      found.back().push_back(std::stod((*n)[1]));
  }
  return found;
}

void expect_ends(const std::vector<double>& line, Vec2 a, Vec2 b) {
  ASSERT_GE(line.size(), 4u);
  EXPECT_NEAR(line[0], a.x, 0.01);
  EXPECT_NEAR(line[1], a.y, 0.01);
  EXPECT_NEAR(line[line.size() - 2], b.x, 0.01);
  EXPECT_NEAR(line.back(), b.y, 0.01);
}

TEST(DrawnForces, SpringRunsFromPointToPointInAZigzag) {
  const std::string svg = drawing_with("{spring: [ground.W, arm.A], stiffness: 1, name: soft}");
  const double s = read_scale(svg);
  const auto springs = read_lines(svg, "spring");
  ASSERT_EQ(springs.size(), 1u);
  expect_ends(springs[0], {2 * s, -s}, {0, -s});
  int turns = 0;
  for (std::size_t i = 5; i < springs[0].size(); i += 2)
    turns +=
        (springs[0][i - 2] + s) * (springs[0][i] + s) < 0 ? 1 : 0;  // the line between the ends is y = -s
  EXPECT_GE(turns, 3);
  EXPECT_NE(svg.find(">soft<"), std::string::npos);
  EXPECT_NE(svg.find(">1 body, 1 joint, 0 drives, 1 force<"), std::string::npos);
  EXPECT_TRUE(read_lines(svg, "damper").empty());
}

TEST(DrawnForces, SpringWithDampingHasADashpotBesideIt) {
  const std::string svg = drawing_with("{spring: [ground.W, arm.A], stiffness: 1, damping: 2}");
  const double s = read_scale(svg);
  const auto springs = read_lines(svg, "spring"), rods = read_lines(svg, "damper"),
             cups = read_lines(svg, "cup");
  ASSERT_EQ(springs.size(), 1u);
  ASSERT_EQ(rods.size(), 2u);
  ASSERT_EQ(cups.size(), 1u);
  expect_ends(springs[0], {2 * s, -s}, {0, -s});
  EXPECT_NEAR(rods[0][0], 2 * s, 0.01);
  EXPECT_NEAR(rods[1][rods[1].size() - 2], 0, 0.01);
  // The middles of the two are 20 pixels from each other.
  const double spring = springs[0][springs[0].size() - 5], cup = (cups[0][1] + cups[0].back()) / 2;
  EXPECT_NEAR(std::abs(spring - cup), 20, 0.01);
}

/// From P to A there are 2 m; the ends are at 1.5 m and 2.5 m from P, which is at y = -1.
TEST(DrawnForces, StopHasABarAtEitherEnd) {
  const std::string svg =
      drawing_with("{stop: [ground.P, arm.A], retracted: 1.5, stroke: 1, stiffness: 1, name: end}");
  const double s = read_scale(svg);
  const auto bars = read_lines(svg, "stop-end");
  ASSERT_EQ(bars.size(), 2u);
  EXPECT_NEAR((bars[0][0] + bars[0][2]) / 2, 0, 0.01);
  EXPECT_NEAR(bars[0][1], -0.5 * s, 0.01);
  EXPECT_NEAR(bars[1][1], -1.5 * s, 0.01);
  EXPECT_NE(svg.find(">end<"), std::string::npos);
}

TEST(DrawnForces, ContactHangsOverItsGround) {
  const std::string svg = drawing_with("{contact: arm.B, height: -0.2, stiffness: 1, name: floor}");
  const double s = read_scale(svg);
  const auto drops = read_lines(svg, "contact");
  ASSERT_EQ(drops.size(), 1u);
  expect_ends(drops[0], {0, -0.5 * s}, {0, 0.2 * s});
  const std::string ground =
      fmt::format(R"re(<line x1="-24.000" y1="{0:.3f}" x2="24.000" y2="{0:.3f}")re", 0.2 * s);
  EXPECT_NE(svg.find(ground), std::string::npos) << ground;
  EXPECT_NE(svg.find(">floor<"), std::string::npos);
}

/// (3, 4) N is 46 pixels along (0.6, 0.8).
TEST(DrawnForces, ForceIsAnArrowFromItsPoint) {
  const std::string svg = drawing_with("{force: arm.A, value: [3, 4], name: wind}");
  const std::string tip = fmt::format(R"(<polygon points="{:.3f},{:.3f} )", 27.6, -read_scale(svg) - 36.8);
  EXPECT_NE(svg.find(tip), std::string::npos) << tip;
  EXPECT_NE(svg.find(">wind<"), std::string::npos);
}

TEST(DrawnForces, InputShowsTheAxesThatItIsGivenIn) {
  const std::string svg = drawing_with("{force: arm.A, name: dig}");
  const double s = read_scale(svg);
  for (const std::string& tip : {fmt::format(R"(<polygon points="28.000,{:.3f} )", -s),
                                 fmt::format(R"(<polygon points="0.000,{:.3f} )", -s - 28)})
    EXPECT_NE(svg.find(tip), std::string::npos) << tip;
}

/// A sweep flag of 0 is counterclockwise on the page.
TEST(DrawnForces, TorqueTurnsAsItsSign) {
  const auto arc = [](const char* value) {
    const std::string svg = drawing_with(fmt::format("{{torque: arm, value: {}, name: motor}}", value));
    EXPECT_NE(svg.find(">motor<"), std::string::npos);
    std::smatch m;
    EXPECT_TRUE(std::regex_search(svg, m,
                                  std::regex("A17.000 17.000 0 1 ([01]) .*"
                                             "#6A1B9A")));
    return m[1].str();
  };
  EXPECT_EQ(arc("2"), "0");
  EXPECT_EQ(arc("-2"), "1");
  EXPECT_EQ(arc("-2*t"), "1");
}

TEST(DrawnForces, PayloadIsAtItsCentreOfMass) {
  const std::string svg = drawing_with("{payload: arm, mass: 3, com: [0.5, 0.25], name: load}");
  const double s = read_scale(svg);
  EXPECT_NE(svg.find(fmt::format(R"(<circle cx="{:.3f}" cy="{:.3f}" r="9.000" fill="#fff" class="payload")",
                                 -0.25 * s, -0.5 * s)),
            std::string::npos);
  EXPECT_NE(svg.find(">load<"), std::string::npos);
}

TEST(DrawnForces, AreWellFormedTogether) {
  EXPECT_TRUE(is_well_formed(drawing_with(
      "{spring: [ground.W, arm.A], stiffness: 1, damping: 1}, {damper: [arm.A, ground.W], damping: 1}, "
      "{stop: [ground.P, arm.A], retracted: 0, stroke: 1e9, stiffness: 1}, {contact: arm.A, stiffness: 1}, "
      "{spring: [ground.O, arm.O], stiffness: 1}, {stop: [ground.O, arm.O], retracted: 1, stiffness: 1}, "
      "{force: arm.A, name: dig}, {torque: arm, name: motor}, {payload: arm, name: load}, {friction: "
      "ground.O-arm.O, viscous: 1}")));
}

TEST(Drawing, GroundAloneIsAPictureToo) { EXPECT_TRUE(is_well_formed(drawing_of(Builder("empty").build()))); }

}  // namespace
}  // namespace rodeo::machine::testing
