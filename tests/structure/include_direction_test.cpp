// SPDX-License-Identifier: MIT
// The arrows of the architecture, read off the #include lines: a source may know only what stands before it
// on the way from a drawing to a moving machine. Also: no file names a folder of the computer that it was
// written on.
#include <gtest/gtest.h>

#include <array>
#include <cstdio>
#include <fstream>
#include <map>
#include <memory>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace rodeo::structure {
namespace {

const std::string kSourceDir = RODEO_SOURCE_DIR;

/// Height of each folder of kinematics/: it may include lower ones only, so equals know nothing of each
/// other.
const std::map<std::string, int> kHeight{{"text", 0},    {"solve", 0},     {"expr", 1},     {"bondgraph", 2},
                                         {"machine", 3}, {"causality", 3}, {"dynamics", 4}, {"reduction", 4},
                                         {"spatial", 5}, {"codegen", 6},   {"simulate", 5}, {"multibond", 6}};

/// The part of `path` between the slashes number `index` and `index` + 1; empty if it has none.
std::string part(const std::string& path, int index) {
  std::istringstream stream(path);
  std::string word;
  for (int i = 0; i <= index; ++i) {
    if (!std::getline(stream, word, '/')) return "";
  }
  return stream.eof() ? "" : word;  // the last part is a file
}

bool is_upward(const std::string& from, const std::string& to) {
  if (from == to) return false;
  const auto low = kHeight.find(to);
  const auto high = kHeight.find(from);
  return low == kHeight.end() || high == kHeight.end() || low->second >= high->second;
}

bool is_sundials(const std::string& folder) {
  return folder == "cvode" || folder == "ida" || folder == "nvector" || folder.starts_with("sun");
}

/// Why the source `path` may not include `include`, both from the top folder; empty if it may.
std::string find_objection(const std::string& path, const std::string& include) {
  const std::string from = part(path, 0);
  const std::string to = part(include, 0);
  if (to == "ginac" || to == "cln") {
    return path.starts_with("kinematics/reduction/") ? "" : "only kinematics/reduction knows GiNaC";
  }
  if (is_sundials(to))
    return path.starts_with("kinematics/solve/") ? "" : "only kinematics/solve knows SUNDIALS";
  if (from == "tests" || from == "tools") return "";
  if (to == "tests" || to == "tools") return "nothing but tests and tools knows tests or tools";
  if (from == "kinematics" && (to == "engine" || to == "viz"))
    return "kinematics ends in text, not in the engine";
  if (from == "kinematics" && to == "kinematics" && is_upward(part(path, 1), part(include, 1))) {
    return "a folder of kinematics knows lower ones only";
  }
  if (from == "engine" && (to == "kinematics" || to == "viz"))
    return "the engine knows compiled kernels only";
  if (from == "viz" && to == "kinematics") return "the viewer knows published states only";
  if (from == "viz" && include.starts_with("engine/kernel/")) return "the viewer never knows a kernel";
  return "";
}

/// An include without a known top folder is one of a library or of the same folder.
std::vector<std::string> find_includes(const std::string& text) {
  static const std::regex kInclude(R"re(^[ \t]*#[ \t]*include[ \t]*["<]([^">]+)[">])re",
                                   std::regex::multiline);
  std::vector<std::string> includes;
  for (std::sregex_iterator it(text.begin(), text.end(), kInclude), end; it != end; ++it)
    includes.push_back((*it)[1]);
  return includes;
}

/// Relative paths are a way around the check; nobody needs them.
bool is_relative(const std::string& include) { return include.find("./") != std::string::npos; }

std::string read(const std::string& path) {
  std::ifstream in(kSourceDir + "/" + path, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

/// What git tracks and what it would if added; empty if this is no git checkout.
std::vector<std::string> list_files() {
  const std::string command = "git -c safe.directory='*' -C '" + kSourceDir +
                              "' ls-files --cached --others --exclude-standard 2>/dev/null";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string all;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;)
    all.append(buffer.data(), n);
  std::vector<std::string> files;
  std::istringstream lines(all);
  for (std::string line; std::getline(lines, line);) files.push_back(line);
  return files;
}

bool is_source(const std::string& path) { return path.ends_with(".h") || path.ends_with(".cpp"); }

/// The strings are put together here so that this file does not hold them.
std::string find_machine_path(const std::string& text) {
  for (const std::string folder : {"work", "root"}) {
    const std::string path = "/" + folder + "/";
    if (text.find(path) != std::string::npos) return path;
  }
  return "";
}

TEST(IncludeDirection, NoSourcePointsTheWrongWay) {
  const auto files = list_files();
  if (files.empty()) GTEST_SKIP() << "not a git checkout";
  std::size_t looked_at = 0;
  for (const std::string& path : files) {
    if (!is_source(path)) continue;
    for (const std::string& include : find_includes(read(path))) {
      ++looked_at;
      EXPECT_EQ(find_objection(path, include), "") << path << " includes " << include;
      EXPECT_FALSE(is_relative(include)) << path << " includes " << include << ": start at the top folder";
    }
  }
  EXPECT_GT(looked_at, 10U) << "a check that sees no includes proves nothing";
}

struct Arrow {
  std::string path;
  std::string include;
};

TEST(IncludeDirection, CatchesEveryWrongArrow) {
  const std::vector<Arrow> wrong{
      {"kinematics/text/a.h", "kinematics/expr/expr.h"},
      {"kinematics/expr/a.cpp", "kinematics/bondgraph/graph.h"},
      {"kinematics/bondgraph/a.cpp", "kinematics/machine/machine.h"},
      {"kinematics/machine/a.cpp", "kinematics/causality/causality.h"},
      {"kinematics/causality/a.cpp", "kinematics/machine/machine.h"},
      {"kinematics/causality/a.cpp", "kinematics/reduction/reduce.h"},
      {"kinematics/reduction/a.cpp", "kinematics/codegen/tape.h"},
      {"kinematics/reduction/a.cpp", "kinematics/newfolder/a.h"},
      {"kinematics/codegen/a.cpp", "engine/kernel/abi.h"},
      {"kinematics/codegen/a.cpp", "ginac/ginac.h"},
      {"kinematics/text/a.cpp", "tools/rodeo/commands.h"},
      {"engine/step/a.cpp", "kinematics/text/fault.h"},
      {"engine/net/a.cpp", "viz/scene/scene.h"},
      {"engine/net/a.cpp", "tests/reference/oracle.h"},
      {"viz/app/a.cpp", "kinematics/machine/machine.h"},
      {"viz/app/a.cpp", "engine/kernel/abi.h"},
      {"tools/rodeo/cmd_check.cpp", "ginac/ginac.h"},
      {"tests/reduction/a.cpp", "cln/cln.h"},
      {"kinematics/reduction/a.cpp", "ida/ida.h"},
      {"kinematics/solve/a.cpp", "kinematics/expr/expr.h"},
      {"tests/solve/a.cpp", "sundials/sundials_types.h"},
  };
  for (const Arrow& arrow : wrong) {
    EXPECT_NE(find_objection(arrow.path, arrow.include), "") << arrow.path << " includes " << arrow.include;
  }
}

TEST(IncludeDirection, LetsEveryRightArrowPass) {
  const std::vector<Arrow> right{
      {"kinematics/expr/a.cpp", "kinematics/expr/expr.h"},
      {"kinematics/machine/a.cpp", "kinematics/text/yaml.h"},
      {"kinematics/causality/a.cpp", "kinematics/bondgraph/graph.h"},
      {"kinematics/reduction/a.cpp", "kinematics/machine/machine.h"},
      {"kinematics/reduction/a.cpp", "ginac/ginac.h"},
      {"kinematics/codegen/a.cpp", "kinematics/reduction/reduce.h"},
      {"kinematics/solve/a.cpp", "cvode/cvode.h"},
      {"kinematics/text/a.cpp", "yaml-cpp/yaml.h"},
      {"kinematics/text/a.cpp", "vector"},
      {"engine/loop/a.cpp", "engine/step/step.h"},
      {"viz/app/a.cpp", "engine/net/packet.h"},
      {"tools/rodeo/cmd_check.cpp", "kinematics/machine/machine.h"},
      {"tests/step/a.cpp", "engine/step/step.h"},
  };
  for (const Arrow& arrow : right) {
    EXPECT_EQ(find_objection(arrow.path, arrow.include), "") << arrow.path << " includes " << arrow.include;
  }
}

TEST(IncludeDirection, ReadsBothKindsOfIncludeAndNoComment) {
  const std::string text =
      "// #include <not/this.h>\n#include \"a/b.h\"\n#  include <c>\nint x; // #include \"d\"\n";
  EXPECT_EQ(find_includes(text), (std::vector<std::string>{"a/b.h", "c"}));
  EXPECT_TRUE(is_relative("../expr/expr.h"));
  EXPECT_FALSE(is_relative("kinematics/expr/expr.h"));
}

TEST(MachinePaths, NoFileNamesAFolderOfTheComputerItWasWrittenOn) {
  const auto files = list_files();
  if (files.empty()) GTEST_SKIP() << "not a git checkout";
  for (const std::string& path : files) EXPECT_EQ(find_machine_path(read(path)), "") << "in " << path;
}

TEST(MachinePaths, AreRecognised) {
  EXPECT_NE(find_machine_path(std::string("see /") + "work" + "/main"), "");
  EXPECT_NE(find_machine_path(std::string("see /") + "root" + "/x"), "");
  EXPECT_EQ(find_machine_path("engine/step/step.h, square root/cube root"), "");
}

}  // namespace
}  // namespace rodeo::structure
