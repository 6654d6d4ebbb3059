// SPDX-License-Identifier: MIT
// The order of a tick: counter, verb, latches, motion, checksum.
#include "engine/session/session.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <string_view>

namespace rodeo::engine {
namespace {

constexpr double kNano = 1e9;

SessionOptions with_period(SessionOptions options, bool finds_jumps) {
  options.stepper.finds_jumps = finds_jumps;
  options.stepper.period = static_cast<double>(options.period) / kNano;
  return options;
}

/// One word into a running hash: multiply and fold, so that every bit reaches every other within two words.
std::uint64_t mix(std::uint64_t hash, std::uint64_t word) noexcept {
  hash = (hash ^ word) * 0x9e3779b97f4a7c15ULL;
  return hash ^ (hash >> 32);
}

std::uint64_t mix(std::uint64_t hash, double value) noexcept {
  return mix(hash, std::bit_cast<std::uint64_t>(value));
}

std::vector<bool> find_pushing(std::span<const rodeo_channel> inputs) {
  std::vector<bool> is_pushing;
  for (const rodeo_channel& input : inputs) {
    const std::string_view unit = input.unit;
    is_pushing.push_back(unit == "N" || unit == "N m");
  }
  return is_pushing;
}

}  // namespace

Session::Session(const ModelFolder& model, const SessionOptions& options,
                 std::vector<InitialCondition> conditions)
    : options_(with_period(options, model.finds_jumps)),
      conditions_(std::move(conditions)),
      stepper_(model.kernel, model.limits, options_.stepper),
      starts_(conditions_.size()),
      inputs_(model.kernel.input_count()),
      is_pushing_(find_pushing(model.kernel.inputs())),
      braking_(model.kernel.drive_count(), Command::moving(0)) {
  assert(!conditions_.empty());
  for (std::size_t i = conditions_.size(); i-- > 0;) {  // the first one last: it is the start
    if (stepper_.try_start(model.parameters, conditions_[i].positions) != KernelStatus::ok) {
      throw KernelError(fmt::format("{}: the machine cannot take the initial condition '{}'", model.name,
                                    conditions_[i].name));
    }
    starts_[i] = {true, std::vector<unsigned char>(stepper_.saved_bytes())};
    stepper_.save(starts_[i].bytes);
  }
  for (Saved& slot : snapshots_) slot.bytes.resize(stepper_.saved_bytes());
  hash();
}

bool Session::try_return(const Saved& saved) noexcept {
  return saved.is_filled && stepper_.try_restore(saved.bytes) == KernelStatus::ok;
}

/// False if the verb cannot be done; then nothing has changed.
bool Session::try_verb(const TickInput& input) noexcept {
  constexpr std::uint32_t kWaiting = kStaleLatched | kStopped | kHalted;
  switch (input.verb) {
    case Verb::none: return true;
    case Verb::run: latches_ &= ~std::uint32_t{kFrozen}; return true;
    case Verb::step:
    case Verb::freeze: latches_ |= kFrozen; return true;
    case Verb::rearm: latches_ &= ~kWaiting; return true;
    case Verb::reset: latches_ &= ~kWaiting; return try_return(starts_[0]);
    case Verb::load: return input.slot < starts_.size() && try_return(starts_[input.slot]);
    case Verb::restore: return input.slot < kSnapshotSlots && try_return(snapshots_[input.slot]);
    case Verb::snapshot:
      if (input.slot >= kSnapshotSlots) return false;
      stepper_.save(snapshots_[input.slot].bytes);
      return snapshots_[input.slot].is_filled = true;
  }
  return false;
}

/// After the verb, so that a cause which lasts latches again.
void Session::latch(std::uint8_t events) noexcept {
  if ((events & kEmergencyStop) != 0) latches_ |= kStopped;
  if ((events & kOverrun) != 0) latches_ |= kHalted;
  if ((events & kStaleInput) == 0) return;
  status_ |= kStale;
  const bool is_unarmed = (events & kUnarmed) != 0;
  if (is_unarmed) status_ |= kWaiting;
  if (!is_unarmed && options_.on_stale == OnStale::latch) latches_ |= kStaleLatched;
}

void Session::move(std::span<const Command> commands) noexcept {
  const bool is_safe = (status_ & kSafeState) != 0;
  if (stepper_.try_tick(is_safe ? std::span<const Command>(braking_) : commands) != TickResult::bad_input)
    return;
  status_ |= kBadInput;
  static_cast<void>(stepper_.try_tick(braking_));
}

/// After the latches, which take the forces away. False if one is not finite: then those before it stay.
bool Session::try_inputs(std::span<const double> forces) noexcept {
  if (inputs_.empty()) return true;
  assert(forces.empty() || forces.size() + 1 == inputs_.size());
  inputs_[0] = static_cast<double>(time()) / kNano;
  const bool is_good = std::all_of(forces.begin(), forces.end(), [](double f) { return std::isfinite(f); });
  if (forces.empty()) std::fill(inputs_.begin() + 1, inputs_.end(), 0.0);
  if (is_good) std::copy(forces.begin(), forces.end(), inputs_.begin() + 1);
  const bool is_safe = (status_ & kSafeState) != 0;
  for (std::size_t i = 1; is_safe && i < inputs_.size(); ++i) {
    if (is_pushing_[i]) inputs_[i] = 0;
  }
  stepper_.set_inputs(inputs_);
  return is_good;
}

void Session::tick(const TickInput& input) noexcept {
  tick_ += 1 + std::int64_t{input.skipped};
  status_ = 0;
  const bool is_done = try_verb(input);
  if (!is_done) status_ |= kVerbRefused;
  latch(input.events);
  status_ |= latches_;
  const bool is_good = try_inputs(input.forces);
  if (!is_good) status_ |= kBadInput;
  // A verb that places the machine is seen for one tick as it is, before anything moves it on.
  const bool is_placed =
      is_done && (input.verb == Verb::reset || input.verb == Verb::load || input.verb == Verb::restore);
  const bool is_moving = (latches_ & kFrozen) == 0 || input.verb == Verb::step;
  if (is_moving && !is_placed) move(is_good ? input.commands : std::span<const Command>(braking_));
  status_ |= stepper_.status();
  hash();
}

void Session::hash() noexcept {
  std::uint64_t hash = mix(mix(checksum_, static_cast<std::uint64_t>(tick_)), std::uint64_t{status_});
  for (const DriveState& drive : stepper_.drives()) {
    hash = mix(mix(mix(hash, drive.position), drive.rate), drive.acceleration);
  }
  for (const double value : stepper_.outputs()) hash = mix(hash, value);
  for (const double value : stepper_.loads()) hash = mix(hash, value);
  checksum_ = mix(mix(hash, stepper_.residual()), stepper_.margin());
}

}  // namespace rodeo::engine
