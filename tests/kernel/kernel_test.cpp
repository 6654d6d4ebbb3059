// SPDX-License-Identifier: MIT
// Loading a kernel: what is whole works, what is not gets a sentence and never a crash.
#include "engine/kernel/kernel.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <limits>

#include "tests/kernel/build_kernel.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;
using testing::HasSubstr;

std::string why_not(const fs::path& path) {
  try {
    static_cast<void>(Kernel::build_from_file(path.string()));
  } catch (const KernelError& error) {
    return error.what();
  }
  return "";
}

TEST(KernelFile, TellsItsNamesCountsAndDefaults) {
  const Kernel kernel = Kernel::build_from_file(four_bar_object().string());
  EXPECT_EQ(kernel.name(), "four_bar");
  EXPECT_EQ(kernel.drive_count(), 1U);
  EXPECT_EQ(build_names(kernel.drives()), std::vector<std::string>{"crank"});
  EXPECT_EQ(kernel.default_parameters()[0], 1.4);
}

TEST(KernelFile, OfAnotherAbiIsRefusedWithBothVersions) {
  const TemporaryFolder folder;
  compile_four_bar(folder / "k.so", "-DRODEO_TEST_ABI=7");
  EXPECT_EQ(why_not(folder / "k.so"),
            (folder / "k.so").string() + ": built for kernel ABI 7, this rodeo has 2: build it again");
}

TEST(KernelFile, WithoutTheSymbolIsNotAKernel) {
  const TemporaryFolder folder;
  write_file(folder / "other.c", "int other(void);\nint other(void) { return 1; }\n");
  compile((folder / "other.c").string(), folder / "other.so");
  EXPECT_EQ(why_not(folder / "other.so"),
            (folder / "other.so").string() + ": is not a kernel (no symbol rodeo_kernel_get)");
}

TEST(KernelFile, ThatIsMissingEmptyTextOrAFolderIsRefused) {
  const TemporaryFolder folder;
  write_file(folder / "empty.so", "");
  write_file(folder / "text.so", std::string(5000, 'x'));
  EXPECT_THAT(why_not(folder / "none.so"), HasSubstr("there is no such file"));
  EXPECT_THAT(why_not(folder / "empty.so"), HasSubstr("is empty"));
  EXPECT_THAT(why_not(folder / "text.so"), HasSubstr("is not a kernel"));
  EXPECT_THAT(why_not(folder.path()), HasSubstr("is no file"));
}

TEST(KernelFile, CutOffAnywhereIsRefusedWithoutACrash) {
  const TemporaryFolder folder;
  const std::string whole = read_file(four_bar_object());
  for (std::size_t part = 1; part < 40; ++part) {
    const fs::path path = folder / fmt::format("k{}.so", part);
    const std::size_t size = part < 39 ? whole.size() * part / 39 : whole.size() - 1;
    write_file(path, whole.substr(0, size));
    EXPECT_THAT(why_not(path), HasSubstr(fmt::format("cut off after {} bytes", size)));
  }
}

TEST(KernelFile, ThatDoesNotLinkIsRefusedWithTheLinkersReason) {
  const TemporaryFolder folder;
  write_file(folder / "open.c", "int nowhere(void);\nint f(void);\nint f(void) { return nowhere(); }\n");
  compile((folder / "open.c").string(), folder / "open.so");
  EXPECT_THAT(why_not(folder / "open.so"), HasSubstr("cannot be loaded: "));
  EXPECT_THAT(why_not(folder / "open.so"), HasSubstr("nowhere"));
}

TEST(KernelTable, WithAMissingFunctionOrImpossibleCountsIsRefused) {
  const TemporaryFolder folder;
  compile_four_bar(folder / "null.so", "-DRODEO_TEST_NULL");
  compile_four_bar(folder / "counts.so", "-DRODEO_TEST_COUNTS");
  EXPECT_THAT(why_not(folder / "null.so"), HasSubstr("is a broken kernel (a function is missing)"));
  EXPECT_THAT(why_not(folder / "counts.so"), HasSubstr("is a broken kernel (impossible counts)"));
}

class FourBar : public testing::Test {
 protected:
  FourBar() : kernel_(Kernel::build_from_file(four_bar_object().string())), instance_(kernel_) {
    EXPECT_EQ(instance_.try_init(kernel_.default_parameters(), kernel_.start_drives()), KernelStatus::ok);
  }
  Kernel kernel_;
  Instance instance_;
  std::array<double, 15> outputs_{};
};

TEST_F(FourBar, ClosesItsLoop) {
  std::array<double, 3> states{};
  instance_.get_state(states);
  double residual = 1;
  EXPECT_EQ(instance_.try_closure(states, residual), KernelStatus::ok);
  EXPECT_LT(residual, 1e-15);
}

// The reference of the other tests is checked itself: central differences, whose error is h² times the third
// derivative (about 1) over 6, and rounding over h².
TEST_F(FourBar, RatesAndAccelerationsAreDerivativesOfItsAngles) {
  const double h = 1e-4;
  const double rate = 1.3;
  const double acceleration = -0.7;
  std::array<std::array<double, 15>, 3> at{};
  for (int i = -1; i <= 1; ++i) {
    const double t = i * h;
    const std::array drives{0.8 + rate * t + acceleration * t * t / 2, rate + acceleration * t, acceleration};
    ASSERT_EQ(instance_.try_step(drives, at[i + 1]), KernelStatus::ok);
  }
  for (int body = 0; body < 3; ++body) {
    EXPECT_NEAR((at[2][body] - at[0][body]) / (2 * h), at[1][3 + body], 1e-7);
    EXPECT_NEAR((at[2][body] - 2 * at[1][body] + at[0][body]) / (h * h), at[1][6 + body], 1e-6);
  }
}

TEST_F(FourBar, RefusesNonFiniteDrivesAndLeavesOutputsUntouched) {
  outputs_.fill(7);
  const std::array drives{std::numeric_limits<double>::quiet_NaN(), 0.0, 0.0};
  EXPECT_EQ(instance_.try_step(drives, outputs_), KernelStatus::bad_input);
  EXPECT_THAT(outputs_, testing::Each(7.0));
}

TEST_F(FourBar, GoesOnFromASavedStateBitForBit) {
  std::vector<unsigned char> bytes(instance_.state_bytes());
  std::array drives{1.2, 0.5, 0.0};
  ASSERT_EQ(instance_.try_step(drives, outputs_), KernelStatus::ok);
  instance_.save(bytes);
  drives[0] = 1.3;
  ASSERT_EQ(instance_.try_step(drives, outputs_), KernelStatus::ok);
  Instance other(kernel_);
  ASSERT_EQ(other.try_restore(bytes), KernelStatus::ok);
  std::array<double, 15> again{};
  ASSERT_EQ(other.try_step(drives, again), KernelStatus::ok);
  EXPECT_EQ(again, outputs_);
}

TEST(Instance, KeepsItsKernelLoaded) {
  std::unique_ptr<Instance> instance;
  {
    const Kernel kernel = Kernel::build_from_file(four_bar_object().string());
    instance = std::make_unique<Instance>(kernel);
  }
  EXPECT_EQ(instance->kernel().name(), "four_bar");
}

}  // namespace
}  // namespace rodeo::engine
