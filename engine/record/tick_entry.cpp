// SPDX-License-Identifier: MIT
// What is copied of a tick.
#include "engine/record/tick_entry.h"

#include <algorithm>

namespace rodeo::engine {

void EntryLayout::fill(std::byte* entry, const TickInput& input, const Session& session,
                       bool has_state) const noexcept {
  const Stepper& stepper = session.stepper();
  EntryHead& to = head(entry);
  to.tick = session.tick_number();
  to.checksum = session.checksum();
  to.residual = stepper.residual();
  to.margin = stepper.margin();
  to.skipped = input.skipped;
  to.status = session.status();
  to.verb = static_cast<std::uint8_t>(input.verb);
  to.slot = input.slot;
  to.events = input.events;
  to.has_state = has_state;
  to.origin = input.origin;
  std::copy_n(input.commands.begin(), drives_, commands(entry).begin());
  std::ranges::fill(forces(entry), 0.0);  // where the input has none
  std::ranges::copy(input.forces, forces(entry).begin());
  if (!has_state) return;
  std::copy_n(stepper.drives().begin(), drives_, drives(entry).begin());
  std::copy_n(stepper.outputs().begin(), outputs_, outputs(entry).begin());
  std::copy_n(stepper.loads().begin(), loads_, loads(entry).begin());
  if (forces_ > 0) std::copy_n(stepper.inputs().begin() + 1, forces_, felt(entry).begin());
}

}  // namespace rodeo::engine
