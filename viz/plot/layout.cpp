// SPDX-License-Identifier: MIT
#include "viz/plot/layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <set>

#include "engine/io/input.h"
#include "viz/plot/units.h"

namespace rodeo::plot {
namespace {

/// Letters that are nearer than this, of the larger side of a path, are written together.
constexpr double kTogether = 0.015;
/// As many times that far around a letter the curve is looked at.
constexpr double kAround = 6;
constexpr std::size_t kMostByDefault = 500;  // columns

/// Columns that share a panel.
struct Group {
  std::string key;
  Unit unit;
  std::vector<std::string> columns;
};

void add_to_group(std::vector<Group>& groups, const std::string& key, const Unit& unit,
                  const std::string& column) {
  auto found =
      std::find_if(groups.begin(), groups.end(), [&](const Group& group) { return group.key == key; });
  if (found == groups.end()) found = groups.insert(found, {key, unit, {}});
  auto& columns = found->columns;
  if (std::find(columns.begin(), columns.end(), column) == columns.end()) columns.push_back(column);
}

/// What nobody asked for: drives, then outputs; without any, all but the time.
std::vector<std::string> find_default_columns(const Table& log) {
  std::vector<std::string> columns;
  std::copy_if(log.names.begin(), log.names.end(), std::back_inserter(columns), is_drive);
  std::copy_if(log.names.begin(), log.names.end(), std::back_inserter(columns),
               [&](const std::string& name) { return is_output(log, name); });
  if (columns.empty()) columns = log.names;
  std::erase(columns, "t");
  if (columns.size() > kMostByDefault) {
    throw engine::IoError(
        fmt::format("{}: has {} columns to draw, at most {} are drawn unasked: name those you want with --y",
                    log.name, columns.size(), kMostByDefault));
  }
  return columns;
}

std::vector<Group> build_groups(const Table& log, const Request& request) {
  std::vector<Group> groups;
  const bool is_default = request.y.empty();
  for (const std::string& column : is_default ? find_default_columns(log) : request.y) {
    if (!is_default) (void)log.at(column);
    const Unit unit = find_unit(log, column, request.radians);
    const std::string kind = is_default ? (is_drive(column) ? "drive " : "output ") : "";
    add_to_group(groups, kind + unit.si + ' ' + unit.quantity, unit, column);
  }
  if (groups.empty()) throw engine::IoError(log.name + ": has no column beside the time");
  return groups;
}

std::vector<double> scale(std::vector<double> values, double factor) {
  for (double& value : values) value *= factor;
  return values;
}

std::vector<double> take_powers(std::vector<double> values) {
  for (double& value : values) value = value == 0 ? NAN : std::log10(std::abs(value));
  return values;
}

std::string build_y_label(const Group& group) {
  const bool is_alone = group.columns.size() == 1;
  return build_label(is_alone ? group.columns.front() : group.unit.quantity, group.unit);
}

/// Where a log is at a time, linear between rows; nothing outside of it.
std::optional<double> find_value(const std::vector<double>& t, const std::vector<double>& values, double at) {
  const auto after = std::upper_bound(t.begin(), t.end(), at);
  if (after == t.begin()) return std::nullopt;
  const auto i = static_cast<std::size_t>(after - t.begin());
  constexpr double kRounding = 1e-6;  // s: the last row of a log may be a rounding before the last phase
  if (i == t.size()) return at <= t.back() + kRounding ? std::optional(values.back()) : std::nullopt;
  const double part = (at - t[i - 1]) / (t[i] - t[i - 1]);
  return values[i - 1] + part * (values[i] - values[i - 1]);
}

/// Phases at one place are one mark: `B C`.
void add_spot(std::vector<Mark>& marks, const Mark& spot, double near) {
  const auto is_near = [&](const Mark& mark) {
    return std::hypot(mark.x - spot.x, *mark.y - *spot.y) < near;
  };
  const auto found = std::find_if(marks.begin(), marks.end(), is_near);
  if (found == marks.end()) return marks.push_back(spot);
  found->text += ' ' + spot.text;
}

/// A letter stands where the curve does not go: to the left if what is near lies to the right.
bool is_curve_right(const Series& series, const Mark& spot, double near) {
  double sum = 0;
  for (std::size_t i = 0; i < series.x.size(); ++i) {
    if (std::hypot(series.x[i] - spot.x, series.y[i] - *spot.y) < near) sum += series.x[i] - spot.x;
  }
  return sum > 0;
}

/// Of two letters that are close the lower one goes down.
void part_letters(std::vector<Mark>& marks, double near) {
  for (Mark& mark : marks) {
    mark.is_below = std::any_of(marks.begin(), marks.end(), [&](const Mark& other) {
      return *other.y > *mark.y && std::hypot(other.x - mark.x, *other.y - *mark.y) < near;
    });
  }
}

void add_spots(Panel& panel, const Table& log, const std::vector<Phase>& phases) {
  const std::vector<double>& t = log.at("t");
  for (const Series& series : panel.series) {
    if (series.dash != 0) return;  // of the first log only
    const Range x = calc_range(series.x), y = calc_range(series.y);
    const double near = kTogether * std::max(x.high - x.low, y.high - y.low);
    std::vector<Mark> marks;
    for (const Phase& phase : phases) {
      const auto at_x = find_value(t, series.x, phase.t), at_y = find_value(t, series.y, phase.t);
      if (at_x && at_y) add_spot(marks, {*at_x, at_y, phase.name}, near);
    }
    for (Mark& mark : marks) mark.is_left = is_curve_right(series, mark, kAround * near);
    part_letters(marks, kAround * near);
    panel.marks.insert(panel.marks.end(), marks.begin(), marks.end());
  }
}

void add_lines(Panel& panel, const std::vector<Phase>& phases) {
  const Frame frame = calc_frame(panel);
  for (const Phase& phase : phases) {
    const double room = 1e-6 * (frame.x.high - frame.x.low);
    if (phase.t < frame.x.low - room || phase.t > frame.x.high + room) continue;
    panel.marks.push_back({phase.t, std::nullopt, phase.name});
  }
}

/// Only what tells the curves of a panel apart.
std::string build_series_name(const Group& group, const std::string& column, const std::string& log,
                              std::size_t log_count) {
  if (log_count == 1) return group.columns.size() == 1 ? "" : column;
  return group.columns.size() == 1 ? log : fmt::format("{}: {}", log, column);
}

Panel build_panel(const std::vector<Table>& logs, const Group& group, const Request& request) {
  const Unit x_unit = find_unit(logs.front(), request.x, request.radians);
  const std::vector<std::string> names = build_log_names(logs);
  Panel panel;
  panel.x_label = build_label(request.x == "t" ? "time" : request.x, x_unit);
  panel.y_label = build_y_label(group);
  panel.is_path = request.x != "t";
  panel.is_log = request.log;
  panel.is_equal = x_unit.si == "m" && group.unit.si == "m" && !request.log;
  for (const std::string& column : group.columns) {
    for (std::size_t i = 0; i < logs.size(); ++i) {
      std::vector<double> y = scale(logs[i].at(column), group.unit.factor);
      panel.series.push_back({build_series_name(group, column, names[i], logs.size()),
                              scale(logs[i].at(request.x), x_unit.factor),
                              request.log ? take_powers(std::move(y)) : std::move(y),
                              panel.series.size() % kColourCount, i});
    }
  }
  if (request.phases.empty()) return panel;
  request.x == "t" ? add_lines(panel, request.phases) : add_spots(panel, logs.front(), request.phases);
  return panel;
}

}  // namespace

std::vector<std::string> build_log_names(const std::vector<Table>& logs) {
  std::set<std::string> stems;
  for (const Table& log : logs) stems.insert(std::filesystem::path(log.name).stem().string());
  std::vector<std::string> names;
  for (const Table& log : logs) {
    names.push_back(stems.size() == logs.size() ? std::filesystem::path(log.name).stem().string() : log.name);
  }
  return names;
}

Figure build_figure(const std::vector<Table>& logs, const Request& request) {
  Figure figure;
  figure.title = request.title;
  for (const Group& group : build_groups(logs.front(), request)) {
    figure.panels.push_back(build_panel(logs, group, request));
    Panel& panel = figure.panels.back();
    const std::size_t index = figure.panels.size() - 1;
    if (index < request.y_labels.size()) panel.y_label = request.y_labels[index];
    if (!request.x_label.empty()) panel.x_label = request.x_label;
  }
  return figure;
}

}  // namespace rodeo::plot
