// SPDX-License-Identifier: MIT
#include "engine/net/session_table.h"

#include "engine/net/auth.h"

namespace rodeo::engine {

SessionTable::SessionTable() : factor_(build_random_id() | 1U) {}

std::uint32_t& SessionTable::first_of(std::uint64_t session) noexcept {
  return first_[(session * factor_) >> kBucketShift];
}

const SessionTable::Seen* SessionTable::find(std::uint64_t session) const noexcept {
  std::uint32_t at = first_[(session * factor_) >> kBucketShift];
  while (at != kNone && sessions_[at].session != session) at = sessions_[at].next;
  return at == kNone ? nullptr : &sessions_[at];
}

/// Takes it out of its chain.
void SessionTable::forget(std::uint32_t index) noexcept {
  std::uint32_t* link = &first_of(sessions_[index].session);
  while (*link != index) link = &sessions_[*link].next;
  *link = sessions_[index].next;
  if (sessions_[index].epoch == epoch_) ++epoch_;
}

SessionTable::Seen& SessionTable::find_or_add(const SessionPacket& packet) noexcept {
  if (const Seen* known = find(packet.session))
    return sessions_[static_cast<std::size_t>(known - sessions_.data())];
  std::uint32_t at = count_;
  if (count_ < kMost) {
    ++count_;
  } else {
    if (is_commanded_ && sessions_[oldest_].session == commanding_) oldest_ = (oldest_ + 1) % kMost;
    at = oldest_;
    oldest_ = (oldest_ + 1) % kMost;
    forget(at);
  }
  std::uint32_t& first = first_of(packet.session);
  sessions_[at] = Seen{.session = packet.session, .epoch = packet.epoch, .next = first};
  first = at;
  return sessions_[at];
}

std::optional<std::uint64_t> SessionTable::find_epoch(std::uint64_t session) const noexcept {
  const Seen* seen = find(session);
  return seen == nullptr ? std::nullopt : std::optional(seen->epoch);
}

SessionTable::Verdict SessionTable::find_verdict(const SessionPacket& packet) const noexcept {
  if (packet.sequence > kLargestSequence) return Verdict::old;
  const Seen* seen = find(packet.session);
  if (seen == nullptr) return Verdict::fresh;
  if (packet.sequence <= seen->sequence) return Verdict::old;
  const bool is_replaced = seen->has_commanded && packet.session != commanding_;
  return packet.has_values && is_replaced ? Verdict::replaced : Verdict::fresh;
}

bool SessionTable::note_stop(const SessionPacket& packet) noexcept {
  if (packet.sequence > kLargestSequence) return false;
  Seen& seen = find_or_add(packet);
  if (seen.stop && packet.sequence <= *seen.stop) return false;
  seen.stop = packet.sequence;
  seen.epoch = packet.epoch;
  return true;
}

bool SessionTable::note_step(std::uint64_t session, bool is_rearm, std::uint64_t stop) noexcept {
  Seen& seen = find_or_add({.session = session, .epoch = epoch_});
  const bool is_second = is_rearm && seen.released == stop;
  seen.released = is_rearm ? 0 : stop;
  return is_second;
}

void SessionTable::note(const SessionPacket& packet) noexcept {
  Seen& seen = find_or_add(packet);
  seen.sequence = packet.sequence;
  seen.epoch = packet.epoch;
  if (!packet.has_values) return;
  seen.has_commanded = true;
  commanding_ = packet.session;
  is_commanded_ = true;
}

}  // namespace rodeo::engine
