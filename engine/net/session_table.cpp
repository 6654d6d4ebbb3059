// SPDX-License-Identifier: MIT
#include "engine/net/session_table.h"

#include <algorithm>

namespace rodeo::engine {

std::size_t SessionTable::find(std::uint64_t session) const noexcept {
  const auto is_it = [&](const Seen& seen) { return seen.session == session; };
  return static_cast<std::size_t>(std::find_if(sessions_.begin(), sessions_.end(), is_it) -
                                  sessions_.begin());
}

SessionTable::Verdict SessionTable::find_verdict(std::uint64_t session, std::uint64_t sequence,
                                                 bool has_values) const noexcept {
  const std::size_t at = find(session);
  if (at == sessions_.size()) return Verdict::fresh;
  const Seen& seen = sessions_[at];
  if (sequence <= seen.sequence) return Verdict::old;
  const bool is_replaced = seen.has_commanded && session != commanding_;
  return has_values && is_replaced ? Verdict::replaced : Verdict::fresh;
}

std::size_t SessionTable::make_room() noexcept {
  if (sessions_.size() < kMost) {
    sessions_.push_back({});
    return sessions_.size() - 1;
  }
  if (is_commanded_ && sessions_[oldest_].session == commanding_) oldest_ = (oldest_ + 1) % kMost;
  const std::size_t at = oldest_;
  oldest_ = (oldest_ + 1) % kMost;
  return at;
}

bool SessionTable::note_stop(std::uint64_t session, std::uint64_t sequence) noexcept {
  std::size_t at = find(session);
  if (at == sessions_.size()) {
    at = make_room();
    sessions_[at] = {session, sequence, false};
  }
  Seen& seen = sessions_[at];
  if (seen.stop && sequence <= *seen.stop) return false;
  seen.stop = sequence;
  return true;
}

bool SessionTable::note_step(std::uint64_t session, bool is_rearm, std::uint64_t stop) noexcept {
  Seen& seen = sessions_[find(session)];
  const bool is_second = is_rearm && seen.released == stop;
  seen.released = is_rearm ? 0 : stop;
  return is_second;
}

void SessionTable::note(std::uint64_t session, std::uint64_t sequence, bool has_values) noexcept {
  std::size_t at = find(session);
  if (at == sessions_.size()) {
    at = make_room();
    sessions_[at] = {session, sequence, false};
  }
  sessions_[at].sequence = sequence;
  if (!has_values) return;
  sessions_[at].has_commanded = true;
  commanding_ = session;
  is_commanded_ = true;
}

}  // namespace rodeo::engine
