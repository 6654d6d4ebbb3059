// SPDX-License-Identifier: MIT
// Names that steer a terminal, forge a line or look like options: all of them are names.
#include "tests/bad_input/bad_input.h"

namespace rodeo::tools {
namespace {

using testing::HasSubstr;
using testing::Not;

constexpr const char* kGraph =
    "name: g\ndomain: translation\nelements: {push: {Se: 1}, mass: {I: 2}}\njunctions: {v: 1}\n"
    "bonds: [push -> v, v -> mass]\n";

/// What no terminal may get of a file: controls but the line's end, and bytes that are no ASCII (our own sentences have none here).
bool is_plain(const std::string& text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c == '\n' || (c >= 0x20 && c < 0x7f); });
}

class Names : public BadInput {
 protected:
  void expect_plain(const std::string& command, const std::string& shown) const {
    const Result result = run(command);
    EXPECT_TRUE(is_plain(result.out)) << command << '\n' << result.out;
    EXPECT_TRUE(is_plain(result.err)) << command << '\n' << result.err;
    EXPECT_THAT(result.out + result.err, HasSubstr(shown)) << command;
    EXPECT_THAT('\n' + result.out + result.err, Not(HasSubstr("\nforged"))) << command;
  }
  [[nodiscard]] bool is_there(const char* name) const { return fs::exists(folder_ / "work" / name); }
};

TEST_F(Names, OfModelsArePrintedWithoutControls) {
  write("m.yaml", "\"a\\e[2J\\a\\nforged: x\": 1\nbodies: {}\njoints: []\n");
  expect_plain("check m.yaml", "unknown key 'a\\x1b[2J\\x07 forged: x'");
  write("m.yaml", "\"\\x9b31m\\u202e\": 1\nbodies: {}\njoints: []\n");
  expect_plain("check m.yaml", "unknown key '\\xc2\\x9b31m\\xe2\\x80\\xae'");
  write("m.yaml", "name: g\nelements: {\"x\\e[5m\\nforged: \": {R: 1}}\njunctions: {v: 1}\nbonds: []\n");
  expect_plain("check m.yaml", "'x\\x1b[5m forged: '");
}

TEST_F(Names, OfColumnsArePrintedWithoutControls) {
  write("l.csv", "t,\x1b[2Jx\x07\xff,\xc2\x9by\n0,1,2\n1,1,2\n");
  expect_plain("plot l.csv --y x -o x.svg", "\\x1b[2Jx\\x07\\xff");
  write("g.yaml", std::regex_replace(kGraph, std::regex("Se: 1"), "Se: "));
  expect_plain("simulate g.yaml --input l.csv --duration 0.1 -o x.csv", "\\x1b[2Jx\\x07\\xff");
}

TEST_F(Names, OfFilesArePrintedWithoutControls) {
  write("a\x1b[2J\nforged: \xff.yaml", "bodies: {}\njoints: [\n");
  expect_plain("check \"$(printf 'a\\033[2J\\nforged: \\377.yaml')\"", "a\\x1b[2J forged: \\xff.yaml");
  expect_plain("plot \"$(printf 'a\\033[2J\\nforged.csv')\" -o x.svg", "a\\x1b[2J\\x0aforged.csv");
  expect_plain("replay \"$(printf 'a\\033[2J\\nforged: \\377.yaml')\"", "a\\x1b[2J\\x0aforged: \\xff.yaml");
}

TEST_F(Names, ThatBeginWithADashAreFiles) {
  write("g.yaml", kGraph);
  write("-g.yaml", kGraph);
  write("m.yaml", kMachine);
  write("-m.yaml", kMachine);
  write("l.csv", "t,x\n0,1\n1,2\n");
  for (const char* command :
       {"graph g.yaml -o -x.svg", "graph g.yaml -o ./-y.svg", "graph g.yaml -o -x.png",
        "graph -o -z.svg -- -g.yaml", "plot l.csv -o -p.svg", "equations g.yaml -o -e.tex",
        "simulate g.yaml --duration 0.01 -o -l.csv", "build m.yaml -o -built", "draw ./-m.yaml -o -d.svg"}) {
    const Result result = run(command);
    EXPECT_EQ(result.status, 0) << command << '\n' << result.err;
  }
  for (const char* file :
       {"-x.svg", "-y.svg", "-x.png", "-z.svg", "-p.svg", "-e.tex", "-l.csv", "-built/kernel.so"})
    EXPECT_TRUE(is_there(file)) << file;
  for (const fs::directory_entry& each : fs::directory_iterator(folder_ / "work"))
    EXPECT_THAT(each.path().string(), Not(HasSubstr(".part"))) << "left behind";
}

}  // namespace
}  // namespace rodeo::tools
