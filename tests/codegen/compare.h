// SPDX-License-Identifier: MIT
// A kernel's outputs beside the oracle's motion.
//
// What `relative` means, with L the machine's size (largest distance between two points of a body):
//     positions       / L, or the coordinate itself where it is larger; angles / 1 rad, or themselves
//     velocities      / V, the largest of |v|, |ω| L over all bodies and outputs in that pose
//     accelerations   / A, the largest of |a|, |α| L and V²/L in that pose
// so that a component that happens to pass through zero is not asked for digits that its neighbours do not have.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "kinematics/machine/machine.h"
#include "tests/codegen/built_kernel.h"
#include "tests/reference/absolute_oracle.h"

namespace rodeo::codegen {

/// All outputs of a kernel by the oracle, in the kernel's order, and what each is.
struct Expected {
  std::vector<double> value;
  std::vector<int> order;  // 0 position, 1 velocity, 2 acceleration
  std::vector<bool> angular;
};

[[nodiscard]] Expected calc_expected(const reference::AbsoluteOracle& oracle, const reference::Motion& motion,
                                     const reference::Command& command, const rodeo_kernel* kernel);

struct Comparison {
  int compared = 0;
  double smallest_margin = 1.0;
  double reach = 0.0;  // of the path, 1: whole ranges
  double position = 0.0, velocity = 0.0, acceleration = 0.0;
  std::string worst;
};

/// Adds one pose to a comparison.
void compare_outputs(const Expected& expected, const std::vector<double>& outputs, double size,
                     const rodeo_kernel* kernel, Comparison& comparison);

/// Along find_path(), `ticks` steps of 1 ms between two compared poses, which count where the margin is at least `margin`.
/// `parameters`: name and value, given to init() of the kernel of the file, and to the oracle.
using Overrides = std::vector<std::pair<std::string, double>>;
[[nodiscard]] Comparison compare_with_oracle(const std::string& file, const Overrides& parameters, int poses,
                                             int ticks, double margin);

/// Largest of velocity less difference of positions and acceleration less difference of velocities, scaled as above.
[[nodiscard]] double calc_difference_error(const rodeo_kernel* kernel, const machine::Machine& machine,
                                           double size, const std::vector<double>& before,
                                           const std::vector<double>& here, const std::vector<double>& after,
                                           double h);

}  // namespace rodeo::codegen
