// SPDX-License-Identifier: MIT
// Points of a machine that are one because pins join them. Points are numbered body by body, the ground's first; a pin has the
// number of one of its points.
#pragma once
#include <vector>

#include "kinematics/machine/machine.h"

namespace rodeo::machine {

class Pins {
 public:
  explicit Pins(const Machine& machine);

  /// The pin that carries a point; a point alone is a pin of its own.
  [[nodiscard]] int find(PointRef ref) const;
  /// All points of a's pin are on b's from now on, and have its number.
  void join(PointRef a, PointRef b);

 private:
  std::vector<int> offsets_;  // a body each: the number of its first point
  std::vector<int> parent_;   // a point each: one on the same pin, itself where the pin has its number
};

}  // namespace rodeo::machine
