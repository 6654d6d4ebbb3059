// SPDX-License-Identifier: MIT
// Inside kinematics/codegen: the equations that close an iterated block, in metres, and their derivatives. THEORY K6.
#pragma once
#include <vector>

#include "kinematics/codegen/placement.h"
#include "kinematics/codegen/positions.h"

namespace rodeo::codegen {

class BlockRows {
 public:
  /// Those of all joints and drives that the block's unknowns open; all its bodies are placed. `redundant` ones come last.
  BlockRows(const Placement& known, const machine::Assembly& start, const IteratedBlock& block,
            const std::vector<machine::Row>& redundant);

  /// Where there are more than unknowns: leaves those that are independent at the start pose.
  void select(const Positions& earlier, double size);

  [[nodiscard]] const std::vector<Expr>& residuals() const noexcept { return residuals_; }
  [[nodiscard]] const std::vector<std::vector<Expr>>& jacobian() const noexcept { return jacobian_; }

 private:
  void add(const machine::Joint& joint, int j);
  void add(const machine::Drive& drive);
  void keep(Expr residual, bool is_redundant);
  [[nodiscard]] bool is_open(int first, int second) const;
  [[nodiscard]] std::vector<double> calc_jacobian(const Positions& earlier) const;

  const Placement& known_;
  const machine::Machine& machine_;
  const machine::Assembly& start_;
  const IteratedBlock& block_;
  const std::vector<machine::Row>& redundant_;
  std::vector<Expr> residuals_, others_;
  std::vector<std::vector<Expr>> jacobian_;
};

/// Position along a slider's or prismatic joint's direction in a pose.
[[nodiscard]] double calc_slide(const machine::Machine& machine, const machine::Pose& pose, int joint);

}  // namespace rodeo::codegen
