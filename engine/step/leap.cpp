// SPDX-License-Identifier: MIT
#include "engine/step/leap.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace rodeo::engine {

LeapWatch::LeapWatch(const Kernel& kernel)
    : has_all_(kernel.free_count() >= kernel.state_count()),
      from_(kernel.state_count()),
      to_(kernel.state_count()),
      rates_from_(kernel.state_count()),
      rates_to_(kernel.state_count()),
      free_(3 * kernel.free_count()),
      no_rates_(kernel.drive_count()) {
  for (std::size_t s = 0; s < kernel.state_count(); ++s) {
    if (std::string_view(kernel.states()[s].unit) != "m") angles_.push_back(s);
  }
}

/// Where not every state is free, the loops tell the rates of the others, while the drives stand.
void LeapWatch::measure(const Instance& machine, std::vector<double>& states,
                        std::vector<double>& rates) noexcept {
  machine.get_state(states);
  if (!has_all_) {
    if (machine.try_derivatives(states, no_rates_, rates) != KernelStatus::ok)
      std::fill(rates.begin(), rates.end(), std::nan(""));
    return;
  }
  machine.get_free(free_);
  for (std::size_t s = 0; s < rates.size(); ++s) rates[s] = free_[3 * s + 1];
}

void LeapWatch::begin(const Instance& machine) noexcept { measure(machine, from_, rates_from_); }

std::optional<std::size_t> LeapWatch::find_leap(const Instance& machine, double duration) noexcept {
  measure(machine, to_, rates_to_);
  for (const std::size_t s : angles_) {
    const double mean = duration * (rates_from_[s] + rates_to_[s]) / 2;
    const double room = duration * std::abs(rates_to_[s] - rates_from_[s]);
    if (std::abs(to_[s] - from_[s] - mean) > std::max(room, kLeap)) return s;
  }
  return std::nullopt;
}

}  // namespace rodeo::engine
