// SPDX-License-Identifier: MIT
#include "engine/net/machine_interface.h"

namespace rodeo::engine {

MachineInterface build_machine_interface(const ModelFolder& model) {
  MachineInterface result{model.name, {}, model.limits};
  for (const rodeo_channel& drive : model.kernel.drives()) result.drives.push_back({drive.name, drive.unit});
  for (const rodeo_channel& force : model.kernel.forces()) result.forces.push_back({force.name, force.unit});
  return result;
}

}  // namespace rodeo::engine
