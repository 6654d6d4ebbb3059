// SPDX-License-Identifier: MIT
// Everything that the program makes of configs/ is what tests/manifest/manifest.txt says. A change that is meant is written there by
// tools/manifest, and its commit says which lines and why.
#include "tests/manifest/manifest.h"

#include <gmock/gmock.h>

#include <map>
#include <set>

namespace rodeo::manifest {
namespace {

const fs::path kManifest = kSource / "tests/manifest/manifest.txt";
/// Of the numbers of a log, absolute below 1 and relative above: what follows from libm's last bits (glibc's variants with and without
/// FMA were compared). Solvers that choose their steps give more than fixed ones.
constexpr double kFixedStep = 1e-8;
constexpr double kChosenStep = 1e-4;

double find_tolerance(const std::string& key) {
  for (const char* fixed : {" library-minimal ", " library-lagrange ", " graph-rk4 "}) {
    if (key.find(fixed) != std::string::npos) return kFixedStep;
  }
  return kChosenStep;
}

/// `model method thing`: value.
using Lines = std::map<std::string, std::string>;

Lines read_lines(std::istream& stream, const std::string& model) {
  Lines lines;
  for (std::string line; std::getline(stream, line);) {
    if (!line.starts_with(model + " ")) continue;
    std::size_t end = 0;
    for (int i = 0; i < 3; ++i) end = line.find(' ', end + 1);
    lines[line.substr(0, end)] = line.substr(end + 1);
  }
  return lines;
}

bool is_same_row(const std::string& a, const std::string& b, double tolerance) {
  std::istringstream left(a), right(b);
  std::string x, y;
  while (std::getline(left, x, ',')) {
    if (!std::getline(right, y, ',')) return false;
    const double value = std::stod(x), other = std::stod(y);
    if (!(std::abs(value - other) <= tolerance * std::max(1.0, std::abs(other)))) return false;
  }
  return !std::getline(right, y, ',');
}

bool is_same(const std::string& key, const std::string& a, const std::string& b) {
  if (a == b) return true;
  return key.ends_with(" log") && !a.starts_with("refused") && !b.starts_with("refused") &&
         is_same_row(a, b, find_tolerance(key));
}

/// Lines that are not the same, as a diff has them; empty if all are.
std::string find_differences(const Lines& written, const Lines& made) {
  std::string text;
  for (const auto& [key, value] : written) {
    const auto found = made.find(key);
    if (found != made.end() && is_same(key, value, found->second)) continue;
    text += fmt::format("- {} {}\n", key, value);
    if (found != made.end()) text += fmt::format("+ {} {}\n", key, found->second);
  }
  for (const auto& [key, value] : made) {
    if (!written.contains(key)) text += fmt::format("+ {} {}\n", key, value);
  }
  return text;
}

class Manifest : public testing::TestWithParam<std::string> {
 protected:
  /// A copy of configs/ with its library built, beside the meshes that it names.
  Manifest() {
    fs::copy(kSource / "configs", folder_.path() / "configs", fs::copy_options::recursive);
    fs::create_directory_symlink(kSource / "assets", folder_.path() / "assets");
    if (GetParam() == "configs/graphs/library_damper.yaml") build_library(folder_.path() / "configs/graphs");
  }
  static void build_library(const fs::path& graphs) {
    const std::string command =
        fmt::format("cc -shared -fPIC -o '{0}/hardness.so' '{0}/hardness.c' -lm", graphs.string());
    ASSERT_EQ(std::system(command.c_str()), 0);
  }
  codegen::TemporaryFolder folder_;
};

TEST_P(Manifest, IsReproduced) {
  const ModelLines made(folder_.path(), GetParam());
  if (const char* target = std::getenv("RODEO_WRITE_MANIFEST")) {
    std::ofstream file(target, std::ios::app);
    for (const std::string& line : made.lines()) file << line << "\n";
    return;
  }
  std::ifstream file(kManifest);
  std::stringstream lines;
  for (const std::string& line : made.lines()) lines << line << "\n";
  const std::string differences =
      find_differences(read_lines(file, GetParam()), read_lines(lines, GetParam()));
  EXPECT_TRUE(differences.empty()) << differences
                                   << "If this is meant: run tools/manifest, and name these lines in the "
                                      "commit with the reason.";
}

INSTANTIATE_TEST_SUITE_P(Configs, Manifest, testing::ValuesIn(find_models()), [](const auto& test) {
  std::string name = test.param.substr(0, test.param.rfind('.'));
  std::replace_if(
      name.begin(), name.end(), [](char c) { return std::isalnum(c) == 0; }, '_');
  return name;
});

TEST(ManifestFile, IsOfTheModelsThatAreThere) {
  std::ifstream file(kManifest);
  std::set<std::string> written;
  for (std::string line; std::getline(file, line);) {
    if (!line.starts_with("#")) written.insert(line.substr(0, line.find(' ')));
  }
  EXPECT_THAT(written, testing::ElementsAreArray(find_models()));
}

TEST(ManifestFile, DiffersWhereAHashALogOrARefusalDoes) {
  const std::string log = "m library-minimal log";
  const Lines written{{"m a kernel.c", "00"}, {log, "1,2.5"}, {"m b build", "refused 1: no"}};
  EXPECT_EQ(find_differences(written, written), "");
  EXPECT_EQ(find_differences(written, {{"m a kernel.c", "01"}, {log, "1,2.50000001"}}),
            "- m a kernel.c 00\n+ m a kernel.c 01\n- m b build refused 1: no\n");
  Lines other = written;
  for (const char* row : {"1,2.500001", "1", "1,2.5,3", "refused 1: no", "1,nan"}) {
    other[log] = row;
    EXPECT_EQ(find_differences(written, other), fmt::format("- {0} 1,2.5\n+ {0} {1}\n", log, row));
  }
  other[log] = written.at(log);
  other["m c new"] = "02";
  EXPECT_EQ(find_differences(written, other), "+ m c new 02\n");
}

}  // namespace
}  // namespace rodeo::manifest
