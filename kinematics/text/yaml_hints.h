// SPDX-License-Identifier: MIT
// Slips of the pen that YAML answers with riddles: tabs in the indentation, decimal commas.
#pragma once
#include <string>
#include <string_view>

#include "kinematics/text/yaml.h"

namespace rodeo::text {

/// A line with a tab in its indentation, at `line` or next to it, counted from 1; 0 if there is none.
[[nodiscard]] int find_tab(std::string_view text, int line) noexcept;

/// Whether a key without a value is the rest of a number that YAML cut at its comma: `{L1: 0,5}` is L1: 0 and a key 5.
[[nodiscard]] bool is_decimals(std::string_view key, const Node& value) noexcept;

/// A fault for every such number in the tree.
void check_decimal_commas(const Node& node, Faults& faults);

/// Whether two items may be a number that YAML cut at its comma: 0 and 5, 0 and `5 deg`.
[[nodiscard]] bool is_cut_number(const Node& first, const Node& second) noexcept;

/// ` (a decimal comma? write 0.4, not 0,4)` of a list that has more numbers than are needed; else empty.
[[nodiscard]] std::string find_comma_hint(const Node& list);

}  // namespace rodeo::text
