// SPDX-License-Identifier: MIT
// All that is known to act on a machine's bodies: weight and inertia of masses and payloads, springs, dampers, torques, forces,
// friction; and the energies and powers that go with it. THEORY L2, L4.
#pragma once
#include "kinematics/codegen/load_points.h"

namespace rodeo::codegen {

/// Where forces go. `arm` is from the body's origin. The ground (body 0) may be pushed: nobody counts it.
class ForceSink {
 public:
  virtual void push(int body, const Vec& arm, const Vec& force) = 0;
  virtual void turn(int body, Expr torque) = 0;

 protected:
  ~ForceSink() = default;
};

struct Energies {
  Expr kinetic, potential;  // J
  Expr given;               // power of forces and torques of the file, W
  Expr lost;                // in dampers and friction, W
};

/// A spring, damper, stop or contact, as machine::list_strut_columns has them.
struct Strut {
  Expr length, rate, force;
};
[[nodiscard]] std::vector<Strut> build_struts(const machine::Machine& machine, const LoadPoints& points);

/// Inertia is counted as a force, -m a and -J α, with the accelerations that `points` tell.
Energies add_forces(const machine::Machine& machine, const LoadPoints& points, ForceSink& sink);

}  // namespace rodeo::codegen
