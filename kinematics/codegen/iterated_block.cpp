// SPDX-License-Identifier: MIT
#include "kinematics/codegen/iterated_block.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinematics/text/fault.h"

namespace rodeo::codegen {
namespace {

using machine::Drive;
using machine::Joint;

bool depends(Expr e, const IteratedBlock& block) {
  const auto symbols = expr::symbols_of({e});
  return std::find_first_of(symbols.begin(), symbols.end(), block.unknowns.begin(), block.unknowns.end()) !=
         symbols.end();
}

void keep(Expr residual, IteratedBlock& block) {
  if (depends(residual, block)) block.residuals.push_back(residual);
}

void add_residuals(const Placement& known, const Joint& joint, IteratedBlock& block) {
  if (!known.is_placed(joint.first.body) || !known.is_placed(joint.second.body)) return;
  const Vec gap = known.on_body(joint.second) - known.on_body(joint.first);
  if (joint.kind != machine::JointKind::revolute) return keep(dot(turn(known.guide(joint)), gap), block);
  keep(gap.x, block);
  keep(gap.y, block);
}

void add_residual(const Placement& known, const Drive& drive, IteratedBlock& block) {
  if (drive.kind != machine::DriveKind::cylinder) return;
  if (!known.is_placed(drive.first.body) || !known.is_placed(drive.second.body)) return;
  const Vec gap = known.on_body(drive.second) - known.on_body(drive.first);
  keep(expr::sqrt(dot(gap, gap)) - drive_position(drive), block);
}

}  // namespace

void close_block(const Placement& known, IteratedBlock& block) {
  const machine::Machine& machine = known.linkage().machine();
  for (const Joint& joint : machine.joints) add_residuals(known, joint, block);
  for (const Drive& drive : machine.drives) add_residual(known, drive, block);
  if (block.residuals.size() != block.unknowns.size()) {
    throw text::ModelError(
        machine.where, fmt::format("a block of {} unknown angles has {} closing equations: this structure is "
                                   "not supported by the kernel yet",
                                   block.unknowns.size(), block.residuals.size()));
  }
  for (const Expr residual : block.residuals) {
    std::vector<Expr> row;
    for (const Expr unknown : block.unknowns) row.push_back(expr::differentiate(residual, unknown));
    block.jacobian.push_back(std::move(row));
  }
}

}  // namespace rodeo::codegen
