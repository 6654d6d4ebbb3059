// SPDX-License-Identifier: MIT
// The kernel against general engines on the same driven linkage, the wheel loader at 1 kHz: microseconds a step, and what
// is left open at the pins that close the loops. Built with the engines that CMake found (RODEO_BENCH_MUJOCO,
// RODEO_BENCH_SIMBODY; `tools/bench` installs them). Absolute figures are printed, never asserted.
#include <fmt/format.h>

#include "tests/bench/engines/engine_run.h"
#include "tests/bench/loader_kernel.h"
#ifdef RODEO_BENCH_MUJOCO
#include "tests/bench/engines/mujoco_loader.h"
#endif
#ifdef RODEO_BENCH_SIMBODY
#include "tests/bench/engines/simbody_loader.h"
#endif

namespace {

using namespace loader;

constexpr double kWanted = 30.0;  // times faster than the fastest engine

/// The kernel as one more engine.
class KernelLoader {
 public:
  explicit KernelLoader(const std::string& library) : instance_(library, find_drives(0.0)) {}

  void advance(int tick) {
    const Drives& drives = engine_motion()[static_cast<std::size_t>(tick)];
    if (!instance_.step(drives.data(), outputs_.data()))
      throw std::runtime_error("the kernel refuses a step");
  }
  [[nodiscard]] double closure_error() const { return instance_.closure_error(); }
  [[nodiscard]] double bucket_angle() const { return outputs_[5 * kBody]; }

 private:
  LoaderInstance instance_;
  std::array<double, kOutputs> outputs_{};
};

void print_run(const EngineRun& run) {
  fmt::print("  {:<32}{:>9.3f} us   closure {:.1e} m   bucket angle {:.1e} rad   {:6.1f} x\n", run.name,
             run.microseconds, run.closure_error, run.pose_error, run.times_kernel);
}

void add_engines(std::vector<EngineRun>& runs, KernelLoader& kernel) {
#ifdef RODEO_BENCH_MUJOCO
  for (const double tolerance : {1e-8, 1e-14}) {
    MujocoLoader mujoco(tolerance);
    const std::string name = fmt::format("MuJoCo {}, tolerance {:.0e}", mj_versionString(), tolerance);
    runs.push_back(run_engine(name, mujoco, kernel));
  }
#endif
#ifdef RODEO_BENCH_SIMBODY
  for (const double tolerance : {1e-6, 1e-11}) {
    SimbodyLoader simbody(tolerance);
    runs.push_back(run_engine(fmt::format("Simbody, tolerance {:.0e}", tolerance), simbody, kernel));
  }
#endif
  static_cast<void>(runs);
  static_cast<void>(kernel);
}

}  // namespace

int main() {
  const LoaderKernel built;
  KernelLoader kernel(built.library()), again(built.library());
  fmt::print("driven wheel loader, {} ticks of 1 kHz, each giving poses, velocities and accelerations\n",
             kEngineTicks);
  print_run(run_engine("kernel", kernel, again));
  std::vector<EngineRun> runs;
  add_engines(runs, kernel);
  double fastest = INFINITY;
  for (const EngineRun& run : runs) {
    print_run(run);
    fastest = std::min(fastest, run.times_kernel);
  }
  if (runs.empty()) {
    fmt::print("no engine was found when this was built: apt-get install libmujoco-dev libsimbody-dev\n");
    return 0;
  }
  fmt::print("  the fastest engine takes {:.1f} times the kernel's time; wanted: at least {:.0f}\n", fastest,
             kWanted);
}
