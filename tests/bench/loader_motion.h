// SPDX-License-Identifier: MIT
// What the benchmarks share: a motion of the wheel loader's two drives with its derivatives, the built kernel, and medians.
#pragma once
#include <stdlib.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/kernel/kernel.h"
#include "tests/bench/loader_closed_form.h"
#include "tools/rodeo/offline_build.h"

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

/// The kernel of configs/wheel_loader.yaml as this tree emits it: built anew, never from a cache of yesterday's.
class LoaderKernel {
 public:
  LoaderKernel() : cache_("/tmp/rodeo_bench_XXXXXX") {
    if (mkdtemp(cache_.data()) == nullptr) throw std::runtime_error("cannot make a folder in /tmp");
    setenv("RODEO_CACHE", cache_.c_str(), 1);
    const std::string file = std::string(RODEO_SOURCE_DIR) + "/configs/wheel_loader.yaml";
    library_ = rodeo::tools::build_or_find_kernel(file, {}) + "/kernel.so";
  }
  ~LoaderKernel() {
    std::error_code ignored;
    std::filesystem::remove_all(cache_, ignored);
  }
  LoaderKernel(const LoaderKernel&) = delete;
  LoaderKernel& operator=(const LoaderKernel&) = delete;

  [[nodiscard]] const std::string& library() const noexcept { return library_; }

 private:
  std::string cache_, library_;
};

/// An instance of the kernel at the pose of some drives, called through the C ABI as the engine does.
class LoaderInstance {
 public:
  LoaderInstance(const std::string& library, const Drives& start)
      : kernel_(rodeo::engine::Kernel::build_from_file(library)),
        memory_(kernel_.table().instance_bytes / sizeof(double) + 1) {
    const double positions[2] = {start[0], start[3]};
    const rodeo_kernel& table = kernel_.table();
    if (table.n_drives != 2 || table.n_outputs != kOutputs) throw std::runtime_error("not the wheel loader");
    if (table.init(memory_.data(), table.default_parameters, positions) != RODEO_OK) {
      throw std::runtime_error("the kernel does not start");
    }
  }

  bool step(const double* drives, double* outputs) {
    return kernel_.table().step(memory_.data(), drives, outputs) == RODEO_OK;
  }
  /// Of the loops at the instance's state, metres.
  [[nodiscard]] double closure_error() const {
    std::vector<double> states(kernel_.state_count());
    double largest = 0.0;
    kernel_.table().get_state(memory_.data(), states.data());
    if (kernel_.table().closure(memory_.data(), states.data(), &largest) != RODEO_OK) return NAN;
    return largest;
  }
  [[nodiscard]] const rodeo_kernel& table() const noexcept { return kernel_.table(); }
  [[nodiscard]] void* memory() noexcept { return memory_.data(); }

 private:
  rodeo::engine::Kernel kernel_;
  std::vector<double> memory_;
};

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
