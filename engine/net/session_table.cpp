// SPDX-License-Identifier: MIT
#include "engine/net/session_table.h"

namespace rodeo::engine {

SessionTable::SessionTable(std::int64_t silence) : factor_(build_random_id() | 1U), silence_(silence) {
  sessions_.reserve(kMost);
}

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
  if (sessions_[index].known.epoch == epoch_) ++epoch_;
}

SessionTable::Seen& SessionTable::find_or_add(const SessionPacket& packet) noexcept {
  if (const Seen* known = find(packet.session))
    return sessions_[static_cast<std::size_t>(known - sessions_.data())];
  auto at = static_cast<std::uint32_t>(sessions_.size());
  if (at < kMost) {
    sessions_.emplace_back();
  } else {
    if (is_commanded_ && sessions_[oldest_].session == commanding_) oldest_ = (oldest_ + 1) % kMost;
    at = oldest_;
    oldest_ = (oldest_ + 1) % kMost;
    forget(at);
  }
  std::uint32_t& first = first_of(packet.session);
  sessions_[at] = Seen{.session = packet.session, .known = {packet.epoch, packet.role}, .next = first};
  first = at;
  return sessions_[at];
}

const SessionTable::Known* SessionTable::find_known(std::uint64_t session) const noexcept {
  const Seen* seen = find(session);
  return seen == nullptr ? nullptr : &seen->known;
}

bool SessionTable::is_occupied(std::int64_t now) const noexcept {
  return is_commanded_ && !is_consenting_ && now - commanded_at_ <= silence_;
}

void SessionTable::consent(std::uint64_t session) noexcept {
  if (is_commanded_ && session == commanding_) is_consenting_ = true;
}

SessionTable::Verdict SessionTable::find_verdict(const SessionPacket& packet) const noexcept {
  if (packet.sequence > kLargestSequence) return Verdict::old;
  const Seen* seen = find(packet.session);
  if (seen != nullptr && packet.sequence < seen->next_sequence) return Verdict::old;
  const bool takes_over = packet.has_values && packet.session != commanding_ && is_occupied(packet.now);
  if (!takes_over) return Verdict::fresh;
  if (seen != nullptr && seen->has_commanded) return Verdict::replaced;
  return packet.role == Role::instructor ? Verdict::fresh : Verdict::occupied;
}

bool SessionTable::note_stop(const SessionPacket& packet) noexcept {
  if (packet.sequence > kLargestSequence) return false;
  Seen& seen = find_or_add(packet);
  if (seen.stop && packet.sequence <= *seen.stop) return false;
  seen.stop = packet.sequence;
  seen.known.epoch = packet.epoch;
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
  seen.next_sequence = packet.sequence + 1;
  seen.known.epoch = packet.epoch;
  if (!packet.has_values) return;
  seen.has_commanded = true;
  if (commanding_ != packet.session) is_consenting_ = false;
  commanded_at_ = packet.now;
  commanding_ = packet.session;
  is_commanded_ = true;
}

}  // namespace rodeo::engine
