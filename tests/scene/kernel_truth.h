// SPDX-License-Identifier: MIT
// What a picture is held against: poses that the kernel wrote into a log of `rodeo simulate`, points of scene.json, and a linear map
// from metres to pixels. None of it is the viewer's code.
#pragma once
#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "tests/kernel/build_kernel.h"

namespace rodeo::viz::testing_support {

namespace fs = std::filesystem;
using engine::testing_support::read_file;
using engine::testing_support::TemporaryFolder;

struct Point {
  double x = 0;
  double y = 0;
};
inline double distance(Point a, Point b) { return std::hypot(a.x - b.x, a.y - b.y); }

/// Exit status of a shell command, with what it wrote to standard error.
struct Ran {
  int status = -1;
  std::string err;
};
inline Ran run(const std::string& command, const fs::path& folder) {
  const fs::path err = folder / "stderr.txt";
  const int status = std::system(("( " + command + " ) > /dev/null 2> '" + err.string() + "'").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(err)};
}

/// A CSV file of numbers.
class Table {
 public:
  explicit Table(const fs::path& path) {
    std::ifstream file(path);
    std::string line, word;
    std::getline(file, line);
    std::istringstream header(line);
    for (std::size_t i = 0; std::getline(header, word, ','); ++i) columns_[word] = i;
    while (std::getline(file, line)) {
      rows_.emplace_back();
      std::istringstream values(line);
      while (std::getline(values, word, ',')) rows_.back().push_back(std::strtod(word.c_str(), nullptr));
    }
  }
  [[nodiscard]] bool has(const std::string& column) const { return columns_.count(column) != 0; }
  [[nodiscard]] std::size_t width() const { return columns_.size(); }
  [[nodiscard]] std::size_t count() const { return rows_.size(); }
  [[nodiscard]] double at(std::size_t row, const std::string& column) const {
    return rows_.at(row).at(columns_.at(column));
  }

 private:
  std::map<std::string, std::size_t> columns_;
  std::vector<std::vector<double>> rows_;
};

/// The machine files of configs/, by listing the folder.
inline std::vector<std::string> list_machines() {
  std::vector<std::string> names;
  for (const auto& entry : fs::directory_iterator(fs::path(RODEO_SOURCE_DIR) / "configs")) {
    if (entry.path().extension() == ".yaml") names.push_back(entry.path().stem().string());
  }
  std::sort(names.begin(), names.end());
  return names;
}

/// Without the offline side there is no `rodeo build`.
inline bool can_build() { return std::system("'" RODEO_PROGRAM "' build --help > /dev/null 2>&1") == 0; }

/// A machine of configs/ built, and moved through its cycle or, where it has none, each drive through its range, one after the other.
class MovingMachine {
 public:
  explicit MovingMachine(const std::string& name)
      : file_(fs::path(RODEO_SOURCE_DIR) / "configs" / (name + ".yaml")) {
    const Ran built = rodeo("build '" + file_.string() + "' -o '" + folder().string() + "'");
    EXPECT_EQ(built.status, 0) << built.err;
    scene_ = nlohmann::ordered_json::parse(read_file(folder() / "scene.json"));
    simulate("--duration 0.05");
    const std::string input = find_input();
    const Ran ran = simulate("--input '" + input + "'");
    EXPECT_EQ(ran.status, 0) << ran.err;
  }

  [[nodiscard]] fs::path folder() const { return temporary_.path() / "built"; }
  [[nodiscard]] fs::path log_path() const { return temporary_.path() / "log.csv"; }
  [[nodiscard]] const Table& log() const { return *log_; }
  [[nodiscard]] const nlohmann::ordered_json& scene() const { return scene_; }

  /// p_W = p_WB + R(angle) p_B, of [body, point] in a row of the log.
  [[nodiscard]] Point point(const nlohmann::ordered_json& ref, std::size_t row) const {
    const std::string body = ref[0];
    const auto local = local_point(body, ref[1]);
    if (body == scene_["bodies"][0]["name"]) return local;
    const double angle = log_->at(row, body + ".angle");
    const double x = log_->at(row, body + ".origin.x"), y = log_->at(row, body + ".origin.y");
    return {x + std::cos(angle) * local.x - std::sin(angle) * local.y,
            y + std::sin(angle) * local.x + std::cos(angle) * local.y};
  }

  /// Rows evenly spread over the motion.
  [[nodiscard]] std::vector<std::size_t> spread_rows(std::size_t count) const {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < count; ++i) rows.push_back(i * (log_->count() - 1) / (count - 1));
    return rows;
  }

 private:
  [[nodiscard]] Ran rodeo(const std::string& arguments) const {
    return run("'" RODEO_PROGRAM "' " + arguments, temporary_.path());
  }

  Ran simulate(const std::string& arguments) {
    const Ran ran = rodeo("simulate '" + file_.string() + "' --rate 20 --columns all " + arguments + " -o '" +
                          log_path().string() + "'");
    log_ = std::make_unique<Table>(log_path());
    return ran;
  }

  [[nodiscard]] Point local_point(const std::string& body, const std::string& point) const {
    for (const auto& candidate : scene_["bodies"]) {
      if (candidate["name"] == body) return {candidate["points"][point][0], candidate["points"][point][1]};
    }
    ADD_FAILURE() << "no body " << body;
    return {};
  }

  /// A cycle has a column for every drive and for nothing else.
  [[nodiscard]] std::string find_input() const {
    std::vector<std::string> found;
    for (const auto& entry : fs::directory_iterator(fs::path(RODEO_SOURCE_DIR) / "configs" / "cycles")) {
      if (entry.path().extension() != ".csv") continue;
      const Table cycle(entry.path());
      bool fits = cycle.width() == scene_["drives"].size() + 1;
      for (const auto& drive : scene_["drives"]) fits = fits && cycle.has(drive["name"]);
      if (fits) found.push_back(entry.path().string());
    }
    std::sort(found.begin(), found.end());
    return found.empty() ? write_sweep() : found[0];
  }

  /// From the start, as the first row of the log has it: down, up and back; a drive without ends once around.
  [[nodiscard]] std::string write_sweep() const {
    constexpr double kSeconds = 40;
    const fs::path path = temporary_.path() / "sweep.csv";
    std::ofstream file(path);
    file.precision(17);
    file << "t";
    std::vector<double> at;
    for (const auto& drive : scene_["drives"]) {
      file << ',' << drive["name"].get<std::string>();
      at.push_back(log_->at(0, drive["name"]));
    }
    double time = 0;
    const auto write = [&] {
      file << '\n' << time;
      for (const double value : at) file << ',' << value;
    };
    write();
    for (std::size_t d = 0; d < at.size(); ++d) {
      const auto& drive = scene_["drives"][d];
      const bool has_ends = drive["lower"].is_number() && drive["upper"].is_number();
      const double home = at[d];
      const double turn = home + 2 * std::acos(-1.0);
      for (const double to : {has_ends ? drive["lower"].get<double>() : home,
                              has_ends ? drive["upper"].get<double>() : turn, home}) {
        at[d] = to;
        time += kSeconds / 3;
        write();
      }
    }
    file << '\n';
    return path.string();
  }

  TemporaryFolder temporary_;
  fs::path file_;
  nlohmann::ordered_json scene_;
  std::unique_ptr<Table> log_;
};

}  // namespace rodeo::viz::testing_support
