// SPDX-License-Identifier: MIT
// Rows of numbers into a CSV file that appears when it is whole, 17 significant digits.
#pragma once
#include <fmt/format.h>

#include <iterator>
#include <span>
#include <string>
#include <vector>

#include "engine/io/log.h"

namespace rodeo::tools {

class CsvRows {
 public:
  CsvRows(const std::string& path, const std::vector<std::string>& names)
      : file_(path), text_(fmt::format("{}\n", fmt::join(names, ","))) {}

  void write(std::span<const double> row) {
    fmt::format_to(std::back_inserter(text_), "{:.17g}\n", fmt::join(row, ","));
    if (text_.size() >= kFlushBytes) flush();
  }
  void finish() {
    flush();
    file_.finish();
  }

 private:
  static constexpr std::size_t kFlushBytes = std::size_t{1} << 16;
  void flush() {
    file_.write(text_);
    text_.clear();
  }
  engine::AtomicFile file_;
  std::string text_;
};

}  // namespace rodeo::tools
