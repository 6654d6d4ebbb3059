// SPDX-License-Identifier: MIT
// Logs: which columns, which digits, and whole or not at all.
#include "engine/io/log.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <array>

#include "tests/kernel/build_kernel.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

Kernel four_bar() { return Kernel::build_from_file(four_bar_object().string()); }

Stepper started() {
  Stepper stepper(four_bar(), std::array{DriveLimits{}}, {});
  EXPECT_EQ(stepper.try_start(stepper.kernel().default_parameters(), std::array{0.1}), KernelStatus::ok);
  return stepper;
}

std::vector<std::string> list(const fs::path& folder) {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(folder)) names.push_back(entry.path().filename().string());
  return names;
}

TEST(LogColumns, AreThoseOfTheContract) {
  EXPECT_THAT(LogColumns(four_bar(), false).names(),
              testing::ElementsAre("t", "crank", "crank.angle", "coupler.angle", "rocker.angle", "crank.rate",
                                   "coupler.rate", "rocker.rate", "tip.x", "tip.y", "residual"));
}

TEST(LogColumns, AllAddsTheRestOnce) {
  const LogColumns columns(four_bar(), true);
  std::vector<std::string> names = columns.names();
  EXPECT_EQ(names[10], "residual");
  EXPECT_THAT(names, testing::IsSupersetOf(
                         {"coupler.origin.x", "coupler.acceleration", "tip.vx", "margin", "status"}));
  std::sort(names.begin(), names.end());
  EXPECT_EQ(std::adjacent_find(names.begin(), names.end()), names.end());
}

TEST(LogWriter, WritesSeventeenDigitsThatReadBackExactly) {
  const TemporaryFolder folder;
  const Stepper stepper = started();
  LogWriter log((folder / "log.csv").string(), LogColumns(stepper.kernel(), false));
  log.write(0.003, stepper);
  log.finish();
  const std::string text = read_file(folder / "log.csv");
  const std::string row = text.substr(text.find('\n') + 1);
  EXPECT_THAT(row, testing::StartsWith("0.0030000000000000001,0.10000000000000001,0.10000000000000001,"));
  const double coupler = std::strtod(row.substr(row.find(",0.1", 25) + 21).c_str(), nullptr);
  EXPECT_EQ(coupler, stepper.outputs()[1]);
}

TEST(LogWriter, LeavesNothingBehindWithoutFinish) {
  const TemporaryFolder folder;
  write_file(folder / "log.csv", "old");
  {
    const Stepper stepper = started();
    LogWriter log((folder / "log.csv").string(), LogColumns(stepper.kernel(), true));
    for (int i = 0; i < 10000; ++i) log.write(i, stepper);
    EXPECT_EQ(read_file(folder / "log.csv"), "old");
  }
  EXPECT_EQ(list(folder.path()), std::vector<std::string>{"log.csv"});
  EXPECT_EQ(read_file(folder / "log.csv"), "old");
}

TEST(AtomicFile, KeepsPermissionsAndLinks) {
  const TemporaryFolder folder;
  write_file(folder / "real.csv", "old");
  ASSERT_EQ(::chmod((folder / "real.csv").c_str(), 0640), 0);
  fs::create_symlink("real.csv", folder / "link.csv");
  AtomicFile file((folder / "link.csv").string());
  file.write("new");
  file.finish();
  EXPECT_TRUE(fs::is_symlink(folder / "link.csv"));
  EXPECT_EQ(read_file(folder / "real.csv"), "new");
  EXPECT_EQ(static_cast<unsigned>(fs::status(folder / "real.csv").permissions()), 0640U);
}

TEST(AtomicFile, SaysWhyItCannotBeWritten) {
  const auto why = [](const std::string& path) {
    try {
      AtomicFile file(path);
      file.write("text");
      file.finish();
    } catch (const IoError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  EXPECT_EQ(why("none/log.csv"), "cannot write 'none/log.csv': No such file or directory");
  EXPECT_EQ(why("/"), "cannot write '/': Is a directory");
  EXPECT_EQ(why("/dev/full"), "cannot write '/dev/full': No space left on device");
  EXPECT_EQ(why(""), "cannot write '': No such file or directory");
}

}  // namespace
}  // namespace rodeo::engine
