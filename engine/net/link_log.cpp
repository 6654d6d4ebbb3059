// SPDX-License-Identifier: MIT
#include "engine/net/link_log.h"

#include <numeric>

namespace rodeo::engine {

std::uint64_t PacketCounts::refused_total() const noexcept {
  return std::accumulate(refused.begin(), refused.end(), std::uint64_t{0});
}

Refusal find_refusal(std::uint32_t status) noexcept {
  if ((status & kRefused) == 0) return Refusal::none;
  const std::uint32_t number = (status & kRefusalMask) >> kRefusalShift;
  return number < kRefusalCount ? static_cast<Refusal>(number) : Refusal::field;
}

/// Under the lock.
void LinkLog::note_values(const Endpoint& from, std::int64_t now) {
  senders_.note(from, now);
  const bool were_none = last_.rivals_since == 0 || now >= rivals_until_.load(std::memory_order_relaxed);
  rivals_until_.store(senders_.rivals_until(), std::memory_order_relaxed);
  if (were_none && senders_.find_rivals(now)) last_.rivals_since = now;
}

void LinkLog::note_accepted(const Endpoint& from, bool has_values, const std::optional<Clip>& clip,
                            std::int64_t now) {
  const std::lock_guard lock(mutex_);
  accepted_.fetch_add(1, std::memory_order_relaxed);
  if (clip) {
    clipped_.fetch_add(1, std::memory_order_relaxed);
    last_.last_clip = clip;
    last_.last_clipped = from;
    last_.clipped_at = now;
  }
  if (!has_values) return;
  last_.commander = from;
  note_values(from, now);
}

void LinkLog::note_refused(const Endpoint& from, bool had_values, Refusal why, std::int64_t now) {
  const std::lock_guard lock(mutex_);
  refused_[static_cast<std::size_t>(why)].fetch_add(1, std::memory_order_relaxed);
  last_refusal_.store(why, std::memory_order_relaxed);
  last_.last_refused = from;
  last_.refused_at[static_cast<std::size_t>(why)] = now;
  if (had_values) note_values(from, now);
}

LinkSummary LinkLog::try_summary(std::int64_t now) const noexcept {
  return {clipped_.load(std::memory_order_relaxed), counts().refused_total(),
          last_refusal_.load(std::memory_order_relaxed), now < rivals_until_.load(std::memory_order_relaxed)};
}

PacketCounts LinkLog::counts() const noexcept {
  PacketCounts counts;
  counts.accepted = accepted_.load(std::memory_order_relaxed);
  counts.clipped = clipped_.load(std::memory_order_relaxed);
  counts.hellos = hellos_.load(std::memory_order_relaxed);
  for (std::size_t i = 0; i < kRefusalCount; ++i) {
    counts.refused[i] = refused_[i].load(std::memory_order_relaxed);
  }
  return counts;
}

LinkReport LinkLog::report(std::int64_t now) const {
  const std::lock_guard lock(mutex_);
  LinkReport report = last_;
  report.counts = counts();
  report.last_refusal = last_refusal_.load(std::memory_order_relaxed);
  report.rivals = senders_.find_rivals(now);
  return report;
}

}  // namespace rodeo::engine
