// SPDX-License-Identifier: MIT
// Where the energy of free motion comes from. With E kinetic and potential energy and P the power of drives and forces,
//     A(t) = E - ∫ P dt                                                   may fall (dampers, friction) and never rises.
// What rises above its least value up to now is energy that no source gave: a step that is too long for the forces, or a jump
// to another branch. Powers are integrated by the trapezoid rule; what that may miss, h |ΔP|/2 a step, is allowed for. A step
// begins under its own inputs, so that a payload that comes or goes is no gain. A drive whose rate jumps gives an
// impulse, which no power tells: there the account is opened again. A gain is measured by the energy that moves without it: an
// explosion must not widen its own tolerance. Joints hold a machine at rest by forces F that are rounded: it drifts with
// v = ε F t/m, 1e-30 J of kinetic energy that nothing else is there to measure by. So what the largest force does over a
// nanometre, and the largest torque over a nanoradian, is no gain.
#pragma once
#include <array>
#include <cstddef>
#include <span>
#include <vector>

#include "engine/kernel/kernel.h"

namespace rodeo::engine {

class EnergyAudit {
 public:
  /// Off, and without cost, for a kernel that has no free coordinates.
  EnergyAudit(const Kernel& kernel, rodeo_method method);

  [[nodiscard]] bool is_on() const noexcept { return is_on_; }
  /// At a start, from its loads.
  void open(std::span<const double> loads) noexcept;
  /// Loads at the begin of a step, under the inputs of the step.
  void begin_step(std::span<const double> loads) noexcept;
  /// Loads at its end. `has_impulse`: a drive's rate has jumped.
  void end_step(std::span<const double> loads, double period, bool has_impulse) noexcept;

  /// J that no source gave, up to now.
  [[nodiscard]] double gain() const noexcept { return state_.account - state_.least; }
  /// J, the most that it has been.
  [[nodiscard]] double largest_gain() const noexcept { return state_.largest; }
  /// J that are gone, over all steps in which nothing dissipates.
  [[nodiscard]] double loss() const noexcept { return state_.loss; }
  /// J that move: the most kinetic energy and the largest change of potential energy.
  [[nodiscard]] double scale() const noexcept { return state_.kinetic + state_.potential; }
  /// Whether the gain has ever been more than the method's own error, and in which step first, counted from the start.
  [[nodiscard]] bool has_gained() const noexcept { return state_.fault > 0; }
  [[nodiscard]] double first_gain() const noexcept { return state_.fault; }
  /// Whether the loss is worth a note.
  [[nodiscard]] bool has_lost() const noexcept;

  struct State {
    double account = 0, least = 0, doubt = 0, loss = 0;
    double kinetic = 0, potential = 0, first_potential = 0;
    double energy = 0, power = 0, dissipated = 0;  // at the begin of the step
    double steps = 0, fault = 0;                   // the first step with a gain; 0: none
    double largest = 0, has_peaked = 0;            // gain; 1 once the kinetic energy has fallen
    double force = 0;                              // N, or N m: the largest up to now
  };
  [[nodiscard]] const State& state() const noexcept { return state_; }
  void set_state(const State& state) noexcept { state_ = state; }

 private:
  enum Load : std::size_t { kinetic, potential, drives, forces, dissipated, kLoads };
  [[nodiscard]] double energy_of(std::span<const double> loads) const noexcept;
  [[nodiscard]] double power_of(std::span<const double> loads) const noexcept;
  void note_forces(std::span<const double> loads) noexcept;
  [[nodiscard]] double calc_room(double part, double moving) const noexcept;
  [[nodiscard]] bool is_excused() const noexcept;

  bool is_on_ = false;
  double tolerance_;
  std::array<std::size_t, kLoads> index_{};
  std::vector<std::size_t> forces_;  // loads in N or N m
  State state_;
};

}  // namespace rodeo::engine
