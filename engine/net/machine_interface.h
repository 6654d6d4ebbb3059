// SPDX-License-Identifier: MIT
// What the other side has to know of a machine: its drives with their limits, and the forces that it takes from outside.
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
  std::vector<Channel> forces{};    // forces, torques and payloads from outside

  [[nodiscard]] CommandLayout build_layout() const {
    return {build_command_fingerprint(drives, forces), drives.size(), forces.size()};
  }
};

[[nodiscard]] MachineInterface build_machine_interface(const ModelFolder& model);

}  // namespace rodeo::engine
