// SPDX-License-Identifier: MIT
#include "kinematics/simulate/switching.h"

#include <algorithm>
#include <cmath>

namespace rodeo::simulate {
namespace {

constexpr double kAtZero = 1e-6;  // of the largest value: a root is found to about 1e-14 of the time

}  // namespace

Switching::Switching(const reduction::Conditions& conditions)
    : conditions_(conditions),
      hold_(conditions.atoms.size()),
      passed_(conditions.atoms.size()),
      largest_(conditions.atoms.size()) {}

std::vector<expr::Expr> Switching::symbols() const {
  std::vector<expr::Expr> all;
  for (const reduction::Atom& atom : conditions_.atoms) all.push_back(expr::variable(atom.name));
  return all;
}

void Switching::set(std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    hold_[k] = conditions_.atoms[k].holds(values[k]);
    largest_[k] = std::max(largest_[k], std::abs(values[k]));
  }
}

void Switching::pass(std::span<const int> crossed) {
  for (std::size_t k = 0; k < crossed.size(); ++k) {
    if (crossed[k] == 0) continue;
    passed_[k] = true;
    hold_[k] = conditions_.atoms[k].holds(crossed[k]);
  }
}

void Switching::refresh(std::span<const double> values) {
  for (std::size_t k = 0; k < values.size(); ++k) {
    if (!passed_[k] || std::abs(values[k]) > kAtZero * largest_[k])
      hold_[k] = conditions_.atoms[k].holds(values[k]);
    largest_[k] = std::max(largest_[k], std::abs(values[k]));
  }
}

bool Switching::has_returned(std::span<const double> values) const {
  for (std::size_t k = 0; k < values.size(); ++k) {
    const bool is_off_zero = std::abs(values[k]) > kAtZero * largest_[k];
    if (passed_[k] && is_off_zero && hold_[k] != conditions_.atoms[k].holds(values[k])) return true;
  }
  return false;
}

void Switching::forget_passages() { passed_.assign(passed_.size(), false); }

}  // namespace rodeo::simulate
