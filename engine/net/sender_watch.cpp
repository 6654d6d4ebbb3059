// SPDX-License-Identifier: MIT
#include "engine/net/sender_watch.h"

#include <algorithm>

namespace rodeo::engine {

/// Its own place, or the one that was quiet for longest.
SenderWatch::Seen& SenderWatch::find(const Endpoint& from) noexcept {
  const auto is_it = [&](const Seen& each) { return each.is_used && each.from == from; };
  const auto found = std::find_if(seen_.begin(), seen_.end(), is_it);
  if (found != seen_.end()) return *found;
  const auto is_before = [](const Seen& a, const Seen& b) {
    return a.is_used != b.is_used ? !a.is_used : a.last < b.last;
  };
  return *std::min_element(seen_.begin(), seen_.end(), is_before);
}

void SenderWatch::note_turn(const Endpoint& from, std::int64_t now) noexcept {
  turns_ = now - last_turn_ < kWindow ? turns_ + 1 : 1;
  last_turn_ = now;
  if (turns_ < kTurns) return;
  turns_ = kTurns;
  rivals_ = {current_, from};
}

void SenderWatch::note(const Endpoint& from, std::int64_t now) noexcept {
  Seen& place = find(from);
  const bool is_back = place.is_used && place.from == from && now - place.last < kWindow;
  if (has_any_ && !(from == current_) && is_back) note_turn(from, now);
  place = {from, now, is_back ? std::max(now - place.last, place.gap / 2) : 0, true};
  current_ = from;
  has_any_ = true;
}

/// When its silence ends it; a sender whose place another one has taken is silent.
std::int64_t SenderWatch::silent_at(const Endpoint& from) const noexcept {
  for (const Seen& each : seen_) {
    if (each.is_used && each.from == from) return each.last + std::clamp(kGaps * each.gap, kSilence, kWindow);
  }
  return 0;
}

std::int64_t SenderWatch::rivals_until() const noexcept {
  return rivals_ ? std::min(silent_at(rivals_->first), silent_at(rivals_->second)) : 0;
}

std::optional<std::pair<Endpoint, Endpoint>> SenderWatch::find_rivals(std::int64_t now) const noexcept {
  return now < rivals_until() ? rivals_ : std::nullopt;
}

}  // namespace rodeo::engine
