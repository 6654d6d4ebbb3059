// SPDX-License-Identifier: MIT
#include "engine/io/csv_lines.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>

#include "engine/io/printable.h"

namespace rodeo::engine {
namespace {

/// More than any log has; what has more is no CSV, or was made to fill the memory.
constexpr std::size_t kMostColumns = 10'000;
constexpr std::size_t kMostLineBytes = std::size_t{1} << 20;

/// std::getline that stops soon after kMostLineBytes.
bool read_line(std::istream& in, std::string& line) {
  std::array<char, 4096> block;
  for (line.clear(); line.size() <= kMostLineBytes; in.clear()) {
    in.getline(block.data(), block.size());
    const auto taken = static_cast<std::size_t>(in.gcount());
    if (in.good()) {
      line.append(block.data(), taken - 1);  // without its end
      return true;
    }
    line.append(block.data(), taken);
    if (in.eof()) return !line.empty();
    if (in.bad() || taken == 0) return false;  // else the block is full
  }
  return true;
}

std::string_view trim(std::string_view text) {
  constexpr std::string_view kBlank = " \t\r";
  const std::size_t first = text.find_first_not_of(kBlank);
  if (first == std::string_view::npos) return {};
  return text.substr(first, text.find_last_not_of(kBlank) - first + 1);
}

void split(std::string_view line, std::vector<std::string_view>& cells) {
  cells.clear();
  for (std::size_t begin = 0; begin <= line.size();) {
    const std::size_t comma = std::min(line.find(',', begin), line.size());
    cells.push_back(trim(line.substr(begin, comma - begin)));
    begin = comma + 1;
  }
}

}  // namespace

std::string quote_cell(std::string_view text) {
  constexpr std::size_t kMost = 40;
  return fmt::format("'{}{}'", build_printable(text.substr(0, kMost)), text.size() > kMost ? "..." : "");
}

std::ifstream open_csv(const std::string& path) {
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw IoError(fmt::format("cannot read '{}': Is a directory", path));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw IoError(fmt::format("cannot read '{}': {}", path, std::generic_category().message(errno)));
  }
  return in;
}

bool CsvLines::next() {
  while (read_line(in_, text_)) {
    std::string_view line = text_;
    ++line_;
    if (line.size() > kMostLineBytes)
      refuse(fmt::format("the line is longer than {} MB: this is no CSV", kMostLineBytes >> 20));
    if (line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);  // byte-order mark
    line = trim(line);
    if (line.empty() || line.front() == '#') continue;
    split(line, cells_);
    if (cells_.size() > kMostColumns)
      refuse(fmt::format("{} columns, at most {} are read: leave out what is not needed", cells_.size(),
                         kMostColumns));
    return true;
  }
  if (in_.bad()) refuse_file("cannot be read to its end");
  return false;
}

double CsvLines::read_value(std::string_view cell, std::string_view column) const {
  if (cell.starts_with('+')) cell.remove_prefix(1);
  double value = 0;
  const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
  if (cell.empty()) refuse(fmt::format("'{}' is empty: every row needs every value", column));
  if (result.ec != std::errc() || result.ptr != cell.data() + cell.size()) {
    refuse(fmt::format("'{}' is {}, not a number", column, quote_cell(cell)));
  }
  return value;
}

double CsvLines::read_number(std::string_view cell, std::string_view column) const {
  const double value = read_value(cell, column);
  if (!std::isfinite(value)) refuse(fmt::format("'{}' is {}: it must be finite", column, quote_cell(cell)));
  return value;
}

void CsvLines::check_count(std::size_t header) const {
  if (cells_.size() == header) return;
  const char* hint = cells_.size() > header ? ": numbers have a point, as in 0.7, no comma" : "";
  refuse(fmt::format("{} value{}, the header has {} columns{}", cells_.size(), cells_.size() == 1 ? "" : "s",
                     header, hint));
}

void CsvLines::refuse(const std::string& why) const {
  throw IoError(fmt::format("{}:{}: {}", name_, line_, why));
}

void CsvLines::refuse_file(const std::string& why) const { throw IoError(fmt::format("{}: {}", name_, why)); }

}  // namespace rodeo::engine
