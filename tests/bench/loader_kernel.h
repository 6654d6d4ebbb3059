// SPDX-License-Identifier: MIT
// The wheel loader's kernel for the benchmarks: built from configs/wheel_loader.yaml and called through the C ABI.
#pragma once
#include <stdlib.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/kernel/kernel.h"
#include "tests/bench/loader_motion.h"
#include "tools/rodeo/offline_build.h"

namespace loader {

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

}  // namespace loader
