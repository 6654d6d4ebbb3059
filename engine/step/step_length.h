// SPDX-License-Identifier: MIT
// Whether a fixed step can follow the forces. An element of force with the mass that it moves is x″ = -(c x′ + k x)/m, of eigenvalue λ;
// a step h of an explicit method multiplies its motion by R(λh) = 1 + z + z²/2 + z³/6 + z⁴/24, cut off after the method's order.
// Where |R| > 1 what should swing or die down grows from step to step, and its energy comes from nowhere. A swing of which a step is
// more than a radian is not followed either: Runge and Kutta's method takes 1 % of its energy a step there.
#pragma once
#include <complex>
#include <functional>
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
/// s: up to here it does not grow, and a step is no more than a radian of its swing.
[[nodiscard]] double calc_followed_step(rodeo_method method, std::complex<double> eigenvalue) noexcept;
/// The element that needs the shortest step; null if there is none.
[[nodiscard]] const StiffElement* find_stiffest(std::span<const StiffElement> elements,
                                                rodeo_method method) noexcept;
/// Empty if the step can follow every element, else one clause: `the step of 1 ms is too long for spring 'shock' with the ... (...)`.
[[nodiscard]] std::string describe_long_step(std::span<const StiffElement> elements, rodeo_method method,
                                             double period);

/// What became of a run: lossy is one that came to its end and lost energy that nothing dissipates.
enum class Trial : std::uint8_t { faulty, lossy, good };
/// A run with this method and at this rate, Hz.
using TryRun = std::function<Trial(rodeo_method, double)>;
/// What would do instead, found by trying it.
struct Remedy {
  rodeo_method method = RODEO_RK4;
  double rate = 0;   // Hz; 0: none
  double tried = 0;  // Hz, the highest
};
/// The rate is doubled up to `most`, with the method and then with Runge and Kutta's, until a run of it is good and nothing would be said
/// of its step. Where every run loses energy it is the first that has no fault.
[[nodiscard]] Remedy find_remedy(std::span<const StiffElement> elements, rodeo_method method, double rate,
                                 double most, const TryRun& try_run);
/// `take --rate 8000`; `option` is the one that chooses the method.
[[nodiscard]] std::string describe_remedy(const Remedy& remedy, rodeo_method method, double period,
                                          const char* option = "--method");
/// `the step of 1 ms is too long for spring 'shock': take --rate 8000`
[[nodiscard]] std::string describe_fault(std::span<const StiffElement> elements, const Remedy& remedy,
                                         rodeo_method method, double period, const char* option = "--method");

}  // namespace rodeo::engine
