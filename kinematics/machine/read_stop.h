// SPDX-License-Identifier: MIT
// A stop by the name of a cylinder drive, in the plane and in space.
#pragma once
#include <fmt/format.h>

#include <string>
#include <vector>

#include "kinematics/machine/machine.h"
#include "kinematics/text/yaml.h"

namespace rodeo::machine {

/// It has the cylinder's pins and its ends.
template <typename Drive, typename Force>
void read_stop_of_drive(text::Faults& faults, const std::vector<Drive>& drives, const text::Node& node,
                        const std::string& what, Force& force) {
  for (const Drive& drive : drives) {
    if (drive.name != node.scalar) continue;
    if (drive.kind != decltype(drive.kind)::cylinder) break;
    force.first = drive.first;
    force.second = drive.second;
    force.lower = drive.lower;
    force.upper = drive.upper;
    return;
  }
  faults.add(node.where,
             fmt::format("{}: there is no cylinder '{}' under 'drives': name one, or its two pins, as in "
                         "stop: [ground.P, boom.Q]",
                         what, node.scalar));
}

}  // namespace rodeo::machine
