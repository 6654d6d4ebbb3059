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

const StiffElement* find_stiffest(std::span<const StiffElement> elements, rodeo_method method) noexcept {
  const StiffElement* stiffest = nullptr;
  double shortest = std::numeric_limits<double>::infinity();
  for (const StiffElement& element : elements) {
    const double step = calc_longest_step(method, element.eigenvalue);
    if (!(step < shortest)) continue;
    shortest = step;
    stiffest = &element;
  }
  return stiffest;
}

double calc_good_rate(std::span<const StiffElement> elements, rodeo_method method, double least) noexcept {
  const StiffElement* stiffest = find_stiffest(elements, method);
  const double step = stiffest == nullptr ? std::numeric_limits<double>::infinity()
                                          : calc_longest_step(method, stiffest->eigenvalue);
  return round_up(std::max(least, 2 / step));
}

std::string describe_long_step(std::span<const StiffElement> elements, rodeo_method method, double period) {
  const StiffElement* stiffest = find_stiffest(elements, method);
  if (stiffest == nullptr || period <= calc_longest_step(method, stiffest->eigenvalue)) return "";
  return fmt::format(
      "the step of {:.6g} s is too long for {} with the mass that it moves ({:.3g} 1/s): take --rate {:.6g}",
      period, stiffest->name, std::abs(stiffest->eigenvalue), calc_good_rate(elements, method, 1 / period));
}

std::string describe_remedy(std::span<const StiffElement> elements, rodeo_method method, double period,
                            double rate) {
  const StiffElement* stiffest = find_stiffest(elements, method);
  const std::string who = stiffest == nullptr ? "the forces" : stiffest->name;
  if (rate < 0) {
    return fmt::format(
        "no step down to {:.3g} s follows {}: soften it, give its bodies mass, or keep the machine "
        "from the pose where it locks",
        period / 64, who);
  }
  return fmt::format("the step of {:.6g} s is too long for {}: take --rate {:.6g}", period, who,
                     rate > 0 ? rate : calc_good_rate(elements, method, 4 / period));
}

}  // namespace rodeo::engine
