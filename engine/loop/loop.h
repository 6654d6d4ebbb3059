// SPDX-License-Identifier: MIT
// The fixed-rate loop: sleeps until a tick is due, samples the commands, asks the watchdog, lets the session make its tick,
// hands it to those who publish and record it. All that the machine can notice of this goes through the TickInput, so a
// record of the TickInputs is a record of the run. One thread; no allocation, lock, log or blocking call but the sleep.
//
// Arming. With a watchdog the machine waits, unarmed, for its first command: that is no reason to latch, and neither is a late tick
// meanwhile (threads and sockets are just starting). The first command arms it. A rearm or reset while no commands come makes
// it wait again.
#pragma once
#include <atomic>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "engine/loop/clock.h"
#include "engine/loop/pacer.h"
#include "engine/loop/ports.h"
#include "engine/loop/ring.h"
#include "engine/loop/statistics.h"
#include "engine/loop/tick_note.h"

namespace rodeo::engine {

struct LoopOptions {
  Overrun overrun = Overrun::skip;
  int burst = kBurst;                   // of Overrun::catch_up
  std::optional<std::int64_t> timeout;  // of the watchdog, ns; none without
  std::int64_t last_tick =
      std::numeric_limits<std::int64_t>::max();  // run() ends after the tick of this number
  std::int64_t brake_time =
      10'000'000'000;  // ns of simulated time that request_stop() allows for coming to rest
};

/// Who is connected; nothing is owned.
struct LoopPorts {
  CommandPort* commands = nullptr;  // without one the drives rest where they are
  std::vector<StatePort*> states;
  RecordPort* record = nullptr;
};

class Loop {
 public:
  Loop(Session& session, Clock& clock, const LoopOptions& options, LoopPorts ports);

  /// start(), then ticks up to last_tick, or until the machine is at rest after request_stop().
  void run() noexcept;
  /// Brakes every drive to rest within its limits, then ends run(). From any thread or signal handler.
  void request_stop() noexcept { is_stopping_.store(true, std::memory_order_relaxed); }

  /// The steps of run(): the first tick is due a period after start(); tick() sleeps until it is due and makes it.
  void start() noexcept;
  void tick() noexcept;

  [[nodiscard]] const LoopStatistics& statistics() const noexcept { return statistics_; }
  /// Of any other thread: the bits that were set since it asked last.
  [[nodiscard]] std::uint32_t take_status_news() noexcept {
    return statistics_.status_news.exchange(0, std::memory_order_acquire);
  }
  /// Of one other thread: verbs and emergency stops, each once, in their order. False: there is none. Those of a second wait.
  [[nodiscard]] bool try_take_note(TickNote& note) noexcept { return notes_.try_pop(note); }
  [[nodiscard]] const LoopReport& report() const noexcept { return report_; }

 private:
  void try_tick() noexcept RODEO_NONBLOCKING;
  [[nodiscard]] TickInput try_input(const Beat& beat) noexcept;
  [[nodiscard]] bool is_stale() const noexcept;
  [[nodiscard]] std::uint8_t find_events(const Beat& beat) noexcept;
  void note_changes() noexcept;
  void note_halt() noexcept;
  void note_verb(const TickInput& input, bool was_stopped) noexcept;
  void note_beat(const Beat& beat) noexcept;
  void note_session() noexcept;
  void publish() noexcept;
  void record(const TickInput& input) noexcept;
  [[nodiscard]] bool is_over() noexcept;

  Session& session_;
  Clock& clock_;
  LoopOptions options_;
  LoopPorts ports_;
  Pacer pacer_;
  std::vector<Command> commands_;  // what Sample::commands points to
  std::vector<double> forces_;     // what Sample::forces points to
  std::vector<Command> braking_;   // rate 0 for every drive
  Sample sample_;
  LoopReport report_;
  LoopStatistics statistics_;
  Ring<TickNote, 1024> notes_;
  std::int64_t ready_ = 0;          // when the tick before was done
  std::int64_t braking_until_ = 0;  // simulated time; 0 while not braking
  bool is_armed_ =
      false;  // a command has come since the start, and since a rearm of a machine without commands
  bool was_halted_ = false;
  std::atomic<bool> is_stopping_{false};
};

}  // namespace rodeo::engine
