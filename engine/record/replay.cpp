// SPDX-License-Identifier: MIT
// A tick of a replay.
#include "engine/record/replay.h"

namespace rodeo::engine {

bool Replay::next() {
  while (reader_.next(recorded_)) {
    is_behind_ = is_behind_ || !can_compute();
    if (!is_behind_) {
      session_.tick(recorded_.input);
      ++tick_count_;
      is_resumed_ = false;
      compare();
      return true;
    }
    if (!can_resume_) return false;
    ++passed_count_;
    if (try_resume()) return true;
  }
  return false;
}

/// A snapshot from before the hole is not known behind it.
bool Replay::can_compute() const noexcept {
  const bool returns = recorded_.input.verb == Verb::restore;
  return recorded_.follows && !(has_resumed_ && returns && !session_.has_snapshot(recorded_.input.slot));
}

bool Replay::try_resume() noexcept {
  const std::string_view bytes = recorded_.checkpoint;
  if (bytes.empty()) return false;
  const auto* begin = reinterpret_cast<const unsigned char*>(bytes.data());
  if (session_.try_restore({begin, bytes.size()}) != KernelStatus::ok) return false;
  is_behind_ = false;
  has_resumed_ = is_resumed_ = true;
  compare();
  return true;
}

void Replay::compare() noexcept {
  const bool is_same = session_.checksum() == recorded_.checksum && session_.tick_number() == recorded_.tick;
  if (!is_same && !difference_) difference_ = recorded_.tick;
}

}  // namespace rodeo::engine
