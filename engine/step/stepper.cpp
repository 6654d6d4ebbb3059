// SPDX-License-Identifier: MIT
// The order of a tick. drives_ changes in commit() only, after the kernel has agreed to next_.
#include "engine/step/stepper.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <cstring>
#include <limits>

namespace rodeo::engine {
namespace {

/// No position was asked for.
constexpr DriveState kNothing{std::numeric_limits<double>::quiet_NaN(), 0, 0};

/// Steps of try_place: fine enough for iterated blocks and for unwrapped angles, at most pi / 1000 of a half turn.
constexpr int kPlacingSteps = 1000;
/// Of a rate, rad/s or m/s: what its acceleration does not explain.
constexpr double kSameRate = 1e-9;
/// s: drives go on through ticks that were lost, as their limits allow, unless it were so long that they would rather leap than move.
constexpr double kLongestLoss = 0.05;
/// The machine comes to rest a rounding away from where the scout was, and must not be refused there.
constexpr double kScoutsCaution = 1 + 1e-6;

std::vector<DriveLimiter> build_limiters(std::span<const DriveLimits> limits, double period) {
  std::vector<DriveLimiter> limiters;
  for (const DriveLimits& each : limits) limiters.emplace_back(each, period);
  return limiters;
}

/// What a start or a placing is refused for.
KernelStatus find_status(std::uint32_t hold) noexcept {
  switch (hold) {
    case 0: return KernelStatus::ok;
    case kBadInput: return KernelStatus::bad_input;
    case kHoldSingular:
    case kHoldBranch: return KernelStatus::singular;
    default: return KernelStatus::open;
  }
}

}  // namespace

Stepper::Stepper(const Kernel& kernel, std::span<const DriveLimits> limits, const StepperOptions& options)
    : options_(options),
      limiters_(build_limiters(limits, options.period)),
      machine_(kernel),
      scout_(kernel),
      follower_(kernel, options.closure == RODEO_EXACT ? Meetings::passed : Meetings::refused),
      mover_(kernel),
      before_(kernel),
      watch_(kernel),
      audit_(kernel, options.method),
      drives_(kernel.drive_count()),
      asked_(kernel.drive_count(), kNothing),
      machine_at_(kernel.drive_count()),
      scout_at_(kernel.drive_count()),
      outputs_(kernel.output_count()),
      inputs_(kernel.input_count()),
      loads_(kernel.load_count()),
      states_(kernel.state_count()),
      drive_status_(kernel.drive_count()),
      next_(kernel.drive_count()),
      values_(3 * kernel.drive_count()),
      paths_(9 * kernel.drive_count()),
      scout_outputs_(kernel.output_count()),
      loads_before_(kernel.load_count()) {
  assert(limits.size() == kernel.drive_count() && options.period > 0);
}

KernelStatus Stepper::try_start(std::span<const double> parameters,
                                std::span<const double> positions) noexcept {
  for (Instance* instance : {&machine_, &scout_}) {
    if (const KernelStatus status = instance->try_init(parameters, positions); status != KernelStatus::ok) {
      return status;
    }
  }
  machine_.set_stop_margin(options_.stop_margin);
  scout_.set_stop_margin(options_.stop_margin * kScoutsCaution);
  for (std::size_t d = 0; d < drives_.size(); ++d) next_[d] = drives_[d] = {positions[d], 0, 0};
  std::ranges::fill(asked_, kNothing);
  std::copy(positions.begin(), positions.end(), machine_at_.begin());
  std::copy(positions.begin(), positions.end(), scout_at_.begin());
  if (const std::uint32_t why = try_exact(); why != 0) return find_status(why);
  status_ = 0;
  std::fill(drive_status_.begin(), drive_status_.end(), 0U);
  commit();
  audit_.open(loads_);
  return KernelStatus::ok;
}

KernelStatus Stepper::try_place(std::span<const DriveState> target) noexcept {
  assert(target.size() == drives_.size());
  for (int i = kPlacingSteps - 1; i >= 0; --i) {
    for (std::size_t d = 0; d < drives_.size(); ++d) {
      const double left = target[d].position - drives_[d].position;
      next_[d] = {drives_[d].position + left / (i + 1), 0, 0};
      if (i == 0) next_[d] = target[d];
    }
    std::uint32_t why = try_scout();
    if (why == 0) why = try_exact();
    if (why != 0) return find_status(why);
    commit();
  }
  return KernelStatus::ok;
}

void Stepper::set_inputs(std::span<const double> inputs) noexcept {
  assert(inputs.size() == inputs_.size());
  std::copy(inputs.begin(), inputs.end(), inputs_.begin());
}

bool Stepper::is_finite(std::span<const Command> commands) const noexcept {
  return std::all_of(commands.begin(), commands.end(), [](const Command& command) {
    return std::isfinite(command.position) && std::isfinite(command.rate) &&
           std::isfinite(command.acceleration);
  });
}

/// Poses that follow from the drives alone may be passed over.
bool Stepper::is_caught_up(std::uint32_t skipped) const noexcept {
  return is_followed() && skipped * options_.period <= kLongestLoss;
}

void Stepper::limit(std::span<const Command> commands, std::uint32_t skipped) noexcept {
  status_ = 0;
  const double period = is_caught_up(skipped) ? (1 + skipped) * options_.period : options_.period;
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    const bool is_position = commands[d].kind == Command::Kind::position;
    const DriveState* before = is_position && std::isfinite(asked_[d].position) ? &asked_[d] : nullptr;
    const LimitedState limited = DriveLimiter(limits(d), period).calc_next(drives_[d], commands[d], before);
    asked_[d] =
        is_position ? DriveState{commands[d].position, commands[d].rate, commands[d].acceleration} : kNothing;
    next_[d] = limited.state;
    drive_status_[d] = limited.status;
    status_ |= limited.status;
  }
}

/// Can the machine come to rest after next_?
std::uint32_t Stepper::try_scout() noexcept {
  for (std::size_t d = 0; d < next_.size(); ++d) {
    values_[3 * d] = limiters_[d].calc_rest(next_[d]);
    values_[3 * d + 1] = 0;
    values_[3 * d + 2] = 0;
  }
  return follower_.try_step(scout_, scout_at_, values_, scout_outputs_);
}

void Stepper::set_values() noexcept {
  for (std::size_t d = 0; d < next_.size(); ++d) {
    values_[3 * d] = next_[d].position;
    values_[3 * d + 1] = next_[d].rate;
    values_[3 * d + 2] = next_[d].acceleration;
  }
}

std::uint32_t Stepper::try_exact() noexcept {
  set_values();
  if (kernel().free_count() > 0) return find_hold_bit(machine_.try_step(values_, outputs_));
  const std::uint32_t why = follower_.try_step(machine_, machine_at_, values_, outputs_);
  if (why != 0) return why;
  std::copy(follower_.states().begin(), follower_.states().end(), states_.begin());
  margin_ = follower_.margin();
  return 0;
}

KernelStatus Stepper::try_poses() noexcept {
  for (std::size_t d = 0; d < next_.size(); ++d) {
    values_[2 * d] = next_[d].rate;
    values_[2 * d + 1] = next_[d].acceleration;
  }
  return machine_.try_poses(std::span(values_).first(2 * next_.size()), outputs_);
}

std::uint32_t Stepper::try_integrated() noexcept {
  for (std::size_t d = 0; d < next_.size(); ++d) {
    const auto rates = limiters_[d].calc_rates(drives_[d], next_[d]);
    std::copy(rates.begin(), rates.end(), values_.begin() + static_cast<std::ptrdiff_t>(3 * d));
  }
  machine_.get_state(states_);
  KernelStatus status =
      machine_.try_integrate(values_, options_.period, options_.method, options_.closure, options_.gain);
  if (status != KernelStatus::ok) return find_hold_bit(status);
  status = try_poses();
  if (status != KernelStatus::ok) static_cast<void>(machine_.try_set_state(states_));  // it came from there
  return find_hold_bit(status);
}

std::uint32_t Stepper::try_kernel() noexcept {
  return options_.closure == RODEO_EXACT ? try_exact() : try_integrated();
}

/// Free coordinates first, with the drives' paths through the period, then everything at its end. The time among the inputs
/// is that of the end.
std::uint32_t Stepper::try_whole_free() noexcept {
  const double period = options_.period;
  for (std::size_t d = 0; d < next_.size(); ++d) {
    double* path = &paths_[9 * d];
    for (const DriveState& at : limiters_[d].calc_path(drives_[d], next_[d])) {
      *path++ = at.position;
      *path++ = at.rate;
      *path++ = at.acceleration;
    }
  }
  inputs_[0] -= period;
  begin_audit();
  const KernelStatus status = options_.finds_jumps
                                  ? mover_.try_move(machine_, paths_, inputs_, period, options_.method)
                                  : machine_.try_free(paths_, inputs_, period, options_.method);
  inputs_[0] += period;
  return status == KernelStatus::ok ? try_exact() : find_hold_bit(status);
}

/// What drives move is not watched where they jump. A leap leaves everything as it was.
std::uint32_t Stepper::try_free() noexcept {
  before_.copy(machine_);
  watch_.begin(machine_);
  if (const std::uint32_t why = try_whole_free(); why != 0) return why;
  if (!drives_.empty()) return 0;
  const auto leap = watch_.find_leap(machine_, options_.period);
  if (!leap) return 0;
  leapt_ = kernel().states()[*leap].name;
  machine_.copy(before_);
  static_cast<void>(try_exact());  // outputs of before
  return kHoldBranch;
}

void Stepper::begin_audit() noexcept {
  if (!audit_.is_on()) return;
  if (machine_.try_loads(outputs_, inputs_, loads_before_) == KernelStatus::ok)
    audit_.begin_step(loads_before_);
}

/// After a move; drives_ are still those of its begin.
bool Stepper::has_impulse() const noexcept {
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    const double mean = 0.5 * (drives_[d].acceleration + next_[d].acceleration);
    const double jump = next_[d].rate - drives_[d].rate - options_.period * mean;
    if (std::abs(jump) > kSameRate * (1 + std::abs(drives_[d].rate))) return true;
  }
  return false;
}

std::uint32_t Stepper::try_move() noexcept {
  if (kernel().free_count() > 0) return try_free();
  const std::uint32_t why = try_scout();
  return why == 0 ? try_kernel() : why;
}

/// Brakes towards the pose of rest that the scout found good before.
void Stepper::hold(std::uint32_t why) noexcept {
  status_ = why;
  if (kernel().free_count() > 0) {
    std::copy(drives_.begin(), drives_.end(), next_.begin());
    return std::fill(drive_status_.begin(), drive_status_.end(), status_);
  }
  for (std::size_t d = 0; d < drives_.size(); ++d) next_[d] = limiters_[d].calc_braked(drives_[d]);
  if (try_kernel() != 0) stop_dead();
  std::fill(drive_status_.begin(), drive_status_.end(), status_);
}

/// The last pose again, at rest. The kernel has agreed to it before; if it does not now, the outputs stay.
void Stepper::stop_dead() noexcept {
  for (std::size_t d = 0; d < drives_.size(); ++d) {
    if (drives_[d].rate != 0) status_ |= kHoldAbrupt;
    next_[d] = {drives_[d].position, 0, 0};
  }
  if (options_.closure == RODEO_EXACT) return static_cast<void>(try_exact());
  static_cast<void>(try_poses());
}

TickResult Stepper::try_tick(std::span<const Command> commands, std::uint32_t skipped) noexcept {
  assert(commands.size() == drives_.size());
  if (!is_finite(commands)) return TickResult::bad_input;
  limit(commands, skipped);
  const std::uint32_t why = try_move();
  const bool is_audited = why == 0 && audit_.is_on(), is_pushed = is_audited && has_impulse();
  if (why != 0) hold(why);
  commit();
  if (is_audited) audit_.end_step(loads_, options_.period, is_pushed);
  if (audit_.has_gained()) status_ |= kEnergyGain;
  return why == 0 ? TickResult::ok : TickResult::held;
}

void Stepper::commit() noexcept {
  std::copy(next_.begin(), next_.end(), drives_.begin());
  measure();
}

bool Stepper::is_followed() const noexcept {
  return options_.closure == RODEO_EXACT && kernel().free_count() == 0;
}

void Stepper::measure_instance() noexcept {
  machine_.get_state(states_);
  // An integrated machine is where its drives are, but for drift: the scout, which has gone ahead, knows how near it is.
  margin_ = options_.closure == RODEO_EXACT ? machine_.calc_margin() : scout_.calc_margin();
}

void Stepper::measure_loads() noexcept {
  if (machine_.try_loads(outputs_, inputs_, loads_) != KernelStatus::ok)
    std::fill(loads_.begin(), loads_.end(), std::numeric_limits<double>::quiet_NaN());
}

void Stepper::measure() noexcept {
  if (!is_followed()) measure_instance();
  double residual = 0;
  if (machine_.try_closure(states_, residual) == KernelStatus::ok) residual_ = residual;
  measure_loads();
  if (margin_ < options_.warn_margin) status_ |= kNearSingular;
}

namespace {

/// Copies values to and from bytes, one after the other. Bytes are those of this processor, little-endian.
class Packer {
 public:
  explicit Packer(unsigned char* to) : to_(to) {}
  template <typename Value>
  void put(std::span<const Value> values) noexcept {
    std::memcpy(to_, values.data(), values.size_bytes());
    to_ += values.size_bytes();
  }

 private:
  unsigned char* to_;
};

class Unpacker {
 public:
  explicit Unpacker(const unsigned char* from) : from_(from) {}
  template <typename Value>
  void get(std::span<Value> values) noexcept {
    std::memcpy(values.data(), from_, values.size_bytes());
    from_ += values.size_bytes();
  }

 private:
  const unsigned char* from_;
};

static_assert(std::endian::native == std::endian::little);

}  // namespace

std::size_t Stepper::saved_bytes() const noexcept {
  return 2 * machine_.state_bytes() + 2 * std::span(drives_).size_bytes() +
         2 * std::span(scout_at_).size_bytes() + std::span(outputs_).size_bytes() +
         std::span(loads_).size_bytes() + 2 * sizeof(double) + sizeof(std::uint32_t) +
         std::span(drive_status_).size_bytes() + (audit_.is_on() ? sizeof(EnergyAudit::State) : 0);
}

void Stepper::save(std::span<unsigned char> bytes) const noexcept {
  assert(bytes.size() == saved_bytes());
  const std::size_t size = machine_.state_bytes();
  machine_.save(bytes.first(size));
  scout_.save(bytes.subspan(size, size));
  Packer packer(bytes.data() + 2 * size);
  packer.put(std::span<const DriveState>(drives_));
  packer.put(std::span<const DriveState>(asked_));
  packer.put(std::span<const double>(machine_at_));
  packer.put(std::span<const double>(scout_at_));
  packer.put(std::span<const double>(outputs_));
  packer.put(std::span<const double>(loads_));
  packer.put(std::span<const double>(&residual_, 1));
  packer.put(std::span<const double>(&margin_, 1));
  packer.put(std::span<const std::uint32_t>(&status_, 1));
  packer.put(std::span<const std::uint32_t>(drive_status_));
  if (audit_.is_on()) packer.put(std::span<const EnergyAudit::State>(&audit_.state(), 1));
}

KernelStatus Stepper::try_restore(std::span<const unsigned char> bytes) noexcept {
  const std::size_t size = machine_.state_bytes();
  if (bytes.size() != saved_bytes()) return KernelStatus::bad_state;
  if (const KernelStatus s = machine_.try_restore(bytes.first(size)); s != KernelStatus::ok) return s;
  if (const KernelStatus s = scout_.try_restore(bytes.subspan(size, size)); s != KernelStatus::ok) return s;
  Unpacker unpacker(bytes.data() + 2 * size);
  unpacker.get(std::span(drives_));
  unpacker.get(std::span(asked_));
  unpacker.get(std::span(machine_at_));
  unpacker.get(std::span(scout_at_));
  unpacker.get(std::span(outputs_));
  unpacker.get(std::span(loads_));
  unpacker.get(std::span(&residual_, 1));
  unpacker.get(std::span(&margin_, 1));
  unpacker.get(std::span(&status_, 1));
  unpacker.get(std::span(drive_status_));
  EnergyAudit::State state;
  if (audit_.is_on()) unpacker.get(std::span(&state, 1));
  audit_.set_state(state);
  return KernelStatus::ok;
}

}  // namespace rodeo::engine
