// SPDX-License-Identifier: MIT
// Blocks without a closed form: a plate on three links (an Assur group of class III) closes by a fixed number of Newton
// corrections from the last state. Its agreement with the oracle along a path is in oracle_test.cpp.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <nlohmann/json.hpp>

#include "tests/codegen/compare.h"
#include "tests/codegen/drive_path.h"

namespace rodeo::codegen {
namespace {

const rodeo_kernel* triad() {
  static const rodeo_kernel* kernel = load_kernel(fs::path(built_folder(config("triad"))) / "kernel.so");
  return kernel;
}

TEST(IteratedBlock, IsWhatTheTriadHas) {
  const auto certificate =
      nlohmann::json::parse(read_text(fs::path(built_folder(config("triad"))) / "certificate.json"));
  EXPECT_EQ(certificate["positions"], nlohmann::json({"4 angles together"}));
}

/// The crank swings: dead points are 1.9 rad before and 3.48 rad after the start.
constexpr double kLow = -1.7, kHigh = 3.2;

/// Swings over nearly all of it with 6 rad/s in the middle, 1 kHz, closure at every tick.
TEST(IteratedBlock, StaysClosedAtSixRadiansASecond) {
  Instance instance(triad());
  ASSERT_EQ(instance.init(), RODEO_OK);
  std::vector<double> outputs;
  double largest = 0.0;
  const double middle = 0.5 * (kLow + kHigh), half = 0.5 * (kHigh - kLow), pace = 6.0 / half;
  for (int i = 0; i < 20'000; ++i) {
    const double phase = pace * 0.001 * i - std::asin(middle / half);
    const double angle = triad()->start_drives[0] + middle + half * std::sin(phase);
    ASSERT_EQ(instance.step({angle, 6.0 * std::cos(phase), -6.0 * pace * std::sin(phase)}, outputs), RODEO_OK)
        << i;
    largest = std::max(largest, instance.closure());
  }
  std::printf("  closure error at most %.1e m\n", largest);
  EXPECT_LE(largest, 1e-12);
}

/// At a dead point: refused, and still where it was when commanded back.
TEST(IteratedBlock, StopsAtItsDeadPointsAndMovesOnWhenCommandedBack) {
  for (const double sense : {1.0, -1.0}) {
    Instance instance(triad());
    ASSERT_EQ(instance.init(), RODEO_OK);
    std::vector<double> outputs, again;
    int status = RODEO_OK;
    double angle = triad()->start_drives[0];
    while (status == RODEO_OK) status = instance.step({angle += sense * 0.001, 0, 0}, outputs);
    EXPECT_TRUE(status == RODEO_SINGULAR || status == RODEO_OPEN);
    EXPECT_LT(instance.margin(), 0.05);
    EXPECT_GE(instance.margin(), 0.01);
    while (sense * (angle - triad()->start_drives[0]) > 0.0005)
      ASSERT_EQ(instance.step({angle -= sense * 0.001, 0, 0}, outputs), RODEO_OK);
    Instance fresh(triad());
    ASSERT_EQ(fresh.init(), RODEO_OK);
    ASSERT_EQ(fresh.step({angle, 0, 0}, again), RODEO_OK);
    for (std::size_t i = 0; i < outputs.size(); ++i)
      EXPECT_NEAR(outputs[i], again[i], 1e-12) << triad()->outputs[i].name;
  }
}

enum class Outcome { followed, refused, strayed };

/// One jump beside 500 small steps to the same crank angle.
Outcome jump(const Instance& base, double from, double to) {
  Instance small = base, large = base;
  const std::vector<double> marks(triad()->n_outputs, 7.0);
  std::vector<double> there, outcome = marks;
  for (int i = 1; i <= 500; ++i)
    EXPECT_EQ(small.step({from + (to - from) * i / 500, 0, 0}, there), RODEO_OK)
        << i << " from " << from << " to " << to;
  const int status = large.step({to, 0, 0}, outcome);
  if (status != RODEO_OK) {
    EXPECT_TRUE(status == RODEO_OPEN || status == RODEO_SINGULAR)
        << status << " from " << from << " to " << to;
    EXPECT_EQ(std::memcmp(large.memory.data(), base.memory.data(), 8 * base.memory.size()), 0)
        << "state changed";
    EXPECT_EQ(outcome, marks) << "outputs changed";
    return Outcome::refused;
  }
  double distance = 0.0;
  for (std::size_t i = 0; i < there.size(); ++i)
    distance = std::max(distance, std::abs(outcome[i] - there[i]));
  return distance < 1e-9 ? Outcome::followed : Outcome::strayed;
}

/// Between all pairs of 50 crank angles: a step lands where small steps lead, or it is refused and nothing has changed.
TEST(IteratedBlock, FollowsAJumpOrRefusesItAndNeverLandsOnAnotherBranch) {
  constexpr int kAngles = 50;
  int followed = 0, refused = 0, strayed = 0;
  double shortest_stray = 1e9;
  Instance base(triad());
  ASSERT_EQ(base.init(), RODEO_OK);
  std::vector<double> outputs;
  const auto angle = [](double i) {
    return triad()->start_drives[0] + kLow + (kHigh - kLow) * i / (kAngles - 1);
  };
  for (int i = 0; i <= 1000; ++i)
    ASSERT_EQ(base.step({triad()->start_drives[0] + kLow * i / 1000, 0, 0}, outputs), RODEO_OK);
  for (int from = 0; from < kAngles; ++from) {
    for (int i = 1; from > 0 && i <= 100; ++i)
      ASSERT_EQ(base.step({angle(from - 1 + 0.01 * i), 0, 0}, outputs), RODEO_OK);
    for (int to = 0; to < kAngles; ++to) {
      const Outcome outcome = jump(base, angle(from), angle(to));
      followed += outcome == Outcome::followed;
      refused += outcome == Outcome::refused;
      if (outcome != Outcome::strayed) continue;
      ++strayed;
      shortest_stray = std::min(shortest_stray, std::abs(angle(to) - angle(from)));
    }
  }
  std::printf("  followed %d, refused %d, strayed %d (shortest %.2f rad)\n", followed, refused, strayed,
              shortest_stray);
  EXPECT_GT(followed, 100);
  EXPECT_GT(refused, 100);
  EXPECT_EQ(strayed, 0);
}

}  // namespace
}  // namespace rodeo::codegen
