// SPDX-License-Identifier: MIT
// The program in a folder of its own, and the tables that it writes.
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
#include <sstream>
#include <string>
#include <vector>

namespace rodeo::tools::testing_support {

struct Result {
  int status;
  std::string out, err;
};

struct Table {
  std::string header;
  std::vector<std::vector<double>> rows;

  [[nodiscard]] std::size_t find(const std::string& name) const {
    std::istringstream names(header);
    std::string column;
    for (std::size_t i = 0; std::getline(names, column, ','); ++i) {
      if (column == name) return i;
    }
    ADD_FAILURE() << "no column " << name << " in " << header;
    return 0;
  }
};

class FreeProgram : public testing::Test {
 protected:
  FreeProgram() {
    std::string name = testing::TempDir() + "rodeo_free_XXXXXX";
    folder_ = ::mkdtemp(name.data());
  }
  ~FreeProgram() override { std::filesystem::remove_all(folder_); }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_; }
  [[nodiscard]] static std::string config(const std::string& name) {
    return std::string(RODEO_SOURCE_DIR) + "/configs/" + name + ".yaml";
  }
  [[nodiscard]] Result run(const std::string& arguments) const {
    const std::string command =
        fmt::format("cd '{}' && '{}' {} </dev/null >out 2>err", folder_.string(), RODEO_PROGRAM, arguments);
    const int status = std::system(command.c_str());
    return {WEXITSTATUS(status), read("out"), read("err")};
  }
  [[nodiscard]] std::string read(const std::string& file) const {
    std::ostringstream text;
    text << std::ifstream(folder_ / file).rdbuf();
    return text.str();
  }
  [[nodiscard]] Table read_table(const std::string& file) const {
    std::ifstream in(folder_ / file);
    Table table;
    std::getline(in, table.header);
    for (std::string line; std::getline(in, line);) {
      std::istringstream cells(line);
      table.rows.emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) table.rows.back().push_back(std::stod(cell));
    }
    return table;
  }

 private:
  std::filesystem::path folder_;
};

}  // namespace rodeo::tools::testing_support
