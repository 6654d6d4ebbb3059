// SPDX-License-Identifier: MIT
// Elements of force of a machine in space, one by one: dynamics/probes.h.
#pragma once
#include "kinematics/dynamics/probes.h"
#include "kinematics/spatial/system.h"

namespace rodeo::spatial {

/// Stops and contacts touched at `q`; springs and dampers of joints too, by the joint's name.
[[nodiscard]] std::vector<dynamics::Probe> build_probes(const System& system, const Vector& q);

}  // namespace rodeo::spatial
