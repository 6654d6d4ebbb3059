// SPDX-License-Identifier: MIT
// -p of a built folder: the machine file that the folder holds is read again, with the other values.
#pragma once
#include <string>
#include <vector>

#include "engine/step/model_folder.h"

namespace rodeo::tools {

/// Gives `model` the parameters, also those that follow from others, the limits and the start that its machine file has with
/// `overrides`, which come after those of the build. Throws ModelError for what the file refuses, and KernelError for a start
/// that the folder's kernel cannot take.
void apply_to_source(engine::ModelFolder& model, const std::vector<std::string>& overrides);

}  // namespace rodeo::tools
