// SPDX-License-Identifier: MIT
// Whether free motion has gone from one pose to the next, or leapt. Over a step h an angle x whose rate goes from ẋ₀ to ẋ₁ without
// turning round moves by h(ẋ₀ + ẋ₁)/2 within h|ẋ₁ - ẋ₀|/2. What moves by more than twice that and by more than kLeap has leapt: the
// step is too long for its forces, and where it has come to is another branch as a rule. A pose that the motion passes at its rates,
// singular or not, is no leap.
#pragma once
#include <optional>
#include <vector>

#include "engine/kernel/kernel.h"

namespace rodeo::engine {

inline constexpr double kLeap = 0.05;  // rad

class LeapWatch {
 public:
  explicit LeapWatch(const Kernel& kernel);

  void begin(const Instance& machine) noexcept;
  /// A state that has leapt over a step of this duration; none where everything moved as its rates say.
  [[nodiscard]] std::optional<std::size_t> find_leap(const Instance& machine, double duration) noexcept;

 private:
  void measure(const Instance& machine, std::vector<double>& states, std::vector<double>& rates) noexcept;

  std::vector<std::size_t> angles_;  // of the states
  bool has_all_;                     // every state is a free coordinate
  std::vector<double> from_, to_, rates_from_, rates_to_, free_, no_rates_;
};

}  // namespace rodeo::engine
