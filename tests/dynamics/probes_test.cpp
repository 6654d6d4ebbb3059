// SPDX-License-Identifier: MIT
// How fast an element moves the mass that it sees, by hand: λ² m + λ c + k = 0.
#include "kinematics/dynamics/probes.h"

#include <gtest/gtest.h>

#include <cmath>

#include "tests/dynamics/support.h"

namespace rodeo::dynamics {
namespace {

using namespace testing_support;

constexpr double kDifferences = 1e-5;  // of a value found by finite differences

std::vector<ElementMode> calc_modes(const std::string& yaml) {
  const auto problem = build(build_text(yaml));
  const auto& system = dynamic_cast<const PlanarSystem&>(problem->system);
  return calc_element_modes(*problem, build_probes(system, problem->q));
}

/// A lever of inertia 2 kg m² about its pin, with the element across its end, 0.5 m away: 8 kg.
std::string lever(const std::string& force) {
  return R"(name: lever
ground: {points: {O: [0, 0], S: [0.5, 1]}}
bodies: {lever: {points: {O: [0, 0], P: [0.5, 0]}, mass: 1, com: [0, 0], inertia: 2}}
joints: [{revolute: [ground.O, lever.O], name: pin}]
gravity: [0, -9.81]
start: {lever: 0}
forces:
  - )" + force +
         "\n";
}

TEST(ElementModes, OfASpringIsItsFrequencyOverTheMassItSees) {
  const auto modes = calc_modes(
      lever("{spring: [ground.S, lever.P], stiffness: 3200, rest_length: 1, damping: 0, name: shock}"));
  ASSERT_EQ(modes.size(), 1u);
  EXPECT_EQ(modes[0].name, "spring 'shock'");
  EXPECT_NEAR(std::abs(modes[0].eigenvalue.imag()), 20.0, 20 * kDifferences);  // √(3200/8)
  EXPECT_NEAR(modes[0].eigenvalue.real(), 0.0, 20 * kDifferences);
}

TEST(ElementModes, OfADamperIsItsRateOverTheMassItSees) {
  const auto modes = calc_modes(lever("{damper: [ground.S, lever.P], damping: 640}"));
  EXPECT_EQ(modes.at(0).name, "damper 'ground.S-lever.P'");
  EXPECT_NEAR(modes.at(0).eigenvalue.real(), -80.0, 80 * kDifferences);
}

TEST(ElementModes, OfFrictionInAPinIsThatOfTheInertia) {
  const auto modes = calc_modes(lever("{friction: pin, viscous: 30}"));
  EXPECT_EQ(modes.at(0).name, "friction 'pin'");
  EXPECT_NEAR(modes.at(0).eigenvalue.real(), -15.0, 15 * kDifferences);
}

TEST(ElementModes, CountStopsAndContactsAsTouchedWhereverTheyAre) {
  for (const char* force :
       {"{stop: [ground.S, lever.P], retracted: 0.2, stroke: 2.8, stiffness: 3200, damping: 0}",
        "{contact: lever.P, height: -0.4, stiffness: 3200, damping: 0}"}) {
    const auto modes = calc_modes(lever(force));
    ASSERT_EQ(modes.size(), 1u) << force;
    EXPECT_NEAR(std::abs(modes[0].eigenvalue.imag()), 20.0, 1e-3) << force;
  }
}

TEST(ElementModes, LeaveOutWhatOnlyPushes) {
  EXPECT_TRUE(calc_modes(lever("{force: lever.P, value: [0, 100]}")).empty());
  EXPECT_TRUE(calc_modes(lever("{torque: lever, value: 3}")).empty());
}

}  // namespace
}  // namespace rodeo::dynamics
