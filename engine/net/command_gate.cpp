// SPDX-License-Identifier: MIT
// The order of the checks: sender, bytes, tag, values, sequence. Only what passes all of them is remembered.
#include "engine/net/command_gate.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rodeo::engine {
namespace {

/// For values that a conversion of units has rounded.
constexpr double kSlack = 1e-9;

double calc_slack(double limit) { return kSlack * std::max(1.0, std::abs(limit)); }

}  // namespace

bool is_force_in_range(const Channel& force, double value) noexcept {
  return std::abs(value) <= kLargestForce && (value >= 0 || force.unit != "kg");
}

CommandGate::CommandGate(const MachineInterface& machine, const GateOptions& options)
    : layout_(machine.build_layout()),
      options_(options),
      limits_(machine.limits),
      forces_(machine.forces),
      values_(2 * machine.drives.size() + machine.forces.size()) {
  options_.site.resize(machine.drives.size());
  if (options.key) authenticator_.emplace(*options.key, options.nonce);
  for (const DriveLimits& limits : limits_) {
    const double lower = limits.lower.value_or(-kLargestValue);
    const double upper = limits.upper.value_or(kLargestValue);
    const double speed = limits.speed.value_or(kLargestValue);
    bounds_.push_back({lower - calc_slack(lower), upper + calc_slack(upper), speed + calc_slack(speed)});
  }
}

bool CommandGate::is_allowed(const IpAddress& sender) const noexcept {
  const auto has = [&](const AddressRange& range) { return range.contains(sender); };
  return options_.allow.empty() || std::any_of(options_.allow.begin(), options_.allow.end(), has);
}

Refusal CommandGate::decode(Bytes packet, CommandHeader& header, bool& is_plain) noexcept {
  is_plain = options_.plain && !is_command(layout_, packet);
  if (!is_plain) return decode_command(layout_, authenticator(), packet, header, values_);
  header = CommandHeader{};
  header.mode = *options_.plain;
  return decode_plain(layout_.count(*options_.plain), packet, values_);
}

Command CommandGate::calc_command(CommandMode mode, std::size_t drive) const noexcept {
  const SiteChannel& site = options_.site[drive];
  if (mode == CommandMode::rate) return Command::moving(site.calc_rate(values_[drive]));
  const double rate = mode == CommandMode::position_rate ? values_[layout_.drive_count + drive] : 0.0;
  return Command::at(site.calc_position(values_[drive]), site.calc_rate(rate));
}

/// Behind the values of the drives.
std::span<const double> CommandGate::find_forces(CommandMode mode) const noexcept {
  if (mode == CommandMode::none) return {};
  return std::span(values_).subspan(layout_.drive_count * value_count(mode), layout_.force_count);
}

bool CommandGate::is_in_range(CommandMode mode) const noexcept {
  if (mode == CommandMode::none) return true;
  for (std::size_t d = 0; d < layout_.drive_count; ++d) {
    const Command command = calc_command(mode, d);
    const Bounds& bounds = bounds_[d];
    const bool is_placed = command.kind == Command::Kind::rate ||
                           (command.position >= bounds.lower && command.position <= bounds.upper);
    if (!is_placed || !(std::abs(command.rate) <= bounds.speed)) return false;
  }
  const std::span<const double> forces = find_forces(mode);
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (!is_force_in_range(forces_[i], forces[i])) return false;
  }
  return true;
}

Refusal CommandGate::check(Bytes packet, const IpAddress& sender, CommandHeader& header,
                           std::span<Command> commands, std::span<double> forces) noexcept {
  if (!is_allowed(sender)) return Refusal::sender;
  CommandHeader found;
  bool is_plain = false;
  if (const Refusal refusal = decode(packet, found, is_plain); refusal != Refusal::none) return refusal;
  if (!is_in_range(found.mode)) return Refusal::out_of_range;
  const bool has_values = found.mode != CommandMode::none;
  if (!is_plain) {
    if (!sessions_.is_new(found.session, found.sequence, has_values)) return Refusal::sequence;
    sessions_.note(found.session, found.sequence, has_values);
  }
  header = found;
  for (std::size_t d = 0; has_values && d < layout_.drive_count; ++d) {
    commands[d] = calc_command(found.mode, d);
  }
  assert(forces.size() == layout_.force_count);
  std::ranges::copy(find_forces(found.mode), forces.begin());
  return Refusal::none;
}

std::vector<DriveLimits> CommandGate::build_limits_of_sender() const {
  std::vector<DriveLimits> limits;
  for (std::size_t d = 0; d < limits_.size(); ++d) {
    limits.push_back(options_.site[d].calc_limits_of_sender(limits_[d]));
  }
  return limits;
}

}  // namespace rodeo::engine
