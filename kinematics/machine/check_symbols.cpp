// SPDX-License-Identifier: MIT
// Parameters that have the name of a symbol of the machine's own equations (THEORY R): a reader of w_crank L1 could not
// tell one from the other.
#include <fmt/format.h>

#include <map>

#include "kinematics/machine/reader.h"

namespace rodeo::machine {
namespace {

using Symbols = std::map<std::string, std::string>;  // symbol -> what it is

void add_drive(const Drive& drive, Symbols& symbols) {
  const bool turns = drive.kind == DriveKind::angle || drive.kind == DriveKind::relative_angle;
  symbols.emplace((turns ? "w_" : "v_") + drive.name, fmt::format("the rate of drive '{}'", drive.name));
  if (drive.kind != DriveKind::cylinder) return;
  symbols.emplace("l_" + drive.name, fmt::format("the length of cylinder '{}'", drive.name));
  symbols.emplace("X_" + drive.name, fmt::format("the angle of cylinder '{}'", drive.name));
}

Symbols list_symbols(const Machine& machine) {
  Symbols symbols;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const std::string& body = machine.bodies[b].name;
    symbols.emplace("X_" + body, fmt::format("the angle of body '{}'", body));
  }
  for (const Drive& drive : machine.drives) add_drive(drive, symbols);
  for (const Joint& joint : machine.joints) {
    if (joint.kind != JointKind::revolute)
      symbols.emplace("s_" + joint.name, fmt::format("the displacement of joint '{}'", joint.name));
  }
  return symbols;
}

}  // namespace

void check_symbols(Reader& reader) {
  const Symbols symbols = list_symbols(reader.machine);
  for (const expr::Parameter& parameter : reader.machine.parameters) {
    const auto found = symbols.find(parameter.name);
    if (found == symbols.end()) continue;
    reader.faults.add(parameter.where,
                      fmt::format("parameter '{}': in the equations this is {}: choose another name",
                                  parameter.name, found->second));
  }
}

}  // namespace rodeo::machine
