// SPDX-License-Identifier: MIT
// A contact that is touched within a tick, against its closed form: free fall, then a damped oscillation about the sunk rest. A rod
// that falls on a floor, in kernels whose joints are kept by multipliers, against its one equation at a thousand times the rate.
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

/// The largest error of an output against `truth` up to `end`, at 1 kHz.
template <typename Truth>
double calc_error(const std::string& built, const std::string& output, double end, const Truth& truth) {
  const engine::ModelFolder model = engine::ModelFolder::build_from(built);
  engine::StepperOptions options;
  options.finds_jumps = model.finds_jumps;
  engine::Stepper stepper(model.kernel, model.limits, options);
  EXPECT_EQ(stepper.try_start(model.parameters, model.start), engine::KernelStatus::ok);
  const std::size_t height = find_output(&model.kernel.table(), output);
  double largest = 0;
  for (int tick = 1; tick * 1e-3 < end; ++tick) {
    stepper.set_inputs(std::array{tick * 1e-3});
    EXPECT_EQ(stepper.try_tick({}), engine::TickResult::ok);
    largest = std::max(largest, std::abs(stepper.outputs()[height] - truth(tick * 1e-3)));
    EXPECT_LT(stepper.residual(), 1e-7);
  }
  return largest;
}

/// From the touch to 4 ms behind it.
double calc_error(double drop) {
  const FreeRun run(build_text(drop));
  return calc_error(run.built, "p.y", std::sqrt(2 * drop / kGravity) + 4e-3,
                    [drop](double t) { return calc_fall(drop, t); });
}

/// The damper's jump, 300 1/s times 2 m/s, over 1/128 of a tick is some 1e-6 m; over a whole tick 1e-4 m and more.
TEST(FreeContact, IsTouchedWithinTheTickWhereverThatIs) {
  for (const double drop : {0.200, 0.2004, 0.2008, 0.2012, 0.2016, 0.2020})
    EXPECT_LT(calc_error(drop), 1e-5) << drop;
}

constexpr double kLength = 0.5, kInertia = 0.1;  // about the centre, half way along the rod

std::string build_rod(bool in_space, double floor) {
  const char* const third = in_space ? ", 0" : "";
  const std::string inertia =
      in_space ? fmt::format("[{0}, {0}, {0}]", kInertia) : fmt::format("{}", kInertia);
  return fmt::format(R"(name: rod
ground: {{points: {{O: [0, 0{0}]}}}}
bodies: {{rod: {{points: {{O: [0, 0{0}], E: [{1}, 0{0}]}}, mass: {2}, com: [{1}/2, 0{0}], inertia: {3}}}}}
joints: [{{revolute: [ground.O, rod.O]{4}}}]
gravity: [0, -{5}{0}]
forces: [{{contact: rod.E{10}, height: -{6}, stiffness: {7}, damping: {8}}}]
start: {{rod: {9}}}
outputs: {{e: rod.E}}
)",
                     third, kLength, kMass, inertia, in_space ? ", axis: [0, 0, 1]" : "", kGravity, floor,
                     kStiffness, kDamping, in_space ? "{angles: [0, 0, 0]}" : "0",
                     in_space ? ", normal: [0, 1, 0]" : "");
}

/// Angle of the rod, from level at rest, by J φ″ = M(φ, φ′) at 1 MHz.
class Rod {
 public:
  explicit Rod(double floor) : floor_(floor) {}

  double angle_at(double t) {
    for (; (steps_ + 0.5) * 1e-6 < t; ++steps_) {
      const double middle = rate_ + 0.5e-6 * calc_acceleration(angle_, rate_);
      const double a = calc_acceleration(angle_ + 0.5e-6 * rate_, middle);
      angle_ += 1e-6 * middle;
      rate_ += 1e-6 * a;
    }
    return angle_;
  }

 private:
  [[nodiscard]] double calc_acceleration(double angle, double rate) const {
    const double depth = -floor_ - kLength * std::sin(angle), sinks = -kLength * std::cos(angle) * rate;
    const double push = depth > 0 ? std::max(kStiffness * depth + kDamping * sinks, 0.0) : 0.0;
    const double torque = (push * kLength - kMass * kGravity * kLength / 2) * std::cos(angle);
    return torque / (kInertia + kMass * kLength * kLength / 4);
  }

  double floor_, angle_ = 0, rate_ = 0;
  int steps_ = 0;
};

struct Kind {
  bool in_space;
  const char* method;
};
class ContactOf : public testing::TestWithParam<Kind> {};

/// rad, over the fall, the touch and some 50 ms behind it.
TEST_P(ContactOf, ARodOnAPinIsTouchedWithinTheTick) {
  for (const double floor : {0.1, 0.1003, 0.1006, 0.1009}) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "rod.yaml";
    std::ofstream(file) << build_rod(GetParam().in_space, floor);
    Rod rod(floor);
    const auto height = [&](double t) { return kLength * std::sin(rod.angle_at(t)); };
    const double error = calc_error(built_folder(file.string(), {}, GetParam().method), "e.y", 0.2, height);
    EXPECT_LT(error / kLength, 1e-5) << floor;
  }
}

INSTANTIATE_TEST_SUITE_P(, ContactOf,
                         testing::Values(Kind{false, "minimal"}, Kind{false, "lagrange"}, Kind{true, ""}));

}  // namespace
}  // namespace rodeo::codegen
