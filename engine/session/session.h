// SPDX-License-Identifier: MIT
// One machine as a simulator runs it: a stepper with verbs, latches, snapshots and a running checksum. A session is a
// function of its options, its start state and its TickInputs, and of nothing else: no clock, no socket, no file. Real-time
// safe after construction; one thread at a time.
//
// Safe state: while stale, stopped, halted or latched every drive brakes to rest within its limits and stays. A machine
// that goes on afterwards moves from where it stands, within its limits. Forces and torques from outside are 0 meanwhile: who
// pushes is not there, or shall not. A payload stays what it was, as it lies where it lies.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "engine/session/nonblocking.h"
#include "engine/session/tick_input.h"
#include "engine/step/model_folder.h"
#include "engine/step/stepper.h"

namespace rodeo::engine {

enum class OnStale : std::uint8_t {
  resume,  // goes on with the next valid command
  latch,   // until rearm or reset
};

/// Recordings say which they were made by. 1: verbs may do anything at any time, drives stand still in lost ticks, and forces depend on
/// the time of the session. Since kVerbRules verbs are as VerbRefusal says; since kOwnRules drives go on through lost ticks, the time
/// that forces depend on is the machine's own (Session::own_time), and a tick that does not move the machine (a jump, freeze) has the
/// loads of its own inputs.
inline constexpr int kVerbRules = 2;
inline constexpr int kOwnRules = 3;
inline constexpr int kSessionRules = kOwnRules;

struct SessionOptions {
  std::int64_t period = 1'000'000;  // ns
  StepperOptions stepper;           // its period is set from `period`
  OnStale on_stale = OnStale::resume;
  int rules = kSessionRules;
};

/// Bits of a session's condition, beside the stepper's StatusBits and above them: one word carries both. Values are fixed.
enum SessionBit : std::uint32_t {
  kFrozen = 1U << 16,
  kStale = 1U << 17,         // braking or at rest: no valid command
  kStaleLatched = 1U << 18,  // was stale, OnStale::latch, waits for rearm
  kStopped = 1U << 19,       // emergency stop, waits for rearm
  kHalted = 1U << 20,        // overrun under the policy `halt`, waits for rearm or reset
  kVerbRefused = 1U << 21,   // this tick's verb could not be done (VerbRefusal)
  kWaiting = 1U << 22,       // with kStale: waits for the first command since the start or the last rearm
  kJumped = 1U << 30,        // reset, load or restore has placed the machine at this tick
};
/// What has happened at a tick and is over with it: whoever looks now and then has to gather these.
inline constexpr std::uint32_t kTickEvents = kVerbRefused | kJumped;
inline constexpr std::uint32_t kSafeState = kStale | kStaleLatched | kStopped | kHalted;

/// Why a tick's verb was not done. Jumps (reset, load, restore) are done at rest or when frozen, never in emergency stop. A rearm releases an
/// emergency stop only at rest, in two steps, and if the drives are commanded to stay where they are.
enum class VerbRefusal : std::uint8_t { none, missing, moving, stopped, one_step, commanded };
/// What a position may be off, m or rad, and a rate, per second, of a drive that is commanded to stay where it is.
inline constexpr double kStandstill = 1e-3;

/// Initial condition: positions of the drives, at rest.
struct InitialCondition {
  std::string name;
  std::vector<double> positions;
};

inline constexpr std::size_t kSnapshotSlots = 16;

class Session {
 public:
  /// `conditions[0]` is the start. Throws KernelError if the machine cannot take one of them.
  Session(const ModelFolder& model, const SessionOptions& options, std::vector<InitialCondition> conditions);

  /// One tick on, and input.skipped more in the counter. Commands or forces that are not finite are a held tick with kBadInput;
  /// the forces before them stay.
  void tick(const TickInput& input) noexcept RODEO_NONBLOCKING;

  [[nodiscard]] const Stepper& stepper() const noexcept { return stepper_; }
  [[nodiscard]] const SessionOptions& options() const noexcept { return options_; }
  [[nodiscard]] const std::vector<InitialCondition>& conditions() const noexcept { return conditions_; }
  /// The number of the last tick; 0 at the start.
  [[nodiscard]] std::int64_t tick_number() const noexcept { return tick_; }
  /// tick x period, ns.
  [[nodiscard]] std::int64_t time() const noexcept { return tick_ * options_.period; }
  /// What forces know as t, ns: counts the ticks in which the machine was not frozen, and each single step. 0 after a reset or load, and
  /// after a restore what it was when the snapshot was taken.
  [[nodiscard]] std::int64_t own_time() const noexcept { return own_ticks_ * options_.period; }
  /// StatusBits and SessionBits of the last tick.
  [[nodiscard]] std::uint32_t status() const noexcept { return status_; }
  /// Of the last tick: why there is kVerbRefused.
  [[nodiscard]] VerbRefusal verb_refusal() const noexcept { return verb_refusal_; }
  /// Every drive's rate is 0; of a machine that moves by its forces that cannot be said.
  [[nodiscard]] bool is_at_rest() const noexcept;
  /// Of every tick since the start: tick number, status, drives, outputs, loads, residual, margin, bit for bit, each hashed into
  /// what was before. Two sessions of one checksum have gone the same way.
  [[nodiscard]] std::uint64_t checksum() const noexcept { return checksum_; }

  /// Everything that the next tick depends on and everything above, but for the snapshots: checkpoints of a recording.
  [[nodiscard]] std::size_t saved_bytes() const noexcept;
  void save(std::span<unsigned char> bytes) const noexcept;
  /// Back there, with all snapshots forgotten. Bytes of a session of this kernel; on any status but ok nothing may follow.
  [[nodiscard]] KernelStatus try_restore(std::span<const unsigned char> bytes) noexcept;
  [[nodiscard]] bool has_snapshot(std::size_t slot) const noexcept {
    return slot < kSnapshotSlots && snapshots_[slot].is_filled;
  }

 private:
  struct Saved {
    bool is_filled = false;
    std::vector<unsigned char> bytes;
    std::int64_t own_ticks = 0;
  };

  [[nodiscard]] bool try_return(const Saved& saved) noexcept;
  [[nodiscard]] bool is_commanded(const TickInput& input) const noexcept;
  [[nodiscard]] VerbRefusal find_refusal(const TickInput& input) const noexcept;
  [[nodiscard]] VerbRefusal try_verb(const TickInput& input) noexcept;
  void latch(std::uint8_t events) noexcept;
  void count(std::int64_t moved) noexcept;
  void move(std::span<const Command> commands, std::uint32_t skipped) noexcept;
  void stay() noexcept;
  void hash() noexcept;
  [[nodiscard]] bool try_inputs(std::span<const double> forces) noexcept;

  SessionOptions options_;
  std::vector<InitialCondition> conditions_;
  Stepper stepper_;
  std::vector<Saved> starts_;  // a condition each
  std::array<Saved, kSnapshotSlots> snapshots_;
  std::vector<double> inputs_;    // of the kernel: the time, then forces from outside
  std::vector<bool> is_pushing_;  // an input each: a force or torque, no payload
  std::vector<Command> braking_;  // rate 0 for every drive
  std::int64_t tick_ = 0;
  std::int64_t own_ticks_ = 0;
  std::uint32_t latches_ = 0;  // kFrozen, kStaleLatched, kStopped, kHalted
  std::uint32_t status_ = 0;
  VerbRefusal verb_refusal_ = VerbRefusal::none;
  std::uint64_t checksum_ = 0;
};

}  // namespace rodeo::engine
