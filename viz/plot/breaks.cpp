// SPDX-License-Identifier: MIT
// A motion of bounded rate v goes v·Δt in a row; a reset goes far in one row while the rates around it are those of motion and rest.
#include "viz/plot/breaks.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <string_view>
#include <utility>

namespace rodeo::plot {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
/// A rate may rise between two rows to this many times what it is at the rows around.
constexpr double kFaster = 4;
/// Of all that the column varies: a jump below this is no line that an eye sees.
constexpr double kSeen = 0.01;

/// The name of the column's rate.
std::string find_rate(const std::string& column) {
  constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kEndings{
      {{".angle", ".rate"}, {".x", ".vx"}, {".y", ".vy"}, {".z", ".vz"}}};
  for (const auto& [ending, rate] : kEndings) {
    if (column.ends_with(ending)) return column.substr(0, column.size() - ending.size()) + std::string(rate);
  }
  return column + ".rate";
}

/// Rows before which the column jumps.
void find_jumps(const std::vector<double>& t, const std::vector<double>& position,
                const std::vector<double>& rate, std::vector<bool>& is_jump) {
  double low = INFINITY, high = -INFINITY;
  for (const double value : position) low = std::fmin(low, value), high = std::fmax(high, value);
  for (std::size_t i = 1; i < t.size(); ++i) {
    double most = 0;
    const std::size_t begin = i < 2 ? 0 : i - 2, end = std::min(i + 2, t.size());
    for (std::size_t k = begin; k < end; ++k) most = std::fmax(most, std::abs(rate[k]));
    const double way = std::abs(position[i] - position[i - 1]);
    if (way > kFaster * most * (t[i] - t[i - 1]) + kSeen * (high - low)) is_jump[i] = true;
  }
}

std::vector<double> put_gaps(const std::vector<double>& values, const std::vector<bool>& is_jump,
                             bool is_time) {
  std::vector<double> result;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (is_jump[i]) result.push_back(is_time ? values[i] : kNan);
    result.push_back(values[i]);
  }
  return result;
}

}  // namespace

void break_at_jumps(Table& table) {
  if (!table.has("t")) return;
  const std::vector<double> t = table.at("t");
  std::vector<bool> is_jump(t.size(), false);
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    const std::size_t rate = table.find(find_rate(table.names[c]));
    if (rate < table.names.size()) find_jumps(t, table.columns[c], table.columns[rate], is_jump);
  }
  if (std::find(is_jump.begin(), is_jump.end(), true) == is_jump.end()) return;
  for (std::size_t c = 0; c < table.names.size(); ++c)
    table.columns[c] = put_gaps(table.columns[c], is_jump, table.names[c] == "t");
}

void add_gap(Table& table) {
  const std::size_t t = table.find("t");
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    auto& column = table.columns[c];
    column.push_back(c == t && !column.empty() ? column.back() : kNan);
  }
}

}  // namespace rodeo::plot
