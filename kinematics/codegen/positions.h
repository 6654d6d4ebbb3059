// SPDX-License-Identifier: MIT
// Positions in closed form: every body's place and direction as an expression of the drives' positions. Bodies are placed
// one after the other; two loci of one pin (circles about known pins, lines along known guides) intersect, on the branch of
// the start pose or, in a kernel that carries it, of the state. Directions are carried as the vectors of links. What does not close so is an iterated block. THEORY K1-K6.
#pragma once
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinematics/codegen/geometry.h"
#include "kinematics/machine/machine.h"
#include "kinematics/machine/pose.h"

namespace rodeo::codegen {

/// Position of a drive, as the kernel gets it.
[[nodiscard]] Expr drive_position(const machine::Drive& drive);

/// σ of a branch that the kernel carries.
[[nodiscard]] Expr branch_symbol(std::size_t number);

struct Placed {
  Frame frame;
  Vec origin;
  std::optional<Expr> angle;  // where it is known without an arc tangent
};

/// A dimensionless distance to a singular pose: at least the stop margin, or the step is refused. Not a number where
/// the loop cannot be closed.
struct Margin {
  Expr value;
  std::string where;  // `bodies crank, coupler`
};

inline constexpr int kCorrections = 4;

/// What an unknown of an iterated block is: a body's angle, a joint's position along its guide, a cylinder's angle.
struct BlockUnknown {
  enum class Kind { body_angle, slide, cylinder_angle };
  Kind kind = Kind::body_angle;
  int index = 0;  // of the body, joint or drive
};

/// Bodies that are found together by a fixed number of Newton corrections from the tick before.
struct IteratedBlock {
  std::vector<int> bodies;
  std::vector<BlockUnknown> what;
  std::vector<Expr> unknowns;    // symbols: angles in rad, positions along guides in sizes of the machine
  std::vector<double> at_start;  // their values in the start pose
  std::vector<Expr> starts;      // where each begins, by the states before
  std::vector<Expr> residuals;   // metres
  std::vector<std::vector<Expr>> jacobian;
};

/// Which of two places a pin has, or a guide which of two directions: σ = ±1. By the points' places it is the sign of
/// (beside - from)×(to - from), or of (to - from)·u, u along `guide`.
struct Branch {
  double at_start = 1.0;
  machine::PointRef from{}, to{}, beside{};
  const machine::Joint* guide = nullptr;
};

/// What closing the loops has computed already, by the id of the expression that it stands for. THEORY K7.
struct Identities {
  std::unordered_map<std::uint32_t, Expr> crosses;   // cross products of the links of dyads
  std::unordered_map<std::uint32_t, Expr> inverses;  // reciprocals of these
};

struct Positions {
  std::vector<Placed> bodies;  // ground first
  std::vector<Vec> cylinders;  // from pin to pin, for each drive that is a cylinder
  std::vector<Expr> slides;    // position along each joint that is a slider or prismatic
  Identities known;
  std::vector<Margin> margins;
  std::vector<IteratedBlock> iterated;
  std::vector<Branch> branches;     // none where they are those of the start pose for ever
  std::vector<std::string> solved;  // how, in order: `circles at pin C: coupler, rocker`
};

/// What closes by no intersection is found in iterated blocks; `redundant` constraints close them only where the others do
/// not suffice. `carried`: the kernel carries the branches, else they are numbers.
[[nodiscard]] Positions build_positions(const machine::Machine& machine, const machine::Assembly& start,
                                        const std::vector<machine::Row>& redundant, bool carried);

}  // namespace rodeo::codegen
