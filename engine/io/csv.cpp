// SPDX-License-Identifier: MIT
// The reader of cycles; csv_lines.h has what it shares with other readers.
#include "engine/io/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iostream>
#include <string_view>

#include "engine/io/csv_lines.h"

namespace rodeo::engine {
namespace {

constexpr std::string_view kRateEnding = ".rate";
/// 292 years: the most nanoseconds that 64 bits hold.
constexpr double kLatest = 9e9;

/// What a cell of a row is.
struct Column {
  std::size_t drive;
  Command::Kind kind;

  bool operator==(const Column&) const = default;
};

class Reader {
 public:
  Reader(std::istream& in, const std::string& name, const std::vector<std::string>& drives,
         CsvColumns columns, const std::vector<std::string>& forces)
      : lines_(in, name), drives_(drives), names_(drives), is_graph_(columns == CsvColumns::inputs) {
    names_.insert(names_.end(), forces.begin(), forces.end());
  }

  CsvTable read() {
    if (!lines_.next()) {
      lines_.refuse_file(fmt::format("is empty: its first line must be {}", build_header()));
    }
    read_header();
    while (lines_.next()) read_row();
    if (table_.times.empty()) lines_.refuse_file("has no rows under its header");
    return std::move(table_);
  }

 private:
  std::string build_header() const { return fmt::format("'t,{}'", fmt::join(drives_, ",")); }

  std::string list_names() const { return names_.empty() ? "none" : fmt::to_string(fmt::join(names_, ", ")); }

  const char* what_is_there() const {
    if (is_graph_) return "input of this graph";
    return names_.size() > drives_.size() ? "drive or input of this machine" : "drive of this machine";
  }

  /// A table of a program that writes decimal commas.
  static const char* find_hint(std::string_view cell) {
    const bool has_others = cell.find(';') != cell.npos || cell.find('\t') != cell.npos;
    return has_others ? ": columns are separated by commas, and numbers have a point" : "";
  }

  void read_header() {
    const auto& cells = lines_.cells();
    if (cells.front() != "t") {
      lines_.refuse(fmt::format("the first column is {}, it must be 't', the time in seconds (as in {}){}",
                                quote_cell(cells.front()), build_header(), find_hint(cells.front())));
    }
    table_.kinds.resize(names_.size());
    table_.is_cubic.resize(names_.size());
    for (std::size_t c = 1; c < cells.size(); ++c) read_column(cells[c]);
    for (const std::string& drive : drives_) {
      const auto index = static_cast<std::size_t>(&drive - drives_.data());
      if (has_column(index)) continue;
      if (is_graph_) lines_.refuse(fmt::format("there is no column for input '{0}': add '{0}'", drive));
      lines_.refuse(fmt::format(
          "there is no column for drive '{0}': add '{0}' (positions) or '{0}.rate' (rates)", drive));
    }
  }

  bool has_column(std::size_t drive) const {
    return std::any_of(columns_.begin(), columns_.end(), [&](const Column& c) { return c.drive == drive; });
  }

  /// Positions and rates of one drive are a cubic.
  void add_column(std::size_t drive, Command::Kind kind) {
    const Column column{drive, kind};
    if (std::find(columns_.begin(), columns_.end(), column) != columns_.end()) {
      lines_.refuse(
          fmt::format("{} '{}' has two columns: leave one", is_graph_ ? "input" : "drive", names_[drive]));
    }
    table_.is_cubic[drive] = has_column(drive);
    table_.kinds[drive] = table_.is_cubic[drive] ? Command::Kind::position : kind;
    columns_.push_back(column);
  }

  void read_column(std::string_view cell) {
    Command::Kind kind = Command::Kind::position;
    auto found = std::find(names_.begin(), names_.end(), cell);
    if (found == names_.end() && cell.ends_with(kRateEnding) && !is_graph_) {
      kind = Command::Kind::rate;
      const auto drives_end = names_.begin() + static_cast<std::ptrdiff_t>(drives_.size());
      found = std::find(names_.begin(), drives_end, cell.substr(0, cell.size() - kRateEnding.size()));
      if (found == drives_end) found = names_.end();
    }
    if (found == names_.end()) {
      lines_.refuse(
          fmt::format("column {} is no {} (it has {})", quote_cell(cell), what_is_there(), list_names()));
    }
    add_column(static_cast<std::size_t>(found - names_.begin()), kind);
  }

  void check_time(double t) const {
    if (std::abs(t) > kLatest) lines_.refuse(fmt::format("t = {} s is out of reach", t));
    const auto& times = table_.times;
    if (times.empty() || t > times.back()) return;
    if (t < times.back()) {
      lines_.refuse(fmt::format("time runs backwards, from {} to {} s: t must not fall from row to row",
                                times.back(), t));
    }
    if (times.size() < 2 || times[times.size() - 2] < t) return;
    lines_.refuse(
        fmt::format("a third row has t = {} s: two rows of one time are a step, leave the others out", t));
  }

  void read_row() {
    lines_.check_count(columns_.size() + 1);
    const auto& cells = lines_.cells();
    const double t = lines_.read_number(cells.front(), "t");
    check_time(t);
    table_.times.push_back(t);
    const std::size_t row = table_.values.size();
    table_.values.resize(row + names_.size());
    table_.slopes.resize(row + names_.size());
    for (std::size_t c = 1; c < cells.size(); ++c) {
      const auto& [drive, kind] = columns_[c - 1];
      const bool is_slope = table_.is_cubic[drive] && kind == Command::Kind::rate;
      const std::string column = is_slope ? names_[drive] + std::string(kRateEnding) : names_[drive];
      (is_slope ? table_.slopes : table_.values)[row + drive] = lines_.read_number(cells[c], column);
    }
  }

  CsvLines lines_;
  const std::vector<std::string>& drives_;
  std::vector<std::string> names_;  // drives, then forces
  bool is_graph_;
  std::vector<Column> columns_;  // of cell c + 1
  CsvTable table_;
};

/// s between rows of a motion that was sampled, not drawn.
constexpr double kDense = 0.0101;

/// The slope at a row of the parabola through it and its neighbours; at the ends that of the segment there.
double calc_slope(const CsvTable& table, std::size_t row, std::size_t column) {
  const auto calc_rise = [&](std::size_t i) {
    return (table.value(i + 1, column) - table.value(i, column)) / (table.times[i + 1] - table.times[i]);
  };
  if (row == 0) return calc_rise(0);
  if (row + 1 == table.row_count()) return calc_rise(row - 1);
  const double before = table.times[row] - table.times[row - 1],
               after = table.times[row + 1] - table.times[row];
  return (calc_rise(row - 1) * after + calc_rise(row) * before) / (before + after);
}

/// Positions that come so densely are followed with their rates and accelerations, not as a chain of kinks.
void smooth_samples(CsvTable& table, std::size_t drives) {
  if (table.row_count() < 3) return;
  for (std::size_t i = 1; i < table.row_count(); ++i) {
    const double step = table.times[i] - table.times[i - 1];
    if (!(step > 0) || step > kDense) return;
  }
  for (std::size_t d = 0; d < drives; ++d) {
    if (table.is_cubic[d] || table.kinds[d] != Command::Kind::position) continue;
    for (std::size_t i = 0; i < table.row_count(); ++i)
      table.slopes[i * table.kinds.size() + d] = calc_slope(table, i, d);
    table.is_cubic[d] = true;
  }
}

}  // namespace

CsvTable build_csv(std::istream& in, const std::string& name, const std::vector<std::string>& drives,
                   CsvColumns columns, const std::vector<std::string>& forces) {
  CsvTable table = Reader(in, name, drives, columns, forces).read();
  if (columns == CsvColumns::drives) smooth_samples(table, drives.size());
  return table;
}

CsvTable build_csv_from_file(const std::string& path, const std::vector<std::string>& drives,
                             CsvColumns columns, const std::vector<std::string>& forces) {
  if (path == "-") return build_csv(std::cin, "standard input", drives, columns, forces);
  std::ifstream in = open_csv(path);
  return build_csv(in, path, drives, columns, forces);
}

std::int64_t CsvInput::end() const noexcept {
  return static_cast<std::int64_t>(std::llround(table_.times.back() * 1e9));
}

void CsvInput::find_row(double t) noexcept {
  const auto& times = table_.times;
  if (t < times[row_]) row_ = 0;
  while (row_ + 2 < times.size() && times[row_ + 1] <= t) ++row_;
}

void CsvInput::sample_forces(std::int64_t time, std::span<double> values) noexcept {
  const double t = static_cast<double>(time) / 1e9;
  const std::size_t drives = table_.kinds.size() - values.size();
  find_row(t);
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] = calc_command(drives + i, t).position +
                (is_sampled(drives + i) ? 0.0 : calc_lacking(drives + i, forces_at_, t));
  forces_at_ = t;
}

void CsvInput::sample(std::int64_t time, std::span<Command> commands) noexcept {
  const double t = static_cast<double>(time) / 1e9;
  find_row(t);
  for (std::size_t d = 0; d < commands.size(); ++d) {
    commands[d] = calc_command(d, t);
    if (table_.kinds[d] == Command::Kind::rate) commands[d].rate += calc_lacking(d, commands_at_, t);
  }
  commands_at_ = t;
}

/// At a step: the row before it, or the one behind.
double CsvInput::calc_value(std::size_t column, double t, bool before) const noexcept {
  const auto& times = table_.times;
  const auto next = before ? std::lower_bound(times.begin(), times.end(), t)
                           : std::upper_bound(times.begin(), times.end(), t);
  const auto row = static_cast<std::size_t>(next - times.begin());
  if (row == 0) return table_.value(0, column);
  if (row == times.size()) return table_.value(row - 1, column);
  const double part = (t - times[row - 1]) / (times[row] - times[row - 1]);
  return table_.value(row - 1, column) + part * (table_.value(row, column) - table_.value(row - 1, column));
}

double CsvInput::calc_lacking(std::size_t column, double begin, double end) const noexcept {
  const auto& times = table_.times;
  auto row = std::upper_bound(times.begin(), times.end(), begin);
  if (row == times.end() || !(*row < end)) return 0.0;
  double integral = 0.0, from = begin;
  for (; from < end; row = std::upper_bound(times.begin(), times.end(), from)) {
    const double to = row == times.end() ? end : std::min(*row, end);
    integral += (to - from) * (calc_value(column, from, false) + calc_value(column, to, true)) / 2;
    from = to;
  }
  const double ends = calc_value(column, begin, false) + calc_value(column, end, false);
  return integral / (end - begin) - ends / 2;
}

/// With u from 0 to 1 over h: x = x0 + (x1 - x0) u² (3 - 2u) + h u (1 - u) (v0 (1 - u) - v1 u), and its derivatives.
Command CsvInput::calc_cubic(std::size_t drive, double t) const noexcept {
  const double h = table_.times[row_ + 1] - table_.times[row_];
  const double u = (t - table_.times[row_]) / h;
  const double x0 = table_.value(row_, drive);
  const double rise = table_.value(row_ + 1, drive) - x0;
  const double v0 = table_.slope(row_, drive);
  const double v1 = table_.slope(row_ + 1, drive);
  const double position = x0 + rise * (u * u * (3 - 2 * u)) + h * u * (1 - u) * (v0 * (1 - u) - v1 * u);
  const double rate = 6 * rise / h * u * (1 - u) + v0 * (1 - u) * (1 - 3 * u) + v1 * u * (3 * u - 2);
  const double acceleration = (6 * rise / h * (1 - 2 * u) + v0 * (6 * u - 4) + v1 * (6 * u - 2)) / h;
  return Command::at(position, rate, acceleration);
}

/// A cubic at the last row: position and rate exactly those of the row.
Command CsvInput::calc_last(std::size_t drive) const noexcept {
  return Command::at(table_.value(row_ + 1, drive), table_.slope(row_ + 1, drive),
                     calc_cubic(drive, table_.times[row_ + 1]).acceleration);
}

Command CsvInput::calc_command(std::size_t drive, double t) const noexcept {
  const auto& times = table_.times;
  const bool is_rate = table_.kinds[drive] == Command::Kind::rate;
  const auto make = [&](double value, double slope) {
    return is_rate ? Command::moving(value, slope) : Command::at(value, slope);
  };
  const double first = table_.value(row_, drive);
  if (times.size() == 1 || t < times.front()) return make(first, 0);
  const double second = table_.value(row_ + 1, drive);
  if (t > times[row_ + 1]) return make(second, 0);
  const double span = times[row_ + 1] - times[row_];
  if (span <= 0) return make(second, table_.slope(row_ + 1, drive));
  if (table_.is_cubic[drive]) return t == times[row_ + 1] ? calc_last(drive) : calc_cubic(drive, t);
  const double slope = (second - first) / span;
  if (t == times[row_ + 1]) return make(second, slope);
  return make(first + (second - first) * ((t - times[row_]) / span), slope);
}

}  // namespace rodeo::engine
