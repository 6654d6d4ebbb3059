// SPDX-License-Identifier: MIT
// The order of the checks: sender, bytes, tag, values, sequence. Only what passes all of them is remembered. Values beyond a drive's
// limits pass: the limiter clips them, and says so in its status.
#include "engine/net/command_gate.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rodeo::engine {
namespace {

/// For values that a conversion of units has rounded.
constexpr double kSlack = 1e-9;

double calc_slack(double limit) { return kSlack * std::max(1.0, std::abs(limit)); }

double calc_largest(const std::optional<double>& limit) {
  return std::max(kLargestValue, limit ? std::abs(*limit) + calc_slack(*limit) : 0.0);
}

bool is_position_possible(const DriveLimits& limits, double position) {
  return position >= -calc_largest(limits.lower) && position <= calc_largest(limits.upper);
}

bool is_rate_possible(const DriveLimits& limits, double rate) {
  return std::abs(rate) <= calc_largest(limits.speed);
}

/// The limit that `value` is beyond.
std::optional<double> find_exceeded(double value, const std::optional<double>& lower,
                                    const std::optional<double>& upper) {
  if (lower && value < *lower - calc_slack(*lower)) return lower;
  if (upper && value > *upper + calc_slack(*upper)) return upper;
  return {};
}

std::optional<double> find_exceeded_speed(double rate, const std::optional<double>& speed) {
  return speed ? find_exceeded(rate, -*speed, speed) : std::nullopt;
}

}  // namespace

bool is_force_in_range(const Channel& force, double value) noexcept {
  return std::abs(value) <= kLargestForce && (value >= 0 || force.unit != "kg");
}

CommandGate::CommandGate(const MachineInterface& machine, const GateOptions& options)
    : layout_(machine.build_layout()),
      options_(options),
      limits_(machine.limits),
      forces_(machine.forces),
      sessions_(options.silence),
      values_(3 * machine.drives.size() + machine.forces.size()) {
  options_.site.resize(machine.drives.size());
  build_authenticators();
}

bool CommandGate::is_allowed(const IpAddress& sender) const noexcept {
  const auto has = [&](const AddressRange& range) { return range.contains(sender); };
  return options_.allow.empty() || std::any_of(options_.allow.begin(), options_.allow.end(), has);
}

Nonce CommandGate::calc_nonce(std::uint64_t epoch) const noexcept {
  return engine::calc_nonce(options_.nonce, *options_.key, epoch);
}

std::optional<Key> CommandGate::find_key(Role role) const noexcept {
  if (role == Role::operator_) return options_.key;
  return role == Role::instructor ? options_.instructor_key : options_.viewer_key;
}

const Authenticator* CommandGate::authenticator(Role role) const noexcept {
  const auto& own = authenticators_[static_cast<std::size_t>(role)];
  const auto& found = own ? own : authenticators_[0];
  return found ? &*found : nullptr;
}

void CommandGate::build_authenticators() noexcept {
  for (std::size_t i = 0; i < kRoleCount; ++i) {
    const auto key = find_key(static_cast<Role>(i));
    if (key) authenticators_[i].emplace(*key, nonce());
  }
}

/// With the key of that role, if there is one, and the nonce of that epoch.
Refusal CommandGate::decode_as(Role role, std::uint64_t epoch, Bytes packet, CommandHeader& header) noexcept {
  const std::optional<Key> key = find_key(role);
  if (!key) return Refusal::tag;
  packet_role_ = role;
  packet_epoch_ = epoch;
  if (epoch == epoch_) return decode_command(layout_, authenticator(role), packet, header, values_);
  const Authenticator before(*key, calc_nonce(epoch));
  return decode_command(layout_, &before, packet, header, values_);
}

/// A session that is known may go on with the nonce that it has; every other one needs the newest. It keeps the role that it began with.
Refusal CommandGate::decode_tagged(Bytes packet, CommandHeader& header) noexcept {
  CommandHeader claimed;
  const bool is_claimed = is_command(layout_, packet) && try_read_header(packet, claimed);
  const SessionTable::Known* known = is_claimed ? sessions_.find_known(claimed.session) : nullptr;
  Refusal refusal = Refusal::tag;
  if (known != nullptr && known->epoch != epoch_)
    refusal = decode_as(known->role, known->epoch, packet, header);
  for (std::size_t i = 0; refusal == Refusal::tag && i < kRoleCount; ++i) {
    const auto role = static_cast<Role>(i);
    if (known == nullptr || known->role == role) refusal = decode_as(role, epoch_, packet, header);
  }
  if (refusal != Refusal::wrong_length) return refusal;
  const bool is_bare = decode_command(layout_, nullptr, packet, header, values_) == Refusal::none;
  return is_bare ? Refusal::untagged : refusal;
}

/// After a session may have been forgotten.
void CommandGate::follow_epoch() noexcept {
  if (!options_.key || epoch_ == sessions_.epoch()) return;
  epoch_ = sessions_.epoch();
  build_authenticators();
}

Refusal CommandGate::decode(Bytes packet, CommandHeader& header, bool& is_plain) noexcept {
  is_plain = options_.plain && !is_command(layout_, packet);
  if (!is_plain && options_.key) return decode_tagged(packet, header);
  if (!is_plain) return decode_command(layout_, nullptr, packet, header, values_);
  header = CommandHeader{};
  header.mode = *options_.plain;
  return decode_plain(layout_.count(*options_.plain), packet, values_);
}

/// Without a key nothing is gained by a replay: everybody may stop.
void CommandGate::take_stop(const CommandHeader& header) noexcept {
  if (!header.emergency_stop) return;
  if (!options_.key || sessions_.note_stop(build_packet(header))) stop_ = header;
  follow_epoch();
}

SessionPacket CommandGate::build_packet(const CommandHeader& header) const noexcept {
  return {header.session, header.sequence, header.mode != CommandMode::none,
          packet_epoch_,  packet_role_,    now_};
}

Command CommandGate::calc_command(CommandMode mode, std::size_t drive) const noexcept {
  const SiteChannel& site = options_.site[drive];
  const std::size_t n = value_count(mode);
  const auto value = [&](std::size_t i) { return i < n ? values_[i * layout_.drive_count + drive] : 0.0; };
  const bool is_rate = mode == CommandMode::rate || mode == CommandMode::rate_acceleration;
  if (is_rate) return Command::moving(site.calc_rate(value(0)), site.calc_rate(value(1)));
  return Command::at(site.calc_position(value(0)), site.calc_rate(value(1)), site.calc_rate(value(2)));
}

/// Behind the values of the drives.
std::span<const double> CommandGate::find_forces(CommandMode mode) const noexcept {
  if (mode == CommandMode::none) return {};
  return std::span(values_).subspan(layout_.drive_count * value_count(mode), layout_.force_count);
}

bool CommandGate::is_possible(CommandMode mode) const noexcept {
  if (mode == CommandMode::none) return true;
  for (std::size_t d = 0; d < layout_.drive_count; ++d) {
    const Command command = calc_command(mode, d);
    const bool is_placed =
        command.kind == Command::Kind::rate || is_position_possible(limits_[d], command.position);
    if (!is_placed || !is_rate_possible(limits_[d], command.rate)) return false;
    if (!(std::abs(command.acceleration) <= kLargestValue)) return false;
  }
  const std::span<const double> forces = find_forces(mode);
  for (std::size_t i = 0; i < forces.size(); ++i) {
    if (!is_force_in_range(forces_[i], forces[i])) return false;
  }
  return true;
}

std::optional<Clip> CommandGate::find_clip(CommandMode mode) const noexcept {
  for (std::size_t d = 0; mode != CommandMode::none && d < layout_.drive_count; ++d) {
    const Command command = calc_command(mode, d);
    const DriveLimits& limits = limits_[d];
    if (command.kind == Command::Kind::position) {
      const auto limit = find_exceeded(command.position, limits.lower, limits.upper);
      if (limit) return Clip{d, false, command.position, *limit};
    }
    const auto speed = find_exceeded_speed(command.rate, limits.speed);
    if (speed) return Clip{d, true, command.rate, *speed};
  }
  return {};
}

Refusal CommandGate::check_sender(const Endpoint& sender) noexcept {
  if (!is_allowed(sender.address)) return Refusal::sender;
  return sources_.try_take(sources_.calc_id(sender), now_) ? Refusal::none : Refusal::flood;
}

/// A sender of plain packets is known by its address alone. Its packets have no numbers: each is one more than the one before.
SessionPacket CommandGate::build_plain_packet(const Endpoint& sender) noexcept {
  return {sources_.calc_id(sender), ++plain_sequence_, true, epoch_, Role::operator_, now_};
}

/// Remembers it if it may pass.
Refusal CommandGate::check_session(const SessionPacket& packet, const CommandHeader& header) noexcept {
  switch (sessions_.find_verdict(packet)) {
    case SessionTable::Verdict::fresh: break;
    case SessionTable::Verdict::old: return Refusal::sequence;
    case SessionTable::Verdict::replaced: return Refusal::replaced;
    case SessionTable::Verdict::occupied: return Refusal::role;
  }
  sessions_.note(packet);
  if (header.verb == Verb::release) sessions_.consent(packet.session);
  is_second_step_ = sessions_.note_step(packet.session, header.verb == Verb::rearm, stops_);
  return Refusal::none;
}

Refusal CommandGate::check(Bytes packet, const Endpoint& sender, CommandHeader& header,
                           std::span<Command> commands, std::span<double> forces) noexcept {
  had_values_ = is_second_step_ = false;
  packet_role_ = Role::operator_;
  clip_.reset();
  stop_.reset();
  const Refusal of_sender = check_sender(sender);
  const bool is_late_stop = of_sender == Refusal::flood && is_stop_flagged(packet);
  if (of_sender != Refusal::none && !is_late_stop) return of_sender;
  CommandHeader found;
  bool is_plain = false;
  const Refusal decoded = decode(packet, found, is_plain);
  // Of a packet whose values alone are wrong, which are looked at last, a stop is taken all the same.
  const bool is_genuine = decoded == Refusal::none || (decoded == Refusal::not_finite && !is_plain);
  if (!is_genuine) return decoded;
  if (packet_role_ == Role::viewer) return Refusal::role;
  if (!is_plain && try_read_header(packet, found)) take_stop(found);
  if (decoded != Refusal::none) return decoded;
  const bool has_values = found.mode != CommandMode::none;
  had_values_ = has_values;
  if (!is_possible(found.mode)) return Refusal::out_of_range;
  const SessionPacket of_session = is_plain ? build_plain_packet(sender) : build_packet(found);
  const Refusal refusal = check_session(of_session, found);
  follow_epoch();
  if (refusal != Refusal::none) return refusal;
  clip_ = find_clip(found.mode);
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
