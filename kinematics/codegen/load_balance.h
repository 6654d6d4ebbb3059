// SPDX-License-Identifier: MIT
// Three equations a moving body: forces along x and y, moments about its pivot, with unknown forces and torques. Solved as the
// reduced equations are: smallest blocks first, written out up to kMaxWritten unknowns. THEORY L2, L3.
#pragma once
#include <vector>

#include "kinematics/codegen/forces.h"
#include "kinematics/reduction/system.h"

namespace rodeo::codegen {

struct BalanceSolution {
  std::vector<Expr> values;  // an unknown each
  std::vector<RunTimeSolve> solves;
  std::vector<BlockReport> blocks;
};

class LoadBalance final : public ForceSink {
 public:
  LoadBalance(const machine::Machine& machine, const LoadPoints& points);

  int add_unknown();
  /// A known force, or an unknown along a direction; `arm` from the body's origin. On the ground nothing is counted.
  void push(int body, const Vec& arm, const Vec& force) override;
  void push(int body, const Vec& arm, int unknown, const Vec& direction);
  void turn(int body, Expr torque) override;
  void turn(int body, int unknown, Expr factor);

  /// Throws std::logic_error unless there are as many unknowns as equations and they determine each other.
  [[nodiscard]] BalanceSolution solve();

 private:
  [[nodiscard]] Expr moment(int body, const Vec& arm, const Vec& force) const;
  [[nodiscard]] reduction::System build_system() const;

  std::vector<reduction::Equation> equations_;  // 3 a moving body: x, y, moment
  std::vector<Vec> pivots_;                     // a body each, from its origin
  std::vector<Expr> symbols_;
};

}  // namespace rodeo::codegen
