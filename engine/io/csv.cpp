// SPDX-License-Identifier: MIT
// The reader. Numbers by from_chars: no locale, and the nearest double.
#include "engine/io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <optional>
#include <string_view>
#include <system_error>

namespace rodeo::engine {
namespace {

constexpr std::string_view kRateEnding = ".rate";
/// 292 years: the most nanoseconds that 64 bits hold.
constexpr double kLatest = 9e9;

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

/// A value in an error: not longer than a line, and nothing that would steer a terminal.
std::string quote(std::string_view text) {
  constexpr std::size_t kMost = 40;
  std::string shown(text.substr(0, kMost));
  const auto is_control = [](unsigned char c) { return c < 0x20 || c == 0x7f; };
  std::replace_if(shown.begin(), shown.end(), is_control, '?');
  return fmt::format("'{}{}'", shown, text.size() > kMost ? "..." : "");
}

class Reader {
 public:
  Reader(std::istream& in, std::string name, const std::vector<std::string>& drives)
      : in_(in), name_(std::move(name)), drives_(drives) {}

  CsvTable read() {
    if (!next()) refuse_file(fmt::format("is empty: its first line must be {}", build_header()));
    read_header();
    while (next()) read_row();
    if (in_.bad()) refuse_file("cannot be read to its end");
    if (table_.times.empty()) refuse_file("has no rows under its header");
    return std::move(table_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw IoError(fmt::format("{}:{}: {}", name_, line_, why));
  }
  [[noreturn]] void refuse_file(const std::string& why) const {
    throw IoError(fmt::format("{}: {}", name_, why));
  }

  /// The next line that counts, as cells_.
  bool next() {
    while (std::getline(in_, text_)) {
      std::string_view line = text_;
      if (++line_ == 1 && line.starts_with("\xEF\xBB\xBF")) line.remove_prefix(3);  // byte-order mark
      line = trim(line);
      if (line.empty() || line.front() == '#') continue;
      split(line, cells_);
      return true;
    }
    return false;
  }

  std::string build_header() const { return fmt::format("'t,{}'", fmt::join(drives_, ",")); }

  std::string list_drives() const {
    return drives_.empty() ? "none" : fmt::to_string(fmt::join(drives_, ", "));
  }

  void read_header() {
    if (cells_.front() != "t") {
      refuse(fmt::format("the first column is {}, it must be 't', the time in seconds (as in {})",
                         quote(cells_.front()), build_header()));
    }
    table_.kinds.resize(drives_.size());
    for (std::size_t c = 1; c < cells_.size(); ++c) read_column(cells_[c]);
    for (const std::string& drive : drives_) {
      const auto index = static_cast<std::size_t>(&drive - drives_.data());
      if (std::find(drive_of_.begin(), drive_of_.end(), index) != drive_of_.end()) continue;
      refuse(fmt::format("there is no column for drive '{0}': add '{0}' (positions) or '{0}.rate' (rates)",
                         drive));
    }
  }

  void read_column(std::string_view cell) {
    Command::Kind kind = Command::Kind::position;
    auto found = std::find(drives_.begin(), drives_.end(), cell);
    if (found == drives_.end() && cell.ends_with(kRateEnding)) {
      kind = Command::Kind::rate;
      found = std::find(drives_.begin(), drives_.end(), cell.substr(0, cell.size() - kRateEnding.size()));
    }
    if (found == drives_.end()) {
      refuse(fmt::format("column {} is no drive of this machine (it has {})", quote(cell), list_drives()));
    }
    const auto drive = static_cast<std::size_t>(found - drives_.begin());
    if (std::find(drive_of_.begin(), drive_of_.end(), drive) != drive_of_.end()) {
      refuse(fmt::format("drive '{}' has two columns: leave one", *found));
    }
    drive_of_.push_back(drive);
    table_.kinds[drive] = kind;
  }

  double read_number(std::string_view cell, std::string_view column) const {
    if (cell.starts_with('+')) cell.remove_prefix(1);
    double value = 0;
    const auto result = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    if (cell.empty()) refuse(fmt::format("'{}' is empty: every row needs every value", column));
    if (result.ec != std::errc() || result.ptr != cell.data() + cell.size()) {
      refuse(fmt::format("'{}' is {}, not a number", column, quote(cell)));
    }
    if (!std::isfinite(value)) refuse(fmt::format("'{}' is {}: it must be finite", column, quote(cell)));
    return value;
  }

  void check_time(double t) const {
    if (std::abs(t) > kLatest) refuse(fmt::format("t = {} s is out of reach", t));
    if (table_.times.empty() || t > table_.times.back()) return;
    refuse(fmt::format("time runs backwards or stands still, from {} to {} s: t must rise from row to row",
                       table_.times.back(), t));
  }

  void read_row() {
    if (cells_.size() != drive_of_.size() + 1) {
      refuse(fmt::format("{} value{}, the header has {} columns", cells_.size(),
                         cells_.size() == 1 ? "" : "s", drive_of_.size() + 1));
    }
    const double t = read_number(cells_.front(), "t");
    check_time(t);
    table_.times.push_back(t);
    const std::size_t row = table_.values.size();
    table_.values.resize(row + drives_.size());
    for (std::size_t c = 1; c < cells_.size(); ++c) {
      const std::size_t drive = drive_of_[c - 1];
      table_.values[row + drive] = read_number(cells_[c], drives_[drive]);
    }
  }

  std::istream& in_;
  std::string name_;
  const std::vector<std::string>& drives_;
  std::string text_;
  std::size_t line_ = 0;
  std::vector<std::string_view> cells_;
  std::vector<std::size_t> drive_of_;  // of column c + 1
  CsvTable table_;
};

}  // namespace

CsvTable build_csv(std::istream& in, const std::string& name, const std::vector<std::string>& drives) {
  return Reader(in, name, drives).read();
}

CsvTable build_csv_from_file(const std::string& path, const std::vector<std::string>& drives) {
  if (path == "-") return build_csv(std::cin, "standard input", drives);
  std::error_code ignored;
  if (std::filesystem::is_directory(path, ignored)) {
    throw IoError(fmt::format("cannot read '{}': Is a directory", path));
  }
  std::ifstream in(path, std::ios::binary);
  if (!in) {
    throw IoError(fmt::format("cannot read '{}': {}", path, std::generic_category().message(errno)));
  }
  return build_csv(in, path, drives);
}

std::int64_t CsvInput::end() const noexcept {
  return static_cast<std::int64_t>(std::llround(table_.times.back() * 1e9));
}

void CsvInput::sample(std::int64_t time, std::span<Command> commands) noexcept {
  const double t = static_cast<double>(time) / 1e9;
  const auto& times = table_.times;
  if (t < times[row_]) row_ = 0;
  while (row_ + 2 < times.size() && times[row_ + 1] <= t) ++row_;
  for (std::size_t d = 0; d < commands.size(); ++d) commands[d] = calc_command(d, t);
}

Command CsvInput::calc_command(std::size_t drive, double t) const noexcept {
  const auto& times = table_.times;
  const bool is_rate = table_.kinds[drive] == Command::Kind::rate;
  const auto make = [&](double value, double slope) {
    return is_rate ? Command::moving(value) : Command::at(value, slope);
  };
  const double first = table_.value(row_, drive);
  if (times.size() == 1 || t < times.front()) return make(first, 0);
  const double second = table_.value(row_ + 1, drive);
  if (t > times[row_ + 1]) return make(second, 0);
  const double span = times[row_ + 1] - times[row_];
  const double slope = (second - first) / span;
  if (t == times[row_ + 1]) return make(second, slope);
  return make(first + (second - first) * ((t - times[row_]) / span), slope);
}

}  // namespace rodeo::engine
