// SPDX-License-Identifier: MIT
// What the benchmarks share: a motion of the wheel loader's two drives with its derivatives, and medians. C++17, as
// Simbody's headers are.
#pragma once
#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <vector>

#include "tests/bench/loader_closed_form.h"

namespace loader {

using Drives = std::array<double, kDrives>;

/// middle + reach sin(rate t + phase), with its derivatives.
inline void put_sine(double* out, double middle, double reach, double rate, double phase, double t) {
  const double s = std::sin(rate * t + phase), c = std::cos(rate * t + phase);
  out[0] = middle + reach * s;
  out[1] = reach * rate * c;
  out[2] = -reach * rate * rate * s;
}

/// Nearly the whole of both ranges, at nearly the speed of both drives (0.3 and 0.6 rad/s); seconds.
inline Drives find_drives(double t) {
  Drives drives{};
  put_sine(drives.data(), 0.09, 0.66, 0.45, -1.2, t);
  put_sine(drives.data() + 3, 2.21, 0.51, 1.15, 1.4, t);
  return drives;
}

/// To and fro, so that it can be repeated without a jump.
inline std::vector<Drives> build_motion(int ticks, double period) {
  std::vector<Drives> motion;
  for (int i = 0; i < ticks; ++i) motion.push_back(find_drives(period * std::min(i, ticks - 1 - i)));
  return motion;
}

inline double calc_quantile(std::vector<double> values, double part) {
  const auto at = values.begin() + static_cast<std::ptrdiff_t>(part * static_cast<double>(values.size() - 1));
  std::nth_element(values.begin(), at, values.end());
  return *at;
}
inline double calc_median(std::vector<double> values) { return calc_quantile(std::move(values), 0.5); }

/// Nanoseconds that `work` takes.
template <class Work>
double time_ns(Work&& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  const std::chrono::duration<double, std::nano> spent = std::chrono::steady_clock::now() - start;
  return spent.count();
}

}  // namespace loader
