// SPDX-License-Identifier: MIT
#include "kinematics/expr/short_text.h"

#include <fmt/format.h>

#include <cmath>

namespace rodeo::expr {
namespace {

constexpr double kUnnoticed = 1e-9;  // far above rounding errors, far below what a user writes on purpose

double find_short(double value) {
  const double rounded = std::stod(fmt::format("{:.6g}", value));
  return std::abs(rounded - value) <= kUnnoticed * std::abs(value) ? rounded : value;
}

}  // namespace

std::string to_short_text(Expr root) {
  std::unordered_map<std::uint32_t, Expr> parts;
  for (const Expr e : reachable({root})) {
    if (e.is_number() && find_short(e->value) != e->value) parts.emplace(e.id(), find_short(e->value));
  }
  return to_text(replace_parts({root}, parts).front());
}

}  // namespace rodeo::expr
