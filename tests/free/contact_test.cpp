// SPDX-License-Identifier: MIT
// A contact that is touched within a tick, against its closed form: free fall, then a damped oscillation about the sunk rest.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>

#include "engine/step/model_folder.h"
#include "engine/step/stepper.h"
#include "tests/free/free_run.h"

namespace rodeo::codegen {
namespace {

constexpr double kMass = 4, kStiffness = 2e5, kDamping = 1200, kGravity = 9.81;

/// Height of the mass over its start, falling from rest onto a floor `drop` below.
double calc_fall(double drop, double t) {
  const double touch = std::sqrt(2 * drop / kGravity);
  if (t <= touch) return -kGravity * t * t / 2;
  // x″ + 2δx′ + ω²x = 0 about the rest, at -m g/k on the floor
  const double delta = kDamping / kMass / 2, w = std::sqrt(kStiffness / kMass - delta * delta);
  const double sunk = kMass * kGravity / kStiffness, s = t - touch;
  const double a = sunk, b = (-kGravity * touch + delta * a) / w;
  return -drop - sunk + std::exp(-delta * s) * (a * std::cos(w * s) + b * std::sin(w * s));
}

std::string build_text(double drop) {
  return fmt::format(R"(name: drop
ground: {{points: {{O: [0, 0]}}}}
bodies: {{mass: {{points: {{P: [0, 0]}}, mass: {}, com: [0, 0], inertia: 0.1}}}}
joints: [{{prismatic: [ground.O, mass.P], direction: [0, 1], angle: 0}}]
gravity: [0, -{}]
forces: [{{contact: mass.P, height: -{}, stiffness: {}, damping: {}}}]
start: {{mass: 0}}
outputs: {{p: mass.P}}
)",
                     kMass, kGravity, drop, kStiffness, kDamping);
}

/// The largest error of height from the touch to 4 ms behind it, at 1 kHz.
double calc_error(double drop) {
  const FreeRun run(build_text(drop));
  const engine::ModelFolder model = engine::ModelFolder::build_from(run.built);
  engine::StepperOptions options;
  options.finds_jumps = model.finds_jumps;
  engine::Stepper stepper(model.kernel, model.limits, options);
  EXPECT_EQ(stepper.try_start(model.parameters, model.start), engine::KernelStatus::ok);
  const std::size_t height = find_output(run.k, "p.y");
  const double end = std::sqrt(2 * drop / kGravity) + 4e-3;
  double largest = 0;
  for (int tick = 1; tick * 1e-3 < end; ++tick) {
    stepper.set_inputs(std::array{tick * 1e-3});
    EXPECT_EQ(stepper.try_tick({}), engine::TickResult::ok);
    largest = std::max(largest, std::abs(stepper.outputs()[height] - calc_fall(drop, tick * 1e-3)));
  }
  return largest;
}

/// The damper's jump, 300 1/s times 2 m/s, over 1/128 of a tick is some 1e-6 m; over a whole tick 1e-4 m and more.
TEST(FreeContact, IsTouchedWithinTheTickWhereverThatIs) {
  for (const double drop : {0.200, 0.2004, 0.2008, 0.2012, 0.2016, 0.2020})
    EXPECT_LT(calc_error(drop), 1e-5) << drop;
}

}  // namespace
}  // namespace rodeo::codegen
