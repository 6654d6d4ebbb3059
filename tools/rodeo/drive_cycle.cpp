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

std::string describe_range(const engine::DriveLimits& limits) {
  const auto bound = [](const std::optional<double>& at) {
    return at ? fmt::format("{:.6g}", *at) : "anything";
  };
  return fmt::format("{} to {}", bound(limits.lower), bound(limits.upper));
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
      mode_(find_mode()) {
  check();
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
  if (rates == 0) return options_.mode.value_or(CommandMode::position_rate);
  if (options_.mode.value_or(CommandMode::rate) != CommandMode::rate) {
    refuse("its columns are rates: it can be sent with --mode rate only");
  }
  return CommandMode::rate;
}

void CycleSource::check_value(std::size_t drive, double time, double value) const {
  const engine::DriveLimits& limits = machine_.limits[drive];
  const engine::Channel& channel = machine_.drives[drive];
  if (mode_ == CommandMode::rate) {
    const double most = limits.speed.value_or(std::abs(value));
    if (std::abs(value) <= most + kSlack * std::max(1.0, most)) return;
    refuse(fmt::format("{} moves at {:.6g} {}/s at {:.6g} s, faster than the {:.6g} that the machine takes",
                       channel.name, value, channel.unit, time, most));
  }
  const double lower = limits.lower.value_or(value);
  const double upper = limits.upper.value_or(value);
  const double slack = kSlack * std::max({1.0, std::abs(lower), std::abs(upper)});
  if (value >= lower - slack && value <= upper + slack) return;
  refuse(fmt::format("{} is {:.6g} {} at {:.6g} s, outside the {} that the machine takes", channel.name,
                     value, channel.unit, time, describe_range(limits)));
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
    const bool is_more = sample(time);
    const double seconds = static_cast<double>(time) / kNano * options_.speed;
    for (std::size_t d = 0; d < commands_.size(); ++d) {
      check_value(d, seconds, mode_ == CommandMode::rate ? calc_rate(d) : commands_[d].position);
    }
    for (std::size_t i = 0; i < forces_.size(); ++i) check_force(i, seconds);
    if (!is_more || static_cast<double>(time) * options_.speed > static_cast<double>(end_)) break;
  }
}

/// False at the end, where everything stands.
bool CycleSource::sample(std::int64_t time) {
  double at = static_cast<double>(time) * options_.speed;
  if (options_.is_looped && end_ > 0) at = std::fmod(at, static_cast<double>(end_));
  is_at_end_ = !options_.is_looped && at >= static_cast<double>(end_);
  const std::int64_t when = is_at_end_ ? end_ : std::llround(at);
  input_->sample(when, commands_);
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

bool CycleSource::fill(std::int64_t time, Outgoing& out) {
  const bool is_more = sample(time);
  const std::size_t n = commands_.size();
  out = Outgoing{};
  out.mode = mode_;
  out.values.resize(n * engine::value_count(mode_));
  for (std::size_t d = 0; d < n; ++d) {
    if (mode_ == CommandMode::rate) {
      out.values[d] = calc_rate(d);
      continue;
    }
    out.values[d] = commands_[d].position;
    if (mode_ == CommandMode::position_rate) out.values[n + d] = calc_rate(d);
  }
  out.values.insert(out.values.end(), forces_.begin(), forces_.end());
  return is_more;
}

double CycleSource::fraction(std::int64_t time) const {
  if (options_.is_looped || end_ <= 0) return -1;
  return std::min(1.0, static_cast<double>(time) * options_.speed / static_cast<double>(end_));
}

}  // namespace rodeo::tools
