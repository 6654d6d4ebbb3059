// SPDX-License-Identifier: MIT
// What the loop needs from outside, so that it knows neither sockets nor files: a port for commands, ports for states and one
// for the record. engine/net and engine/record implement them; a test brings its own. Every function here is called from the
// loop's thread, within a tick, in the order
//     try_sample -> Session::tick -> try_publish (each port) -> try_record
// and is real-time safe: no allocation, lock, log or blocking call. Times are nanoseconds of the loop's clock, which is
// CLOCK_MONOTONIC outside of tests.
//
// A command that has arrived before tick k's try_sample is in the state that is published at tick k.
#pragma once
#include <cstdint>
#include <span>

#include "engine/session/nonblocking.h"
#include "engine/session/session.h"

namespace rodeo::engine {

/// What has come in, as it stands at the begin of a tick. The loop keeps one of these from tick to tick.
struct Sample {
  std::int64_t time = 0;                 // in: simulated time of the tick to be made, ns
  std::int64_t due = 0;                  // in: when it should have begun
  std::uint32_t status = 0;              // in: the session's, of the tick before
  std::span<const DriveState> drives{};  // in: of the tick before
  /// One a drive: what the valid packets up to now make of it at `time`. The loop's own buffer, which keeps what it has: a port
  /// overwrites all of it or nothing. Before the first packet: rate 0.
  std::span<Command> commands;
  std::span<double>
      forces;  // the same, one a force of the kernel; before the first packet: those of the session, 0 at its start
  bool has_any = false;         // a valid packet has come since the port was opened
  std::int64_t arrival = 0;     // of the newest valid packet; of no meaning without has_any
  std::int64_t delay = 0;       // ns by which the port delays commands to make a motion of them
  Verb verb = Verb::none;       // the next one of the queue: at most one a tick; none if the queue is empty
  std::uint8_t slot = 0;        // of the verb
  bool emergency_stop = false;  // one has come since the last sample
  bool two_steps = false;       // of a rearm: see kTwoSteps
  Origin origin{};              // of the stop, else of the verb
};

class CommandPort {
 public:
  virtual ~CommandPort() = default;
  /// Fills `out` but for its time; the loop has set verb and emergency_stop to none before. True if a packet has come
  /// since the last call. `now`: the begin of the tick; a packet's arrival is not later.
  [[nodiscard]] virtual bool try_sample(std::int64_t now, Sample& out) noexcept RODEO_NONBLOCKING = 0;
  /// Another port has stopped the machine at this tick: what was sent before releases nothing.
  virtual void note_stop() noexcept RODEO_NONBLOCKING {}
};

/// What the loop knows of itself at a tick, for those who publish it.
struct LoopReport {
  std::int64_t deadline = 0;    // when this tick was due
  std::int64_t begin = 0;       // when it began: its sample was taken
  std::int64_t input_age = -1;  // begin less the arrival of the command in use; -1 without any
  std::int64_t delay = 0;       // ns by which the commands in use are delayed, to be a motion
  std::int64_t lag = 0;  // how far simulated time is behind the clock: slipped, or still to be caught up
  std::uint64_t late =
      0;  // ticks, up to now, that began after the next one was due, or when the one before was not done
  std::uint64_t lost = 0;        // ticks, up to now, that were jumped over
  std::uint64_t unrecorded = 0;  // ticks, up to now, that the record port has not taken
  double residual_max = 0;       // m, up to now
};

class StatePort {
 public:
  virtual ~StatePort() = default;
  /// `session` has just made its tick. What cannot be sent at once is not sent; the port counts it.
  virtual void try_publish(const Session& session, const LoopReport& report,
                           std::int64_t now) noexcept RODEO_NONBLOCKING = 0;
};

class RecordPort {
 public:
  virtual ~RecordPort() = default;
  /// `input` has just been made a tick by `session`. False if it could not be kept: ring full, recording stopped.
  [[nodiscard]] virtual bool try_record(const TickInput& input,
                                        const Session& session) noexcept RODEO_NONBLOCKING = 0;
};

}  // namespace rodeo::engine
