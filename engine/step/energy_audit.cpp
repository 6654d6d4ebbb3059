// SPDX-License-Identifier: MIT
#include "engine/step/energy_audit.h"

#include <algorithm>
#include <cmath>
#include <string_view>

namespace rodeo::engine {
namespace {

constexpr std::array<std::string_view, 5> kNames{"energy.kinetic", "energy.potential", "power.drives",
                                                 "power.forces", "power.lost"};
/// Of the energy that moves: what is lost beyond it is told.
constexpr double kNotedLoss = 3e-4;
/// Of the potential energy itself: rounding of a machine at rest.
constexpr double kRounding = 1e-9;
/// m, or rad: what forces do over it is rounding.
constexpr double kDrift = 1e-9;

/// Of the energy that moves. Explicit Euler gains of itself, about ω²h a second.
constexpr double kEulersGain = 0.1, kLargestGain = 0.01;
/// An explicit step from rest has speed and no way yet: under a constant force the n-th has gained 1/(2n) of what moves, and the first
/// all of it. Up to the first peak of the kinetic energy, within these steps, only an explosion is heard.
constexpr double kBeginning = 64;
constexpr double kExplosion = 2;

}  // namespace

EnergyAudit::EnergyAudit(const Kernel& kernel, rodeo_method method)
    : tolerance_(method == RODEO_EULER ? kEulersGain : kLargestGain) {
  std::size_t found = 0;
  for (std::size_t i = 0; i < kernel.load_count(); ++i) {
    const std::string_view unit = kernel.loads()[i].unit;
    if (unit == "N" || unit == "N m") forces_.push_back(i);
    for (std::size_t which = 0; which < kNames.size(); ++which) {
      if (kNames[which] != kernel.loads()[i].name) continue;
      index_[which] = i;
      ++found;
    }
  }
  is_on_ = kernel.free_count() > 0 && found == kNames.size();
}

double EnergyAudit::energy_of(std::span<const double> loads) const noexcept {
  return loads[index_[kinetic]] + loads[index_[potential]];
}

double EnergyAudit::power_of(std::span<const double> loads) const noexcept {
  return loads[index_[drives]] + loads[index_[forces]];
}

void EnergyAudit::note_forces(std::span<const double> loads) noexcept {
  for (const std::size_t i : forces_) state_.force = std::max(state_.force, std::abs(loads[i]));
}

void EnergyAudit::open(std::span<const double> loads) noexcept {
  if (!is_on_) return;
  state_ = {};
  state_.first_potential = loads[index_[potential]];
  state_.kinetic = loads[index_[kinetic]];
  note_forces(loads);
  begin_step(loads);
}

void EnergyAudit::begin_step(std::span<const double> loads) noexcept {
  if (!is_on_) return;
  state_.energy = energy_of(loads);
  state_.power = power_of(loads);
  state_.dissipated = loads[index_[dissipated]];
}

void EnergyAudit::end_step(std::span<const double> loads, double period, bool has_impulse) noexcept {
  const double energy = is_on_ ? energy_of(loads) : 0, power = is_on_ ? power_of(loads) : 0;
  state_.steps += 1;
  if (!is_on_ || !std::isfinite(energy + power + state_.energy + state_.power)) return;
  const double gain = energy - state_.energy - 0.5 * period * (state_.power + power);
  if (loads[index_[kinetic]] < state_.kinetic) state_.has_peaked = 1;
  state_.kinetic = std::max(state_.kinetic, loads[index_[kinetic]]);
  state_.potential = std::max(state_.potential, std::abs(loads[index_[potential]] - state_.first_potential));
  note_forces(loads);
  if (has_impulse) {
    state_.least = state_.account;
    return;
  }
  state_.account += gain;
  state_.least = std::min(state_.least, state_.account);
  state_.doubt += 0.5 * period * std::abs(power - state_.power);
  if (state_.dissipated == 0 && loads[index_[dissipated]] == 0) state_.loss -= gain;
  state_.largest = std::max(state_.largest, this->gain());
  if (state_.fault == 0 && !is_excused() && this->gain() > calc_room(tolerance_, scale() - this->gain()))
    state_.fault = state_.steps;
}

bool EnergyAudit::is_excused() const noexcept {
  if (state_.has_peaked != 0 || state_.steps > kBeginning) return false;
  return state_.steps == 1 || gain() <= calc_room(kExplosion, scale() - gain());
}

/// J that errors of the method, of quadrature and of rounding may be.
double EnergyAudit::calc_room(double part, double moving) const noexcept {
  return part * std::max(0.0, moving) + state_.doubt + kRounding * std::abs(state_.first_potential) +
         kDrift * state_.force;
}

bool EnergyAudit::has_lost() const noexcept { return is_on_ && loss() > calc_room(kNotedLoss, scale()); }

}  // namespace rodeo::engine
