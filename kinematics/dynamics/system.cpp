// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/system.h"

#include <algorithm>
#include <cmath>

namespace rodeo::dynamics {

double System::calc_largest(const Vector& residual) const {
  double largest = 0;
  for (Eigen::Index i = 0; i < residual.size(); ++i) {
    largest = std::max(largest, size_ / row_unit(i) * std::abs(residual[i]));
  }
  return largest;
}

}  // namespace rodeo::dynamics
