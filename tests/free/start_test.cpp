// SPDX-License-Identifier: MIT
// Start angles of machines that nobody drives: met exactly, or told by name.
#include "tests/free/machine_program.h"

namespace rodeo::codegen {
namespace {

using StartProgram = MachineProgram;

/// A door with an arm: full stretch is at 78.10 deg, by the triangle of hinge, spindle and arm plus link.
std::string build_door(const std::string& start) {
  return R"(name: door
ground: {points: {H: [0, 0], K: [0.25, -0.12]}}
bodies:
  door: {points: {H: [0, 0], M: [0.35, -0.05]}, mass: 35, com: [0.45, 0], inertia: 2.4}
  arm: {points: {K: [0, 0], N: [0.22, 0]}, mass: 0.5, com: [0.11, 0], inertia: 0.002}
  link: {points: {N: [0, 0], M: [0.25, 0]}, mass: 0.4, com: [0.125, 0], inertia: 0.002}
gravity: [0, -9.81]
joints:
  - {revolute: [ground.H, door.H]}
  - {revolute: [ground.K, arm.K]}
  - {revolute: [arm.N, link.N]}
  - {revolute: [link.M, door.M]}
start: {)" +
         start + "}\n";
}

TEST_F(StartProgram, AnAngleWithinReachIsMet) {
  write(build_door("door: 78 deg, arm: 20 deg, link: 110 deg"));
  EXPECT_EQ(rodeo("simulate m.yaml --duration 0 -o log.csv"), "status 0\n");
  EXPECT_NE(rodeo("check m.yaml").find("78"), std::string::npos);
}

/// More angles than there are freedoms: the first is met, the others choose the branch, rough as they are.
TEST_F(StartProgram, RoughAnglesBesideItChooseTheBranch) {
  write(build_door("door: 60 deg, arm: 0 deg, link: 100 deg"));
  EXPECT_EQ(rodeo("simulate m.yaml --duration 0 -o log.csv"), "status 0\n");
  EXPECT_EQ(rodeo("check m.yaml").find("start '"), std::string::npos);
}

TEST_F(StartProgram, AnAngleBeyondReachIsRefused) {
  for (const std::string angle : {"78.5", "90"}) {
    write(build_door("door: " + angle + " deg, arm: 20 deg, link: 110 deg"));
    for (const std::string command :
         {"check m.yaml", "simulate m.yaml --duration 1 -o log.csv",
          "simulate m.yaml --method minimal --duration 1 -o log.csv", "draw m.yaml -o m.svg"}) {
      const std::string told = rodeo(command);
      EXPECT_NE(told.find("start 'door': " + angle + " deg cannot be reached"), std::string::npos) << told;
      EXPECT_NE(told.find("status 1"), std::string::npos) << told;
    }
  }
}

/// Two pins of three in one place: it may be meant, and is said.
TEST_F(StartProgram, PinsOfABodyInOnePlaceAreNamed) {
  const auto build = [](const std::string& C) {
    return R"(name: twice
drawing:
  points: {O: [0, 0], Q: [1, 0], A: [0.3, 0.4], B: [0.7, 0.5], C: )" +
           C + R"(, tip: [0.7, 0.5]}
  ground: [O, Q]
  bodies: {crank: [O, A], plate: [A, B, C, tip], rocker: [B, Q], idle: [C]}
drives: {crank: {angle: crank}, idle: {angle: idle}}
)";
  };
  write(build("[0.7, 0.5]"));
  const std::string said = rodeo("check m.yaml");
  EXPECT_NE(said.find("note: body 'plate': its pins B and C are in one place, (0.7, 0.5): if that is not "
                      "meant, move one"),
            std::string::npos)
      << said;
  EXPECT_NE(said.find("status 0"), std::string::npos) << said;
  write(build("[0.8, 0.5]"));
  EXPECT_EQ(rodeo("check m.yaml").find("in one place"), std::string::npos)
      << "a point that is no pin may be there";
}

/// Two freedoms; each angle has poses of its own, and none is the other's.
TEST_F(StartProgram, AnglesThatExcludeEachOtherAreTold) {
  write(R"(name: five_bar
ground: {points: {O: [0, 0], Q: [1, 0]}}
bodies:
  a: {points: {O: [0, 0], A: [0.5, 0]}, mass: 1, com: [0.25, 0], inertia: 0.02}
  b: {points: {Q: [0, 0], B: [0.5, 0]}, mass: 1, com: [0.25, 0], inertia: 0.02}
  c: {points: {A: [0, 0], C: [0.4, 0]}, mass: 1, com: [0.2, 0], inertia: 0.02}
  d: {points: {B: [0, 0], C: [0.4, 0]}, mass: 1, com: [0.2, 0], inertia: 0.02}
gravity: [0, -9.81]
joints:
  - {revolute: [ground.O, a.O]}
  - {revolute: [ground.Q, b.Q]}
  - {revolute: [a.A, c.A]}
  - {revolute: [b.B, d.B]}
  - {revolute: [c.C, d.C]}
start: {a: 90 deg, b: 80 deg}
)");
  for (const std::string command : {"check m.yaml", "simulate m.yaml --duration 0.01 -o log.csv",
                                    "simulate m.yaml --method minimal --duration 0.01 -o log.csv"}) {
    const std::string told = rodeo(command);
    EXPECT_TRUE(std::regex_search(told, std::regex("note: start 'b': 80 deg cannot be reached with the other "
                                                   "starts; begins at -?[0-9.]+ deg")))
        << told;
    EXPECT_NE(told.find("status 0"), std::string::npos) << told;
  }
}

}  // namespace
}  // namespace rodeo::codegen
