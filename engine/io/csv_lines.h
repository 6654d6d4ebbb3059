// SPDX-License-Identifier: MIT
// A CSV file line by line, for every reader of one: cells without blanks around them, numbers by from_chars (no locale, and the
// nearest double), errors that begin with `file:line`. Blank lines and lines that begin with # do not count.
#pragma once
#include <cstddef>
#include <fstream>
#include <istream>
#include <string>
#include <string_view>
#include <vector>

#include "engine/io/input.h"

namespace rodeo::engine {

/// A value in an error: not longer than a line, and nothing that would steer a terminal.
[[nodiscard]] std::string quote_cell(std::string_view text);

/// Opens a file to read; throws IoError: cannot read 'x.csv': No such file or directory.
[[nodiscard]] std::ifstream open_csv(const std::string& path);

class CsvLines {
 public:
  /// `name` is what errors call the file.
  CsvLines(std::istream& in, std::string name) : in_(in), name_(std::move(name)) {}

  /// The next line that counts; false at the end. Throws IoError if the file cannot be read to its end.
  bool next();
  /// Of this line; they are gone with the next.
  [[nodiscard]] const std::vector<std::string_view>& cells() const noexcept { return cells_; }

  /// The number in a cell, which may be `nan` or `inf`; `column` is what errors call it.
  [[nodiscard]] double read_value(std::string_view cell, std::string_view column) const;
  /// The same, finite.
  [[nodiscard]] double read_number(std::string_view cell, std::string_view column) const;
  /// Throws unless this line has as many cells as the header.
  void check_count(std::size_t header) const;

  [[noreturn]] void refuse(const std::string& why) const;
  [[noreturn]] void refuse_file(const std::string& why) const;

 private:
  std::istream& in_;
  std::string name_;
  std::string text_;
  std::size_t line_ = 0;
  std::vector<std::string_view> cells_;
};

}  // namespace rodeo::engine
