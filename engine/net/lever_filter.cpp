// SPDX-License-Identifier: MIT
#include "engine/net/lever_filter.h"

#include <algorithm>
#include <cmath>

namespace rodeo::engine {
namespace {

/// Counts that a flickering value jumps at most, and a rounding.
constexpr double kFlicker = 2.01;

}  // namespace

void LeverFilter::clear(double coarsest) noexcept {
  *this = LeverFilter{};
  coarsest_ = coarsest;
}

void LeverFilter::note(double change) noexcept {
  const double size = std::abs(change);
  if (size == 0) return;
  if (size <= coarsest_ && (count_ == 0 || size < count_)) count_ = size;
  const bool is_small = size <= kFlicker * count_ && std::abs(change_) <= kFlicker * count_;
  if (!is_lever()) flickers_ = is_small && change * change_ < 0 ? flickers_ + 1 : 0;
  change_ = change;
}

double LeverFilter::calc_next(double value) noexcept {
  if (!has_any_) raw_ = value_ = value;
  has_any_ = true;
  note(value - raw_);
  raw_ = value;
  value_ = is_lever() ? std::clamp(value_, value - count_, value + count_) : value;
  return value_;
}

}  // namespace rodeo::engine
