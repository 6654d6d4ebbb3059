// SPDX-License-Identifier: MIT
// A machine as one drawing in global coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/machine_file/sample.h"

namespace rodeo::machine {
namespace {

TEST(ReadDrawing, PinsAPointThatStandsInTwoLists) {
  const Machine m = read(kDrawing);
  ASSERT_EQ(m.joints.size(), 4u);
  std::vector<std::string> pins;
  for (const Joint& joint : m.joints) {
    pins.push_back(joint.name + ": " + m.point_name(joint.first) + " " + m.point_name(joint.second));
  }
  EXPECT_EQ(pins, (std::vector<std::string>{"O: ground.O crank.O", "Q: ground.Q rocker.Q",
                                            "B: crank.B coupler.B", "C: coupler.C rocker.C"}));
}

TEST(ReadDrawing, GivesABodyItsPointsWhereTheyAreDrawnAtAngleZero) {
  const Machine m = read(kDrawing);
  EXPECT_EQ(m.point(m.joints[3].first).x.value, 1.35);
  EXPECT_EQ(m.point(m.joints[3].second).y.value, 0.91);
  for (const auto& angle : m.start_angles) EXPECT_EQ(angle, 0.0);
}

/// Both points of every pin, sorted, so that the two formats can be compared whatever their order.
std::vector<std::string> pins_of(const Machine& m) {
  std::vector<std::string> pins;
  for (const Joint& joint : m.joints) {
    pins.push_back(m.point_name(joint.first) + " " + m.point_name(joint.second));
  }
  std::sort(pins.begin(), pins.end());
  return pins;
}

TEST(ReadDrawing, GivesTheSamePinsAsBodiesWithPoints) {
  const Machine drawn = read(kDrawing);
  const Machine listed = read(kFourBar);
  EXPECT_EQ(pins_of(drawn), pins_of(listed));
  EXPECT_EQ(drawn.point_name(drawn.outputs[0].point), listed.point_name(listed.outputs[0].point));
}

/// The contract draws C 0.9114 m from Q, so lengths are compared with bodies that have the drawing's lengths.
TEST(ReadDrawing, GivesTheSameDistancesAsBodiesWithPoints) {
  const Machine drawn = read(kDrawing);
  const Machine listed =
      read(kFourBar, {"L1=sqrt(0.25^2 + 0.433^2)", "L2=sqrt(1.1^2 + 0.477^2)", "L3=sqrt(0.05^2 + 0.91^2)"});
  const auto distance = [](const Machine& m, const Joint& a, const Joint& b, int body) {
    const auto at = [&](const Joint& j) { return m.point(j.first.body == body ? j.first : j.second); };
    return std::hypot(at(a).x.value - at(b).x.value, at(a).y.value - at(b).y.value);
  };
  const auto& d = drawn.joints;   // O, Q, B, C
  const auto& l = listed.joints;  // O, B, C, Q
  EXPECT_NEAR(distance(drawn, d[0], d[2], 1), distance(listed, l[0], l[1], 1), 1e-15);
  EXPECT_NEAR(distance(drawn, d[2], d[3], 2), distance(listed, l[1], l[2], 2), 1e-15);
  EXPECT_NEAR(distance(drawn, d[3], d[1], 3), distance(listed, l[2], l[3], 3), 1e-15);
}

const std::string kThree = R"(drawing:
  points: {A: [0, 0], B: [1, 0], C: [2, 0]}
  ground: [A]
  bodies:
    one: [A, B]
    two: {points: [B, C], mass: 2, com: [1.5, 0], inertia: 0.1}
    three: [B]
)";

TEST(ReadDrawing, JoinsAPointOfThreeListsToTheFirst) {
  const Machine m = read(kThree);
  ASSERT_EQ(m.joints.size(), 3u);
  EXPECT_EQ(m.joints[1].name, "B");
  EXPECT_EQ(m.point_name(m.joints[1].first), "one.B");
  EXPECT_EQ(m.point_name(m.joints[1].second), "two.B");
  EXPECT_EQ(m.joints[2].name, "B.three");
  EXPECT_EQ(m.point_name(m.joints[2].first), "one.B");
  EXPECT_EQ(m.point_name(m.joints[2].second), "three.B");
}

TEST(ReadDrawing, JoinsToTheGroundFirst) {
  const Machine m = read(with(kThree, "ground: [A]", "ground: [A, B]"));
  ASSERT_EQ(m.joints.size(), 4u);
  for (std::size_t i = 1; i < 4; ++i) EXPECT_EQ(m.point_name(m.joints[i].first), "ground.B");
}

TEST(ReadDrawing, TakesMassDataInDrawingCoordinates) {
  const Machine m = read(kThree);
  EXPECT_EQ(m.bodies[2].mass->value, 2);
  EXPECT_EQ(m.bodies[2].com_x->value, 1.5);
  EXPECT_EQ(m.bodies[2].inertia->value, 0.1);
}

TEST(ReadDrawing, FindsAnOutputByThePointAlone) {
  const Machine m = read(with(kDrawing, "tip: coupler.tracer", "tip: tracer, pin: C"));
  EXPECT_EQ(m.point_name(m.outputs[0].point), "coupler.tracer");
  EXPECT_EQ(m.point_name(m.outputs[1].point), "coupler.C");
}

const std::string kSlider = R"(drawing:
  points: {O: [0, 0], B: [0.2, 0], C: [0.8, 0], S: [0.8, 0]}
  ground: [O, S]
  bodies: {crank: [O, B], rod: [B, C]}
joints:
  - {slider: [S, C], direction: [1, 0]}
drives: {slide: {slide: [S, C]}}
)";

TEST(ReadDrawing, TakesSlidersAfterItsPins) {
  const Machine m = read(kSlider);
  ASSERT_EQ(m.joints.size(), 3u);
  EXPECT_EQ(m.joints[2].kind, JointKind::slider);
  EXPECT_EQ(m.point_name(m.joints[2].first), "ground.S");
  EXPECT_EQ(m.point_name(m.joints[2].second), "rod.C");
  EXPECT_EQ(m.drives[0].joint, 2);
}

TEST(ReadDrawing, LetsAListedJointStandInForThePinOfItsPoint) {
  const Machine m = read(R"(drawing:
  points: {O: [0, 0], B: [0.2, 0], C: [0.8, 0]}
  ground: [O, C]
  bodies: {crank: [O, B], rod: [B, C]}
joints:
  - {slider: [ground.C, rod.C], direction: [1, 0]}
)");
  ASSERT_EQ(m.joints.size(), 3u);
  EXPECT_EQ(m.joints[2].kind, JointKind::slider);
}

TEST(ReadDrawing, RefusesAListedJointInAPinOfThreeBodies) {
  EXPECT_EQ(faults_of(kThree + "joints:\n  - {slider: [two.B, three.B], direction: [1, 0]}\n"),
            "m.yaml:9: joint 'two.B-three.B': the drawing pins point 'B' of these and other bodies already: "
            "give the "
            "joint a point of its own");
}

TEST(ReadDrawing, AsksWhichBodyAJointsPointIsOn) {
  EXPECT_EQ(
      faults_of(with(kSlider, "{slider: [S, C]", "{slider: [S, B]")),
      "m.yaml:6: joint 'B': several bodies have point 'B': write body.B\n"
      "m.yaml:7: drive 'slide': no slider or prismatic joint has the points [S, C]: add one to the joints");
}

TEST(ReadDrawing, RefusesAPointThatIsNotDrawn) {
  EXPECT_EQ(faults_of(with(kDrawing, "crank: [O, B]", "crank: [O, Z]")),
            "m.yaml:5: body 'crank': the drawing has no point 'Z' (it has O, Q, B, C, tracer)");
  EXPECT_EQ(faults_of(with(kDrawing, "tip: coupler.tracer", "tip: Z")),
            "m.yaml:7: output 'tip': no body of the drawing has a point 'Z'");
}

TEST(ReadDrawing, RefusesAPointTwiceInAList) {
  EXPECT_EQ(faults_of(with(kDrawing, "crank: [O, B]", "crank: [O, B, O]")),
            "m.yaml:5: body 'crank': point 'O' stands twice in its list");
}

TEST(ReadDrawing, RefusesBodiesBesideADrawing) {
  EXPECT_EQ(faults_of(kDrawing + "bodies: {crank: {points: {O: [0, 0]}}}\n"),
            "m.yaml:3: machine: it has both 'bodies' and 'drawing': keep one of them");
}

TEST(ReadDrawing, RefusesAReservedNameWithoutLosingItsPlace) {
  EXPECT_EQ(faults_of(with(kDrawing, "crank: [O, B]", "ground: [O, B]")),
            "m.yaml:5: body 'ground': this name is reserved: give the body another\n"
            "m.yaml:6: drive 'crank': there is no body 'crank' (there are ground, ground, coupler, rocker)");
}

TEST(ReadDrawing, RefusesAJointNameThatAPinHas) {
  EXPECT_EQ(faults_of(with(kSlider, "direction: [1, 0]", "direction: [1, 0], name: B")),
            "m.yaml:6: joint 'B': another joint has this name already (line 2)");
}

}  // namespace
}  // namespace rodeo::machine
