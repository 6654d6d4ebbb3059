// SPDX-License-Identifier: MIT
#include "kinematics/codegen/block_rows.h"

#include <algorithm>

#include "kinematics/expr/eval.h"
#include "kinematics/machine/rank.h"

namespace rodeo::codegen {

using machine::Drive;
using machine::DriveKind;
using machine::Joint;
using machine::JointKind;

BlockRows::BlockRows(const Placement& known, const machine::Assembly& start, const IteratedBlock& block,
                     const std::vector<machine::Row>& redundant)
    : known_(known),
      machine_(known.linkage().machine()),
      start_(start),
      block_(block),
      redundant_(redundant) {
  for (std::size_t j = 0; j < machine_.joints.size(); ++j) add(machine_.joints[j], static_cast<int>(j));
  for (const Drive& drive : machine_.drives) add(drive);
  residuals_.insert(residuals_.end(), others_.begin(), others_.end());
  for (const Expr residual : residuals_) {
    std::vector<Expr> row;
    for (const Expr unknown : block_.unknowns) row.push_back(expr::differentiate(residual, unknown));
    jacobian_.push_back(std::move(row));
  }
}

// ---- what is open

void BlockRows::keep(Expr residual, bool is_redundant) {
  const auto symbols = expr::symbols_of({residual});
  const bool depends = std::find_first_of(symbols.begin(), symbols.end(), block_.unknowns.begin(),
                                          block_.unknowns.end()) != symbols.end();
  if (depends) (is_redundant ? others_ : residuals_).push_back(residual);
}

bool BlockRows::is_open(int first, int second) const {
  return known_.is_placed(first) && known_.is_placed(second);
}

void BlockRows::add(const Joint& joint, int j) {
  if (!is_open(joint.first.body, joint.second.body)) return;
  const auto is_redundant = [&](int component) {
    return std::any_of(redundant_.begin(), redundant_.end(),
                       [&](const machine::Row& row) { return row.joint == j && row.component == component; });
  };
  const Vec gap = known_.on_body(joint.second) - known_.on_body(joint.first);
  if (joint.kind != JointKind::revolute) return keep(dot(turn(known_.guide(joint)), gap), is_redundant(0));
  keep(gap.x, is_redundant(0));
  keep(gap.y, is_redundant(1));
}

void BlockRows::add(const Drive& drive) {
  if (drive.kind != DriveKind::cylinder && drive.kind != DriveKind::slide) return;
  if (!is_open(drive.first.body, drive.second.body)) return;
  const Vec gap = known_.on_body(drive.second) - known_.on_body(drive.first);
  if (drive.kind == DriveKind::cylinder)
    return keep(expr::sqrt(dot(gap, gap)) - drive_position(drive), false);
  keep(dot(known_.guide(known_.linkage().joint(drive.joint)), gap) - drive_position(drive), false);
}

// ---- which of them

/// At the start pose, row by row.
std::vector<double> BlockRows::calc_jacobian(const Positions& earlier) const {
  std::vector<Expr> roots, symbols;
  std::vector<double> values;
  const auto set = [&](Expr symbol, double value) {
    symbols.push_back(symbol);
    values.push_back(value);
  };
  for (const auto& row : jacobian_) roots.insert(roots.end(), row.begin(), row.end());
  for (const expr::Parameter& parameter : machine_.parameters)
    set(expr::symbol(parameter.name), parameter.number);
  for (std::size_t d = 0; d < machine_.drives.size(); ++d)
    set(drive_position(machine_.drives[d]), start_.drive_values[d]);
  const auto set_block = [&](const IteratedBlock& block) {
    for (std::size_t u = 0; u < block.unknowns.size(); ++u) set(block.unknowns[u], block.at_start[u]);
  };
  for (const IteratedBlock& block : earlier.iterated) set_block(block);
  for (std::size_t b = 0; b < earlier.branches.size(); ++b)
    set(branch_symbol(b), earlier.branches[b].at_start);
  set_block(block_);
  std::vector<double> results(roots.size());
  expr::Program(roots, symbols).run(values.data(), results.data());
  return results;
}

void BlockRows::select(const Positions& earlier, double size) {
  const std::size_t n = block_.unknowns.size();
  if (residuals_.size() <= n) return;
  const std::vector<double> values = calc_jacobian(earlier);
  std::vector<Eigen::Triplet<double>> entries;
  for (std::size_t i = 0; i < values.size(); ++i)
    entries.emplace_back(static_cast<int>(i / n), static_cast<int>(i % n), values[i] / size);
  Eigen::SparseMatrix<double> matrix(static_cast<Eigen::Index>(residuals_.size()),
                                     static_cast<Eigen::Index>(n));
  matrix.setFromTriplets(entries.begin(), entries.end());
  const std::vector<int> dependent = machine::RowRank(matrix).find_dependent_rows();
  for (std::size_t d = dependent.size(); d-- > 0;) {
    residuals_.erase(residuals_.begin() + dependent[d]);
    jacobian_.erase(jacobian_.begin() + dependent[d]);
  }
}

double calc_slide(const machine::Machine& machine, const machine::Pose& pose, int joint) {
  Drive along;
  along.kind = DriveKind::slide;
  along.joint = joint;
  along.first = machine.joints[static_cast<std::size_t>(joint)].first;
  along.second = machine.joints[static_cast<std::size_t>(joint)].second;
  return machine::calc_drive_value(machine, pose, along);
}

}  // namespace rodeo::codegen
