// SPDX-License-Identifier: MIT
// The drawing of a machine in space read back: well-formed, every point of every view where a hand calculation has it, names.
#include <array>
#include <cmath>
#include <regex>

#include "kinematics/spatial/draw.h"
#include "tests/reference/drawing.h"
#include "tests/spatial/support.h"

namespace rodeo::spatial {
namespace {

using reference::is_well_formed;
using reference::read_scale;
using testing_support::build_config;
using testing_support::build_text;

constexpr double kPixel = 0.01;  // three decimals are written

/// An arm turned by 90° about z: its tip, (0.5, 0, 0.2) in its own frame, is at (0.1, 0.7, 0.5).
constexpr const char* kArm = R"(
name: arm
ground: {points: {P: [0.1, 0.2, 0.3]}}
bodies: {arm: {points: {P: [0, 0, 0], tip: [0.5, 0, 0.2]}}}
joints: [{revolute: [ground.P, arm.P], axis: [0, 0, 1], name: pivot}]
drives: {swing: {joint: pivot}}
start: {swing: 90 deg}
outputs: {end: arm.tip}
)";

std::string drawing_of(const Machine& machine) {
  return build_drawing(machine, build_start_pose(machine).pose);
}

/// The group of a view and where the page has its origin.
struct Part {
  double x = 0, y = 0;
  std::string text;
};
Part read_part(const std::string& svg, const std::string& name) {
  const std::regex begin("<g class=\"" + name + R"re(" transform="translate\(([^ ]+) ([^)]+)\)">)re");
  std::smatch m;
  if (!std::regex_search(svg, m, begin)) {
    ADD_FAILURE() << "no view " << name;
    return {};
  }
  const std::string rest = m.suffix();
  return {std::stod(m[1]), std::stod(m[2]), rest.substr(0, rest.find("</g>"))};
}

using Place = std::array<double, 2>;

std::vector<Place> read_points(const std::string& part) {
  static const std::regex kPoint(R"re(<circle cx="([^"]+)" cy="([^"]+)" r="[^"]+" class="point")re");
  std::vector<Place> places;
  for (std::sregex_iterator it(part.begin(), part.end(), kPoint), end; it != end; ++it)
    places.push_back({std::stod((*it)[1]), std::stod((*it)[2])});
  return places;
}

/// Points in the order of the file: ground.P, arm.P, arm.tip.
void expect_points(const std::string& svg, const std::string& view, const Place& pivot, const Place& tip) {
  const double scale = read_scale(svg);
  const std::vector<Place> points = read_points(read_part(svg, view).text);
  ASSERT_EQ(points.size(), 3u) << view;
  const std::array<Place, 3> expected{pivot, pivot, tip};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_NEAR(points[i][0], scale * expected[i][0], kPixel) << view << " " << i;
    EXPECT_NEAR(points[i][1], -scale * expected[i][1], kPixel) << view << " " << i;
  }
}

TEST(DrawingInSpace, HasEveryPointWhereItsProjectionIs) {
  const std::string svg = drawing_of(build_text(kArm));
  const double c = std::sqrt(3.0) / 2;
  expect_points(svg, "front", {0.1, 0.3}, {0.1, 0.5});
  expect_points(svg, "side", {0.2, 0.3}, {0.7, 0.5});
  expect_points(svg, "top", {0.1, 0.2}, {0.1, 0.7});
  // Along x 30° down to the right, along y 30° up to the right, along z up, each to scale. THEORY S13.
  expect_points(svg, "isometric", {0.3 * c, 0.05 + 0.3}, {0.8 * c, 0.3 + 0.5});
}

TEST(DrawingInSpace, ViewsStandAsInThirdAngleProjection) {
  const std::string svg = drawing_of(build_text(kArm));
  const Part front = read_part(svg, "front"), side = read_part(svg, "side"), top = read_part(svg, "top");
  EXPECT_EQ(top.x, front.x);  // x above x
  EXPECT_LT(top.y, front.y);
  EXPECT_EQ(side.y, front.y);  // z beside z
  EXPECT_GT(side.x, front.x);
}

TEST(DrawingInSpace, OutputStandsAtItsPoint) {
  const std::string svg = drawing_of(build_text(kArm));
  const std::string part = read_part(svg, "side").text;
  std::smatch m;
  ASSERT_TRUE(std::regex_search(
      part, m, std::regex(R"re(<circle cx="([^"]+)" cy="([^"]+)" r="[^"]+" class="output")re")));
  EXPECT_NEAR(std::stod(m[1]), 0.7 * read_scale(svg), kPixel);
  EXPECT_NEAR(std::stod(m[2]), -0.5 * read_scale(svg), kPixel);
}

/// The pivot's axis is upright in front and side views, a cross of centre lines in the top view.
TEST(DrawingInSpace, AxisIsAlongTheJoint) {
  const std::string svg = drawing_of(build_text(kArm));
  const std::regex axis(R"re(<line x1="([^"]+)" y1="([^"]+)" x2="([^"]+)" y2="([^"]+)" class="axis")re");
  const auto read_axes = [&](const char* view) {
    const std::string part = read_part(svg, view).text;
    std::vector<Place> runs;
    for (std::sregex_iterator it(part.begin(), part.end(), axis), end; it != end; ++it)
      runs.push_back({std::stod((*it)[3]) - std::stod((*it)[1]), std::stod((*it)[4]) - std::stod((*it)[2])});
    return runs;
  };
  for (const char* view : {"front", "side", "isometric"}) {
    const std::vector<Place> runs = read_axes(view);
    ASSERT_EQ(runs.size(), 1u) << view;
    EXPECT_NEAR(runs[0][0], 0, kPixel) << view;
    EXPECT_GT(std::abs(runs[0][1]), 40) << view;
  }
  EXPECT_EQ(read_axes("top").size(), 2u);
}

TEST(DrawingInSpace, HasEveryNameInEveryView) {
  for (const char* config :
       {"rssr", "bennett", "slider_crank_hyperstatic", "heavy_top", "pendulum", "robot_arm"}) {
    const Machine machine = build_config(config);
    const std::string svg = drawing_of(machine);
    for (const char* view : {"front", "side", "top", "isometric"}) {
      const std::string part = read_part(svg, view).text;
      const auto expect = [&](const std::string& name) {  // alone, or among names that share a place
        EXPECT_TRUE(std::regex_search(part, std::regex("[>/] ?" + name + "( /|<)")))
            << config << " " << view << " " << name;
      };
      for (std::size_t b = 1; b < machine.bodies.size(); ++b) expect(machine.bodies[b].name);
      for (const Body& body : machine.bodies) {
        for (const Point& point : body.points) expect(point.name);
      }
      for (const Joint& joint : machine.joints) expect(joint.name);
      for (const Output& output : machine.outputs) expect(output.name);
    }
  }
}

constexpr const char* kEveryJoint = R"(
name: every_joint
ground: {points: {A: [0, 0, 0], B: [1, 0, 0], C: [2, 0, 0], D: [3, 0, 0], E: [0, 1, 0], F: [1, 1, 0], G: [2, 1, 0], H: [3, 1, 0], I: [0, 2, 0], J: [1, 2, 0]}}
bodies:
  b1: {points: {A: [0, 0, 0], T: [0, 0.2, 0.5]}}
  b2: {points: {A: [0, 0, 0], T: [0, 0.2, 0.5]}}
  b3: {points: {A: [0, 0, 0], T: [0, 0.2, 0.5]}}
  b4: {points: {A: [0, 0, 0], T: [0, 0.2, 0.5]}}
  b5: {points: {A: [0, 0, 0], T: [0, 0.2, 0.5]}}
  b6: {points: {A: [0, 0, 0], T: [0, 0.2, 0.5]}}
  b7: {points: {A: [0, 0, 0], T: [0, 0.2, 0.5]}}
  b8: {points: {A: [0, 0, 0], T: [0, 0.2, 0.5]}}
  b9: {points: {A: [0, 0, 0], T: [0, 0.2, 0.5]}}
  b10: {points: {A: [0, 0, 0], T: [0, 0.2, 0.5]}}
joints:
  - {revolute: [ground.A, b1.A], axis: [1, 0, 0]}
  - {prismatic: [ground.B, b2.A], direction: [1, 0, 0]}
  - {cylindrical: [ground.C, b3.A], axis: [1, 1, 0]}
  - {screw: [ground.D, b4.A], axis: [0, 0, 1], pitch: 0.1}
  - {spherical: [ground.E, b5.A]}
  - {universal: [ground.F, b6.A], axes: [[1, 0, 0], [0, 0, 1]]}
  - {planar: [ground.G, b7.A], normal: [0, 0, 1]}
  - {point_on_plane: [ground.H, b8.A], normal: [1, 0, 0]}
  - {point_on_line: [ground.I, b9.A], direction: [0, 1, 0]}
  - {fixed: [ground.J, b10.A], name: weld}
drives:
  turn: {joint: ground.A-b1.A}
  push: {slide: [ground.B, b2.A]}
  lift: {cylinder: [ground.C, b3.T]}
)";

TEST(DrawingInSpace, HasASymbolForEveryKindOfJoint) {
  Machine machine = build_text(kEveryJoint);
  machine.name = "every joint & \"drive\" <here>";
  const std::string svg = drawing_of(machine);
  EXPECT_TRUE(is_well_formed(svg));
  EXPECT_NE(svg.find("every joint &amp; &quot;drive&quot; &lt;here&gt;"), std::string::npos);
  for (const char* line :
       {"ground.A-b1.A: revolute, ground – b1<", "ground.B-b2.A: prismatic, ground – b2<",
        "ground.C-b3.A: cylindrical, ground – b3<", "ground.D-b4.A: screw, ground – b4<",
        "ground.E-b5.A: spherical, ground – b5<", "ground.F-b6.A: universal, ground – b6<",
        "ground.G-b7.A: planar, ground – b7<", "ground.H-b8.A: point on plane, ground – b8<",
        "ground.I-b9.A: point on line, ground – b9<", "weld: fixed, ground – b10<", ">turn = 0°<",
        ">push = 0 m<", ">lift = 0.5385 m<"}) {
    EXPECT_NE(svg.find(line), std::string::npos) << line;
  }
  EXPECT_EQ(svg, drawing_of(machine));
}

/// The arm of kArm, whose tip is at (0.1, 0.7, 0.5), with one of each kind of force.
constexpr const char* kForces = R"(
name: forces
ground: {points: {P: [0.1, 0.2, 0.3], W: [0.6, 0.4, 1.0]}}
bodies: {arm: {points: {P: [0, 0, 0], tip: [0.5, 0, 0.2]}}}
joints: [{revolute: [ground.P, arm.P], axis: [0, 0, 1], name: pivot}]
drives: {swing: {joint: pivot}}
start: {swing: 90 deg}
gravity: [0, 0, -9.81]
forces:
  - {spring: [ground.W, arm.tip], stiffness: 10, name: soft}
  - {damper: [ground.P, arm.tip], damping: 1}
  - {stop: [ground.P, arm.tip], retracted: 0.1, stroke: 1, stiffness: 10, name: end}
  - {contact: arm.tip, height: 0.1, stiffness: 10, name: floor}
  - {force: arm.tip, value: [0, 0, 2], name: lift}
  - {torque: arm, value: 1, axis: [0, 0, 1], name: motor}
  - {payload: arm, mass: 1, com: [0.2, 0, 0.1], name: load}
  - {friction: pivot, viscous: 1}
)";

void expect_spring(const std::string& svg, const std::string& view, const Place& a, const Place& b) {
  const std::string part = read_part(svg, view).text;
  const double s = read_scale(svg);
  std::smatch m;
  ASSERT_TRUE(std::regex_search(
      part, m,
      std::regex(R"re(points="([^,]+),([^ ]+) [^"]* ([^, ]+),([^ ]+) " fill="none" class="spring")re")))
      << view;
  EXPECT_NEAR(std::stod(m[1]), s * a[0], kPixel) << view;
  EXPECT_NEAR(std::stod(m[2]), -s * a[1], kPixel) << view;
  EXPECT_NEAR(std::stod(m[3]), s * b[0], kPixel) << view;
  EXPECT_NEAR(std::stod(m[4]), -s * b[1], kPixel) << view;
}

TEST(DrawnForcesInSpace, SpringRunsFromPointToPoint) {
  const std::string svg = drawing_of(build_text(kForces));
  const double c = std::sqrt(3.0) / 2;
  expect_spring(svg, "front", {0.6, 1.0}, {0.1, 0.5});
  expect_spring(svg, "side", {0.4, 1.0}, {0.7, 0.5});
  expect_spring(svg, "top", {0.6, 0.4}, {0.1, 0.7});
  expect_spring(svg, "isometric", {1.0 * c, -0.1 + 1.0}, {0.8 * c, 0.3 + 0.5});
}

/// Whether the view has a shape whose first numbers are these, and whose attributes go on like that.
void expect_shape(const std::string& part, const std::string& begin, const std::vector<double>& expected,
                  const std::string& rest) {
  const std::regex shape("<" + begin + R"re( [a-z0-9]+="([^"]+)" [a-z0-9]+="([^"]+)" [a-z0-9]+="([^"]+)")re" +
                         R"re((?: y2="([^"]+)")? )re" + rest);
  bool found = false;
  for (std::sregex_iterator it(part.begin(), part.end(), shape), end; it != end; ++it) {
    bool same = true;
    for (std::size_t i = 0; i < expected.size(); ++i)
      same = same && std::abs(std::stod((*it)[static_cast<int>(i) + 1]) - expected[i]) < kPixel;
    found = found || same;
  }
  EXPECT_TRUE(found) << begin << " " << rest;
}

/// The ground under (0.1, 0.7, 0.5) is at z = 0.1; the load, (0.2, 0, 0.1) in the arm's frame, is at (0.1, 0.4, 0.4).
TEST(DrawnForcesInSpace, ContactAndPayloadStandWhereTheyAre) {
  const std::string svg = drawing_of(build_text(kForces)), side = read_part(svg, "side").text;
  const double s = read_scale(svg);
  expect_shape(side, "line", {0.7 * s, -0.5 * s, 0.7 * s, -0.1 * s}, "class=\"contact\"");
  expect_shape(side, "line", {0.7 * s - 24, -0.1 * s, 0.7 * s + 24, -0.1 * s}, "stroke");
  expect_shape(side, "circle", {0.4 * s, -0.4 * s, 9}, "fill=\"#fff\" class=\"payload\"");
  const std::string top = read_part(svg, "top").text;
  EXPECT_NE(top.find("class=\"patch\""), std::string::npos);
  EXPECT_NE(top.find("class=\"push\""), std::string::npos);  // the force, from its end
}

TEST(DrawnForcesInSpace, AreNamedInEveryViewAndListed) {
  const std::string svg = drawing_of(build_text(kForces));
  EXPECT_TRUE(is_well_formed(svg));
  for (const char* view : {"front", "side", "top", "isometric"}) {
    const std::string part = read_part(svg, view).text;
    for (const char* name : {"soft", "end", "floor", "lift", "motor", "load"})
      EXPECT_TRUE(std::regex_search(part, std::regex(std::string("[>/] ?") + name + "( /|<)")))
          << view << " " << name;
  }
  const std::string legend = read_part(svg, "legend").text;
  for (const char* line :
       {">Forces<", ">soft: spring, ground.W – arm.tip<", ">damper, ground.P – arm.tip<",
        ">end: stop, ground.P – arm.tip<", ">floor: contact, arm.tip<", ">lift: force, arm.tip<",
        ">motor: torque, ground – arm<", ">load: payload, arm<", ">friction, pivot<"})
    EXPECT_NE(legend.find(line), std::string::npos) << line;
  EXPECT_NE(svg.find(">1 body, 1 joint, 1 drive, 8 forces; views in third-angle projection, to one scale<"),
            std::string::npos);
  EXPECT_EQ(drawing_of(build_text(kArm)).find(">Forces<"), std::string::npos);
}

TEST(DrawingInSpace, IsWellFormedForAPointMass) {
  EXPECT_TRUE(is_well_formed(
      drawing_of(build_text("{name: dot, space: 3, bodies: {dot: {points: {c: [0, 0, 0]}, mass: 1, "
                            "inertia: [1, 1, 1]}}, start: {dot: [0, 0, 0]}}"))));
}

}  // namespace
}  // namespace rodeo::spatial
