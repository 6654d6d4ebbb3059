// SPDX-License-Identifier: MIT
// -p NAME=VALUE: every offline command takes it and says so; `new` writes it into the new file.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_rewrite.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

class Parameters : public testing::Test {
 protected:
  Parameters() {
    std::string name = testing::TempDir() + "rodeo_parameters_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~Parameters() override { fs::remove_all(folder_); }

  int run(const std::string& arguments) {
    const std::string command =
        fmt::format("cd '{0}' && '{1}' {2} >out 2>err", folder_.string(), RODEO_PROGRAM, arguments);
    const int status = WEXITSTATUS(std::system(command.c_str()));
    out_ = read_text(folder_ / "out");
    err_ = read_text(folder_ / "err");
    return status;
  }

  fs::path folder_;
  std::string out_, err_;
};

TEST_F(Parameters, AreInTheHelpOfEveryOfflineCommandWithAnExample) {
  int commands = 0;
  for (const std::string_view name : offline_commands()) {
    if (run(fmt::format("{} --help", name)) != 0) continue;  // comes with a later issue
    ++commands;
    EXPECT_THAT(out_, HasSubstr("-p TEXT")) << name;
    EXPECT_THAT(out_, HasSubstr("NAME=VALUE")) << name;
    EXPECT_THAT(out_, HasSubstr(fmt::format("Example: rodeo {} ", name))) << name;
  }
  EXPECT_GE(commands, 5);
}

TEST_F(Parameters, ChangeTheModelThatIsChecked) {
  const std::string model = RODEO_SOURCE_DIR "/configs/four_bar.yaml";
  EXPECT_EQ(run("check " + model + " -p L2=1.1 -p L3=L2"), 0) << err_;
  EXPECT_EQ(run("check " + model + " -p L2=12"), 1);
}

TEST_F(Parameters, AreWrittenIntoANewMachineWithItsComments) {
  ASSERT_EQ(run("new mine -p L1=0.625 -p L3=2*L1 -p 'J1=atan2(1, 2)'"), 0) << err_;
  const std::string text = read_text(folder_ / "mine.yaml");
  EXPECT_THAT(text, HasSubstr("\n  L1: 0.625           # length of the crank\n"));
  EXPECT_THAT(text, HasSubstr("\n  L3: 2*L1            # length of the rocker\n"));
  EXPECT_THAT(text, HasSubstr("\n  J1: \"atan2(1, 2)\"   # moment of inertia"));
  EXPECT_EQ(run("check mine.yaml"), 0) << err_;
}

TEST_F(Parameters, ThatAMachineDoesNotHaveAreRefusedAndNothingIsWritten) {
  EXPECT_EQ(run("new mine -p Q=1"), 1);
  EXPECT_THAT(err_, HasSubstr("-p Q=1: the model has no parameter 'Q'"));
  EXPECT_EQ(run("new mine -p L1=1/0"), 1);
  EXPECT_EQ(err_, "-p L1=1/0: parameter 'L1': a division by zero in '1/0'\n");
  EXPECT_FALSE(fs::exists(folder_ / "mine.yaml"));
}

struct Layout {
  const char* claim;
  const char* text;
  const char* value;
  const char* changed;
};
void PrintTo(const Layout& l, std::ostream* out) { *out << l.claim; }

class ParameterLayout : public testing::TestWithParam<Layout> {};

TEST_P(ParameterLayout, IsKept) {
  const Layout& l = GetParam();
  EXPECT_EQ(build_with_parameter(l.text, text::build_yaml_from_text(l.text, "m.yaml"), "L1", l.value),
            l.changed);
}

const Layout kLayouts[] = {
    {"OneLine", "parameters: {L0: 1, L1: 2, L10: L1}\n", "3.5", "parameters: {L0: 1, L1: 3.5, L10: L1}\n"},
    {"OneLineAtItsEnd", "parameters: {XL1: 1, L1: 2 }\n", "3.5", "parameters: {XL1: 1, L1: 3.5 }\n"},
    {"OneLineWithAComma", "parameters: {L1: 2}\n", "atan2(1, 2)", "parameters: {L1: \"atan2(1, 2)\"}\n"},
    {"BracketsOverLines", "parameters: {L0: 1,  # a\n  L1: 2,  # b\n}\n", "-3",
     "parameters: {L0: 1,  # a\n  L1: -3,  # b\n}\n"},
    {"Block", "parameters:\n  L1: 2\n  L2: 3\n", "x + 1", "parameters:\n  L1: x + 1\n  L2: 3\n"},
    {"BlockWithComment", "parameters:\n  L1: 2     # L1: crank\n", "12345678",
     "parameters:\n  L1: 12345678 # L1: crank\n"},
    {"Quoted", "parameters:\n  L1: \"atan2(1, 2)\"  # a\n", "2", "parameters:\n  L1: 2              # a\n"},
    {"NamedBefore", "ground: {points: {L1: [0, 0]}}\nparameters: {L1: 2}\n", "3",
     "ground: {points: {L1: [0, 0]}}\nparameters: {L1: 3}\n"},
};
INSTANTIATE_TEST_SUITE_P(Layouts, ParameterLayout, testing::ValuesIn(kLayouts),
                         [](const auto& test) { return std::string(test.param.claim); });

}  // namespace
}  // namespace rodeo::tools
