// SPDX-License-Identifier: MIT
// What a method knows of a machine, in the plane or in space: masses, forces and constraints,
//     M v̇ + Jᵀλ = f(t, q, v),   q̇ = N(q) v,   Φ(q) = 0,   M diagonal.   THEORY D1, S4.
// In the plane q̇ = v. In space v has the spin in the body's axes and q an orientation: q ⊕ x is the place that is reached
// by a small move x of the kind that v is the rate of.
#pragma once
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "kinematics/dynamics/rows.h"
#include "kinematics/text/fault.h"

namespace rodeo::dynamics {

/// Watts: what torques and point forces bring, and what dampers and friction take (not negative).
struct Power {
  double brought = 0.0, dissipated = 0.0;
};

struct Energy {
  double kinetic = 0.0, potential = 0.0;  // J; potential of gravity (nil at height 0) and of springs
  [[nodiscard]] double total() const noexcept { return kinetic + potential; }
};

/// Writes what comes from outside at a time, one value an input of the machine. Times may go back and forth.
using ForceInputs = std::function<void(double t, std::span<double> values)>;

/// What a system in space keeps of its bodies.
struct BodyCache {
  virtual ~BodyCache() = default;
};

/// Everything at one state; sizes are set once, so that a step does not allocate for it.
struct Workspace {
  BodyStates bodies;  // in the plane
  std::unique_ptr<BodyCache> cache;
  Rows rows;
  Vector f;
  Power power;
};

/// A coordinate that may be called independent: its value, its rate as a row of v, and the rest of its second rate.
struct CoordinateState {
  double value = 0.0;
  RowTerms row;
  double bias = 0.0;
};

struct BodyLabel {
  std::string name;
  text::Where where;
};

class System {
 public:
  virtual ~System() = default;

  [[nodiscard]] virtual Eigen::Index positions() const noexcept = 0;
  [[nodiscard]] Eigen::Index velocities() const noexcept { return mass_.size(); }
  [[nodiscard]] virtual Eigen::Index row_count() const noexcept = 0;
  /// The diagonal of M; a point mass has inertia 0.
  [[nodiscard]] const Vector& mass() const noexcept { return mass_; }
  /// The same, with an inertia where there is none: what distances are measured with.
  [[nodiscard]] const Vector& metric() const noexcept { return metric_; }
  /// The same, with a trace of inertia where there is none: what may be divided by.
  [[nodiscard]] const Vector& weights() const noexcept { return weights_; }
  /// Mean extent of the moving bodies, m.
  [[nodiscard]] double size() const noexcept { return size_; }

  [[nodiscard]] virtual std::string row_name(Eigen::Index row) const = 0;
  [[nodiscard]] virtual bool is_holonomic(Eigen::Index /*row*/) const { return true; }
  /// 1 for angles, the machine's size for lengths.
  [[nodiscard]] virtual double row_unit(Eigen::Index row) const = 0;
  [[nodiscard]] virtual double velocity_unit(Eigen::Index velocity) const = 0;
  [[nodiscard]] virtual std::string position_name(Eigen::Index position) const = 0;
  [[nodiscard]] virtual std::string velocity_name(Eigen::Index velocity) const = 0;
  [[nodiscard]] virtual BodyLabel body_label(Eigen::Index velocity) const = 0;

  /// Without it every input is 0.
  virtual void set_inputs(const ForceInputs& inputs) = 0;
  /// Bodies, rows and forces at (t, q, v).
  virtual void calc(double t, const Vector& q, const Vector& v, Workspace& work) = 0;
  /// Bodies and rows only; `v` may be empty: all at rest.
  virtual void calc_rows(const Vector& q, const Vector& v, Workspace& work) const = 0;
  /// At the state that `work` was filled with.
  [[nodiscard]] virtual Energy calc_energy(const Vector& v, const Workspace& work) const = 0;
  /// N(q) v.
  [[nodiscard]] virtual Vector calc_position_rates(const Vector& q, const Vector& v) const = 0;
  /// q ⊕ x.
  virtual void move(Vector& q, const Vector& x) const = 0;
  /// Of the rows, in metres: angles times the machine's size.
  [[nodiscard]] double calc_largest(const Vector& residual) const;
  /// The largest 1/mass that the row can feel while its bodies turn: both bodies', and the arms' as if across.
  [[nodiscard]] virtual double calc_row_mobility(Eigen::Index row, const Workspace& work) const = 0;

  // Coordinates for the method `minimal`.
  [[nodiscard]] virtual int coordinate_count() const noexcept = 0;
  [[nodiscard]] virtual std::string coordinate_name(int coordinate) const = 0;
  /// What one unit of it is: the machine's size, or a radian.
  [[nodiscard]] virtual double coordinate_unit(int coordinate) const = 0;
  /// How much faster than a good one it must be to be taken: angles are better than places, which turn back at dead points.
  [[nodiscard]] virtual double coordinate_handicap(int coordinate) const = 0;
  /// At the state that `work` was filled with. `reference`: a q near by, which small turns are counted from.
  [[nodiscard]] virtual CoordinateState calc_coordinate(int coordinate, const Vector& q,
                                                        const Vector& reference,
                                                        const Workspace& work) const = 0;
  /// wanted − value, by the shorter way round for an angle.
  [[nodiscard]] virtual double calc_gap(int /*coordinate*/, double wanted, double value) const {
    return wanted - value;
  }
  /// Whether the coordinate is too far from the reference to be a good one.
  [[nodiscard]] virtual bool is_far(int /*coordinate*/, double /*value*/) const { return false; }

 protected:
  System() = default;
  System(System&&) = default;
  System& operator=(System&&) = default;

  double size_ = 1.0;
  Vector mass_, weights_, metric_;
};

}  // namespace rodeo::dynamics
