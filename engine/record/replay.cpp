// SPDX-License-Identifier: MIT
// A tick of a replay.
#include "engine/record/replay.h"

#include <bit>

namespace rodeo::engine {
namespace {

bool is_same(double a, double b) noexcept {
  return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

bool is_same(const DriveState& a, const DriveState& b) noexcept {
  return is_same(a.position, b.position) && is_same(a.rate, b.rate) &&
         is_same(a.acceleration, b.acceleration);
}

/// The name of the first channel whose values are not the same bits; null if they all are.
template <typename Value>
const char* find_other(std::span<const rodeo_channel> channels, std::span<const Value> recorded,
                       std::span<const Value> computed) {
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (!is_same(recorded[i], computed[i])) return channels[i].name;
  }
  return nullptr;
}

/// What of a recorded state is not what the session is; empty if all of it is.
std::string find_difference(const RecordedState& recorded, const Session& session) {
  const Kernel& kernel = session.stepper().kernel();
  const TickValues ours(session.stepper()), theirs = recorded.values();
  if (recorded.tick != session.tick_number()) return "tick";
  if (!is_same(recorded.time, static_cast<double>(session.time()) / 1e9)) return "time";
  if (recorded.status != session.status()) return "status";
  if (!is_same(recorded.residual, ours.residual)) return "residual";
  if (!is_same(recorded.margin, ours.margin)) return "margin";
  const char* name = find_other(kernel.drives(), theirs.drives, ours.drives);
  if (name == nullptr) name = find_other(kernel.outputs(), theirs.outputs, ours.outputs);
  if (name == nullptr) name = find_other(kernel.loads(), theirs.loads, ours.loads);
  // Without the time among them, which is the tick's, but for rounding.
  if (name == nullptr && recorded.has_inputs && kernel.force_count() > 0)
    name = find_other(kernel.forces(), theirs.inputs.subspan(1), ours.inputs.subspan(1));
  return name == nullptr ? "" : name;
}

}  // namespace

bool Replay::next() {
  while (reader_.next(recorded_)) {
    is_behind_ = is_behind_ || !can_compute();
    if (!is_behind_) {
      session_.tick(recorded_.input);
      ++tick_count_;
      is_resumed_ = false;
      compare();
      return true;
    }
    if (!can_resume_) return false;
    ++passed_count_;
    if (try_resume()) return true;
  }
  compare_rest();
  return false;
}

/// A snapshot from before the hole is not known behind it.
bool Replay::can_compute() const noexcept {
  const bool returns = recorded_.input.verb == Verb::restore;
  return recorded_.follows && !(has_resumed_ && returns && !session_.has_snapshot(recorded_.input.slot));
}

bool Replay::try_resume() {
  const std::string_view bytes = recorded_.checkpoint;
  if (bytes.empty()) return false;
  const auto* begin = reinterpret_cast<const unsigned char*>(bytes.data());
  if (session_.try_restore({begin, bytes.size()}) != KernelStatus::ok) return false;
  is_behind_ = false;
  has_resumed_ = is_resumed_ = true;
  compare();
  return true;
}

void Replay::compare() {
  const bool is_recorded =
      session_.checksum() == recorded_.checksum && session_.tick_number() == recorded_.tick;
  if (!is_recorded) note(recorded_.tick, "checksum");
  if (can_resume_) compare_states();
}

void Replay::take_state() { has_state_ = states_.next(state_); }

/// Up to the tick that was made last. What lies behind a hole cannot be compared.
void Replay::compare_states() {
  for (; has_state_ && state_.tick <= session_.tick_number(); take_state()) {
    --states_left_;
    if (is_resumed_ && state_.tick < session_.tick_number()) continue;
    if (const std::string what = find_difference(state_, session_); !what.empty()) note(state_.tick, what);
  }
}

/// A state of a tick that was never made, or one that is not whole, would be shown all the same.
void Replay::compare_rest() {
  if (!can_resume_ || passed_count_ > 0 || states_left_ == 0) return;
  note(has_state_ ? state_.tick : session_.tick_number(), "state");
}

void Replay::note(std::int64_t tick, const std::string& what) {
  if (difference_) return;
  difference_ = tick;
  what_differs_ = what;
}

}  // namespace rodeo::engine
