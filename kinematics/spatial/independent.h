// SPDX-License-Identifier: MIT
// Which rows of a machine with redundant ones to keep for its motion: a choice that is good at the start may be singular elsewhere,
// while the whole is not (Bennett's linkage, which is flat twice a turn). THEORY S12.
#pragma once
#include "kinematics/spatial/pose.h"

namespace rodeo::spatial {

/// As many independent rows of joints and drives as there are; those left out, and where these are the mobility's own, the same.
struct RowChoice {
  std::vector<Row> kept, left_out;
  double least_pivot = 1.0;  // of the rows kept over the walk, dimensionless; 1 where nothing was to choose
};
[[nodiscard]] RowChoice choose_rows(const Machine& machine, const Assembly& start, const Mobility& mobility);

}  // namespace rodeo::spatial
