// SPDX-License-Identifier: MIT
// Files that are no models at all, outputs that cannot be written, and wrong command lines.
#include "tests/bad_input/bad_input.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;
using testing::MatchesRegex;
using testing::StartsWith;

const std::string kTooLarge =
    ": the file has 100 MB, a model file at most 16 MB: split it into subsets, or check that it is a model";

TEST_F(BadInput, AFileOf100MegabytesIsNotRead) {
  write("m.yaml", "");
  fs::resize_file(folder_ / "work/m.yaml", 100 << 20);
  expect_refusals("m.yaml", "m.yaml" + kTooLarge);
}

TEST_F(BadInput, ASubsetOf100MegabytesIsNotRead) {
  write("big.yaml", "");
  fs::resize_file(folder_ / "work/big.yaml", 100 << 20);
  write("m.yaml", "elements: {a: {subset: big.yaml}}\n");
  const Result result = run("check m.yaml");
  EXPECT_EQ(result.status, 1);
  EXPECT_THAT(result.err, StartsWith("big.yaml" + kTooLarge));
}

TEST_F(BadInput, AnEmptyFileIsNoModel) {
  write("m.yaml", "");
  expect_refusals("m.yaml", "m.yaml: the file is empty: begin with one that 'rodeo new NAME' writes");
  write("m.yaml", "# nothing but a comment\n");
  expect_refusals("m.yaml", "m.yaml: the file is empty: begin with one that 'rodeo new NAME' writes");
}

TEST_F(BadInput, AFolderIsNoModel) {
  fs::create_directory(folder_ / "work/m.yaml");
  expect_refusals("m.yaml", "m.yaml: this is a folder, not a model file");
}

TEST_F(BadInput, AMissingFileIsNamed) {
  expect_refusals("m.yaml", "m.yaml: cannot be read: No such file or directory");
}

TEST_F(BadInput, AListIsNoModel) {
  write("m.yaml", "- a\n- b\n");
  expect_refusals("m.yaml", "m.yaml:1: a model is a map of keys such as 'name:', this is a list");
}

/// xorshift: the same bytes on every run.
std::string garbage(std::uint32_t seed) {
  std::string bytes;
  for (int i = 0; i < 4096; ++i) {
    seed ^= seed << 13;
    seed ^= seed >> 17;
    seed ^= seed << 5;
    bytes += static_cast<char>(seed & 0xff);
  }
  return bytes;
}

TEST_F(BadInput, BinaryGarbageIsRefusedWithoutSteeringTheTerminal) {
  for (const std::uint32_t seed : {1U, 2U, 3U, 4U}) {
    write("m.yaml", garbage(seed));
    for (const char* command :
         {"check m.yaml", "equations m.yaml", "draw m.yaml -o old.svg", "graph m.yaml -o old.svg"}) {
      const Result result = run(command);
      EXPECT_EQ(result.status, 1) << command;
      EXPECT_EQ(result.out, "");
      EXPECT_THAT(result.err, StartsWith("m.yaml")) << command;
      EXPECT_TRUE(std::none_of(result.err.begin(), result.err.end(), [](char c) {
        return c != '\n' && static_cast<unsigned char>(c) < 0x20;
      })) << result.err;
      EXPECT_EQ(read_text(folder_ / "work/old.svg"), "precious");
    }
  }
}

TEST_F(BadInput, AKeyWithAnEscapeCodeDoesNotReachTheTerminal) {
  write("m.yaml", "\"\\e[2Jname\": 1\nbodies: {}\njoints: []\n");
  EXPECT_THAT(run("check m.yaml").err, HasSubstr("unknown key '\\x1b[2Jname'"));
}

TEST_F(BadInput, AnOutputFolderThatIsNotThereIsNamed) {
  write("m.yaml", kMachine);
  const std::string sentence = "rodeo: cannot write 'none/x.svg': No such file or directory";
  for (const char* command : {"draw", "graph", "equations"}) {
    expect_refusal(fmt::format("{} m.yaml -o none/x.svg", command), sentence);
  }
}

TEST_F(BadInput, AFolderCannotBeWrittenOver) {
  write("m.yaml", kMachine);
  fs::create_directory(folder_ / "work/x.svg");
  for (const char* command : {"draw", "graph", "equations"}) {
    expect_refusal(fmt::format("{} m.yaml -o x.svg", command), "rodeo: cannot write 'x.svg': Is a directory");
  }
}

TEST_F(BadInput, AWrongCommandLineGives2) {
  write("m.yaml", kMachine);
  for (const char* arguments :
       {"check", "check m.yaml more", "check m.yaml --nonsense", "check m.yaml -p", "check m.yaml -p L1",
        "check m.yaml -p =1", "check m.yaml --rod thick", "equations", "equations m.yaml --form half",
        "equations m.yaml --format word", "draw m.yaml", "draw m.yaml -o", "draw m.yaml -o x.png",
        "graph m.yaml", "graph m.yaml -o x.gif", "new", "new a --from nothing", "new a -p L1"}) {
    const std::vector<std::string> before = files();
    const Result result = run(arguments);
    EXPECT_EQ(result.status, 2) << arguments << "\n" << result.err;
    EXPECT_EQ(result.out, "") << arguments;
    EXPECT_THAT(result.err, StartsWith("rodeo ")) << arguments;
    EXPECT_EQ(std::count(result.err.begin(), result.err.end(), '\n'), 1) << result.err;
    EXPECT_EQ(files(), before) << arguments;
  }
  EXPECT_EQ(run("check m.yaml -p L1").err,
            "rodeo check: -p: 'L1' must be NAME=VALUE, as in -p L1=0.5 (see 'rodeo check --help')\n");
}

}  // namespace
}  // namespace rodeo::tools
