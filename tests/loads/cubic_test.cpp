// SPDX-License-Identifier: MIT
// Drives without limits on a cubic of positions and rates: the acceleration of the cubic in torques, in what hangs on the drive
// freely, and in recordings. Closed forms and an integration of their own.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <fstream>
#include <numbers>

#include "tests/program/free_support.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;
using testing_support::FreeProgram;
using testing_support::Result;
using testing_support::Table;

constexpr double kG = 9.81;
/// From rest to rest over one rad or metre in a second, and half of it back in another.
const std::string kThere = "0,0,0\n1,1,0\n2,0.5,0\n";

struct Motion {
  double x, v, a;
};

Motion calc_motion(double t) {
  if (t < 1) return {t * t * (3 - 2 * t), 6 * t * (1 - t), 6 - 12 * t};
  const double u = t - 1;
  if (t < 2) return {1 - u * u * (3 - 2 * u) / 2, -3 * u * (1 - u), -3 + 6 * u};
  return {0.5, 0, 3};  // the last row belongs to the cubic that ends there
}

class Cubic : public FreeProgram {
 protected:
  void put(const std::string& name, const std::string& text) const { std::ofstream(folder() / name) << text; }

  /// An arm on a pin: 3 kg at 0.4 m, 0.2 kg m² about its centre of mass.
  void put_arm(const std::string& space, const std::string& inertia) const {
    put("arm.yaml", "name: arm\n" + space +
                        "ground: {points: {O: [0, 0]}}\n"
                        "bodies: {arm: {points: {O: [0, 0]}, mass: 3, com: [0.4, 0], inertia: " +
                        inertia +
                        "}}\n"
                        "joints: [{revolute: [ground.O, arm.O], name: pin}]\n"
                        "drives: {swing: {angle: arm}}\n"
                        "gravity: [0, -9.81]\n"
                        "start: {swing: 0}\n");
    put("in.csv", "t,swing,swing.rate\n" + kThere);
  }
  void expect_torques(const Table& log) const {
    const std::size_t acceleration = log.find("swing.acceleration"), torque = log.find("swing.torque");
    ASSERT_EQ(log.rows.size(), 2001U);
    for (const auto& row : log.rows) {
      const Motion m = calc_motion(row[0]);
      ASSERT_NEAR(row[acceleration], m.a, 1e-12) << row[0];
      ASSERT_NEAR(row[torque], (0.2 + 3 * 0.16) * m.a + 3 * kG * 0.4 * std::cos(m.x), 1e-11) << row[0];
    }
  }
  void simulate_arm() const {
    const Result result = run("simulate arm.yaml --input in.csv --columns all -o log.csv");
    ASSERT_EQ(result.status, 0) << result.err;
    expect_torques(read_table("log.csv"));
  }
};

TEST_F(Cubic, GivesItsAccelerationToTheTorqueInThePlane) {
  put_arm("", "0.2");
  simulate_arm();
}

TEST_F(Cubic, GivesItsAccelerationToTheTorqueInSpace) {
  put_arm("space: 3\n", "[0.1, 0.1, 0.2]");
  simulate_arm();
}

TEST_F(Cubic, IsRecordedWithItsAcceleration) {
  put_arm("", "0.2");
  const Result live =
      run("run arm.yaml --input in.csv --no-realtime --overrun slip --rate 1000 --record run.mcap");
  ASSERT_EQ(live.status, 0) << live.err;
  const Result verified = run("replay run.mcap --verify");
  EXPECT_EQ(verified.status, 0) << verified.err;
  EXPECT_THAT(verified.out, HasSubstr(", identical\n"));
  ASSERT_EQ(run("export run.mcap --columns all -o log.csv").status, 0);
  Table log = read_table("log.csv");
  const std::size_t torque = log.find("swing.torque");
  log.rows.erase(log.rows.begin());  // a run begins at rest
  ASSERT_EQ(log.rows.size(), 2000U);
  for (const auto& row : log.rows) {
    const Motion m = calc_motion(row[0]);
    ASSERT_NEAR(row[torque], (0.2 + 3 * 0.16) * m.a + 3 * kG * 0.4 * std::cos(m.x), 1e-11) << row[0];
  }
}

/// A pendulum, 2 kg at 0.5 m and 0.1 kg m², hangs on a cart whose way is given: J·θ'' = -m·l·(g·cos θ - ẍ·sin θ).
TEST_F(Cubic, MovesWhatHangsOnItsDrive) {
  put("cart.yaml",
      "name: cart\n"
      "ground: {points: {S: [0, 0]}}\n"
      "bodies:\n"
      "  cart: {points: {P: [0, 0]}, mass: 1, com: [0, 0], inertia: 1}\n"
      "  bob: {points: {P: [0, 0]}, mass: 2, com: [0.5, 0], inertia: 0.1}\n"
      "joints: [{prismatic: [ground.S, cart.P], direction: [1, 0]}, {revolute: [cart.P, bob.P]}]\n"
      "drives: {way: {slide: [ground.S, cart.P]}}\n"
      "gravity: [0, -9.81]\n"
      "start: {way: 0, bob: -90 deg}\n");
  put("in.csv", "t,way,way.rate\n" + kThere);
  const Result result = run("simulate cart.yaml --input in.csv -o log.csv");
  ASSERT_EQ(result.status, 0) << result.err;
  const Table log = read_table("log.csv");
  const std::size_t angle = log.find("bob.angle");
  const auto calc = [](double t, const std::array<double, 2>& s) {
    const double push = kG * std::cos(s[0]) - calc_motion(t).a * std::sin(s[0]);
    return std::array{s[1], -2 * 0.5 * push / (0.1 + 2 * 0.25)};
  };
  std::array<double, 2> s{-std::numbers::pi / 2, 0};
  ASSERT_EQ(log.rows.size(), 2001U);
  for (int i = 0; i < 2000; ++i) {
    // Heun's method in ten small steps, none across a row of the input.
    ASSERT_NEAR(log.rows[static_cast<std::size_t>(i)][angle], s[0], 2e-6) << i;
    for (int k = 0; k < 10; ++k) {
      constexpr double h = 1e-4;
      const double t = 1e-3 * i + h * k;
      const auto f = calc(t + h / 1000, s);
      const auto g = calc(t + h - h / 1000, {s[0] + h * f[0], s[1] + h * f[1]});
      for (std::size_t n = 0; n < 2; ++n) s[n] += h * (f[n] + g[n]) / 2;
    }
  }
}

}  // namespace
}  // namespace rodeo::tools
