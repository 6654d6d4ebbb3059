// SPDX-License-Identifier: MIT
// Start values of machines in space: met exactly, or reported by name, as in the plane.
#include "tests/free/machine_program.h"

namespace rodeo::codegen {
namespace {

class StartInSpace : public MachineProgram {
 protected:
  void expect_refused(const std::string& sentence) {
    for (const std::string command :
         {"check m.yaml", "simulate m.yaml --duration 0.01 -o log.csv",
          "simulate m.yaml --method lagrange --duration 0.01 -o log.csv", "draw m.yaml -o m.svg"}) {
      const std::string said = rodeo(command);
      EXPECT_NE(said.find(sentence), std::string::npos) << command << ": " << said;
      EXPECT_NE(said.find("status 1"), std::string::npos) << command << ": " << said;
    }
  }
  void expect_noted(const std::string& pattern) {
    for (const std::string command : {"check m.yaml", "simulate m.yaml --duration 0.01 -o log.csv",
                                      "simulate m.yaml --method lagrange --duration 0.01 -o log.csv"}) {
      const std::string said = rodeo(command);
      EXPECT_TRUE(std::regex_search(said, std::regex("note: " + pattern))) << command << ": " << said;
      EXPECT_NE(said.find("status 0"), std::string::npos) << command << ": " << said;
    }
  }
  void expect_met(const std::string& angles) {
    const std::string said = rodeo("check m.yaml");
    EXPECT_NE(said.find(angles), std::string::npos) << said;
    EXPECT_EQ(said.find("start '"), std::string::npos) << said;
    EXPECT_EQ(rodeo("simulate m.yaml --duration 0 -o log.csv").find("start '"), std::string::npos);
  }
};

/// Full stretch of the arm is at 78.10 deg, by the triangle of hinge, spindle and arm plus link. The pins of the link are balls, but for
/// its spin about itself: nothing is held twice.
std::string build_door(const std::string& start) {
  return R"(name: door
ground: {points: {H: [0, 0, 0], K: [0.25, -0.12, 0]}}
bodies:
  door: {points: {H: [0, 0, 0], M: [0.35, -0.05, 0]}, mass: 35, com: [0.45, 0, 0], inertia: [1, 2.4, 2.4]}
  arm: {points: {K: [0, 0, 0], N: [0.22, 0, 0]}, mass: 0.5, com: [0.11, 0, 0], inertia: [0.001, 0.002, 0.002]}
  link: {points: {N: [0, 0, 0], M: [0.25, 0, 0]}, mass: 0.4, com: [0.125, 0, 0], inertia: [0.001, 0.002, 0.002]}
gravity: [0, -9.81, 0]
joints:
  - {revolute: [ground.H, door.H], axis: [0, 0, 1], name: hinge}
  - {revolute: [ground.K, arm.K], axis: [0, 0, 1], name: spindle}
  - {spherical: [arm.N, link.N]}
  - {universal: [link.M, door.M], axes: [[0, 1, 0], [0, 0, 1]]}
start: {)" +
         start + "}\n";
}

TEST_F(StartInSpace, AnglesWithinReachAreMet) {
  for (const std::string name : {"door", "hinge"}) {
    write(build_door(name + ": 78 deg, arm: 80 deg, link: 110 deg"));
    expect_met("door [0, 0, 78]");
  }
}

TEST_F(StartInSpace, RoughAnglesBesideItChooseTheBranch) {
  write(build_door("door: 60 deg, arm: 40 deg, link: 100 deg"));
  expect_met("door [0, 0, 60]");
}

TEST_F(StartInSpace, AnglesBeyondReachAreRefused) {
  for (const std::string name : {"door", "hinge"}) {
    for (const std::string angle : {"78.5", "90", "120"}) {
      write(build_door(name + ": " + angle + " deg, arm: 20 deg, link: 110 deg"));
      expect_refused("start '" + name + "': " + angle + " deg cannot be reached");
    }
  }
}

/// A spatial slider-crank, crank 0.2 and rod 0.6: the piston gets as far as 0.8 m.
std::string build_slider_crank(const std::string& start) {
  return R"(name: slider_crank
ground: {points: {O: [0, 0, 0]}}
bodies:
  crank: {points: {O: [0, 0, 0], B: [0.2, 0, 0]}, mass: 1, com: [0.1, 0, 0], inertia: [0.01, 0.01, 0.01]}
  rod: {points: {B: [0, 0, 0], C: [0.6, 0, 0]}, mass: 2, com: [0.3, 0, 0], inertia: [0.01, 0.05, 0.05]}
  piston: {points: {C: [0, 0, 0]}, mass: 1, inertia: [0.01, 0.01, 0.01]}
joints:
  - {revolute: [ground.O, crank.O], name: bearing}
  - {cylindrical: [crank.B, rod.B], name: crank_pin}
  - {spherical: [rod.C, piston.C], name: wrist_pin}
  - {prismatic: [ground.O, piston.C], direction: [1, 0, 0], name: guide}
gravity: [0, -9.81, 0]
start: {)" +
         start + "}\n";
}

TEST_F(StartInSpace, SlidesWithinReachAreMetAndBeyondItRefused) {
  write(build_slider_crank("guide: 0.7, rod: -17 deg"));
  expect_met("piston [0, 0, 0]");
  EXPECT_NEAR(read_rows("log.csv").at(0).at(0), 0, 0);
  for (const std::string place : {"0.81", "1.5", "-0.9"}) {
    write(build_slider_crank("guide: " + place + ", rod: -17 deg"));
    expect_refused("start 'guide': " + place + " m cannot be reached");
  }
}

TEST_F(StartInSpace, OriginsBeyondReachAreRefused) {
  write(build_slider_crank("piston: {origin: [0.9, 0, 0]}"));
  expect_refused("start 'piston': origin [0.9, 0, 0] m cannot be reached");
}

/// The joint's axis says otherwise.
TEST_F(StartInSpace, OrientationsThatNoJointAllowsAreNoted) {
  write(build_slider_crank("crank: 60 deg, rod: -17 deg, piston: [0, 50 deg, 0]"));
  expect_noted(R"(start 'piston': \[0, 50, 0\] deg cannot be reached with the joints and the other starts; )"
               "begins at 0 deg");
  write(build_slider_crank("crank: [0, 80 deg, 0]"));
  expect_noted(R"(start 'crank': \[0, 80, 0\] deg cannot be reached with the joints and)");
}

TEST_F(StartInSpace, AnglesFarFromTheBranchThatTheyChooseAreNoted) {
  write(build_door("door: 78 deg, arm: 20 deg, link: 110 deg"));
  expect_noted(
      "start 'arm': 20 deg cannot be reached with the joints and the other starts; begins at 104.162 deg");
}

/// Two freedoms of a chain of five bars; each angle has poses of its own, and none is the other's.
TEST_F(StartInSpace, AnglesThatExcludeEachOtherAreNoted) {
  write(R"(name: five_bar
space: 3
ground: {points: {O: [0, 0], Q: [1, 0]}}
bodies:
  a: {points: {O: [0, 0], A: [0.5, 0]}, mass: 1, com: [0.25, 0], inertia: [0.01, 0.02, 0.02]}
  b: {points: {Q: [0, 0], B: [0.5, 0]}, mass: 1, com: [0.25, 0], inertia: [0.01, 0.02, 0.02]}
  c: {points: {A: [0, 0], C: [0.4, 0]}, mass: 1, com: [0.2, 0], inertia: [0.01, 0.02, 0.02]}
  d: {points: {B: [0, 0], C: [0.4, 0]}, mass: 1, com: [0.2, 0], inertia: [0.01, 0.02, 0.02]}
gravity: [0, -9.81]
joints:
  - {revolute: [ground.O, a.O]}
  - {revolute: [ground.Q, b.Q]}
  - {revolute: [a.A, c.A]}
  - {revolute: [b.B, d.B]}
  - {revolute: [c.C, d.C]}
start: {a: 90 deg, b: 80 deg}
)");
  expect_noted("start 'b': 80 deg cannot be reached with the other starts; begins at -?[0-9.]+ deg");
}

/// What is not as drawn counts before what is, wherever it stands in the file.
TEST_F(StartInSpace, ADrawingTurnsByTheAngleThatIsGiven) {
  write(R"(name: four_bar
space: 3
drawing:
  points: {O: [0, 0], Q: [1.4, 0], B: [0.25, 0.433], C: [1.35, 0.91]}
  ground: [O, Q]
  bodies:
    crank: {points: [O, B], mass: 1, com: [0.1, 0.2], inertia: 0.1}
    coupler: {points: [B, C], mass: 1, com: [0.8, 0.7], inertia: 0.1}
    rocker: {points: [C, Q], mass: 1, com: [1.4, 0.5], inertia: 0.1}
gravity: [0, -9.81]
start: {rocker: 10 deg}
)");
  expect_met("rocker [0, 0, 10]");
}

}  // namespace
}  // namespace rodeo::codegen
