// SPDX-License-Identifier: MIT
#include "engine/net/lever_filter.h"

#include <algorithm>
#include <cmath>

namespace rodeo::engine {
namespace {

/// Counts that a flickering value jumps at most, and a rounding.
constexpr double kFlicker = 2.01;
/// Counts from where a hand rests, which are a move of it.
constexpr double kLeft = 1.6;
/// s within a band after which a hand rests.
constexpr double kResting = 0.3;

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

void LeverFilter::note_band(double time, double value) noexcept {
  low_ = std::min(low_, value);
  high_ = std::max(high_, value);
  if (high_ - low_ <= kFlicker * count_) return;
  low_ = high_ = value;
  since_ = time;
}

double LeverFilter::calc_next(double time, double value) noexcept {
  if (!has_any_) {
    raw_ = low_ = high_ = value;
    since_ = time;
  }
  has_any_ = true;
  note(value - raw_);
  raw_ = value;
  note_band(time, value);
  if (!is_lever()) return value;
  if (is_resting_ && std::abs(value - rest_) > kLeft * count_) is_resting_ = false;
  if (!is_resting_ && time - since_ >= kResting) {
    is_resting_ = true;
    rest_ = (low_ + high_) / 2;
  }
  return is_resting_ ? rest_ : value;
}

}  // namespace rodeo::engine
