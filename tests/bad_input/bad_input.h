// SPDX-License-Identifier: MIT
// The program run on a wrong file as a user would, in a folder of its own, with a picture there already that must survive.
#pragma once
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace rodeo::tools {

namespace fs = std::filesystem;

inline std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path, std::ios::binary).rdbuf();
  return text.str();
}

/// How far a pose that cannot be closed stays open depends on the solver: `N m are left open`.
inline std::string without_gap(const std::string& text) {
  return std::regex_replace(text, std::regex("[0-9.e+-]+ m are left"), "N m are left");
}

struct Result {
  int status;
  std::string out, err;
};

class BadInput : public testing::Test {
 protected:
  BadInput() {
    std::string name = testing::TempDir() + "rodeo_bad_input_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    fs::create_directory(folder_ / "work");
    write("old.svg", "precious");
  }
  ~BadInput() override { fs::remove_all(folder_); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder_ / "work" / name, std::ios::binary) << text;
  }

  /// `rodeo ...` in the folder; its streams are kept beside it.
  [[nodiscard]] Result run(const std::string& arguments) const {
    const std::string command = fmt::format("cd '{0}/work' && timeout 60 '{1}' {2} >../out 2>../err",
                                            folder_.string(), RODEO_PROGRAM, arguments);
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read_text(folder_ / "out"), without_gap(read_text(folder_ / "err"))};
  }

  [[nodiscard]] std::vector<std::string> files() const {
    std::vector<std::string> names;
    for (const auto& entry : fs::directory_iterator(folder_ / "work"))
      names.push_back(entry.path().filename());
    std::sort(names.begin(), names.end());
    return names;
  }

  /// One command refuses with this whole text on stderr, prints nothing and leaves every file as it was.
  void expect_refusal(const std::string& command, const std::string& sentence) const {
    const std::vector<std::string> before = files();
    const Result result = run(command);
    EXPECT_EQ(result.status, 1) << command << "\n" << result.err;
    EXPECT_EQ(result.out, "") << command;
    EXPECT_EQ(result.err, sentence + "\n") << command;
    EXPECT_EQ(files(), before) << command;
    EXPECT_EQ(read_text(folder_ / "work/old.svg"), "precious") << command;
  }

  /// All four commands, onto a new file and onto an old one.
  void expect_refusals(const std::string& model, const std::string& sentence, bool is_machine = true) const {
    for (const char* command : {"check", "check --json", "equations", "equations --format html -o old.svg",
                                "graph -o new.svg", "graph -o old.svg"}) {
      expect_refusal(fmt::format("{} {}", command, model), sentence);
    }
    for (const char* output : {"new.svg", "old.svg"}) {
      const std::string draw = fmt::format("draw {} -o {}", model, output);
      const std::string other = fmt::format(
          "m.yaml: this is a bond graph, and 'draw' is for machines: draw its bonds with 'rodeo graph m.yaml "
          "-o {}'",
          output);
      expect_refusal(draw, is_machine ? sentence : other);
    }
  }

  fs::path folder_;
};

/// The text with its one occurrence of `old` changed.
inline std::string with(std::string text, const std::string& old, const std::string& changed) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  EXPECT_EQ(text.find(old, at + 1), std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), changed);
}

inline const std::string kMachine =
    R"(name: four_bar
parameters: {L0: 1.4, L1: 0.5, L2: 1.2, L3: 1.0}
ground: {points: {O: [0, 0], Q: [L0, 0]}}
bodies:
  crank:   {points: {O: [0, 0], B: [L1, 0]}}
  coupler: {points: {B: [0, 0], C: [L2, 0], tracer: [0.4, 0.3]}}
  rocker:  {points: {Q: [0, 0], C: [L3, 0]}}
joints:
  - {revolute: [ground.O, crank.O]}
  - {revolute: [crank.B, coupler.B]}
  - {revolute: [coupler.C, rocker.C]}
  - {revolute: [ground.Q, rocker.Q]}
drives:
  crank: {angle: crank}
start: {crank: 60 deg, coupler: 20 deg, rocker: 80 deg}
)";

inline const std::string kGraph =
    R"(name: mass
parameters: {m: 2, b: 3}
elements:
  push: {Se: 1}
  mass: {I: m}
  damper: {R: b}
junctions: {v: 1}
bonds:
  - push -> v
  - v -> mass
  - v -> damper
)";

}  // namespace rodeo::tools
