// SPDX-License-Identifier: MIT
// Angles of a machine file that are beyond a full turn and have no unit: 60 is 60 rad, and 60 deg may have been meant.
#pragma once
#include <functional>
#include <string>
#include <vector>

#include "kinematics/expr/parse.h"
#include "kinematics/text/yaml.h"

namespace rodeo::machine {

/// What the file's names are. A body's start is always an angle.
struct AngularNames {
  std::function<bool(const std::string& name)> start;  // drives, bodies and joints
  std::function<bool(const std::string& name)> drive;
};

/// A sentence a value, with file and line: starts, ranges of drives, angles of joints. `overrides` as in read_parameters.
[[nodiscard]] std::vector<std::string> find_bare_angles(const text::Node& root,
                                                        const std::vector<expr::Parameter>& parameters,
                                                        const std::vector<std::string>& overrides,
                                                        const AngularNames& names);

}  // namespace rodeo::machine
