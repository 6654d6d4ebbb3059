// SPDX-License-Identifier: MIT
// The kernel's own expressions evaluated over a grid of drive positions, offline: closure error and margin.
#pragma once
#include "kinematics/codegen/kernel_model.h"

namespace rodeo::codegen {

struct Workspace {
  int sampled = 0;
  int closed = 0;                 // of these, with every margin above the stop margin
  double largest_residual = 0.0;  // metres, over the closed ones
  double smallest_margin = 1.0;
};

/// Drives go over their ranges (half a metre or a radian about the start, where there is none), at most kWorkspacePoints.
inline constexpr int kWorkspacePoints = 512;
[[nodiscard]] Workspace sample_workspace(const machine::Machine& machine, const KernelModel& model);

}  // namespace rodeo::codegen
