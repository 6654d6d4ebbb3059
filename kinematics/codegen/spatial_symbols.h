// SPDX-License-Identifier: MIT
// Bodies and rows of a machine in space as expressions of the kernel's arrays: what is constant in them folds away. THEORY S5, K14.
#pragma once
#include <array>
#include <optional>
#include <vector>

#include "kinematics/codegen/spatial_tables.h"
#include "kinematics/codegen/symbols.h"

namespace rodeo::codegen {

using Triple = std::array<Expr, 3>;

[[nodiscard]] Expr dot(const Triple& a, const Triple& b);
[[nodiscard]] Triple cross(const Triple& a, const Triple& b);
[[nodiscard]] Triple operator+(const Triple& a, const Triple& b);
[[nodiscard]] Triple operator-(const Triple& a, const Triple& b);
[[nodiscard]] Triple operator*(Expr factor, const Triple& a);

/// A rotation by rows.
struct Rotation {
  std::array<Triple, 3> rows{Triple{1.0, 0.0, 0.0}, Triple{0.0, 1.0, 0.0}, Triple{0.0, 0.0, 1.0}};

  [[nodiscard]] Triple turned(const Triple& p) const;
  [[nodiscard]] Triple turned_back(const Triple& p) const;
};

/// As `body` of the kernel's text; lengths in the unit that it was built with.
struct SymbolBody {
  Triple c, v, w, s;  // centre, its velocity, spin in the body's axes and in the ground's
  std::array<Expr, 4> q{1.0, 0.0, 0.0, 0.0};  // of any length
  Rotation R;
  Rotation T;          // of the axes in which derivatives by its turns are taken
  bool is_own = true;  // T is R

  /// Moment of u at the arm r = R p.
  [[nodiscard]] Triple moment(const Triple& p, const Triple& r, const Triple& u) const;
};

/// As `line` of the kernel's text, derivatives by turns in the axes T.
struct SymbolRow {
  std::array<std::array<Expr, 6>, 2> d;
  Expr error, bias;
};

/// Ground first. `states` are seven a body, `velocities` six.
[[nodiscard]] std::vector<SymbolBody> build_symbol_bodies(const std::vector<Expr>& states,
                                                          const std::vector<Expr>& velocities, double unit);
/// `value`: what a drive says instead of the row's own. `axis`: a place is taken along this axis of the ground instead of u, which is
/// the same where all three are held.
[[nodiscard]] SymbolRow build_symbol_row(const spatial::RowData& row, const std::vector<SymbolBody>& bodies,
                                         Expr value, double unit, std::optional<int> axis = {});

/// A joint's angle, nearest to the given one, or its slide.
[[nodiscard]] Expr build_symbol_coordinate(const spatial::RowData& at, const std::vector<SymbolBody>& bodies,
                                           Expr near);

/// A vector of numbers without what is nothing beside rounding, so that it does not spoil what is nil.
[[nodiscard]] Triple build_triple(const spatial::Vector3& p, double unit = 1.0);

/// The elements of an array of the kernel.
[[nodiscard]] std::vector<Expr> build_array(Symbols& symbols, Space space, const char* name,
                                            std::size_t size);

}  // namespace rodeo::codegen
