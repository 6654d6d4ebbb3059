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
  const auto certificate = nlohmann::json::parse(read_text(fs::path(built_folder(config("triad"))) / "certificate.json"));
  EXPECT_EQ(certificate["positions"], nlohmann::json({"4 angles together"}));
}

/// A full turn at 6 rad/s and 1 kHz, closure at every tick.
TEST(IteratedBlock, StaysClosedAtSixRadiansASecond) {
  Instance instance(triad());
  ASSERT_EQ(instance.init(), RODEO_OK);
  std::vector<double> outputs;
  double largest = 0.0;
  for (int i = 0; i < 20'000; ++i) {
    ASSERT_EQ(instance.step({triad()->start_drives[0] + 0.006 * i, 6.0, 0.0}, outputs), RODEO_OK) << i;
    largest = std::max(largest, instance.closure());
  }
  std::printf("  closure error at most %.1e m\n", largest);
  EXPECT_LE(largest, 1e-12);
}

/// From every pose of a turn a jump of every size: either the step lands where small steps lead, or it is refused and nothing
/// has changed.
TEST(IteratedBlock, RefusesAJumpThatItCannotFollowAndNeverLandsOnAnotherBranch) {
  int followed = 0, refused = 0, strayed = 0;
  double largest_followed = 0.0, smallest_strayed = 1e9;
  for (int p = 0; p < 24; ++p) {
    Instance base(triad());
    ASSERT_EQ(base.init(), RODEO_OK);
    std::vector<double> outputs;
    const double from = triad()->start_drives[0] + 2 * std::acos(-1.0) * p / 24;
    for (int i = 0; i <= 500; ++i) {
      const double angle = triad()->start_drives[0] + (from - triad()->start_drives[0]) * i / 500;
      ASSERT_EQ(base.step({angle, 0, 0}, outputs), RODEO_OK);
    }
    for (int j = -60; j <= 60; ++j) {
      const double jump = 0.05 * j;
      Instance small = base, large = base;
      std::vector<double> there(triad()->n_outputs), outcome(triad()->n_outputs, 7.0);
      for (int i = 1; i <= 500; ++i) ASSERT_EQ(small.step({from + jump * i / 500, 0, 0}, there), RODEO_OK);
      const int status = large.step({from + jump, 0, 0}, outcome);
      if (status != RODEO_OK) {
        ++refused;
        EXPECT_TRUE(status == RODEO_OPEN || status == RODEO_SINGULAR) << status << " from " << from << " by " << jump;
        EXPECT_EQ(std::memcmp(large.memory.data(), base.memory.data(), 8 * base.memory.size()), 0);
        EXPECT_EQ(outcome, std::vector<double>(triad()->n_outputs, 7.0));
        continue;
      }
      double distance = 0.0;
      for (std::size_t i = 0; i < there.size(); ++i) distance = std::max(distance, std::abs(outcome[i] - there[i]));
      if (distance < 1e-9) {
        ++followed;
        largest_followed = std::max(largest_followed, std::abs(jump));
      } else {
        ++strayed;
        smallest_strayed = std::min(smallest_strayed, std::abs(jump));
        ADD_FAILURE() << "from " << from << " by " << jump << ": another branch, " << distance << " away";
      }
    }
  }
  std::printf("  followed %d (up to %.2f rad), refused %d, strayed %d\n", followed, largest_followed, refused, strayed);
  EXPECT_GT(followed, 100);
  EXPECT_GT(refused, 0);
}

}  // namespace
}  // namespace rodeo::codegen
