// SPDX-License-Identifier: MIT
// Plane geometry for the oracles of this folder: points, triangles and two-bar apexes, in closed form. Nothing of the
// engine's kinematics is used; only the numbers of a machine file are read through its reader.
#pragma once
#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <string>
#include <vector>

#include "kinematics/machine/machine.h"

namespace rodeo::configs_geometry {

inline constexpr double kDegree = std::numbers::pi / 180.0;
/// Start angles are written with two decimals of a degree.
inline constexpr double kWrittenAngle = 0.006 * kDegree;

struct Vec {
  double x = 0.0, y = 0.0;
};
inline Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
inline Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y}; }
inline Vec operator*(double k, Vec a) { return {k * a.x, k * a.y}; }
inline double calc_length(Vec a) { return std::hypot(a.x, a.y); }
inline double calc_angle(Vec a) { return std::atan2(a.y, a.x); }
/// Sine of the angle from a to b.
inline double calc_sine(Vec a, Vec b) { return (a.x * b.y - a.y * b.x) / (calc_length(a) * calc_length(b)); }
inline double calc_wrapped(double angle) { return std::remainder(angle, 2.0 * std::numbers::pi); }
inline Vec turned(Vec a, double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {c * a.x - s * a.y, s * a.x + c * a.y};
}

/// X left of the line from P to Q with |X-P| = a, |X-Q| = b; not a number where the two bars do not meet.
inline Vec calc_apex(Vec P, Vec Q, double a, double b) {
  const Vec d = Q - P;
  const double dd = d.x * d.x + d.y * d.y;
  const double along = (a * a - b * b + dd) / (2.0 * dd);
  const double across = std::sqrt(a * a / dd - along * along);
  return P + along * d + across * Vec{-d.y, d.x};
}

/// A range, and steps through it, ends included.
struct Range {
  double low = 0.0, high = 0.0;

  [[nodiscard]] double at(int step, int steps) const { return std::lerp(low, high, double(step) / steps); }
  [[nodiscard]] double extent() const { return high - low; }
};

/// Calls visit(value) all over a range.
template <class Visit>
void visit_range(const Range& range, int steps, Visit visit) {
  for (int i = 0; i <= steps; ++i) visit(range.at(i, steps));
}

/// Smallest f over a range.
template <class Function>
double calc_least(const Range& range, Function f) {
  double least = f(range.low);
  visit_range(range, 1000, [&](double value) { least = std::min(least, f(value)); });
  return least;
}

/// Where f, which rises or falls all over the range, is zero: by bisection.
template <class Function>
double calc_root(Range range, Function f) {
  const bool rises = f(range.low) < f(range.high);
  for (int i = 0; i < 60; ++i) {
    const double middle = (range.low + range.high) / 2.0;
    ((f(middle) < 0.0) == rises ? range.low : range.high) = middle;
  }
  return (range.low + range.high) / 2.0;
}

inline machine::Machine build_config(const std::string& name) {
  return machine::build_machine_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/" + name + ".yaml");
}

template <class Named>
const Named& find_named(const std::vector<Named>& list, const std::string& name) {
  const auto it = std::ranges::find(list, name, &Named::name);
  if (it == list.end()) throw std::runtime_error("the machine has no '" + name + "'");
  return *it;
}

inline Vec find_point(const machine::Machine& m, const std::string& body, const std::string& point) {
  const machine::Point& p = find_named(find_named(m.bodies, body).points, point);
  return {p.x.value, p.y.value};
}

/// Length of a body whose x axis runs from its origin to this pin.
inline double find_bar(const machine::Machine& m, const std::string& body, const std::string& pin) {
  const Vec p = find_point(m, body, pin);
  if (p.y != 0.0) throw std::runtime_error(body + "." + pin + " is off the x axis");
  return p.x;
}

inline Range find_range(const machine::Machine& m, const std::string& drive) {
  const machine::Drive& d = find_named(m.drives, drive);
  return {d.lower.value().value, d.upper.value().value};
}

inline double find_start_angle(const machine::Machine& m, const std::string& body) {
  return m.start_angles.at(&find_named(m.bodies, body) - m.bodies.data()).value();
}

inline double find_start_drive(const machine::Machine& m, const std::string& drive) {
  return m.start_drives.at(&find_named(m.drives, drive) - m.drives.data()).value();
}

/// Room for piston, gland and pins that a cylinder needs besides its stroke.
inline constexpr double kDeadLength = 0.25;

/// The rod fits in the barrel.
inline bool is_buildable(const Range& cylinder) { return cylinder.extent() + kDeadLength <= cylinder.low; }

}  // namespace rodeo::configs_geometry
