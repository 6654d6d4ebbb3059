// SPDX-License-Identifier: MIT
// Which atoms of the conditions hold. Where a solver found the instant at which an atom's value passes zero, the direction of the passage
// tells whether it holds from then on, not the sign of a number that is all rounding. THEORY X5.
#pragma once
#include <span>
#include <vector>

#include "kinematics/reduction/conditions.h"

namespace rodeo::simulate {

class Switching {
 public:
  explicit Switching(const reduction::Conditions& conditions);

  [[nodiscard]] std::size_t size() const noexcept { return hold_.size(); }
  /// Signals of the atoms.
  [[nodiscard]] std::vector<expr::Expr> symbols() const;

  /// By values alone.
  void set(std::span<const double> values);
  /// Atoms that passed zero: +1 rising, -1 falling.
  void pass(std::span<const int> crossed);
  /// By values, but for atoms that passed zero at this instant and are still at it.
  void refresh(std::span<const double> values);
  /// Has an atom that passed zero gone back since, and no solver saw it? A root finder does not, where it starts at zero.
  [[nodiscard]] bool has_returned(std::span<const double> values) const;
  /// The instant is over.
  void forget_passages();

  [[nodiscard]] std::vector<bool> calc_booleans() const { return conditions_.calc(hold_); }

 private:
  const reduction::Conditions& conditions_;
  std::vector<bool> hold_, passed_;
  std::vector<double> largest_;  // sizes that the values have had
};

}  // namespace rodeo::simulate
