// SPDX-License-Identifier: MIT
// What `start` says of joints and bodies of a machine in space, as rows that can be held. THEORY S6.
#pragma once
#include <string>
#include <vector>

#include "kinematics/spatial/closure.h"

namespace rodeo::spatial {

/// The value of a joint, the orientation of a body or the position of its origin.
struct Hint {
  int joint = -1;  // else of a body
  int body = 0;
  bool is_origin = false;

  [[nodiscard]] bool operator==(const Hint&) const = default;
};
/// In the order in which they count: joints, then bodies in the order of the file; in a drawing first those that are not as drawn.
[[nodiscard]] std::vector<Hint> list_hints(const Machine& machine);

/// A zero orientation, which a drawing has for every body that the file says nothing of.
[[nodiscard]] bool is_zero(const Machine& machine, const Hint& hint);

/// Rows of a hint, each of which the free moves change; they are taken out of those. Of an orientation: about the directions
/// about which the body can rotate.
[[nodiscard]] std::vector<RowData> take_rows(const Closure& closure, const Pose& pose, const Hint& hint,
                                             Eigen::MatrixXd& free);

/// How far the pose is from the hint: radians or sizes of the machine.
[[nodiscard]] double calc_miss(const Closure& closure, const Pose& pose, const Hint& hint);

/// `start 'hinge': 90 deg`, and what it is in a pose: `50.7 deg`.
[[nodiscard]] std::string describe_hint(const Machine& machine, const Hint& hint);
[[nodiscard]] std::string describe_value(const Machine& machine, const Hint& hint, const Pose& pose);

}  // namespace rodeo::spatial
