// SPDX-License-Identifier: MIT
#include "kinematics/codegen/agenda.h"

namespace rodeo::codegen {

using machine::Drive;
using machine::DriveKind;
using machine::Joint;
using machine::PointRef;

Agenda::Agenda(const Placement& known) : known_(known), linkage_(known.linkage()) {
  for (std::size_t d = 0; d < linkage_.machine().drives.size(); ++d) drives.insert(static_cast<int>(d));
  for (std::size_t j = 0; j < linkage_.machine().joints.size(); ++j) joints.insert(static_cast<int>(j));
  for (int b = 1; b < linkage_.body_count(); ++b) bodies.insert(b);
  for (const auto& [pin, members] : linkage_.pins()) pins.insert(pin);
}

void Agenda::touch_body(int body) {
  bodies.insert(body);
  drives.insert(linkage_.drives_of(body).begin(), linkage_.drives_of(body).end());
  for (const int j : linkage_.joints_of(body)) {
    const Joint& joint = linkage_.joint(j);
    joints.insert(j);
    bodies.insert({joint.first.body, joint.second.body});
    pins.insert({linkage_.pin(joint.first), linkage_.pin(joint.second)});
  }
  touch_pins_of(body);
  if (!known_.is_placed(body)) return;
  for (int p = 0; p < linkage_.point_count(body); ++p) touch_pin(linkage_.pin({body, p}));
}

void Agenda::touch_pin(int pin) {
  for (const PointRef& member : linkage_.members(pin)) {
    if (member.body == 0) continue;
    joints.insert(linkage_.joints_of(member.body).begin(), linkage_.joints_of(member.body).end());
    for (const int body : linkage_.held_with(member.body)) {
      bodies.insert(body);
      touch_pins_of(body);
    }
  }
  for (const PointRef& member : linkage_.members(pin)) {
    for (const int d : linkage_.drives_of(member.body)) {
      const Drive& drive = linkage_.drive(d);
      if (drive.kind == DriveKind::cylinder)
        pins.insert({linkage_.pin(drive.first), linkage_.pin(drive.second)});
    }
  }
}

void Agenda::touch_pins_of(int body) {
  for (int p = 0; p < linkage_.point_count(body); ++p) pins.insert(linkage_.pin({body, p}));
}

}  // namespace rodeo::codegen
