// SPDX-License-Identifier: MIT
// Speeds at the start, of moves that the joints and drives leave free, where start.rates name some of them. In the plane and in
// space, for kernels and for the methods alike. THEORY D5.
#pragma once
#include <Eigen/Core>

namespace rodeo::machine {

/// Matrices have a column a free move, and are what a unit speed of it does.
struct StartSpeeds {
  Eigen::MatrixXd asked;   // to the rates of start.rates
  Eigen::VectorXd values;  // of those
  Eigen::MatrixXd others;  // to the rates that are not named, in rad/s: lengths by the machine's size
  Eigen::MatrixXd energy;  // rows whose squares add up to twice the kinetic energy
};

/// What is asked for is met as nearly as can be; the squares of the other rates have the least sum, so that they are 0 where they
/// can be; what no rate determines (where a machine that hangs on nothing flies to) has the least energy.
[[nodiscard]] Eigen::VectorXd calc_start_speeds(const StartSpeeds& start);

}  // namespace rodeo::machine
