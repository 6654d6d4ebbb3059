// SPDX-License-Identifier: MIT
// A cycle of configs/cycles as a kernel takes it: linear between rows, the slope as the rate, over and over.
#pragma once
#include <cmath>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace rodeo::codegen {

class Cycle {
 public:
  explicit Cycle(const std::filesystem::path& file) {
    std::ifstream stream(file);
    std::string line;
    std::getline(stream, line);
    while (std::getline(stream, line)) {
      std::istringstream cells(line);
      std::vector<double> row;
      for (std::string cell; std::getline(cells, cell, ',');) row.push_back(std::stod(cell));
      rows_.push_back(row);
    }
    if (rows_.size() < 2) throw std::runtime_error("no cycle in " + file.string());
  }

  [[nodiscard]] std::vector<double> drives_at(double t) const {
    const double period = rows_.back()[0] - rows_.front()[0];
    const double phase = t - period * std::floor(t / period);
    while (i_ > 0 && rows_[i_][0] > phase) --i_;
    while (i_ + 2 < rows_.size() && rows_[i_ + 1][0] <= phase) ++i_;
    const auto& a = rows_[i_];
    const auto& b = rows_[i_ + 1];
    std::vector<double> drives;
    for (std::size_t c = 1; c < a.size(); ++c) {
      const double slope = (b[c] - a[c]) / (b[0] - a[0]);
      drives.insert(drives.end(), {a[c] + slope * (phase - a[0]), slope, 0.0});
    }
    return drives;
  }

  [[nodiscard]] std::vector<double> positions_at(double t) const {
    const std::vector<double> drives = drives_at(t);
    std::vector<double> positions;
    for (std::size_t i = 0; i < drives.size(); i += 3) positions.push_back(drives[i]);
    return positions;
  }

 private:
  std::vector<std::vector<double>> rows_;
  mutable std::size_t i_ = 0;  // row of the last time asked for
};

}  // namespace rodeo::codegen
