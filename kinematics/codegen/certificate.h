// SPDX-License-Identifier: MIT
// What is told about a kernel: interface.json for the run-time side, certificate.json for people and checks.
#pragma once
#include <string>

#include "kinematics/codegen/build.h"

namespace rodeo::codegen {

/// Channels, drives with their limits, parameters and start values of this build.
[[nodiscard]] std::string interface_json(const machine::Machine& machine, const machine::Assembly& start,
                                         const Kernel& kernel);

/// Equation counts before and after, zero-order causal paths and how each was opened, blocks and how each is solved,
/// operations a step, the largest closure error over a sampled workspace, singular conditions, fingerprints.
[[nodiscard]] std::string certificate_json(const machine::Machine& machine, const machine::Mobility& mobility,
                                           const Kernel& kernel);

}  // namespace rodeo::codegen
