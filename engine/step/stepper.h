// SPDX-License-Identifier: MIT
// One machine, tick by tick: commands -> limiters -> kernel -> outputs, residual, margin, status. The same for
// simulate, run and replay. Real-time safe after construction; one thread at a time.
//
// Singular poses. A tick is made only if the pose in which the machine would then come to rest by braking can be
// reached too (a second instance of the kernel, the scout, goes there first). Otherwise all drives brake within their
// limits, towards the pose that was found good a tick before, and hold there until a command leads away. A drive without an
// acceleration limit stops at once. Should a tick be refused nevertheless (a singular pose that braking would have
// passed through), the machine stops dead: last positions, rates 0, kHoldAbrupt.
//
// Both go from pose to pose by a Follower: on the branch they are on, also through poses in which two branches meet, and with every
// joint closed. In such a pose machine_ is at a regular one nearby, machine_at_, and states_ are those of the pose itself.
//
// What nobody drives moves by its forces; no drive can brake it. Where it cannot go on, everything stays as it is.
// Its energy is audited: what no source gave is a fault, kEnergyGain, from then on. A step in which it leaps is not made, kHoldBranch.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engine/kernel/kernel.h"
#include "engine/step/energy_audit.h"
#include "engine/step/follower.h"
#include "engine/step/free_mover.h"
#include "engine/step/leap.h"
#include "engine/step/limiter.h"

namespace rodeo::engine {

struct StepperOptions {
  double period = 1e-3;                 // s
  rodeo_closure closure = RODEO_EXACT;  // else the reduced ODE is integrated
  rodeo_method method = RODEO_RK4;      // of the integration
  double gain = 10.0;                   // 1/s, of RODEO_BAUMGARTE
  double warn_margin = 0.1;
  double stop_margin = 0.01;
  bool finds_jumps = false;  // of free motion with stops or contacts: the model says so
};

/// ok: moved as commanded and limited. held: braking or at rest, see status(). bad_input: nothing changed.
enum class TickResult : std::uint8_t { ok, held, bad_input };

class Stepper {
 public:
  /// `limits`: one a drive. Needs try_start() before the first tick.
  Stepper(const Kernel& kernel, std::span<const DriveLimits> limits, const StepperOptions& options);

  /// At rest at the start pose of these drive positions; ok, or why the kernel refuses them.
  [[nodiscard]] KernelStatus try_start(std::span<const double> parameters,
                                       std::span<const double> positions) noexcept;
  /// The drives' states replaced at once, without limits: for an input that begins elsewhere than the machine.
  /// Goes there in small steps; on any status but ok the machine is somewhere on the way.
  [[nodiscard]] KernelStatus try_place(std::span<const DriveState> target) noexcept;

  /// What the next tick takes, one an input of the kernel, finite: the time in s first. Loads depend on it, and what nobody
  /// drives.
  void set_inputs(std::span<const double> inputs) noexcept;
  /// The loads of the pose as it is, of the inputs as they are set: where no tick is made.
  void measure_loads() noexcept;

  /// One period on. `commands`: one a drive. `skipped`: lost just before it; drives that tell the pose alone go on through these, too.
  [[nodiscard]] TickResult try_tick(std::span<const Command> commands, std::uint32_t skipped = 0) noexcept;

  [[nodiscard]] const Kernel& kernel() const noexcept { return machine_.kernel(); }
  [[nodiscard]] const StepperOptions& options() const noexcept { return options_; }
  [[nodiscard]] const DriveLimits& limits(std::size_t drive) const noexcept {
    return limiters_[drive].limits();
  }
  [[nodiscard]] std::span<const DriveState> drives() const noexcept { return drives_; }
  [[nodiscard]] std::span<const double> outputs() const noexcept { return outputs_; }
  /// As set for the last tick: the time, then what comes from outside.
  [[nodiscard]] std::span<const double> inputs() const noexcept { return inputs_; }
  /// Forces of the drives, reactions, energies and powers, as the kernel names them. Not a number while they are not finite.
  [[nodiscard]] std::span<const double> loads() const noexcept { return loads_; }
  /// Largest loop-closure error, m.
  [[nodiscard]] double residual() const noexcept { return residual_; }
  [[nodiscard]] double margin() const noexcept { return margin_; }
  /// Of free motion.
  [[nodiscard]] const EnergyAudit& audit() const noexcept { return audit_; }
  /// Of free motion: the state that would have leapt, `link.angle`; null where none ever did.
  [[nodiscard]] const char* leapt() const noexcept { return leapt_; }
  /// StatusBits of the last tick: of the machine and all its drives, and of one drive.
  [[nodiscard]] std::uint32_t status() const noexcept { return status_; }
  [[nodiscard]] std::uint32_t drive_status(std::size_t drive) const noexcept { return drive_status_[drive]; }

  /// Everything that the next tick depends on and everything above, and back: snapshots, take-over. Bytes of this
  /// kernel only; on any status but ok the machine must be started again.
  [[nodiscard]] std::size_t saved_bytes() const noexcept;
  void save(std::span<unsigned char> bytes) const noexcept;
  [[nodiscard]] KernelStatus try_restore(std::span<const unsigned char> bytes) noexcept;

 private:
  [[nodiscard]] bool is_finite(std::span<const Command> commands) const noexcept;
  void limit(std::span<const Command> commands, std::uint32_t skipped) noexcept;
  [[nodiscard]] bool is_caught_up(std::uint32_t skipped) const noexcept;
  // 0, or the status bit that says why not.
  [[nodiscard]] std::uint32_t try_scout() noexcept;
  [[nodiscard]] std::uint32_t try_move() noexcept;
  [[nodiscard]] std::uint32_t try_free() noexcept;
  [[nodiscard]] std::uint32_t try_whole_free() noexcept;
  [[nodiscard]] std::uint32_t try_exact() noexcept;
  [[nodiscard]] std::uint32_t try_integrated() noexcept;
  [[nodiscard]] std::uint32_t try_kernel() noexcept;
  [[nodiscard]] KernelStatus try_poses() noexcept;
  void set_values() noexcept;
  void begin_audit() noexcept;
  [[nodiscard]] bool has_impulse() const noexcept;
  void hold(std::uint32_t why) noexcept;
  void stop_dead() noexcept;
  void commit() noexcept;
  /// Whether the drives tell the pose, through the follower.
  [[nodiscard]] bool is_followed() const noexcept;
  void measure_instance() noexcept;
  void measure() noexcept;

  StepperOptions options_;
  std::vector<DriveLimiter> limiters_;
  Instance machine_;
  Instance scout_;
  Follower follower_;
  FreeMover mover_;
  Instance before_;  // of free motion, a step before
  LeapWatch watch_;
  const char* leapt_ = nullptr;
  EnergyAudit audit_;
  std::vector<DriveState> drives_;
  std::vector<DriveState> asked_;              // by the commands of the last tick
  std::vector<double> machine_at_, scout_at_;  // positions of the drives where the instances are
  std::vector<double> outputs_;
  std::vector<double> inputs_;
  std::vector<double> loads_;
  std::vector<double> states_;
  double residual_ = 0;
  double margin_ = 1;
  std::uint32_t status_ = 0;
  std::vector<std::uint32_t> drive_status_;

  // workspace
  std::vector<DriveState> next_;
  std::vector<double> values_;  // 3 a drive, as the kernel takes them
  std::vector<double> paths_;   // 9 a drive: 3 each at begin, middle and end of a period
  std::vector<double> scout_outputs_;
  std::vector<double> loads_before_;
};

}  // namespace rodeo::engine
