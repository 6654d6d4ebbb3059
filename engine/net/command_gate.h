// SPDX-License-Identifier: MIT
// What may pass to the machine: a datagram and its sender in, a command or a refusal out. No socket, no clock, no heap after
// construction: the receiver's thread calls it, tests and the fuzzer call it too.
#pragma once
#include <optional>
#include <span>
#include <vector>

#include "engine/net/address.h"
#include "engine/net/auth.h"
#include "engine/net/machine_interface.h"
#include "engine/net/packet.h"
#include "engine/net/session_table.h"
#include "engine/net/site.h"
#include "engine/net/source_limit.h"

namespace rodeo::engine {

struct GateOptions {
  std::optional<Key> key;  // the operator's: with it, packets need tags
  std::optional<Key> instructor_key;
  std::optional<Key> viewer_key;
  std::vector<AddressRange> allow;   // empty: everybody
  std::optional<CommandMode> plain;  // position or rate: packets without a header are taken as these
  std::vector<SiteChannel> site;     // empty, or one a drive
  Nonce nonce{};
  std::int64_t silence = 200'000'000;  // ns without values after which a sender does not command any more
};

/// Positions and rates are refused beyond this and beyond the drive's own limits, rad, m or per second: no machine moves so. What
/// is between a limit and this is taken, counted as clipped, and the drive's limiter keeps the limit.
inline constexpr double kLargestValue = 1e5;
/// And forces, torques, masses and their places, N, N m, kg or m.
inline constexpr double kLargestForce = 1e12;
/// What a force, torque or payload from outside may be: finite, no mass below 0.
[[nodiscard]] bool is_force_in_range(const Channel& force, double value) noexcept;

/// A value of a command that is beyond its drive's range or speed.
struct Clip {
  std::size_t drive = 0;
  bool is_rate = false;
  double value = 0;  // in the machine's units
  double limit = 0;  // the one that is kept
};

class CommandGate {
 public:
  CommandGate(const MachineInterface& machine, const GateOptions& options);

  [[nodiscard]] bool is_allowed(const IpAddress& sender) const noexcept;
  /// Of a packet other than a command: none, sender or flood.
  [[nodiscard]] Refusal check_sender(const Endpoint& sender) noexcept;

  /// Refusal::none: `header` is the packet's, and `commands`, one a drive, are in the machine's units if the mode has values, and so
  /// are `forces`. Otherwise all is as before, and so is the gate but for an emergency stop: see stop().
  [[nodiscard]] Refusal check(Bytes packet, const Endpoint& sender, CommandHeader& header,
                              std::span<Command> commands, std::span<double> forces = {}) noexcept;

  /// Of the packet that was checked last: whether it was a well-formed one with values, and the first of them that is beyond a limit.
  [[nodiscard]] bool had_values() const noexcept { return had_values_; }
  [[nodiscard]] const std::optional<Clip>& clip() const noexcept { return clip_; }

  /// Its header if it asked for an emergency stop that has to be taken: of somebody who may, new, and whatever is wrong with its values or
  /// with its session's right to command.
  [[nodiscard]] const std::optional<CommandHeader>& stop() const noexcept { return stop_; }
  /// Whether it was a rearm in two steps. `stops`: emergency stops up to now, and one.
  [[nodiscard]] bool is_second_step() const noexcept { return is_second_step_; }
  void set_stops(std::uint64_t stops) noexcept { stops_ = stops; }
  /// When the next packet came, ns.
  void set_now(std::int64_t now) noexcept { now_ = now; }
  /// Somebody commands whom only an instructor may take over from.
  [[nodiscard]] bool is_occupied() const noexcept { return sessions_.is_occupied(now_); }

  [[nodiscard]] const CommandLayout& layout() const noexcept { return layout_; }
  /// Of a role that has a key, else of the operator's; null without any.
  [[nodiscard]] const Authenticator* authenticator(Role role = Role::operator_) const noexcept;
  /// For the tags of sessions that begin now.
  [[nodiscard]] Nonce nonce() const noexcept { return options_.key ? calc_nonce(epoch_) : options_.nonce; }
  /// The limits as a sender has to keep them.
  [[nodiscard]] std::vector<DriveLimits> build_limits_of_sender() const;
  [[nodiscard]] double calc_position_of_sender(std::size_t drive, double position) const noexcept {
    return options_.site[drive].calc_position_of_sender(position);
  }

 private:
  [[nodiscard]] Refusal decode(Bytes packet, CommandHeader& header, bool& is_plain) noexcept;
  [[nodiscard]] Nonce calc_nonce(std::uint64_t epoch) const noexcept;
  [[nodiscard]] std::optional<Key> find_key(Role role) const noexcept;
  [[nodiscard]] Refusal decode_as(Role role, std::uint64_t epoch, Bytes packet,
                                  CommandHeader& header) noexcept;
  [[nodiscard]] Refusal decode_tagged(Bytes packet, CommandHeader& header) noexcept;
  void follow_epoch() noexcept;
  void build_authenticators() noexcept;
  [[nodiscard]] SessionPacket build_packet(const CommandHeader& header) const noexcept;
  [[nodiscard]] SessionPacket build_plain_packet(const Endpoint& sender) noexcept;
  [[nodiscard]] Refusal check_session(const SessionPacket& packet, const CommandHeader& header) noexcept;
  void take_stop(const CommandHeader& header) noexcept;
  [[nodiscard]] Command calc_command(CommandMode mode, std::size_t drive) const noexcept;
  [[nodiscard]] bool is_possible(CommandMode mode) const noexcept;
  [[nodiscard]] std::optional<Clip> find_clip(CommandMode mode) const noexcept;
  [[nodiscard]] std::span<const double> find_forces(CommandMode mode) const noexcept;

  CommandLayout layout_;
  GateOptions options_;
  std::vector<DriveLimits> limits_;
  std::vector<Channel> forces_;
  std::array<std::optional<Authenticator>, kRoleCount> authenticators_;
  SourceLimit sources_;
  SessionTable sessions_;
  std::uint64_t epoch_ = 0;         // of the authenticator
  std::uint64_t packet_epoch_ = 0;  // of the packet under way
  Role packet_role_ = Role::operator_;
  std::int64_t now_ = 0;
  std::uint64_t plain_sequence_ = 0;
  std::vector<double> values_;  // of the packet under way, 3 a drive, 1 a force
  bool had_values_ = false;
  bool is_second_step_ = false;
  std::optional<CommandHeader> stop_;
  std::uint64_t stops_ = 1;
  std::optional<Clip> clip_;
};

}  // namespace rodeo::engine
