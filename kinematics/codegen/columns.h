// SPDX-License-Identifier: MIT
// Names of a kernel's channels, which are the columns of logs and the keys of packets.
#pragma once
#include <string>
#include <vector>

#include "kinematics/codegen/kernel_model.h"

namespace rodeo::codegen {

/// Those that two channels have, `t` of the logs included; in the order of the kernel.
[[nodiscard]] std::vector<std::string> find_repeated_columns(const KernelModel& model);

}  // namespace rodeo::codegen
