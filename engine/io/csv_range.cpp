// SPDX-License-Identifier: MIT
// Rows of a cycle against the limits of its drives.
#include "engine/io/csv_range.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <optional>

namespace rodeo::engine {
namespace {

/// A value that rounding put beside a limit is within it.
constexpr double kRounding = 1e-9;
/// Samples of a cubic between two rows.
constexpr int kSamples = 32;

/// What lies beyond limits, gathered.
class Beyond {
 public:
  Beyond(std::optional<double> lower, std::optional<double> upper) : lower_(lower), upper_(upper) {}

  void look(double value, double t, bool is_row) {
    const double over = upper_ ? value - *upper_ : -INFINITY;
    const double under = lower_ ? *lower_ - value : -INFINITY;
    const double by = std::max(over, under);
    if (!(by > kRounding * (1 + std::abs(value)))) return;
    if (is_row) ++rows_;
    if (count_++ == 0) first_ = t;
    if (by > most_) most_ = by, worst_ = value, worst_time_ = t;
  }
  [[nodiscard]] bool is_any() const { return count_ > 0; }

  /// `3 of 120 rows are beyond its range of 0.9 to 1.45 m, first at 2.5 s, at most by 0.15 m (1.6 m at 3 s)`.
  [[nodiscard]] std::string describe(std::size_t rows, const std::string& limit,
                                     const std::string& unit) const {
    const std::string where = rows_ > 0 ? fmt::format("{} of {} row{} {} beyond", rows_, rows,
                                                      rows == 1 ? "" : "s", rows_ == 1 ? "is" : "are")
                                        : std::string("its cubic goes between the rows beyond");
    return fmt::format("{} {}, first at {:.6g} s, at most by {:.6g} {} ({:.6g} {} at {:.6g} s)", where, limit,
                       first_, most_, unit, worst_, unit, worst_time_);
  }

 private:
  std::optional<double> lower_, upper_;
  std::size_t rows_ = 0, count_ = 0;
  double first_ = 0, most_ = 0, worst_ = 0, worst_time_ = 0;
};

std::string describe_range(const LimitedDrive& drive) {
  const auto& [lower, upper] = std::pair(drive.limits.lower, drive.limits.upper);
  if (lower && upper) return fmt::format("its range of {:.6g} to {:.6g} {}", *lower, *upper, drive.unit);
  return lower ? fmt::format("its lower end of {:.6g} {}", *lower, drive.unit)
               : fmt::format("its upper end of {:.6g} {}", *upper, drive.unit);
}

/// Between two rows, by the input's own interpolation.
void look_between(Beyond& beyond, CsvInput& input, std::size_t row, std::size_t drive, std::size_t drives) {
  const CsvTable& table = input.table();
  std::vector<Command> commands(drives);
  for (int i = 1; i < kSamples; ++i) {
    const double t = std::lerp(table.times[row], table.times[row + 1], static_cast<double>(i) / kSamples);
    input.sample(std::llround(t * 1e9), commands);
    beyond.look(commands[drive].position, t, false);
  }
}

std::string describe_positions(CsvInput& input, std::size_t d, const std::vector<LimitedDrive>& drives) {
  const CsvTable& table = input.table();
  Beyond beyond(drives[d].limits.lower, drives[d].limits.upper);
  for (std::size_t row = 0; row < table.row_count(); ++row) {
    beyond.look(table.value(row, d), table.times[row], true);
    if (table.is_cubic[d] && row + 1 < table.row_count()) look_between(beyond, input, row, d, drives.size());
  }
  return beyond.is_any() ? beyond.describe(table.row_count(), describe_range(drives[d]), drives[d].unit) : "";
}

std::string describe_rates(const CsvTable& table, std::size_t d, const LimitedDrive& drive) {
  const bool is_slope = table.is_cubic[d];
  if (!drive.limits.speed || (table.kinds[d] != Command::Kind::rate && !is_slope)) return "";
  Beyond beyond(-*drive.limits.speed, *drive.limits.speed);
  for (std::size_t row = 0; row < table.row_count(); ++row)
    beyond.look(is_slope ? table.slope(row, d) : table.value(row, d), table.times[row], true);
  const std::string unit = drive.unit + "/s";
  if (!beyond.is_any()) return "";
  return beyond.describe(table.row_count(), fmt::format("its speed of {:.6g} {}", *drive.limits.speed, unit),
                         unit);
}

}  // namespace

std::vector<std::string> list_beyond_limits(const CsvTable& table, const std::string& file,
                                            const std::vector<LimitedDrive>& drives) {
  std::vector<std::string> sentences;
  CsvInput input(table);
  for (std::size_t d = 0; d < drives.size(); ++d) {
    const bool is_position = table.kinds[d] == Command::Kind::position;
    const std::array found{is_position ? describe_positions(input, d, drives) : std::string(),
                           describe_rates(table, d, drives[d])};
    for (const std::string& what : found) {
      if (!what.empty())
        sentences.push_back(
            fmt::format("{}: drive '{}': {}: the drive is kept at its limit", file, drives[d].name, what));
    }
  }
  return sentences;
}

}  // namespace rodeo::engine
