// SPDX-License-Identifier: MIT
// The order of a tick as ports.h promises it, and what is measured on the way.
#include "engine/loop/loop.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace rodeo::engine {
namespace {

/// One writer: a load and a store do.
template <typename Value>
void set(std::atomic<Value>& to, Value value) noexcept {
  to.store(value, std::memory_order_relaxed);
}

template <typename Value>
void raise(std::atomic<Value>& to, Value value) noexcept {
  if (value > to.load(std::memory_order_relaxed)) set(to, value);
}

void count(std::atomic<std::uint64_t>& counter, std::uint64_t more = 1) noexcept {
  set(counter, counter.load(std::memory_order_relaxed) + more);
}

bool is_at_rest(const Session& session) noexcept {
  const auto drives = session.stepper().drives();
  return std::all_of(drives.begin(), drives.end(), [](const DriveState& drive) { return drive.rate == 0; });
}

/// Those that the session has: 0 at its start, what was recorded last where a replay is taken over.
std::vector<double> build_forces(const Session& session) {
  const auto inputs = session.stepper().inputs();
  return {inputs.begin() + (inputs.empty() ? 0 : 1), inputs.end()};
}

}  // namespace

Loop::Loop(Session& session, Clock& clock, const LoopOptions& options, LoopPorts ports)
    : session_(session),
      clock_(clock),
      options_(options),
      ports_(std::move(ports)),
      pacer_(0, session.options().period, options.overrun, options.burst),
      commands_(session.stepper().drives().size(), Command::moving(0)),
      forces_(build_forces(session)),
      braking_(commands_) {
  sample_.commands = commands_;
  sample_.forces = forces_;
}

void Loop::start() noexcept {
  was_halted_ = (session_.status() & kHalted) != 0;  // of a session that is taken over
  ready_ = clock_.now();
  pacer_ = Pacer(ready_, session_.options().period, options_.overrun, options_.burst);
}

bool Loop::is_stale() const noexcept {
  if (!options_.timeout) return false;
  return !sample_.has_any || report_.begin - sample_.arrival > *options_.timeout;
}

/// A machine that waits for its first command neither latches nor halts.
std::uint8_t Loop::find_events(const Beat& beat) noexcept {
  const bool is_without = is_stale();
  if (is_without && (sample_.verb == Verb::rearm || sample_.verb == Verb::reset)) is_armed_ = false;
  const bool is_waiting = is_without && !is_armed_;
  std::uint8_t events = 0;
  if (is_without) events |= kStaleInput;
  if (is_waiting) events |= kUnarmed;
  if (sample_.emergency_stop) events |= kEmergencyStop;
  if (sample_.two_steps) events |= kTwoSteps;
  if (beat.is_halted && !is_waiting) events |= kOverrun;
  return events;
}

/// Everything that the tick shall depend on, as it stands now.
TickInput Loop::try_input(const Beat& beat) noexcept {
  sample_.time = (session_.tick_number() + 1 + beat.skipped) * session_.options().period;
  sample_.due = beat.deadline + beat.skipped * session_.options().period;
  sample_.verb = Verb::none;
  sample_.slot = 0;
  sample_.emergency_stop = false;
  sample_.two_steps = false;
  sample_.origin = {};
  sample_.status = session_.status();
  sample_.drives = session_.stepper().drives();
  if (ports_.commands != nullptr && ports_.commands->try_sample(report_.begin, sample_)) is_armed_ = true;
  TickInput input{beat.skipped,     sample_.verb,   sample_.slot,  find_events(beat),
                  sample_.commands, sample_.forces, sample_.origin};
  if (!is_stopping_.load(std::memory_order_relaxed)) return input;
  input.verb = Verb::none;  // nothing may set it in motion again
  input.commands = braking_;
  return input;
}

void Loop::note_beat(const Beat& beat) noexcept {
  report_.deadline = beat.deadline;
  report_.late += beat.is_late ? 1 : 0;
  report_.lost += beat.skipped;
  report_.lag = beat.lag;
  statistics_.wake.add(report_.begin - beat.deadline);
  set(statistics_.late, report_.late);
  set(statistics_.lost, report_.lost);
  set(statistics_.lag, report_.lag);
  raise(statistics_.lag_max, report_.lag);
}

void Loop::note_session() noexcept {
  report_.residual_max = std::max(report_.residual_max, session_.stepper().residual());
  set(statistics_.residual_max, report_.residual_max);
  set(statistics_.time, session_.time());
  note_changes();
  set(statistics_.status, session_.status());
  set(statistics_.status_any, statistics_.status_any.load(std::memory_order_relaxed) | session_.status());
  statistics_.status_news.fetch_or(session_.status(), std::memory_order_release);
  note_halt();
  set(statistics_.checksum, session_.checksum());
  set(statistics_.is_at_rest, is_at_rest(session_));
  count(statistics_.ticks);
}

/// Before the bits themselves: who sees one knows when.
void Loop::note_changes() noexcept {
  const std::uint32_t now = session_.status();
  std::uint32_t changed = now ^ statistics_.status.load(std::memory_order_relaxed);
  for (; changed != 0; changed &= changed - 1) {
    const int bit = std::countr_zero(changed);
    set((now >> bit & 1U) != 0 ? statistics_.risen[bit] : statistics_.fallen[bit], session_.time());
  }
}

/// The first one's tick, and how often.
void Loop::note_halt() noexcept {
  const bool is_halted = (session_.status() & kHalted) != 0;
  if (is_halted && !was_halted_) {
    if (statistics_.halts.load(std::memory_order_relaxed) == 0) {
      set(statistics_.first_halt, session_.tick_number());
    }
    count(statistics_.halts);
  }
  was_halted_ = is_halted;
}

/// What does not fit is not told: nobody has looked for a second.
void Loop::note_verb(const TickInput& input, bool was_stopped) noexcept {
  const bool is_stop = (input.events & kEmergencyStop) != 0;
  TickNote note{session_.time(), true, Verb::none, 0, VerbRefusal::none, input.origin};
  if (is_stop && !was_stopped) static_cast<void>(notes_.try_push(note));
  if (input.verb == Verb::none) return;
  const Origin origin = is_stop ? Origin{} : input.origin;  // the stop's
  note = {session_.time(), false, input.verb, input.slot, session_.verb_refusal(), origin};
  static_cast<void>(notes_.try_push(note));
}

void Loop::publish() noexcept {
  if (ports_.states.empty()) return;
  const std::int64_t begin = clock_.now();
  for (StatePort* port : ports_.states) port->try_publish(session_, report_, begin);
  statistics_.send.add(clock_.now() - begin);
}

void Loop::record(const TickInput& input) noexcept {
  if (ports_.record == nullptr || ports_.record->try_record(input, session_)) return;
  ++report_.unrecorded;
  set(statistics_.unrecorded, report_.unrecorded);
}

/// All of a tick but the sleep before it.
void Loop::try_tick() noexcept {
  report_.begin = clock_.now();
  const Beat beat = pacer_.try_begin(ready_, report_.begin);
  note_beat(beat);
  const TickInput input = try_input(beat);
  // A packet may arrive between the reading of the clock and the sample: its age is 0, not negative.
  report_.input_age = sample_.has_any ? std::max<std::int64_t>(0, report_.begin - sample_.arrival) : -1;
  report_.delay = sample_.has_any ? sample_.delay : 0;
  if (sample_.has_any) statistics_.input_age.add(report_.input_age);
  if (sample_.has_any) statistics_.delay.add(report_.delay);
  if ((input.events & kStaleInput) != 0) count(statistics_.stale);
  const std::int64_t before = clock_.now();
  const bool was_stopped = (session_.status() & kStopped) != 0;
  session_.tick(input);
  statistics_.step.add(clock_.now() - before);
  note_session();
  note_verb(input, was_stopped);
  publish();
  record(input);
  ready_ = clock_.now();
}

void Loop::tick() noexcept {
  clock_.sleep_until(pacer_.deadline());
  try_tick();
}

/// A frozen machine stands still, whatever its rates: there is nothing to wait for.
bool Loop::is_over() noexcept {
  if (session_.tick_number() >= options_.last_tick) return true;
  if (!is_stopping_.load(std::memory_order_relaxed)) return false;
  if (braking_until_ == 0) braking_until_ = session_.time() + options_.brake_time;
  return (session_.status() & kFrozen) != 0 || is_at_rest(session_) || session_.time() >= braking_until_;
}

void Loop::run() noexcept {
  start();
  while (!is_over()) tick();
}

}  // namespace rodeo::engine
