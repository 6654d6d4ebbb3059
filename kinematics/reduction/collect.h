// SPDX-License-Identifier: MIT
// Expressions as sums of terms, the way a person collects them: coefficient · monomial · sine or cosine of a sum of
// angles. GiNaC multiplies out; the order is ours (ids of expressions), so that the text is the same on every run.
//
// Products of sines and cosines become sums by writing z = exp(i·angle): in z the algebra is that of polynomials, and
// sin² + cos² = 1 holds by itself. THEORY E9.
#pragma once
#include <ginac/ginac.h>

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "kinematics/expr/expr.h"

namespace rodeo::reduction {

using expr::Expr;

struct ById {
  bool operator()(Expr a, Expr b) const noexcept { return a.id() < b.id(); }
};

/// Powers of atoms (symbols, or functions that are not taken apart), in order of id.
using Monomial = std::map<Expr, int, ById>;

/// cos or sin of Σ multiple · angle; none: no trigonometric factor. The angle of highest id has a positive multiple.
struct Trig {
  enum class Kind { none, cosine, sine };
  Kind kind = Kind::none;
  std::map<Expr, int, ById> angle;
};

struct Factors {
  Monomial monomial;
  Trig trig;
  friend bool operator<(const Factors& a, const Factors& b);
};

/// Σ coefficient · factors, no coefficient zero.
using Sum = std::map<Factors, GiNaC::numeric>;

struct Fraction {
  Sum numerator;
  Sum denominator;  // 1 where there is none
};

/// Products of sines and cosines multiplied out into sines and cosines of sums. A divisor that is not a single
/// monomial stays an atom of its own, with exponent -1.
[[nodiscard]] Sum collect(Expr e);
/// Sines and cosines kept as atoms, as the causal forms of the paper have them (its equations 39 to 44).
[[nodiscard]] Sum collect_factors(Expr e);
/// numerator/denominator, reduced by common factors; a denominator that divides the numerator disappears.
[[nodiscard]] Fraction collect_fraction(Expr numerator, Expr denominator);

/// Divisors that came to stand above the line, multiplied out (sums of kept factors).
void expand_brackets(Sum& sum);

/// collect_fraction for sums that are collected already.
[[nodiscard]] Fraction reduce(Sum numerator, Sum denominator);

/// Whether a = b for all values of the symbols, proved in the field of rational functions of the z's. Functions other
/// than sine, cosine and tangent are taken as independent symbols.
[[nodiscard]] bool prove_equal(Expr a, Expr b);

/// The parts all terms of a sum have in common, taken out of it; what is left has integer coefficients without a
/// common divisor and a positive first one.
struct CommonFactor {
  GiNaC::numeric coefficient = 1;
  Factors factors;
};
[[nodiscard]] CommonFactor take_common_factor(Sum& sum);

}  // namespace rodeo::reduction
