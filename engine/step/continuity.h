// SPDX-License-Identifier: MIT
// Whether two poses of a driven machine are on one branch. With D(x) the rates of the states x for unit rates of the drives, a move
// over Δq of the drives is on the branch if both ends agree about it,
//     |x₁ - x₀ - D(x₀) Δq| <= m/2   and   |x₁ - x₀ - D(x₁) Δq| <= m/2     (angles; m: the smaller margin of both ends)
// because a transmission angle that changes its sign and is given the other one is wrong by at least m₀ + m₁.
#pragma once
#include <span>
#include <vector>

#include "engine/kernel/kernel.h"

namespace rodeo::engine {

/// m. Closed forms close to some 1e-15 of the machine's size: what is open by more is another machine, of any size up to 1 km.
inline constexpr double kLargestOpening = 1e-9;

class Continuity {
 public:
  explicit Continuity(const Kernel& kernel);

  /// `change`: of the drives from one to the other.
  [[nodiscard]] bool holds(const Instance& from, const Instance& to, std::span<const double> change) noexcept;
  /// The states where D(x) leads from a pose; false where it has none.
  [[nodiscard]] bool try_predict(const Instance& from, std::span<const double> change,
                                 std::span<double> states) noexcept;
  /// rad: the largest change of an angle that a unit of this drive makes; 0 where it has no rates.
  [[nodiscard]] double calc_swing(const Instance& from, std::size_t drive) noexcept;

 private:
  [[nodiscard]] bool agrees(const Instance& at, std::span<const double> states,
                            std::span<const double> change, double room) noexcept;

  std::vector<std::size_t> angles_;        // of the states; what is dimensionless counts as half an angle
  std::vector<double> from_, to_, rates_;  // states, and their rates
  std::vector<double> unit_;               // of one drive
};

/// Whether every joint is closed, the redundant ones too.
[[nodiscard]] bool is_closed(const Instance& instance, std::span<const double> states) noexcept;

}  // namespace rodeo::engine
