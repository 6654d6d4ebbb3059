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

bool is_jump(Verb verb) noexcept {
  return verb == Verb::reset || verb == Verb::load || verb == Verb::restore;
}

bool has_rest(std::span<const DriveState> drives) noexcept {
  return std::all_of(drives.begin(), drives.end(), [](const DriveState& drive) { return drive.rate == 0; });
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
  if (!saved.is_filled || stepper_.try_restore(saved.bytes) != KernelStatus::ok) return false;
  own_ticks_ = saved.own_ticks;
  return true;
}

bool Session::is_at_rest() const noexcept {
  return stepper_.kernel().free_count() == 0 && has_rest(stepper_.drives());
}

/// To go elsewhere than where it stands. Without commands it stays.
bool Session::is_commanded(const TickInput& input) const noexcept {
  if ((input.events & kStaleInput) != 0) return false;
  const auto drives = stepper_.drives();
  for (std::size_t d = 0; d < drives.size(); ++d) {
    const Command& command = input.commands[d];
    const double way = command.kind == Command::Kind::position ? command.position - drives[d].position : 0.0;
    if (!(std::abs(way) <= kStandstill && std::abs(command.rate) <= kStandstill)) return true;
  }
  return false;
}

VerbRefusal Session::find_refusal(const TickInput& input) const noexcept {
  if (options_.rules < kVerbRules) return VerbRefusal::none;
  const bool is_stop = (input.events & kEmergencyStop) != 0;
  const bool is_stopped = is_stop || (latches_ & kStopped) != 0;
  if (is_jump(input.verb)) {
    if (is_stopped) return VerbRefusal::stopped;
    return is_at_rest() || (latches_ & kFrozen) != 0 ? VerbRefusal::none : VerbRefusal::moving;
  }
  if (input.verb != Verb::rearm || !is_stopped) return VerbRefusal::none;
  if (is_stop) return VerbRefusal::stopped;
  if (!has_rest(stepper_.drives())) return VerbRefusal::moving;
  if ((input.events & kTwoSteps) == 0) return VerbRefusal::one_step;
  return is_commanded(input) ? VerbRefusal::commanded : VerbRefusal::none;
}

/// On any refusal nothing has changed.
VerbRefusal Session::try_verb(const TickInput& input) noexcept {
  constexpr std::uint32_t kWaiting = kStaleLatched | kStopped | kHalted;
  const auto to_refusal = [](bool is_done) { return is_done ? VerbRefusal::none : VerbRefusal::missing; };
  if (const VerbRefusal refusal = find_refusal(input); refusal != VerbRefusal::none) return refusal;
  switch (input.verb) {
    case Verb::none:
    case Verb::release: return VerbRefusal::none;
    case Verb::run: latches_ &= ~std::uint32_t{kFrozen}; return VerbRefusal::none;
    case Verb::step:
    case Verb::freeze: latches_ |= kFrozen; return VerbRefusal::none;
    case Verb::rearm: latches_ &= ~kWaiting; return VerbRefusal::none;
    case Verb::reset: latches_ &= ~kWaiting; return to_refusal(try_return(starts_[0]));
    case Verb::load: return to_refusal(input.slot < starts_.size() && try_return(starts_[input.slot]));
    case Verb::restore: return to_refusal(input.slot < kSnapshotSlots && try_return(snapshots_[input.slot]));
    case Verb::snapshot:
      if (input.slot >= kSnapshotSlots) break;
      stepper_.save(snapshots_[input.slot].bytes);
      snapshots_[input.slot].is_filled = true;
      snapshots_[input.slot].own_ticks = own_ticks_;
      return VerbRefusal::none;
  }
  return VerbRefusal::missing;
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

void Session::move(std::span<const Command> commands, std::uint32_t skipped) noexcept {
  const bool is_safe = (status_ & kSafeState) != 0;
  if (options_.rules < kOwnRules) skipped = 0;
  if (stepper_.try_tick(is_safe ? std::span<const Command>(braking_) : commands, skipped) !=
      TickResult::bad_input)
    return;
  status_ |= kBadInput;
  static_cast<void>(stepper_.try_tick(braking_, skipped));
}

/// What moves by its forces keeps the loads of its accelerations, which stay too.
void Session::stay() noexcept {
  if (options_.rules >= kOwnRules && stepper_.kernel().free_count() == 0) stepper_.measure_loads();
}

/// After the latches, which take the forces away. False if one is not finite: then those before it stay.
bool Session::try_inputs(std::span<const double> forces) noexcept {
  if (inputs_.empty()) return true;
  assert(forces.empty() || forces.size() + 1 == inputs_.size());
  inputs_[0] = static_cast<double>(own_time()) / kNano;
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

void Session::count(std::int64_t moved) noexcept {
  own_ticks_ = options_.rules < kOwnRules ? tick_ : own_ticks_ + moved;
}

void Session::tick(const TickInput& input) noexcept {
  const bool was_frozen = (latches_ & kFrozen) != 0;
  tick_ += 1 + std::int64_t{input.skipped};
  status_ = 0;
  verb_refusal_ = try_verb(input);
  const bool is_done = verb_refusal_ == VerbRefusal::none;
  if (!is_done) status_ |= kVerbRefused;
  latch(input.events);
  status_ |= latches_;
  // A verb that places the machine is seen for one tick as it is, before anything moves it on.
  const bool is_placed = is_done && is_jump(input.verb);
  if (is_placed && options_.rules >= kVerbRules) status_ |= kJumped;
  const bool is_moving = !is_placed && ((latches_ & kFrozen) == 0 || input.verb == Verb::step);
  const std::uint32_t skipped = was_frozen ? 0 : input.skipped;
  count(is_moving ? 1 + std::int64_t{skipped} : 0);
  const bool is_good = try_inputs(input.forces);
  if (!is_good) status_ |= kBadInput;
  if (!is_moving) stay();
  if (is_moving) move(is_good ? input.commands : std::span<const Command>(braking_), skipped);
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
