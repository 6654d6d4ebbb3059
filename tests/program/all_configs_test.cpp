// SPDX-License-Identifier: MIT
// Every model of configs/ goes through every offline command, in every form and format; what they write is well-formed.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "kinematics/machine/machine.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

std::string read_text(const fs::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

/// A copy of configs/ with its library built; made once.
class Configs {
 public:
  Configs() {
    std::string name = testing::TempDir() + "rodeo_configs_XXXXXX";
    folder_ = ::mkdtemp(name.data());
    fs::copy(fs::path(RODEO_SOURCE_DIR) / "configs", folder_ / "configs", fs::copy_options::recursive);
    const std::string graphs = (folder_ / "configs/graphs").string();
    EXPECT_EQ(std::system(
                  fmt::format("cc -shared -fPIC -o '{0}/hardness.so' '{0}/hardness.c' -lm", graphs).c_str()),
              0);
  }
  ~Configs() { fs::remove_all(folder_); }
  [[nodiscard]] const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

class AllConfigs : public testing::TestWithParam<std::string> {
 protected:
  static void SetUpTestSuite() { configs_ = std::make_unique<Configs>(); }
  static void TearDownTestSuite() { configs_.reset(); }

  [[nodiscard]] static fs::path folder() { return configs_->folder(); }
  [[nodiscard]] static std::string model() { return "configs/" + GetParam() + ".yaml"; }
  [[nodiscard]] static bool is_machine() {
    return machine::is_machine(text::build_yaml_from_file((folder() / model()).string()));
  }

  /// Standard output of a command that must succeed.
  static std::string run(const std::string& arguments) {
    const std::string command =
        fmt::format("cd '{}' && '{}' {} >out 2>err", folder().string(), RODEO_PROGRAM, arguments);
    EXPECT_EQ(WEXITSTATUS(std::system(command.c_str())), 0) << arguments << "\n"
                                                            << read_text(folder() / "err");
    const std::string native = "note: element 'damper' calls 'hardness' of hardness.so, native code";
    if (!read_text(folder() / "err").starts_with(native)) {
      EXPECT_EQ(read_text(folder() / "err"), "") << arguments;
    }
    return read_text(folder() / "out");
  }

  static inline std::unique_ptr<Configs> configs_;
};

/// What is wrong with the tags of a page, or nothing: every one closed, in order.
std::string find_open_tag(const std::string& page) {
  const std::set<std::string> empty{"meta", "br", "hr", "link", "img"};
  std::vector<std::string> open;
  for (std::size_t at = page.find('<'); at != std::string::npos; at = page.find('<', at + 1)) {
    const bool closes = page[at + 1] == '/';
    const std::size_t begin = at + (closes ? 2 : 1);
    const std::string name = page.substr(begin, page.find_first_of(" />\n", begin) - begin);
    if (name.starts_with("!") || name.starts_with("?") || empty.contains(name) ||
        page[page.find('>', at) - 1] == '/')
      continue;
    if (!closes) {
      open.push_back(name);
    } else if (open.empty() || open.back() != name) {
      return "</" + name + ">";
    } else {
      open.pop_back();
    }
  }
  return open.empty() ? "" : "<" + open.back() + ">";
}

/// Braces opened less braces closed, -1 when one closes too early.
int count_open_braces(const std::string& page) {
  int open = 0;
  for (std::size_t i = 0; i < page.size(); ++i) {
    if (page[i] == '\\') {
      ++i;
    } else if (page[i] == '{') {
      ++open;
    } else if (page[i] == '}' && --open < 0) {
      return -1;
    }
  }
  return open;
}

TEST_P(AllConfigs, AreCheckedWithoutAFault) {
  EXPECT_NE(run("check " + model()), "");
  const auto report = nlohmann::json::parse(run("check --json " + model()));
  EXPECT_TRUE(report.contains("states") && report.contains("blocks"));
  if (is_machine()) {
    EXPECT_EQ(report.at("assembled"), true);
    EXPECT_LT(report.at("residual"), 1e-9);
  }
}

TEST_P(AllConfigs, HaveEquationsInEveryFormAndFormat) {
  for (const char* rod :
       is_machine() ? std::vector{"--rod equivalent", "--rod traditional"} : std::vector{""}) {
    for (const char* form : {"full", "reduced"}) {
      const std::string command = fmt::format("equations {} {} --form {} --format ", model(), rod, form);
      EXPECT_NE(run(command + "text"), "");
      EXPECT_EQ(find_open_tag(run(command + "html")), "") << command;
      const std::string latex = run(command + "latex");
      EXPECT_EQ(count_open_braces(latex), 0) << command;
      EXPECT_THAT(latex, testing::HasSubstr("\\end{document}"));
    }
  }
}

TEST_P(AllConfigs, AreDrawn) {
  run(fmt::format("graph {} -o graph.svg", model()));
  EXPECT_EQ(find_open_tag(read_text(folder() / "graph.svg")), "");
  run(fmt::format("graph {} --fold -o graph.dot", model()));
  EXPECT_EQ(count_open_braces(read_text(folder() / "graph.dot")), 0);
  if (!is_machine()) return;
  run(fmt::format("draw {} -o machine.svg", model()));
  EXPECT_EQ(find_open_tag(read_text(folder() / "machine.svg")), "");
}

std::vector<std::string> list_configs() {
  std::vector<std::string> names;
  for (const std::string sub : {"", "free/", "graphs/", "loads/"}) {
    for (const auto& entry : fs::directory_iterator(fs::path(RODEO_SOURCE_DIR) / "configs" / sub)) {
      if (entry.path().extension() == ".yaml") names.push_back(sub + entry.path().stem().string());
    }
  }
  std::sort(names.begin(), names.end());
  return names;
}

INSTANTIATE_TEST_SUITE_P(Configs, AllConfigs, testing::ValuesIn(list_configs()), [](const auto& test) {
  std::string name = test.param;
  std::replace(name.begin(), name.end(), '/', '_');
  return name;
});

}  // namespace
}  // namespace rodeo::tools
