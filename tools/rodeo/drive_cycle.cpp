// SPDX-License-Identifier: MIT
#include "tools/rodeo/drive_cycle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/net/command_gate.h"

namespace rodeo::tools {
namespace {

using engine::Command;
using engine::CommandMode;

constexpr double kNano = 1e9;
constexpr double kSlack = 1e-9;  // as the engine's

bool is_rate(const Command& command) { return command.kind == Command::Kind::rate; }
bool is_rate_mode(CommandMode mode) {
  return mode == CommandMode::rate || mode == CommandMode::rate_acceleration;
}

/// ns after the end of a cycle within which the motion comes to it.
constexpr std::int64_t kArriving = 10'000'000'000;

/// A whole part of the time between packets: a tick, if that is one.
std::int64_t calc_step(const CycleOptions& options) {
  const auto period = std::max<std::int64_t>(1, std::llround(kNano / options.rate));
  const auto tick = std::max<std::int64_t>(1, std::llround(kNano * options.tick));
  return std::max<std::int64_t>(1, period / std::max<std::int64_t>(1, period / tick));
}

/// m or rad before an end stop at which rates come to rest: the machine's own braking must find nothing left to do.
constexpr double kBeforeStop = 1e-6;

/// Of rates from an unknown position the range says nothing: the machine keeps it.
engine::DriveLimits calc_limits(engine::DriveLimits limits, bool is_rate, bool is_placed) {
  if (!is_rate) return limits;
  if (!is_placed) limits.lower = limits.upper = std::nullopt;
  if (limits.lower) *limits.lower += kBeforeStop;
  if (limits.upper) *limits.upper -= kBeforeStop;
  return limits;
}

}  // namespace

CycleSource::CycleSource(std::unique_ptr<engine::Input> input, const engine::MachineInterface& machine,
                         const CycleOptions& options)
    : input_(std::move(input)),
      machine_(machine),
      options_(options),
      end_(input_->end()),
      commands_(machine.drives.size()),
      forces_(machine.forces.size()),
      mode_(find_mode()),
      step_(calc_step(options)) {
  check();
  static_cast<void>(sample(0));
  for (std::size_t d = 0; d < commands_.size(); ++d) {
    limiters_.emplace_back(calc_limits(machine.limits[d], is_rate_mode(mode_), !options.positions.empty()),
                           static_cast<double>(step_) / kNano);
    motion_.push_back(calc_begin(d));
  }
}

/// As Simulation begins: a drive without speed and acceleration is where its cycle is, any other where the machine is, at rest.
engine::DriveState CycleSource::calc_begin(std::size_t drive) const {
  const Command at = calc_command(drive);
  const engine::DriveLimits& limits = machine_.limits[drive];
  const bool is_free = !limits.speed && !limits.acceleration;
  if (is_free) return {at.position, at.rate, is_rate(at) ? 0 : at.acceleration};
  return {options_.positions.empty() ? at.position : options_.positions[drive], 0, 0};
}

void CycleSource::refuse(const std::string& why) const {
  throw engine::IoError(fmt::format("{}: {}", options_.name, why));
}

CommandMode CycleSource::find_mode() {
  input_->sample(0, commands_);
  const auto rates = std::count_if(commands_.begin(), commands_.end(), is_rate);
  if (rates != 0 && rates != std::ssize(commands_)) {
    refuse("a packet holds positions or rates, not both: give all columns alike");
  }
  if (rates == 0 && options_.mode == CommandMode::rate_acceleration) {
    refuse("its columns are positions: it can be sent with --mode motion, position_rate, position or rate");
  }
  if (rates == 0) return options_.mode.value_or(CommandMode::motion);
  const CommandMode mode = options_.mode.value_or(CommandMode::rate_acceleration);
  if (!is_rate_mode(mode)) {
    refuse("its columns are rates: it can be sent with --mode rate or rate_acceleration only");
  }
  return mode;
}

void CycleSource::check_rate(std::size_t drive, double time, double rate) const {
  const engine::Channel& channel = machine_.drives[drive];
  const double most = machine_.limits[drive].speed.value_or(std::abs(rate));
  if (std::abs(rate) <= most + kSlack * std::max(1.0, most)) return;
  refuse(fmt::format("{} moves at {:.6g} {}/s at {:.6g} s, faster than the {:.6g} that the machine takes",
                     channel.name, rate, channel.unit, time, most));
}

/// As Simulation does: beyond an end stop a drive stands.
void CycleSource::clip(std::size_t drive) noexcept {
  Command& at = commands_[drive];
  const engine::DriveLimits& limits = machine_.limits[drive];
  const double low = std::max(at.position, limits.lower.value_or(at.position));
  const double inside = std::min(low, limits.upper.value_or(low));
  if (!is_rate(at) && inside != at.position) at = Command::at(inside);
}

void CycleSource::check_force(std::size_t force, double time) const {
  const engine::Channel& channel = machine_.forces[force];
  if (engine::is_force_in_range(channel, forces_[force])) return;
  const std::string range =
      fmt::format("{:g} to {:g}", channel.unit == "kg" ? 0.0 : -engine::kLargestForce, engine::kLargestForce);
  refuse(fmt::format("{} is {:.6g} {} at {:.6g} s, outside the {} that the machine takes", channel.name,
                     forces_[force], channel.unit, time, range));
}

/// Every packet of one round, before the first is sent: the machine would refuse it and go stale in the middle.
void CycleSource::check() {
  const auto step = std::max<std::int64_t>(1, std::llround(kNano / options_.rate));
  for (std::int64_t time = 0;; time += step) {
    static_cast<void>(sample(time));
    const bool is_more = sample(time);  // once more: without what lies between two packets
    const double seconds = static_cast<double>(time) / kNano * options_.speed;
    for (std::size_t d = 0; is_rate_mode(mode_) && d < commands_.size(); ++d)
      check_rate(d, seconds, calc_rate(d));
    for (std::size_t i = 0; i < forces_.size(); ++i) check_force(i, seconds);
    if (!is_more || static_cast<double>(time) * options_.speed > static_cast<double>(end_)) break;
  }
}

/// False at the end, where everything stands.
bool CycleSource::sample(std::int64_t time) {
  double at = static_cast<double>(time) * options_.speed;
  if (options_.is_looped && end_ > 0) at = std::fmod(at, static_cast<double>(end_));
  is_at_end_ = !options_.is_looped && at >= static_cast<double>(end_);
  is_behind_ = !options_.is_looped && at > static_cast<double>(end_);
  const std::int64_t when = is_at_end_ ? end_ : std::llround(at);
  input_->sample(when, commands_);
  for (std::size_t d = 0; d < commands_.size(); ++d) clip(d);
  input_->sample_forces(when, forces_);
  return !is_at_end_;
}

/// Of the packet: the cycle's own, faster or slower, and never more than the machine would take as a ramp.
double CycleSource::calc_rate(std::size_t drive) const {
  if (is_at_end_) return 0;
  const double rate = commands_[drive].rate * options_.speed;
  const double most = machine_.limits[drive].speed.value_or(std::abs(rate));
  return mode_ == CommandMode::position_rate ? std::clamp(rate, -most, most) : rate;
}

/// What a limiter is asked for at the moment sampled last.
Command CycleSource::calc_command(std::size_t drive) const {
  const Command& at = commands_[drive];
  const double rate = is_behind_ ? 0 : at.rate * options_.speed;
  const double acceleration = is_behind_ ? 0 : at.acceleration * options_.speed * options_.speed;
  return is_rate_mode(mode_) ? Command::moving(rate, acceleration)
                             : Command::at(at.position, rate, acceleration);
}

bool CycleSource::is_limited() const noexcept {
  return mode_ == CommandMode::motion || mode_ == CommandMode::rate_acceleration;
}

/// The machine's own motion up to `time`.
void CycleSource::limit(std::int64_t time) {
  for (; moved_ + step_ <= time; moved_ += step_) {
    static_cast<void>(sample(moved_ + step_));
    for (std::size_t d = 0; d < motion_.size(); ++d) {
      motion_[d] = limiters_[d].calc_next(motion_[d], calc_command(d)).state;
    }
  }
}

bool CycleSource::is_moving() const noexcept {
  return std::any_of(motion_.begin(), motion_.end(),
                     [](const engine::DriveState& at) { return at.rate != 0 || at.acceleration != 0; });
}

/// Of one drive, in the order of the packet.
std::array<double, 3> CycleSource::calc_values(std::size_t drive) const {
  const engine::DriveState own{commands_[drive].position, calc_rate(drive), 0};
  const engine::DriveState& at = is_limited() ? motion_[drive] : own;
  if (is_rate_mode(mode_)) return {at.rate, at.acceleration, 0};
  return {at.position, at.rate, at.acceleration};
}

bool CycleSource::fill(std::int64_t time, Outgoing& out) {
  if (is_limited()) limit(time);
  if (!is_limited() || moved_ != time) static_cast<void>(sample(time));
  const bool is_more = !is_at_end_;
  const std::size_t n = commands_.size();
  out = Outgoing{};
  out.mode = mode_;
  out.least_delay = options_.least_delay;
  out.values.resize(n * engine::value_count(mode_));
  for (std::size_t d = 0; d < n; ++d) {
    const auto values = calc_values(d);
    for (std::size_t i = 0; i < engine::value_count(mode_); ++i) out.values[i * n + d] = values[i];
  }
  out.values.insert(out.values.end(), forces_.begin(), forces_.end());
  const double behind = static_cast<double>(time) - static_cast<double>(end_) / options_.speed;
  return is_more || (is_limited() && is_moving() && behind < static_cast<double>(kArriving));
}

double CycleSource::fraction(std::int64_t time) const {
  if (options_.is_looped || end_ <= 0) return -1;
  return std::min(1.0, static_cast<double>(time) * options_.speed / static_cast<double>(end_));
}

}  // namespace rodeo::tools
