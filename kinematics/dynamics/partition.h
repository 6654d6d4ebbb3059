// SPDX-License-Identifier: MIT
// Which coordinates of a machine to call independent: those that a pivoted QR of its free velocities takes first.
#pragma once
#include <Eigen/Core>
#include <vector>

#include "kinematics/dynamics/system.h"

namespace rodeo::dynamics {

/// Orthonormal columns: velocities that the rows allow, in units of the machine's size and radians. `count` of them, those of
/// the smallest singular values where a singular pose has more.
[[nodiscard]] Eigen::MatrixXd build_free_velocities(const System& system, const Vector& q);

/// As many coordinates as `velocities` has columns, or `count` if that is less, ascending; velocities in SI, a column each;
/// `coordinates`: the row of every one that may be chosen.
[[nodiscard]] std::vector<int> find_independent(const System& system, const Eigen::MatrixXd& velocities,
                                                const std::vector<RowTerms>& coordinates, int count);

/// The largest rate of any coordinate that a unit rate of an independent one brings, in units of size and radians.
/// R: the columns of dependent velocities, with R = I in the independent rows. 1 is the best.
[[nodiscard]] double calc_spread(const System& system, const Eigen::MatrixXd& R,
                                 const std::vector<int>& independent);

}  // namespace rodeo::dynamics
