// SPDX-License-Identifier: MIT
// How fast each element of force (spring, damper, friction, stop, contact) moves the mass that it sees: the machine with that
// element alone, at one pose, along the velocities N that the joints allow,
//     NᵀMN ẍ + C ẋ + K x = 0,   K = -Nᵀ ∂f/∂q N,   C = -Nᵀ ∂f/∂v N.
// One element is one direction, so κ = tr((NᵀMN)⁻¹K) and γ = tr((NᵀMN)⁻¹C) are those of a single mass: λ² + γλ + κ = 0. Stops and
// contacts count as touched. What a fixed step has to follow is λ.
#pragma once
#include <complex>
#include <memory>
#include <string>
#include <vector>

#include "kinematics/dynamics/planar_system.h"
#include "kinematics/dynamics/problem.h"

namespace rodeo::dynamics {

/// The machine with one element of force and nothing else.
struct Probe {
  std::string name;  // `spring 'shock'`
  std::unique_ptr<System> system;
};

struct ElementMode {
  std::string name;
  std::complex<double> eigenvalue;  // 1/s, the one farther from zero
};

/// Stops and contacts touched at `q`.
[[nodiscard]] std::vector<Probe> build_probes(const PlanarSystem& system, const Vector& q);
/// At the problem's start. None for a machine that is too large to be worth it.
[[nodiscard]] std::vector<ElementMode> calc_element_modes(const Problem& problem,
                                                          const std::vector<Probe>& probes);

/// `spring 'shock'`, or by its ends.
template <typename Machine, typename Force>
[[nodiscard]] std::string build_element_name(const Machine& machine, const Force& force) {
  using Kind = decltype(force.kind);
  const auto point = [&](auto ref) { return machine.bodies[ref.body].name + "." + machine.point(ref).name; };
  const char* what = force.kind == Kind::spring     ? "spring"
                     : force.kind == Kind::damper   ? "damper"
                     : force.kind == Kind::stop     ? "stop"
                     : force.kind == Kind::friction ? "friction"
                                                    : "contact";
  std::string who = force.name;
  if (who.empty() && force.kind == Kind::friction) who = machine.joints[force.joint].name;
  if (who.empty() && force.kind == Kind::contact) who = point(force.first);
  if (who.empty()) who = point(force.first) + "-" + point(force.second);
  return std::string(what) + " '" + who + "'";
}

/// Whether it is an element: what pulls or resists as the machine moves.
template <typename Force>
[[nodiscard]] bool is_element(const Force& force) {
  using Kind = decltype(force.kind);
  return force.kind != Kind::force && force.kind != Kind::torque && force.kind != Kind::payload;
}

}  // namespace rodeo::dynamics
