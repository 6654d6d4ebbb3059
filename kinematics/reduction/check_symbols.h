// SPDX-License-Identifier: MIT
// Parameters that would be printed as a state or an input is: a reader of the equations could not tell them apart.
#pragma once
#include "kinematics/reduction/model.h"

namespace rodeo::reduction {

/// Throws ModelError for every such parameter.
void check_symbols(const Model& model);

}  // namespace rodeo::reduction
