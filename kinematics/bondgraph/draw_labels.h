// SPDX-License-Identifier: MIT
// Texts of a drawn bond graph; only draw.cpp includes it.
#pragma once
#include <string>

#include "kinematics/bondgraph/graph.h"

namespace rodeo::bondgraph::drawing {

/// A name as a Graphviz identifier, in quotes.
[[nodiscard]] std::string quote(const std::string& text);
[[nodiscard]] std::string escape_html(const std::string& text);

/// `rod1.end` of `rod1.end.J`, `J` of it.
[[nodiscard]] std::string subset_of(const std::string& name);
[[nodiscard]] std::string local_name(const std::string& name);

/// The node's line in Graphviz: `I : m1` or a junction's bold digit, its name below.
[[nodiscard]] std::string node_text(const Element& element);
/// The note beside its node and its dotted leader, a line each; empty without one.
[[nodiscard]] std::string note_node(const Element& element);
[[nodiscard]] std::string note_leader(const Element& element);
/// Both, on one rank.
[[nodiscard]] std::string note_text(const Element& element);
[[nodiscard]] std::string signal_text(const Signal& signal);

}  // namespace rodeo::bondgraph::drawing
