// SPDX-License-Identifier: MIT
// A tick of a replay.
#include "engine/record/replay.h"

namespace rodeo::engine {

bool Replay::next() {
  if (!reader_.next(recorded_)) return false;
  session_.tick(recorded_.input);
  ++tick_count_;
  if (session_.checksum() != recorded_.checksum && !difference_) difference_ = recorded_.tick;
  return true;
}

}  // namespace rodeo::engine
