// SPDX-License-Identifier: MIT
// Fixed steps of the library across a contact, against the closed form: free fall, then a damped oscillation about the sunk rest.
#include "kinematics/dynamics/jump_steps.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "tests/dynamics/support.h"

namespace rodeo::dynamics {
namespace {

using namespace testing_support;

constexpr double kMass = 4, kStiffness = 2e5, kDamping = 1200, kGravity = 9.81;

double calc_fall(double drop, double t) {
  const double touch = std::sqrt(2 * drop / kGravity);
  if (t <= touch) return -kGravity * t * t / 2;
  const double delta = kDamping / kMass / 2, w = std::sqrt(kStiffness / kMass - delta * delta);
  const double sunk = kMass * kGravity / kStiffness, s = t - touch;
  const double b = (-kGravity * touch + delta * sunk) / w;
  return -drop - sunk + std::exp(-delta * s) * (sunk * std::cos(w * s) + b * std::sin(w * s));
}

double calc_error(const std::string& name, double drop, bool has_jumps) {
  const auto problem = build(build_text(fmt::format(R"(name: drop
ground: {{points: {{O: [0, 0]}}}}
bodies: {{mass: {{points: {{P: [0, 0]}}, mass: {}, com: [0, 0], inertia: 0.1}}}}
joints: [{{prismatic: [ground.O, mass.P], direction: [0, 1], angle: 0}}]
gravity: [0, -{}]
forces: [{{contact: mass.P, height: -{}, stiffness: {}, damping: {}}}]
start: {{mass: 0}}
)",
                                                    kMass, kGravity, drop, kStiffness, kDamping)));
  MethodOptions options;
  options.has_jumps = has_jumps;
  const auto method = build_method(name, *problem, options);
  double largest = 0;
  run(*method, std::sqrt(2 * drop / kGravity) + 4e-3, 1e-3, [&](const Sample& sample) {
    largest = std::max(largest, std::abs(sample.state.q[1] - calc_fall(drop, sample.t)));
    return true;
  });
  return largest;
}

/// One step of 1 ms across the touch is wrong by up to 3.5e-4 m here.
TEST(JumpSteps, FindTheInstantOfTouchWhereverItIsInTheStep) {
  double largest = 0;
  for (const double drop : {0.200, 0.2004, 0.2008, 0.2012, 0.2016, 0.2020}) {
    largest = std::max(largest, calc_error("minimal", drop, false));
    EXPECT_LT(calc_error("minimal", drop, true), 1e-5) << drop;
    EXPECT_LT(calc_error("lagrange", drop, true), 1e-5) << drop;
  }
  EXPECT_GT(largest, 1e-4) << "what it is for";
}

/// Where nothing jumps the motion is the same: a step that is halved without need differs by the error of its order.
TEST(JumpSteps, LeaveSmoothMotionAlone) {
  const auto problem = build(build_config("free/pendulum"));
  std::vector<double> ends;
  for (const bool has_jumps : {false, true}) {
    MethodOptions options;
    options.has_jumps = has_jumps;
    const auto method = build_method("minimal", *problem, options);
    double end = 0;
    run(*method, 2.0, 1e-3, [&](const Sample& sample) {
      end = sample.state.q[2];
      return true;
    });
    ends.push_back(end);
  }
  EXPECT_NEAR(ends[0], ends[1], 1e-12);
}

}  // namespace
}  // namespace rodeo::dynamics
