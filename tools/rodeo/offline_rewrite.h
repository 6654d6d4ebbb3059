// SPDX-License-Identifier: MIT
// Other values for the parameters of a model file's text, comments and layout kept.
#pragma once
#include <string>

#include "kinematics/text/yaml.h"

namespace rodeo::tools {

/// The text with `name`'s value in its `parameters:` replaced; `root` is the same text as YAML, and has that parameter.
[[nodiscard]] std::string build_with_parameter(const std::string& text, const text::Node& root,
                                               const std::string& name, const std::string& value);

}  // namespace rodeo::tools
