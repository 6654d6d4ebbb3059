// SPDX-License-Identifier: MIT
// A graph with everything that follows from it, in the order in which it follows.
#pragma once
#include <functional>
#include <optional>

#include "kinematics/expr/matrix.h"
#include "kinematics/reduction/blocks.h"
#include "kinematics/reduction/full.h"
#include "kinematics/reduction/system.h"

namespace rodeo::reduction {

/// A graph with vector bonds as it was drawn, and its causality.
struct VectorForm {
  Graph graph;
  Causality causality;
};

struct Model {
  std::optional<VectorForm> vector;  // where `graph` is made of the components of a vector graph
  Graph graph;
  Causality causality;
  System system;
  Solution solution;
};

/// What build_model is about to do, for a progress bar.
enum class Stage { causality, equations, blocks };

/// Throws ModelError when causality finds a conflict, or a loop does not determine its unknowns.
[[nodiscard]] Model build_model(Graph graph, const std::vector<causality::Imposed>& imposed = {},
                                const std::function<void(Stage)>& begin = {});

/// Throws ModelError where the rate of a constraint's position is not the flow of its multiplier.
void check_constraints(const Model& model);

/// Throws ModelError when a law or a loop divides by an expression that the parameters make zero.
void check_divisions(const Model& model);

/// All that a block is made of.
[[nodiscard]] std::vector<Expr> expressions_of(const Block& block);
/// Blocks whose unknowns some expressions need, directly or through other blocks, in order.
[[nodiscard]] std::vector<int> find_needed_blocks(const Model& model, std::vector<Expr> expressions);
/// Blocks that the rates of the states need, in order; the rest (reactions) move nothing.
[[nodiscard]] std::vector<int> find_moving_blocks(const Model& model);
/// The same without laws, which couple nothing.
[[nodiscard]] std::vector<int> find_coupled_blocks(const Model& model);

/// Rate of each state as the solution has it.
[[nodiscard]] std::vector<Expr> state_rates(const Model& model);

/// Variables replaced by their values.
[[nodiscard]] Expr with_solution(const Model& model, Expr e);

using expr::determinant;
/// Cramer's numerator for one unknown.
[[nodiscard]] Expr cramer_numerator(const Block& block, std::size_t unknown);

inline constexpr std::size_t kMaxCramer = 3;       // larger blocks are shown as systems
inline constexpr std::size_t kMaxDeterminant = 4;  // larger determinants are named, not written out

/// The expressions whose zeros make the model singular: determinants of blocks, without factors that are parameters.
[[nodiscard]] std::vector<std::string> find_singular_conditions(const Model& model);

}  // namespace rodeo::reduction
