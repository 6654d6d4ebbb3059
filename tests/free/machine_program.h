// SPDX-License-Identifier: MIT
// The program and one machine file in a folder of its own.
#pragma once
#include <gtest/gtest.h>

#include <regex>

#include "tests/free/free_run.h"

namespace rodeo::codegen {

class MachineProgram : public testing::Test {
 protected:
  MachineProgram() { setenv("RODEO_CACHE", (folder.path() / "cache").c_str(), 1); }

  void write(const std::string& text, const std::string& name = "m.yaml") const {
    std::ofstream(folder.path() / name) << text;
  }
  /// What it says, and its exit status behind.
  [[nodiscard]] std::string rodeo(const std::string& arguments) const {
    return run("(cd " + folder.path().string() + " && " + RODEO_PROGRAM + " " + arguments +
               "; echo \"status $?\")");
  }
  /// Rows of a log, the header left out.
  [[nodiscard]] std::vector<std::vector<double>> read_rows(const std::string& name) const {
    std::ifstream file(folder.path() / name);
    std::vector<std::vector<double>> rows;
    std::string line;
    std::getline(file, line);
    while (std::getline(file, line)) {
      std::istringstream fields(line);
      rows.emplace_back();
      for (std::string field; std::getline(fields, field, ',');) rows.back().push_back(std::stod(field));
    }
    return rows;
  }

  TemporaryFolder folder;
};

}  // namespace rodeo::codegen
