// SPDX-License-Identifier: MIT
// A graph with controlled junctions (margetts-controlled-junctions, figure 1) as a list of ordinary models, one for each configuration
// that its conditions can reach. An X0 that is off is a Se of 0 at the end of every bond, an X1 a Sf of 0. The bond that brings
// an X0 its effort while on may lead to laws that cannot be turned round (a modulated R, a matrix of fixed causality): it
// keeps its causality and is cut off by a Sf of 0 instead (the paper's figure 5); the dual for X1. THEORY X1-X4.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "kinematics/reduction/conditions.h"
#include "kinematics/reduction/model.h"

namespace rodeo::reduction {

struct Configuration {
  std::vector<bool> values;  // of the Booleans
  Model model;
};

struct Hybrid {
  Conditions conditions;
  std::vector<Configuration> configurations;  // at least one; the first has most junctions on
  Reachable reachable;
  /// Names of the Booleans where they are coefficients of the only model (build_gated); else none.
  std::vector<std::string> coefficients;
  /// `contact.on` of the junctions as they were drawn: a vector junction has one.
  std::vector<Control> drawn;
  std::vector<std::string> cut;  // `contact: patch -> tyre`, the bonds that keep their causality
  bool is_scalar =
      false;  // vector bonds had to be taken apart: a configuration has none under rules C1 and C2

  [[nodiscard]] bool is_gated() const noexcept { return !coefficients.empty(); }
  [[nodiscard]] bool is_switched() const noexcept { return !conditions.booleans.empty(); }
  [[nodiscard]] bool is_on(const Control& control, const Configuration& configuration) const;
  /// -1 where no configuration has these values.
  [[nodiscard]] int find(const std::vector<bool>& values) const;
};

/// Throws ModelError as build_model does, with the configuration; a graph without conditions has one configuration.
[[nodiscard]] Hybrid build_hybrid(Graph graph, const std::function<void(Stage)>& begin = {});

/// What differs between a configuration and the first, in the names of the bonds drawn.
struct Changes {
  std::vector<std::string> on, off;       // junctions
  std::vector<std::string> strokes;       // bonds whose causality is the other way
  std::vector<std::string> differential;  // storage ports
  std::size_t states = 0;
};
[[nodiscard]] Changes find_changes(const Hybrid& hybrid, const Configuration& configuration);

/// `b1 and not b2`.
[[nodiscard]] std::string describe(const std::vector<bool>& values);
[[nodiscard]] std::string describe(const Configuration& configuration);

}  // namespace rodeo::reduction
