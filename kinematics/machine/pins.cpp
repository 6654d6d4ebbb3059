// SPDX-License-Identifier: MIT
#include "kinematics/machine/pins.h"

namespace rodeo::machine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

Pins::Pins(const Machine& machine) {
  for (const Body& body : machine.bodies) {
    offsets_.push_back(static_cast<int>(parent_.size()));
    for (std::size_t p = 0; p < body.points.size(); ++p) parent_.push_back(static_cast<int>(parent_.size()));
  }
}

int Pins::find(PointRef ref) const {
  int i = offsets_[at(ref.body)] + ref.point;
  while (parent_[at(i)] != i) i = parent_[at(i)];
  return i;
}

void Pins::join(PointRef a, PointRef b) { parent_[at(find(a))] = find(b); }

}  // namespace rodeo::machine
