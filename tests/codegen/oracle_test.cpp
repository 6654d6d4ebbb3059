// SPDX-License-Identifier: MIT
// Every kernel against an oracle that shares no code with it, and against its own finite differences.
#include <gtest/gtest.h>

#include <cmath>

#include "tests/codegen/compare.h"
#include "tests/codegen/drive_path.h"

namespace rodeo::codegen {
namespace {

class KernelOracle : public testing::TestWithParam<std::string> {};

/// A relative error grows as 1e-16/margin², architecture.md: at 0.1 it is well below this.
constexpr double kTolerance = 1e-10;
constexpr double kComparedMargin = 0.1;
constexpr int kPoses = 400;
constexpr int kTicksAPose = 40;

TEST_P(KernelOracle, MatchesPositionsVelocitiesAndAccelerationsOfEverything) {
  const Comparison result = compare_with_oracle(GetParam(), {}, kPoses, kTicksAPose, kComparedMargin);
  RecordProperty("compared", result.compared);
  std::printf(
      "  %d poses, reach %.2f, margin from %.3f; largest errors: position %.1e, velocity %.1e, acceleration "
      "%.1e (%s)\n",
      result.compared, result.reach, result.smallest_margin, result.position, result.velocity,
      result.acceleration, result.worst.c_str());
  EXPECT_GE(result.compared, 200);
  const bool is_config = GetParam().find("/configs/") != std::string::npos;
  EXPECT_GE(result.reach, is_config ? 1.0 : 0.1) << "of the ranges";
  EXPECT_LE(result.position, kTolerance) << result.worst;
  EXPECT_LE(result.velocity, kTolerance) << result.worst;
  EXPECT_LE(result.acceleration, kTolerance) << result.worst;
}

/// Central differences over 2h, h = 0.1 ms: cutting error h²/6 of the third derivative, 2e-9 for paces near 1 rad/s.
TEST_P(KernelOracle, HasVelocitiesAndAccelerationsThatAreDifferencesOfItsPositions) {
  const machine::Machine machine = machine::build_machine_from_file(GetParam());
  const rodeo_kernel* k = load_kernel(fs::path(built_folder(GetParam())) / "kernel.so");
  const double size = reference::AbsoluteOracle(machine).calc_size();
  const DrivePath path = find_path(machine, k, size, default_parameters(k), start_drives(k));
  Instance instance(k);
  ASSERT_EQ(instance.init(), RODEO_OK);
  constexpr double h = 1e-4;
  std::vector<double> before, here, after;
  double largest = 0.0;
  int compared = 0;
  for (int i = 1; i <= 16000; ++i) {  // 1 kHz, compared every 40 ms
    const double t = 0.001 * i;
    if (i % kTicksAPose != 0) {
      ASSERT_EQ(instance.step(to_drives(path.at(t)), here), RODEO_OK);
      continue;
    }
    ASSERT_EQ(instance.step(to_drives(path.at(t - h)), before), RODEO_OK);
    ASSERT_EQ(instance.step(to_drives(path.at(t)), here), RODEO_OK);
    const double margin = instance.margin();
    ASSERT_EQ(instance.step(to_drives(path.at(t + h)), after), RODEO_OK);
    if (margin < kComparedMargin) continue;
    ++compared;
    largest = std::max(largest, calc_difference_error(k, machine, size, before, here, after, h));
  }
  std::printf("  %d poses, largest error %.1e\n", compared, largest);
  EXPECT_GE(compared, 200);
  EXPECT_LE(largest, 1e-6);
}

INSTANTIATE_TEST_SUITE_P(Machines, KernelOracle,
                         testing::ValuesIn(find_machines({"configs", "tests/machines"})), machine_name);

}  // namespace
}  // namespace rodeo::codegen
