// SPDX-License-Identifier: MIT
// Examples by their names: MODEL of every command, and `rodeo new --from` any of any folder.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/program/recording_support.h"
#include "tools/rodeo/configs_path.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

const fs::path kConfigs = RODEO_SOURCE_DIR "/configs";

class Examples : public testing::Test {
 protected:
  testing_support::ProgramResult run(const std::string& arguments) {
    return testing_support::run_rodeo(folder_.path(), arguments);
  }
  engine::testing_support::TemporaryFolder folder_;
};

TEST_F(Examples, AreFoundByNameInEveryFolder) {
  EXPECT_THAT(find_examples(kConfigs, "wheel_loader"), testing::ElementsAre("wheel_loader"));
  EXPECT_THAT(find_examples(kConfigs, "rssr"), testing::ElementsAre("spatial/rssr"));
  EXPECT_THAT(find_examples(kConfigs, "free/pendulum.yaml"), testing::ElementsAre("free/pendulum"));
  EXPECT_THAT(find_examples(kConfigs, "pendulum"), testing::ElementsAre("free/pendulum", "spatial/pendulum"));
  for (const char* other : {"excavator_iso", "planar_rod", "loading", "wagon", "nothing"}) {
    EXPECT_THAT(find_examples(kConfigs, other), testing::IsEmpty()) << "no model: " << other;
  }
}

TEST_F(Examples, AreModelsOfEveryCommand) {
  for (const char* command :
       {"check rssr", "check four_bar", "equations quarter_car", "packet wheel_loader --format c",
        "draw z_bar_loader -o z.svg", "run four_bar --no-realtime --duration 0.01"}) {
    const auto result = run(command);
    EXPECT_EQ(result.status, 0) << command << result.err;
  }
  EXPECT_EQ(run("check pendulum").status, 2);
  EXPECT_THAT(run("check pendulum").err,
              HasSubstr("MODEL: there is no file 'pendulum' here, and more than one "
                        "example of that name: give one of free/pendulum, spatial/pendulum"));
  EXPECT_EQ(run("run nothing").status, 1);
  EXPECT_THAT(run("run nothing").err, HasSubstr("nothing: there is no such file or folder\n"));
}

TEST_F(Examples, AFileHereGoesBeforeAnExample) {
  engine::testing_support::write_file(folder_ / "four_bar", "no: machine\n");
  EXPECT_EQ(run("check four_bar").status, 1);
}

TEST_F(Examples, AreCopiedFromAnyFolderAndStillRead) {
  int number = 0;
  for (const std::string& name : list_examples(kConfigs)) {
    const std::string copy = fmt::format("copy_{}", ++number);
    const auto result = run(fmt::format("new {} --from {}", copy, name));
    ASSERT_EQ(result.status, 0) << name << result.err;
    const auto before = run("check " + name), after = run(fmt::format("check {}.yaml", copy));
    EXPECT_EQ(before.status, after.status) << name << after.err;
  }
  EXPECT_GT(number, 30);
}

TEST_F(Examples, AreListedWhereThereIsNoneOfThatName) {
  const auto result = run("new mine --from nothing");
  EXPECT_EQ(result.status, 2);
  EXPECT_THAT(result.err, HasSubstr("--from: there is no example 'nothing' (there are backhoe, "));
  EXPECT_THAT(result.err, HasSubstr("spatial/rssr"));
}

}  // namespace
}  // namespace rodeo::tools
