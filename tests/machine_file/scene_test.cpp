// SPDX-License-Identifier: MIT
// How bodies look, and scene.json, which tells a viewer about it.
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "kinematics/machine/scene.h"
#include "tests/machine_file/sample.h"

namespace rodeo::machine {
namespace {

constexpr const char* kLift = R"(name: lift
ground: {points: {O: [0, 0], P: [-1, 0]}, mesh: meshes/base.obj}
bodies:
  boom: {points: {O: [0, 0], R: [1, 0], tip: [2, 0.5]}, colour: "#Ff8000"}
  hook: {points: {T: [0, 0]}, colour: grey}
joints:
  - {revolute: [ground.O, boom.O]}
  - {revolute: [boom.tip, hook.T]}
drives:
  lift: {cylinder: [ground.P, boom.R], retracted: 1, stroke: 0.9, radius: 40 mm, across: [-0.2, 0.2]}
  hang: {angle: hook}
start: {boom: 30 deg, hook: 0}
outputs: {load: hook.T}
)";

TEST(Look, IsReadFromBodiesAndGround) {
  const Machine machine = read(kLift);
  EXPECT_EQ(machine.bodies[0].look.mesh, "meshes/base.obj");
  EXPECT_EQ(machine.bodies[1].look.colour, "#Ff8000");
  EXPECT_EQ(machine.bodies[2].look.colour, "#808080");
}

TEST(Look, IsReadFromADrawing) {
  const Machine machine = read(R"(name: d
drawing:
  points: {O: [0, 0], B: [1, 0]}
  ground: {points: [O], mesh: base.obj}
  bodies: {arm: {points: [O, B], mesh: arm.stl, colour: blue}}
drives: {arm: {angle: arm}}
)");
  EXPECT_EQ(machine.bodies[0].look.mesh, "base.obj");
  EXPECT_EQ(machine.bodies[1].look.mesh, "arm.stl");
  EXPECT_EQ(machine.bodies[1].look.colour, "#0000ff");
}

TEST(Look, RefusesWhatIsNoColourOrNoFile) {
  EXPECT_EQ(faults_of(with(kLift, "colour: grey", "colour: greyish")),
            "m.yaml:5: body 'hook': colour 'greyish' is neither a name (red, yellow, grey ...) nor "
            "\"#rrggbb\" in "
            "quotes");
  EXPECT_EQ(faults_of(with(kLift, "colour: grey", "colour: \"#12345\"")),
            "m.yaml:5: body 'hook': colour '#12345' is neither a name (red, yellow, grey ...) nor "
            "\"#rrggbb\" in "
            "quotes");
  EXPECT_EQ(faults_of(with(kLift, "colour: grey", "mesh: [a, b]")),
            "m.yaml:5: body 'hook': mesh is the name of a file (OBJ, STL, PLY), not a list");
}

TEST(Scene, TellsBodiesJointsDrivesAndOutputs) {
  const Machine machine = read(kLift);
  const Assembly start = build_start_pose(machine);
  const auto scene = nlohmann::json::parse(scene_json(machine, start, {"meshes/ground/base.obj", "", ""}));
  EXPECT_EQ(scene["bodies"][0]["mesh"], "meshes/ground/base.obj");
  EXPECT_FALSE(scene["bodies"][1].contains("mesh"));
  EXPECT_EQ(scene["bodies"][1]["points"]["tip"][1], 0.5);
  EXPECT_EQ(scene["bodies"][2]["start"][2], 0.0);
  EXPECT_EQ(scene["joints"][1]["second"], (nlohmann::json{"hook", "T"}));
  EXPECT_EQ(scene["drives"][0]["kind"], "cylinder");
  EXPECT_EQ(scene["drives"][0]["first"], (nlohmann::json{"ground", "P"}));
  EXPECT_EQ(scene["drives"][0]["upper"], 1.9);
  EXPECT_EQ(scene["drives"][0]["radius"], 0.04);
  EXPECT_EQ(scene["drives"][0]["across"], (nlohmann::json{-0.2, 0.2}));
  EXPECT_TRUE(scene["drives"][1]["lower"].is_null());
  EXPECT_EQ(scene["outputs"][0]["point"], "T");
}

/// The hook hangs at the boom's tip: 2 along and 0.5 across the boom.
TEST(Scene, StartsInTheAssembledPose) {
  const Machine machine = read(kLift);
  const Assembly start = build_start_pose(machine);
  const auto scene = nlohmann::json::parse(scene_json(machine, start, {"", "", ""}));
  const double angle = scene["bodies"][1]["start"][2];
  EXPECT_NEAR(scene["bodies"][2]["start"][0], 2 * std::cos(angle) - 0.5 * std::sin(angle), 1e-12);
  EXPECT_NEAR(scene["bodies"][2]["start"][1], 2 * std::sin(angle) + 0.5 * std::cos(angle), 1e-12);
}

}  // namespace
}  // namespace rodeo::machine
