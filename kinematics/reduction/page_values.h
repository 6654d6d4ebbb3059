// SPDX-License-Identifier: MIT
// What a page of equations needs so that one can compute with it: what its inputs are, where its states start, what its parameters are, and
// relations that somebody else knows (positions of a machine).
#pragma once
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinematics/reduction/hybrid.h"
#include "kinematics/reduction/hybrid_equations.h"

namespace rodeo::reduction {

struct Relation {
  Expr left, right;
  std::string unit;
};

/// In the names that the model's equations have. A left side that is shown already is left out.
[[nodiscard]] ShownSection build_relations(const Model& model, const std::string& heading,
                                           const std::vector<Relation>& relations, Format format);

/// Whether an equation has the symbol, written as it is there.
[[nodiscard]] bool has_symbol(std::span<const ShownSection> sections, const std::string& symbol);

/// The inertia by which reduced equations show a momentum as a velocity, P = I V; none: it is shown as itself.
[[nodiscard]] std::optional<Expr> find_shown_inertia(const Model& model, const State& state);

/// Starts by the names of states, where they are not the graph's own.
using Starts = std::unordered_map<std::string, double>;

struct PageOptions {
  Format format = Format::text;
  bool by_flows = false;                  // momenta of a machine's bodies are shown by their velocities
  const Model* more = nullptr;            // whose parameters and inputs are shown too
  std::span<const ShownSection> shown{};  // equations whose derivatives of inputs are inputs too
};
/// Inputs, with those of their derivatives that are shown; start and parameters.
[[nodiscard]] std::vector<ShownSection> build_values(const Hybrid& hybrid, const Starts& starts,
                                                     const std::vector<Relation>& relations,
                                                     const PageOptions& options);

}  // namespace rodeo::reduction
