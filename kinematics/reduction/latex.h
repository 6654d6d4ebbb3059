// SPDX-License-Identifier: MIT
// LaTeX that fits a page: units, escaped text, the plain text of vector forms as mathematics, and equations broken into lines before + and
// -. Widths are estimates in em of Computer Modern, a little too wide rather than too narrow.
#pragma once
#include <string>
#include <vector>

namespace rodeo::reduction {

/// `tilt_lever` as `tilt\_lever`, whatever characters it has.
[[nodiscard]] std::string escape_latex(const std::string& text);
/// `m^3/s`, `rad/s²`, `N m` in roman letters.
[[nodiscard]] std::string latex_unit(const std::string& unit);
/// `[bar.O.turn] w_bar.w`, `[a, b; c, d]`, `d/dt P`, `0.5*x^2` as LaTeX.
[[nodiscard]] std::string latex_of_text(const std::string& text);

/// em, of mathematics in display style.
[[nodiscard]] double calc_latex_width(const std::string& math);
/// Lines of a sum, none wider than `most` em where it can be broken at all. A fraction that is too wide becomes a product
/// with 1 over its denominator; brackets that a line's end parts are no longer paired by \left and \right.
[[nodiscard]] std::vector<std::string> break_latex(const std::string& math, double first, double most);

/// `left = right`, numbered once, in the lines of an align environment. `unit` may be empty.
[[nodiscard]] std::string latex_equation(const std::string& left, const std::string& right,
                                         const std::string& unit);

}  // namespace rodeo::reduction
