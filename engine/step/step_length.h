// SPDX-License-Identifier: MIT
// Whether a fixed step can follow the forces. An element of force with the mass that it moves is x″ = -(c x′ + k x)/m, of eigenvalue λ;
// a step h of an explicit method multiplies its motion by R(λh) = 1 + z + z²/2 + z³/6 + z⁴/24, cut off after the method's order.
// Where |R| > 1 what should swing or die down grows from step to step, and its energy comes from nowhere.
#pragma once
#include <complex>
#include <span>
#include <string>
#include <vector>

#include "engine/kernel/rodeo_kernel.h"

namespace rodeo::engine {

/// `spring 'shock'` at the start pose; of two eigenvalues the one farther from zero, 1/s.
struct StiffElement {
  std::string name;
  std::complex<double> eigenvalue;
};

/// |R(z)|.
[[nodiscard]] double calc_growth(rodeo_method method, std::complex<double> z) noexcept;
/// s: up to here no step makes it grow by more than 2 %; infinite for an element that does nothing.
[[nodiscard]] double calc_longest_step(rodeo_method method, std::complex<double> eigenvalue) noexcept;
/// The element that needs the shortest step; null if there is none.
[[nodiscard]] const StiffElement* find_stiffest(std::span<const StiffElement> elements,
                                                rodeo_method method) noexcept;
/// Hz, two digits: follows the stiffest with half its longest step, and is at least `least`.
[[nodiscard]] double calc_good_rate(std::span<const StiffElement> elements, rodeo_method method,
                                    double least) noexcept;
/// Empty if the step can follow every element, else one clause: `the step of 1 ms is too long for spring 'shock' (...): take --rate 8000`.
[[nodiscard]] std::string describe_long_step(std::span<const StiffElement> elements, rodeo_method method,
                                             double period);
/// What would help after a fault: `the step of 1 ms is too long for spring 'shock': take --rate 8000`. `rate` is one that was tried; 0:
/// none was, and it is the stiffest element's, four times the present one at least; below 0: none that was tried does.
[[nodiscard]] std::string describe_remedy(std::span<const StiffElement> elements, rodeo_method method,
                                          double period, double rate = 0);

}  // namespace rodeo::engine
