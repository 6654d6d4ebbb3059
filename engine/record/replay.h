// SPDX-License-Identifier: MIT
// A recording run again, bit for bit, as fast as it can: a session that is fed what was recorded. Where ticks are missing it
// goes on from the next checkpoint; what lies between is passed over and counted, since it cannot be computed. Of a recording's own session
// every recorded state, which is what export, plot and view show, is compared with the computed one, bit for bit.
#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "engine/record/recording.h"
#include "engine/record/state_reader.h"

namespace rodeo::engine {

/// One of a recording's runs.
class Replay {
 public:
  /// A session of the recording itself.
  explicit Replay(const Recording& recording) : Replay(recording, recording.build_session(), true) {}
  /// One of another model (simulate), which the recording's checkpoints do not fit: ends at the first hole.
  Replay(const Recording& recording, Session session) : Replay(recording, std::move(session), false) {}

  /// One tick on; false at the end. Throws IoError if the file changes meanwhile.
  [[nodiscard]] bool next();

  [[nodiscard]] const Session& session() const noexcept { return session_; }
  /// The last tick as recorded; its commands are valid until the next one.
  [[nodiscard]] const RecordedTick& recorded() const noexcept { return recorded_; }
  /// Ticks that were computed and compared, and those that are recorded but stand behind a hole.
  [[nodiscard]] std::int64_t tick_count() const noexcept { return tick_count_; }
  [[nodiscard]] std::int64_t passed_count() const noexcept { return passed_count_; }
  /// The session was not computed at this tick but taken from its checkpoint.
  [[nodiscard]] bool is_resumed() const noexcept { return is_resumed_; }
  /// The first tick that is not as recorded, and what of it: `checksum`, or what of its state.
  [[nodiscard]] const std::optional<std::int64_t>& first_difference() const noexcept { return difference_; }
  [[nodiscard]] const std::string& what_differs() const noexcept { return what_differs_; }

  /// The session, for whoever takes over.
  [[nodiscard]] Session take_session() && { return std::move(session_); }

 private:
  Replay(const Recording& recording, Session session, bool can_resume)
      : reader_(recording),
        states_(recording),
        states_left_(recording.state_count()),
        session_(std::move(session)),
        can_resume_(can_resume) {
    if (!can_resume_) return;
    take_state();
    compare_states();
  }

  [[nodiscard]] bool can_compute() const noexcept;
  [[nodiscard]] bool try_resume();
  void compare();
  void take_state();
  void compare_states();
  void compare_rest();
  void note(std::int64_t tick, const std::string& what);

  TickReader reader_;
  StateReader states_;
  RecordedState state_;  // the next one, that no tick has been compared with
  bool has_state_ = false;
  std::int64_t states_left_;  // that one among them
  Session session_;
  bool can_resume_;
  RecordedTick recorded_;
  std::int64_t tick_count_ = 0;
  std::int64_t passed_count_ = 0;
  bool is_behind_ = false;    // a hole; the session stands before it
  bool has_resumed_ = false;  // some snapshots may be unknown
  bool is_resumed_ = false;
  std::optional<std::int64_t> difference_;
  std::string what_differs_;
};

}  // namespace rodeo::engine
