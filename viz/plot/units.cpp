// SPDX-License-Identifier: MIT
#include "viz/plot/units.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string_view>
#include <vector>

namespace rodeo::plot {
namespace {

/// Integrated logs (--closure none) drift apart by less than this.
constexpr double kSame = 1e-6;

std::string ending(const std::string& column) {
  const std::size_t dot = column.rfind('.');
  return dot == std::string::npos ? "" : column.substr(dot + 1);
}

std::string stem(const std::string& column) { return column.substr(0, column.rfind('.')); }

std::vector<const std::vector<double>*> find_angles(const Table& table) {
  std::vector<const std::vector<double>*> angles;
  for (std::size_t c = 0; c < table.names.size(); ++c) {
    if (ending(table.names[c]) == "angle") angles.push_back(&table.columns[c]);
  }
  return angles;
}

/// Is a + sign·b = value on every row? `b` may be none.
bool is_sum(const std::vector<double>& value, const std::vector<double>& a, const std::vector<double>* b) {
  for (std::size_t row = 0; row < value.size(); ++row) {
    const double sum = a[row] - (b != nullptr ? (*b)[row] : 0);
    if (!(std::abs(sum - value[row]) < kSame)) return false;
  }
  return true;
}

bool is_nil(const std::vector<double>& values) {
  return std::all_of(values.begin(), values.end(), [](double value) { return std::abs(value) < kSame; });
}

/// rad or m; nothing if this is no log of a machine, or if a drive that rests at 0 does not tell.
std::string find_drive_unit(const Table& table, const std::string& column) {
  const auto angles = find_angles(table);
  const std::vector<double>& value = table.at(column);
  if (table.has(column + ".angle")) return "rad";
  if (table.has(column + ".length")) return "m";
  if (angles.empty() || is_nil(value)) return "";
  for (const auto* a : angles) {
    if (is_sum(value, *a, nullptr)) return "rad";
    for (const auto* b : angles) {
      if (a != b && is_sum(value, *a, b)) return "rad";
    }
  }
  return "m";
}

/// Of what stands before `.rate` or `.acceleration`.
std::string find_base(const Table& table, const std::string& name) {
  if (table.has(name)) return find_drive_unit(table, name);
  if (table.has(name + ".angle")) return "rad";
  return table.has(name + ".length") ? "m" : "";
}

/// What comes from outside: a payload's `input.load.mass`, `.x`, `.y`; a force's `input.push.x`, `.y`; a torque's `input.motor`.
std::string find_input_unit(const Table& table, const std::string& column) {
  const std::string last = ending(column);
  if (stem(column) == "input") return "N m";
  if (last == "mass") return "kg";
  return table.has(stem(column) + ".mass") ? "m" : "N";
}

/// Columns of free motion.
const std::set<std::string, std::less<>> kEnergies{"energy", "energy_error", "work"};

/// m^3/s as m³/s.
std::string show_powers(std::string unit) {
  for (const auto& [power, shown] : {std::pair{"^2", "²"}, {"^3", "³"}, {"^4", "⁴"}}) {
    for (std::size_t at = unit.find(power); at != std::string::npos; at = unit.find(power))
      unit.replace(at, 2, shown);
  }
  return unit;
}

std::string find_si(const Table& table, const std::string& column) {
  static const std::map<std::string, std::string, std::less<>> kByEnding{
      {"angle", "rad"}, {"x", "m"},      {"y", "m"},      {"z", "m"},      {"slide", "m"}, {"vx", "m/s"},
      {"vy", "m/s"},    {"vz", "m/s"},   {"ax", "m/s²"},  {"ay", "m/s²"},  {"az", "m/s²"}, {"length", "m"},
      {"speed", "m/s"}, {"wx", "rad/s"}, {"wy", "rad/s"}, {"wz", "rad/s"}, {"fx", "N"},    {"fy", "N"},
      {"fz", "N"},      {"mx", "N m"},   {"my", "N m"},   {"mz", "N m"},   {"force", "N"}, {"torque", "N m"}};
  if (const auto told = table.units.find(column); told != table.units.end()) return show_powers(told->second);
  if (column == "t") return "s";
  if (column == "residual") return "m";
  if (kEnergies.contains(column)) return "J";
  if (column == "margin" || column == "status") return "";
  if (column.starts_with("input.") && !table.has(column + ".angle") && ending(column) != "angle" &&
      ending(column) != "rate")
    return find_input_unit(table, column);
  if (stem(column) == "energy") return "J";
  if (stem(column) == "power") return "W";
  const std::string last = ending(column), before = ending(stem(column));
  if (before == "rate" && (last == "x" || last == "y")) return "m/s";
  if (const auto found = kByEnding.find(last); found != kByEnding.end()) return found->second;
  if (last != "rate" && last != "acceleration") return is_drive(column) ? find_drive_unit(table, column) : "";
  if (before == "wx" || before == "wy" || before == "wz") return last == "rate" ? "rad/s²" : "";
  const std::string base = find_base(table, stem(column));
  return base.empty() ? "" : base + (last == "rate" ? "/s" : "/s²");
}

std::string find_quantity(const std::string& si, const std::string& column) {
  static const std::map<std::string, std::string, std::less<>> kNames{{"s", "time"},
                                                                      {"rad", "angle"},
                                                                      {"rad/s", "angular velocity"},
                                                                      {"rad/s²", "angular acceleration"},
                                                                      {"m", "position"},
                                                                      {"m/s", "velocity"},
                                                                      {"m/s²", "acceleration"},
                                                                      {"N", "force"},
                                                                      {"N m", "torque"},
                                                                      {"kg", "mass"},
                                                                      {"J", "energy"},
                                                                      {"W", "power"},
                                                                      {"N s", "momentum"},
                                                                      {"N m s", "angular momentum"},
                                                                      {"Pa", "pressure"},
                                                                      {"m³/s", "volume flow"},
                                                                      {"m³", "volume"},
                                                                      {"V", "voltage"},
                                                                      {"A", "current"},
                                                                      {"C", "charge"},
                                                                      {"V s", "flux linkage"},
                                                                      {"K", "temperature"},
                                                                      {"W/K", "entropy flow"},
                                                                      {"J/K", "entropy"}};
  if (const auto found = kNames.find(si); found != kNames.end()) return found->second;
  const std::string last = ending(column);  // `effort` of a bond graph's log
  return last.empty() ? column : last;
}

}  // namespace

Unit find_unit(const Table& table, const std::string& column, bool radians) {
  Unit unit;
  unit.si = find_si(table, column);
  unit.quantity = find_quantity(unit.si, column);
  unit.shown = unit.si;
  if (column == "residual") unit.quantity = "closure error";
  if (unit.si.starts_with("rad") && !radians) {
    unit.shown = "deg" + unit.si.substr(3);
    unit.factor = 180 / std::numbers::pi;
  }
  return unit;
}

std::string build_label(const std::string& name, const Unit& unit) {
  return unit.shown.empty() ? name : fmt::format("{} ({})", name, unit.shown);
}

bool is_drive(const std::string& column) {
  static const std::set<std::string, std::less<>> kOthers{"t", "residual", "margin", "status"};
  return column.find('.') == std::string::npos && !kOthers.contains(column) && !kEnergies.contains(column);
}

bool is_output(const Table& table, const std::string& column) {
  const std::string last = ending(column);
  const std::string name = stem(column);
  return (last == "x" || last == "y" || last == "z") && name.find('.') == std::string::npos &&
         table.has(name + ".x") && table.has(name + ".y");
}

}  // namespace rodeo::plot
