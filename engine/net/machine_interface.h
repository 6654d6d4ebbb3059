// SPDX-License-Identifier: MIT
// What the other side has to know of a machine: its drives with their limits, and its signals.
#pragma once
#include <string>
#include <vector>

#include "engine/net/fingerprint.h"
#include "engine/net/packet.h"
#include "engine/step/model_folder.h"

namespace rodeo::engine {

struct MachineInterface {
  std::string name;
  std::vector<Channel> drives;
  std::vector<DriveLimits> limits;  // one a drive

  [[nodiscard]] CommandLayout build_layout() const {
    return {build_command_fingerprint(drives), drives.size()};
  }
};

[[nodiscard]] MachineInterface build_machine_interface(const ModelFolder& model);

}  // namespace rodeo::engine
