// SPDX-License-Identifier: MIT
#include "engine/step/continuity.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace rodeo::engine {
namespace {

/// Far from singular poses a short step needs no second look.
constexpr double kSafeMargin = 0.5;
constexpr double kSafeMove = 0.05;  // rad

std::vector<std::size_t> find_angles(const Kernel& kernel) {
  std::vector<std::size_t> angles;
  for (std::size_t s = 0; s < kernel.state_count(); ++s) {
    if (std::string_view(kernel.states()[s].unit) != "m") angles.push_back(s);
  }
  return angles;
}

}  // namespace

Continuity::Continuity(const Kernel& kernel)
    : angles_(find_angles(kernel)),
      from_(kernel.state_count()),
      to_(kernel.state_count()),
      rates_(kernel.state_count()),
      unit_(kernel.drive_count()) {}

bool Continuity::holds(const Instance& from, const Instance& to, std::span<const double> change) noexcept {
  from.get_state(from_);
  to.get_state(to_);
  const double margin = std::min(from.calc_margin(), to.calc_margin());
  double move = 0;
  for (const std::size_t s : angles_) move = std::max(move, std::abs(to_[s] - from_[s]));
  if (margin > kSafeMargin && move < kSafeMove) return true;
  return agrees(from, from_, change, margin / 2) && agrees(to, to_, change, margin / 2);
}

/// Whether the rates at `states` explain the move, within `room`.
bool Continuity::agrees(const Instance& at, std::span<const double> states, std::span<const double> change,
                        double room) noexcept {
  if (at.try_derivatives(states, change, rates_) != KernelStatus::ok) return false;
  return std::all_of(angles_.begin(), angles_.end(),
                     [&](std::size_t s) { return std::abs(to_[s] - from_[s] - rates_[s]) <= room; });
}

bool Continuity::try_predict(const Instance& from, std::span<const double> change,
                             std::span<double> states) noexcept {
  from.get_state(states);
  if (from.try_derivatives(states, change, rates_) != KernelStatus::ok) return false;
  for (std::size_t s = 0; s < states.size(); ++s) states[s] += rates_[s];
  return true;
}

double Continuity::calc_swing(const Instance& from, std::size_t drive) noexcept {
  std::fill(unit_.begin(), unit_.end(), 0.0);
  unit_[drive] = 1;
  from.get_state(from_);
  if (from.try_derivatives(from_, unit_, rates_) != KernelStatus::ok) return 0;
  double swing = 0;
  for (const std::size_t s : angles_) swing = std::max(swing, std::abs(rates_[s]));
  return swing;
}

bool is_closed(const Instance& instance, std::span<const double> states) noexcept {
  double opening = 0;
  return instance.try_closure(states, opening) == KernelStatus::ok && opening <= kLargestOpening;
}

}  // namespace rodeo::engine
