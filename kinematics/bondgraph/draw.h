// SPDX-License-Identifier: MIT
// A bond graph as Graphviz text: elements, junctions, half-arrows, causal strokes. Bonds whose causality was derived
// are blue, imposed ones pink (Bondin, figure 4). Subsets are drawn as one box (folded) or as a frame (unfolded).
#pragma once
#include <string>
#include <vector>

#include "kinematics/bondgraph/arrange.h"
#include "kinematics/bondgraph/graph.h"

namespace rodeo::bondgraph {

/// How causality came to a bond.
enum class BondColour { plain, derived, imposed };

struct DrawOptions {
  bool fold_subsets = false;
  bool draw_signals = true;
  /// Where outermost frames belong, as the bodies of a machine; any unit, y up. Empty: Graphviz lays everything out.
  std::map<std::string, Spot> places{};
};

/// `strokes` and `colours` a bond each, or empty for an acausal drawing. Same text on every run. With `places` it runs Graphviz.
[[nodiscard]] std::string build_dot(const Graph& graph, const std::vector<Stroke>& strokes,
                                    const std::vector<BondColour>& colours, const DrawOptions& options = {});
/// What Graphviz makes of a text, as `dot -T` and the format (svg, png, pdf, plain) writes it. Throws std::runtime_error with a
/// sentence when it cannot.
[[nodiscard]] std::string build_picture(const std::string& dot, const std::string& format);

}  // namespace rodeo::bondgraph
