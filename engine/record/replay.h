// SPDX-License-Identifier: MIT
// A recording run again, bit for bit, as fast as it can: a session that is fed what was recorded.
#pragma once
#include <cstdint>
#include <optional>

#include "engine/record/recording.h"

namespace rodeo::engine {

/// One of a recording's runs. `Session` may be of another model than the recording's own (simulate).
class Replay {
 public:
  /// A session of the recording itself.
  explicit Replay(const Recording& recording) : Replay(recording, recording.build_session()) {}
  Replay(const Recording& recording, Session session) : reader_(recording), session_(std::move(session)) {}

  /// One tick on; false at the end. Throws IoError if the file changes meanwhile.
  [[nodiscard]] bool next();

  [[nodiscard]] const Session& session() const noexcept { return session_; }
  /// The last tick as recorded; its commands are valid until the next one.
  [[nodiscard]] const RecordedTick& recorded() const noexcept { return recorded_; }
  [[nodiscard]] std::int64_t tick_count() const noexcept { return tick_count_; }
  /// The first tick whose checksum is not the recorded one.
  [[nodiscard]] const std::optional<std::int64_t>& first_difference() const noexcept { return difference_; }

  /// The session, for whoever takes over.
  [[nodiscard]] Session take_session() && { return std::move(session_); }

 private:
  TickReader reader_;
  Session session_;
  RecordedTick recorded_;
  std::int64_t tick_count_ = 0;
  std::optional<std::int64_t> difference_;
};

}  // namespace rodeo::engine
