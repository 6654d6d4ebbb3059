// SPDX-License-Identifier: MIT
// States at the start. Starts may be given for ports in differential causality, which are no states (the rocker of a four-bar whose crank has the
// state): states that nobody gave are then computed such that those starts hold. Defaults of subsets give way.
#pragma once
#include <vector>

#include "kinematics/simulate/forms.h"

namespace rodeo::simulate {

/// As the file has them.
[[nodiscard]] std::vector<double> list_starts(const Model& model);
/// Throws ModelError where what is given contradicts itself.
[[nodiscard]] std::vector<double> build_start(const Model& model, Inputs& inputs);

}  // namespace rodeo::simulate
