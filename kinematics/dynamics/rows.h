// SPDX-License-Identifier: MIT
// Constraint rows of a machine in coordinates of the centres of mass: (x, y, angle) a moving body, q = [c₁ θ₁ c₂ θ₂ ...].
// A row touches two bodies at most, so a Jacobian is a list of rows and never a matrix: J v and Jᵀ λ cost a few
// multiplications a row, whatever the machine's size. Φ, J and J̇v of every kind: THEORY D2.
#pragma once
#include <Eigen/Core>
#include <array>
#include <vector>

namespace rodeo::dynamics {

using Vector = Eigen::VectorXd;
using Point2 = Eigen::Vector2d;

/// One row of J: three coefficients for each of two bodies, six in space (`width`). Body 0 is the ground, whose coefficients do
/// not count.
struct RowTerms {
  std::array<int, 2> body{0, 0};
  std::array<std::array<double, 6>, 2> d{};
  int width = 3;
};

[[nodiscard]] double calc_product(const RowTerms& row, const Vector& v);
/// J v.
[[nodiscard]] Vector calc_product(const std::vector<RowTerms>& rows, const Vector& v);
/// out += sign · Jᵀ λ.
void add_transposed(const std::vector<RowTerms>& rows, const Vector& lambda, Vector& out, double sign = 1.0);

/// The row that is coordinate `index` itself.
[[nodiscard]] RowTerms build_unit_row(int index, int width = 3);

enum class RowKind {
  gap,         // uᵀ(p₂ − p₁), u fixed in the ground: the x and y of a pin
  across,      // the same with u fixed in the first body: a slider, less `value`
  angle,       // θ₂ − θ₁ − value
  distance,    // |p₂ − p₁| − value
  knife_edge,  // uᵀ ṗ₂ = 0, u fixed in the second body: non-holonomic
};

/// A constraint as data; points are relative to the centres of mass, in their bodies' frames.
struct RowData {
  RowKind kind = RowKind::gap;
  int first = 0, second = 0;
  Point2 p1 = Point2::Zero(), p2 = Point2::Zero();
  Point2 u = Point2::UnitX();
  double value = 0.0;
};

/// All rows at one state.
struct Rows {
  std::vector<RowTerms> terms;
  Vector residual;  // Φ; nil for a knife edge
  Vector bias;      // J̇ v
};

/// The place and speed of what is fixed on a body, from q and v; body 0 is the ground.
struct BodyState {
  Point2 c = Point2::Zero(), velocity = Point2::Zero();
  double angle = 0.0, cos = 1.0, sin = 0.0, spin = 0.0;

  [[nodiscard]] Point2 turned(const Point2& r) const {
    return {cos * r.x() - sin * r.y(), sin * r.x() + cos * r.y()};
  }
};
using BodyStates = std::vector<BodyState>;

/// Ground first. `v` may be empty: all at rest.
void calc_body_states(const Vector& q, const Vector& v, BodyStates& bodies);

/// Fills everything that `bodies` allow.
void calc_rows(const std::vector<RowData>& data, const BodyStates& bodies, Rows& rows);

/// A quarter turn to the left.
[[nodiscard]] inline Point2 left(const Point2& a) { return {-a.y(), a.x()}; }

}  // namespace rodeo::dynamics
