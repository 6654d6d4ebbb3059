// SPDX-License-Identifier: MIT
// The kernel's own tapes run over its drives' ranges, offline: closure error and margin.
#pragma once
#include "kinematics/codegen/emit.h"

namespace rodeo::codegen {

struct Workspace {
  int sampled = 0;
  int closed = 0;                 // of these, reached with every margin above the stop margin
  double largest_residual = 0.0;  // metres, over the closed ones
  double smallest_margin = 1.0;
};

/// Drives go over their ranges (half a metre or a radian about the start, where there is none): a grid of at most
/// kWorkspacePoints, or as many scattered points where a grid of two a drive would have more. Fewer for large models.
inline constexpr int kWorkspacePoints = 512;
[[nodiscard]] Workspace sample_workspace(const KernelModel& model, const KernelTapes& tapes);

}  // namespace rodeo::codegen
