// SPDX-License-Identifier: MIT
#include "engine/step/step_length.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace rodeo::engine {
namespace {

/// Of a step: doubled in 35 steps. Less is error of the method, not instability (Euler makes every oscillation grow).
constexpr double kGrowth = 1.02;
constexpr double kFarthest = 8.0;  // |λh|: no method of ours is stable beyond
constexpr int kProbes = 400;

int find_order(rodeo_method method) noexcept {
  return method == RODEO_EULER ? 1 : method == RODEO_HEUN ? 2 : 4;
}

double round_up(double rate) noexcept {
  const double unit = std::pow(10.0, std::floor(std::log10(rate)) - 1);
  return std::ceil(rate / unit * (1 - 1e-12)) * unit;
}

}  // namespace

double calc_growth(rodeo_method method, std::complex<double> z) noexcept {
  std::complex<double> sum = 1, term = 1;
  for (int k = 1; k <= find_order(method); ++k) {
    term *= z / static_cast<double>(k);
    sum += term;
  }
  return std::abs(sum);
}

double calc_longest_step(rodeo_method method, std::complex<double> eigenvalue) noexcept {
  const double size = std::abs(eigenvalue);
  if (!(size > 0) || eigenvalue.real() > 0) return std::numeric_limits<double>::infinity();
  for (int i = 1; i <= kProbes; ++i) {
    const double h = kFarthest * i / kProbes / size;
    if (calc_growth(method, eigenvalue * h) > kGrowth) return kFarthest * (i - 1) / kProbes / size;
  }
  return std::numeric_limits<double>::infinity();
}

double calc_followed_step(rodeo_method method, std::complex<double> eigenvalue) noexcept {
  const double radian = 1 / std::abs(eigenvalue.imag());  // s; infinite without a swing
  return std::min(calc_longest_step(method, eigenvalue), radian);
}

const StiffElement* find_stiffest(std::span<const StiffElement> elements, rodeo_method method) noexcept {
  const StiffElement* stiffest = nullptr;
  double shortest = std::numeric_limits<double>::infinity();
  for (const StiffElement& element : elements) {
    const double step = calc_followed_step(method, element.eigenvalue);
    if (!(step < shortest)) continue;
    shortest = step;
    stiffest = &element;
  }
  return stiffest;
}

std::string describe_long_step(std::span<const StiffElement> elements, rodeo_method method, double period) {
  const StiffElement* stiffest = find_stiffest(elements, method);
  if (stiffest == nullptr || period <= calc_followed_step(method, stiffest->eigenvalue)) return "";
  return fmt::format("the step of {:.6g} s is too long for {} with the mass that it moves ({:.3g} 1/s)",
                     period, stiffest->name, std::abs(stiffest->eigenvalue));
}

namespace {

/// From `first` on, doubled.
Remedy climb(std::span<const StiffElement> elements, rodeo_method method, double first, double most,
             const TryRun& try_run) {
  Remedy found{method, 0, 0};
  for (double rate = first; rate <= most; rate = round_up(2 * rate)) {
    if (!describe_long_step(elements, method, 1 / rate).empty()) continue;
    found.tried = rate;
    const Trial trial = try_run(method, rate);
    if (trial == Trial::good) return {method, rate, rate};
    if (trial == Trial::lossy && found.rate == 0) found.rate = rate;
  }
  return found;
}

}  // namespace

Remedy find_remedy(std::span<const StiffElement> elements, rodeo_method method, double rate, double most,
                   const TryRun& try_run) {
  const Remedy found = climb(elements, method, round_up(2 * rate), most, try_run);
  if (found.rate > 0 || method == RODEO_RK4) return found;
  return climb(elements, RODEO_RK4, rate, most, try_run);
}

std::string describe_remedy(const Remedy& remedy, rodeo_method method, double period, const char* option) {
  if (remedy.rate == 0) {
    const std::string tried =
        remedy.tried > 0 ? fmt::format("no rate up to {:.6g} Hz does", remedy.tried) : "none was tried";
    return tried + ": soften it, give its bodies mass, or keep the machine from the pose where it locks";
  }
  const std::string rate = fmt::format("--rate {:.6g}", remedy.rate);
  if (remedy.method == method) return "take " + rate;
  const bool is_same = std::abs(remedy.rate * period - 1) < 1e-6;
  return fmt::format("take {} rk4{}", option, is_same ? "" : " " + rate);
}

std::string describe_fault(std::span<const StiffElement> elements, const Remedy& remedy, rodeo_method method,
                           double period, const char* option) {
  const StiffElement* stiffest = find_stiffest(elements, method);
  return fmt::format("the step of {:.6g} s is too long for {}: {}", period,
                     stiffest == nullptr ? "the forces" : stiffest->name,
                     describe_remedy(remedy, method, period, option));
}

}  // namespace rodeo::engine
