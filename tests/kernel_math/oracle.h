// SPDX-License-Identifier: MIT
// What the kernel's functions are held against: the C library's long double functions, whose 64-bit significands (113
// on ARM) are good to a thousandth of a double's ulp. Random arguments come from fixed seeds.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <random>
#include <string>

namespace rodeo::kernel_math {

/// Claimed of sine, cosine, arc tangent and unwrapping alike.
constexpr double kMaxUlps = 1.0;

/// Distance in units of the last place that a double of the size of `want` has.
inline double calc_ulps(double got, long double want) {
  int exponent = 0;
  std::frexp(want, &exponent);
  return static_cast<double>(std::abs(got - want) / std::ldexp(1.0L, std::max(exponent - 53, -1074)));
}

/// The largest error seen, and where.
class Worst {
 public:
  explicit Worst(std::string name) : name_(std::move(name)) {}
  void see(double got, long double want, double argument, double second = 0.0) {
    const double ulps = calc_ulps(got, want);
    if (ulps <= ulps_) return;  // a NaN is seen
    ulps_ = ulps;
    argument_ = argument;
    second_ = second;
  }
  double ulps() const {
    std::printf("  %s: at most %.4f ulp, at %a %a\n", name_.c_str(), ulps_, argument_, second_);
    return ulps_;
  }

 private:
  std::string name_;
  double ulps_ = 0.0;
  double argument_ = 0.0;
  double second_ = 0.0;
};

class Random {
 public:
  explicit Random(unsigned seed) : engine_(seed) {}
  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(engine_);
  }
  double sign() { return (engine_() & 1U) != 0 ? 1.0 : -1.0; }
  /// ± 2^e, e uniform.
  double log_uniform(double low, double high) { return sign() * std::exp2(uniform(low, high)); }

 private:
  std::mt19937_64 engine_;
};

}  // namespace rodeo::kernel_math
