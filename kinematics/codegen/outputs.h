// SPDX-License-Identifier: MIT
// What a kernel puts out, by name and as expressions: every body, the file's outputs, the cylinders that are drives.
#pragma once
#include <array>
#include <vector>

#include "kinematics/codegen/load_points.h"

namespace rodeo::codegen {

[[nodiscard]] std::vector<Channel> name_outputs(const machine::Machine& machine);

/// Position, rate and acceleration of a drive.
using DriveMotion = std::array<Expr, 3>;

/// In the order of their names. `angles` and `bodies` a body each; `drives` a drive each, of which cylinders count.
[[nodiscard]] std::vector<Expr> build_outputs(const machine::Machine& machine,
                                              const std::vector<Placed>& bodies,
                                              const std::vector<Expr>& angles,
                                              const std::vector<BodyMotion>& motions,
                                              const std::vector<DriveMotion>& drives);

}  // namespace rodeo::codegen
