// SPDX-License-Identifier: MIT
// Inside kinematics/codegen: what a change may have made possible waits in lists, smallest number first, so that placing a machine
// costs no more than its changes.
#pragma once
#include <set>

#include "kinematics/codegen/placement.h"

namespace rodeo::codegen {

class Agenda {
 public:
  /// Everything waits. The placement must outlive this.
  explicit Agenda(const Placement& known);

  /// A body has got its direction or its place: it, its pins, its joints and drives, and what they lead to may go on.
  void touch_body(int body);
  /// A pin has got its place: the bodies that carry it and their other pins may go on, and the ends of its cylinders.
  void touch_pin(int pin);

  std::set<int> drives, joints, bodies, pins;

 private:
  void touch_pins_of(int body);

  const Placement& known_;
  const Linkage& linkage_;
};

/// Tries what waits until something happens; false when nothing waits any more. `keep`: what fails stays in line.
template <typename Try>
bool try_each(std::set<int>& list, const Try& attempt, bool keep = false) {
  for (auto it = list.begin(); it != list.end();) {
    const int item = *it;
    if (attempt(item)) return true;  // what it changed waits now; the item itself stays in line
    it = keep ? std::next(it) : list.erase(it);
  }
  return false;
}

}  // namespace rodeo::codegen
