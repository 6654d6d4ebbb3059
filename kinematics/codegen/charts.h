// SPDX-License-Identifier: MIT
// Charts of a machine that moves by its forces: choices of its free coordinates, as few as cover the motion that its joints allow, each
// on the branches of the pose where it was chosen. The kernel changes from one to another where the coordinates in use
// go bad. THEORY L7.
#pragma once
#include "kinematics/codegen/kernel_model.h"

namespace rodeo::codegen {

/// The kernel changes over below the first, to a chart whose margin is better by the second.
inline constexpr double kSwitchMargin = 0.3;
inline constexpr double kBetterMargin = 1.5;
/// A kernel grows by one of itself a chart: at most so many, and one only for a machine of more bodies.
inline constexpr std::size_t kMostCharts = 8;
inline constexpr std::size_t kMostChartBodies = 16;

/// The first chart, with the others in it.
[[nodiscard]] KernelModel build_kernel_model(const machine::Machine& machine, const machine::Assembly& start,
                                             const machine::Mobility& mobility);

}  // namespace rodeo::codegen
