// SPDX-License-Identifier: MIT
// Why a machine does not move by its drives, in words of its bodies: loose ones, free ones, a structure that is locked.
#pragma once
#include <string>
#include <vector>

#include "kinematics/spatial/machine.h"
#include "tools/rodeo/offline_model.h"

namespace rodeo::tools {

/// A fault for every group of bodies that no joint or drive connects with the ground.
void check_loose(const machine::Machine& machine, text::Faults& faults);
void check_loose(const spatial::Machine& machine, text::Faults& faults);

/// Bodies that move although every drive holds still.
[[nodiscard]] std::vector<std::string> find_free_bodies(const LoadedMachine& loaded);

/// ` (is a joint missing? Points without one: crank.B, coupler.B)` where two bodies have such a point, which a joint may have been meant to
/// connect; else empty.
[[nodiscard]] std::string describe_open_points(const machine::Machine& machine);

}  // namespace rodeo::tools
