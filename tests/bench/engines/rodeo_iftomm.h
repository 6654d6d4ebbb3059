// SPDX-License-Identifier: MIT
// The IFToMM problems by our methods: those of kinematics/dynamics, and the compiled kernel through its C ABI.
#pragma once
#include <stdlib.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <memory>
#include <stdexcept>

#include "engine/kernel/kernel.h"
#include "kinematics/dynamics/run.h"
#include "kinematics/machine/pose.h"
#include "tests/bench/engines/iftomm.h"
#include "tools/rodeo/offline_build.h"

namespace iftomm {

/// The machine file of a problem, and a cache for its kernels, in a folder that goes with the program.
class Files {
 public:
  Files() : folder_("/tmp/rodeo_bench_XXXXXX") {
    if (mkdtemp(folder_.data()) == nullptr) throw std::runtime_error("cannot make a folder in /tmp");
    setenv("RODEO_CACHE", (folder_ + "/cache").c_str(), 1);
  }
  ~Files() {
    std::error_code ignored;
    std::filesystem::remove_all(folder_, ignored);
  }
  Files(const Files&) = delete;
  Files& operator=(const Files&) = delete;

  [[nodiscard]] std::string machine(const Problem& problem) const {
    const std::string source = RODEO_SOURCE_DIR;
    if (problem.is_pendulum()) return source + "/configs/free/pendulum.yaml";
    const std::string file = folder_ + "/windows.yaml";
    const std::string command =
        "'" + source + "/tools/windows' " + std::to_string(problem.windows) + " free > " + file;
    if (!std::filesystem::exists(file) && std::system(command.c_str()) != 0)
      throw std::runtime_error("tools/windows does not run");
    return file;
  }
  static std::vector<std::string> overrides(const Problem& problem) {
    if (problem.is_pendulum()) return {"J=0"};
    return {};
  }

 private:
  std::string folder_;
};

inline const Files& files() {
  static const Files result;
  return result;
}

inline Sample measure(const Problem& problem, const rodeo::dynamics::Sample& sample) {
  Sample result{sample.t, sample.energy.total(), sample.residual, sample.state.q[2], sample.state.q[2]};
  for (int leg = 0; leg <= problem.windows; ++leg) {
    result.least = std::min(result.least, sample.state.q[3 * leg + 2]);
    result.largest = std::max(result.largest, sample.state.q[3 * leg + 2]);
  }
  return result;
}

inline Run run_library(const Problem& problem, const std::string& name, double step) {
  namespace dynamics = rodeo::dynamics;
  const auto machine =
      rodeo::machine::build_machine_from_file(files().machine(problem), Files::overrides(problem));
  auto ready = dynamics::build_problem(machine, rodeo::machine::build_start_pose(machine));
  const auto method = dynamics::build_method(name, ready, {.step = step});
  Run result;
  const Stopwatch watch;
  try {
    const auto report = dynamics::run(*method, problem.duration, step, [&](const dynamics::Sample& sample) {
      result.samples.push_back(measure(problem, sample));
      return true;
    });
    watch.read(result);
    result.steps = report.statistics.steps;
  } catch (const rodeo::solve::SolveError& error) {
    result.failure = error.what();
  }
  return result;
}

/// A free machine in its kernel.
class FreeKernel {
 public:
  FreeKernel(const Problem& problem, const std::string& method)
      : kernel_(rodeo::engine::Kernel::build_from_file(
            rodeo::tools::build_or_find_kernel(files().machine(problem), {}, method) + "/kernel.so")),
        k_(kernel_.table()),
        memory_(k_.instance_bytes / sizeof(double) + 1),
        outputs_(k_.n_outputs),
        loads_(k_.n_loads),
        inputs_(k_.n_inputs),
        states_(k_.n_states) {
    std::vector<double> parameters(k_.default_parameters, k_.default_parameters + k_.n_parameters);
    for (std::size_t i = 0; i < k_.n_parameters; ++i)
      if (problem.is_pendulum() && std::string(k_.parameters[i].name) == "J") parameters[i] = 0;
    for (std::size_t i = 0; i < k_.n_outputs; ++i)
      if (is_leg(k_.outputs[i].name)) legs_.push_back(i);
    for (std::size_t i = 0; i < k_.n_loads; ++i)
      if (std::string(k_.loads[i].name).rfind("energy.", 0) == 0) energies_.push_back(i);
    ok_ = k_.init(memory_.data(), parameters.data(), k_.start_drives) == RODEO_OK;
  }

  bool move(double period) {
    ok_ = ok_ && k_.move(memory_.data(), nullptr, inputs_.data(), period, RODEO_RK4) == RODEO_OK;
    inputs_[0] += period;
    return ok_;
  }
  /// Fails where the machine stands in a singular pose.
  bool measure(Sample& sample) {
    ok_ = ok_ && k_.step(memory_.data(), nullptr, outputs_.data()) == RODEO_OK &&
          k_.calc_loads(memory_.data(), outputs_.data(), inputs_.data(), loads_.data()) == RODEO_OK;
    if (!ok_) return false;
    sample = {inputs_[0], 0, 0, outputs_[legs_[0]], outputs_[legs_[0]]};
    for (const std::size_t i : energies_) sample.energy += loads_[i];
    for (const std::size_t i : legs_) sample.least = std::min(sample.least, outputs_[i]);
    for (const std::size_t i : legs_) sample.largest = std::max(sample.largest, outputs_[i]);
    k_.get_state(memory_.data(), states_.data());
    return k_.closure(memory_.data(), states_.data(), &sample.open) == RODEO_OK;
  }

 private:
  static bool is_leg(const std::string& name) {
    const bool is_angle = name.size() > 6 && name.compare(name.size() - 6, 6, ".angle") == 0;
    return is_angle && (name.rfind("leg", 0) == 0 || name.rfind("rod", 0) == 0);
  }

  rodeo::engine::Kernel kernel_;
  const rodeo_kernel& k_;
  std::vector<double> memory_, outputs_, loads_, inputs_, states_;
  std::vector<std::size_t> legs_, energies_;
  bool ok_ = true;
};

inline Run run_kernel(const Problem& problem, const std::string& method, double step) {
  FreeKernel kernel(problem, method);
  Run result;
  Sample sample;
  const auto steps = std::lround(problem.duration / step);
  const Stopwatch watch;
  for (; kernel.measure(sample); ++result.steps) {
    result.samples.push_back(sample);
    if (result.steps == steps || !kernel.move(step)) break;
  }
  watch.read(result);
  if (result.steps < steps) result.failure = "the kernel holds near a singular pose";
  return result;
}

}  // namespace iftomm
