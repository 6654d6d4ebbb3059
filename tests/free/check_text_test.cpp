// SPDX-License-Identifier: MIT
// What `check` prints of joints and drives in space.
#include "tests/free/machine_program.h"

namespace rodeo::codegen {
namespace {

using CheckText = MachineProgram;

std::string build_arm(const std::string& axis) {
  return R"(name: arm
ground: {points: {O: [0, 0, 0]}}
bodies: {a: {points: {O: [0, 0, 0], B: [1, 0, 0]}}}
joints: [{revolute: [ground.O, a.O], axis: )" +
         axis + R"(, name: hinge}]
drives: {a: {angle: a}}
start: {a: 5e-18}
outputs: {b: a.B}
)";
}

TEST_F(CheckText, SaysWhereAnObliqueAxisPoints) {
  write(build_arm("[-0.8, -0.6, 0]"));
  const std::string told = rodeo("check m.yaml");
  EXPECT_NE(told.find("moves rx                 holds x y z ry rz, x along [0.8, 0.6, 0]\n"),
            std::string::npos)
      << told;
  write(build_arm("[0, -1, 0]"));
  EXPECT_NE(rodeo("check m.yaml").find("moves ry                 holds x y z rx rz\n"), std::string::npos)
      << rodeo("check m.yaml");
}

TEST_F(CheckText, RoundingOfAStartAtZeroIsZero) {
  write(build_arm("[0, 0, 1]"));
  const std::string told = rodeo("check m.yaml");
  EXPECT_NE(told.find("a = 0 rad (0 deg)"), std::string::npos) << told;
}

}  // namespace
}  // namespace rodeo::codegen
