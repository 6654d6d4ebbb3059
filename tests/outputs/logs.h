// SPDX-License-Identifier: MIT
// The program run on a machine in a folder of its own, and what it writes read again.
#pragma once
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

#include "tests/codegen/built_kernel.h"

namespace rodeo::outputs {

using codegen::fs::path;
using Row = std::map<std::string, double>;

struct Log {
  std::vector<std::string> names;
  std::vector<Row> rows;
};

class Outputs : public testing::Test {
 protected:
  Outputs() { setenv("RODEO_CACHE", (folder.path() / "cache").c_str(), 1); }
  ~Outputs() override { unsetenv("RODEO_CACHE"); }

  void write(const std::string& name, const std::string& text) const {
    std::ofstream(folder.path() / name) << text;
  }
  [[nodiscard]] std::string read(const std::string& name) const {
    return codegen::read_text(folder.path() / name);
  }
  /// What it says, on both streams, and `exit status N` if that is not 0.
  [[nodiscard]] std::string rodeo(const std::string& arguments) const {
    return codegen::run("(cd " + folder.path().string() + " && " + RODEO_PROGRAM + " " + arguments +
                        " || echo exit status $?)");
  }

  [[nodiscard]] Log read_log(const std::string& name) const {
    std::ifstream file(folder.path() / name);
    Log log;
    for (std::string line, cell; std::getline(file, line);) {
      std::istringstream cells(line);
      if (log.names.empty()) {
        while (std::getline(cells, cell, ',')) log.names.push_back(cell);
        continue;
      }
      log.rows.emplace_back();
      for (const std::string& column : log.names) {
        std::getline(cells, cell, ',');
        log.rows.back()[column] = std::stod(cell);
      }
    }
    return log;
  }

  [[nodiscard]] Log simulate(const std::string& yaml, const std::string& options) const {
    write("m.yaml", yaml);
    const std::string said = rodeo("simulate m.yaml -o log.csv " + options);
    Log log = read_log("log.csv");
    EXPECT_GT(log.rows.size(), 100u) << said;
    EXPECT_EQ(said.find("exit status"), std::string::npos) << said;
    return log;
  }

  codegen::TemporaryFolder folder;
};

/// Rates and accelerations against differences of the columns themselves: of second order, so that an error falls with dt².
inline void expect_derivatives(const Log& log, const std::string& name, bool has_acceleration, double near) {
  ASSERT_GT(log.rows.size(), 100u);
  double fastest = 0;
  for (std::size_t i = 1; i + 1 < log.rows.size(); ++i) {
    const Row &a = log.rows[i - 1], &b = log.rows[i], &c = log.rows[i + 1];
    const double dt = b.at("t") - a.at("t");
    ASSERT_NEAR(b.at(name + ".rate"), (c.at(name) - a.at(name)) / (2 * dt), near) << name << " at " << i;
    fastest = std::max(fastest, std::abs(b.at(name + ".rate")));
    if (!has_acceleration) continue;
    ASSERT_NEAR(b.at(name + ".acceleration"), (c.at(name + ".rate") - a.at(name + ".rate")) / (2 * dt), near)
        << name << " at " << i;
  }
  EXPECT_GT(fastest, 0.05) << name << " does not move: nothing was compared";
}

}  // namespace rodeo::outputs
