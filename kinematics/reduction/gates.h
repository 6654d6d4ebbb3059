// SPDX-License-Identifier: MIT
// Controlled junctions as Boolean coefficients of one model. Where nothing that stores is behind an X0 (sources and resistors only), what
// is behind it keeps its causality when it is off, and the junction is a transformer whose modulus is the Boolean: e = b e_behind,
// f_behind = b f. On it is a plain bond, off both are nil. One causality and one set of equations serve all configurations. THEORY X8.
#pragma once
#include <functional>
#include <optional>

#include "kinematics/reduction/hybrid.h"

namespace rodeo::reduction {

/// None where some junction of the graph must turn strokes when it switches: build_hybrid serves there.
[[nodiscard]] std::optional<Hybrid> build_gated(const Graph& graph,
                                                const std::function<void(Stage)>& begin = {});

}  // namespace rodeo::reduction
