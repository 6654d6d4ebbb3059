// SPDX-License-Identifier: MIT
// `rodeo new` as a user meets it.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "kinematics/machine/machine.h"
#include "tools/rodeo/configs_path.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class New : public testing::Test {
 protected:
  New() {
    std::string name = testing::TempDir() + "rodeo_new_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~New() override { fs::remove_all(folder_); }

  int run(const std::string& arguments) {
    const std::string command =
        fmt::format("cd '{0}' && '{1}' new {2} >out 2>err", folder_.string(), RODEO_PROGRAM, arguments);
    const int status = std::system(command.c_str());
    out_ = read_text(folder_ / "out");
    err_ = read_text(folder_ / "err");
    return WEXITSTATUS(status);
  }

  fs::path folder_;
  std::string out_, err_;
};

TEST_F(New, WritesACommentedMachineOfThatName) {
  ASSERT_EQ(run("my_linkage"), 0) << err_;
  EXPECT_EQ(out_, "Wrote my_linkage.yaml. Next: rodeo check my_linkage.yaml\n");
  const machine::Machine m = machine::build_machine_from_file((folder_ / "my_linkage.yaml").string());
  EXPECT_EQ(m.name, "my_linkage");
  EXPECT_EQ(m.bodies.size(), 4u);
  EXPECT_THAT(read_text(folder_ / "my_linkage.yaml"), HasSubstr("# What moves."));
}

TEST_F(New, StartsFromAnyMachineOfConfigs) {
  int machines = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(fs::path(RODEO_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() != ".yaml") continue;
    const std::string from = entry.path().stem().string();
    if (!machine::is_machine(text::build_yaml_from_file(entry.path().string()))) continue;
    EXPECT_EQ(run(fmt::format("copy_of_{0}.yaml --from {0}", from)), 0) << err_;
    EXPECT_NO_THROW(machine::build_machine_from_file((folder_ / ("copy_of_" + from + ".yaml")).string()));
    ++machines;
  }
  EXPECT_GE(machines, 3);
}

TEST_F(New, DoesNotWriteOverAFile) {
  std::ofstream(folder_ / "mine.yaml") << "precious\n";
  EXPECT_EQ(run("mine"), 1);
  EXPECT_EQ(err_, "rodeo: 'mine.yaml' exists already: choose another name, or remove it first\n");
  EXPECT_EQ(read_text(folder_ / "mine.yaml"), "precious\n");
}

TEST_F(New, RefusesAnUnknownMachineAndWritesNothing) {
  EXPECT_EQ(run("mine --from nothing"), 2);
  EXPECT_THAT(err_, testing::ContainsRegex(
                        "there is no example 'nothing' \\(there are .*crank_slider, .*four_bar, "));
  EXPECT_FALSE(fs::exists(folder_ / "mine.yaml"));
}

TEST_F(New, RefusesANameThatIsNone) {
  EXPECT_EQ(run("2nd"), 2);
  EXPECT_THAT(
      err_, HasSubstr("'2nd' is no name: it is made of letters, digits, _ and -, and starts with a letter"));
  EXPECT_FALSE(fs::exists(folder_ / "2nd.yaml"));
}

TEST_F(New, RefusesAFolderThatIsNotThere) {
  EXPECT_EQ(run("nowhere/mine"), 1);
  EXPECT_EQ(err_, "rodeo: cannot write 'nowhere/mine.yaml': No such file or directory\n");
}

TEST_F(New, FindsConfigsBesideAnInstalledProgram) {
  const fs::path configs = folder_ / "share" / "rodeo" / "configs";
  fs::create_directories(configs);
  std::ofstream(configs / "four_bar.yaml") << "name: four_bar\n";
  EXPECT_EQ(find_configs_from(folder_ / "bin"), configs);
}

TEST_F(New, FindsConfigsAboveABuildFolder) {
  fs::create_directories(folder_ / "configs");
  std::ofstream(folder_ / "configs" / "four_bar.yaml") << "name: four_bar\n";
  EXPECT_EQ(find_configs_from(folder_ / "build" / "asan"), folder_ / "configs");
}

}  // namespace
}  // namespace rodeo::tools
