// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace rodeo::dynamics {
namespace {

class Sampler {
 public:
  explicit Sampler(Method& method) : method_(method) {}

  const Sample& take(const solve::Integrator& integrator) {
    sample_.t = integrator.time();
    method_.read(integrator.time(), integrator.state(), sample_.state);
    if (!sample_.state.q.allFinite() || !sample_.state.v.allFinite()) {
      throw solve::SolveError(
          sample_.t, fmt::format("the joints cannot be closed any more at t = {:.6g} s: take a smaller "
                                 "step, or another method",
                                 sample_.t));
    }
    const System& system = method_.system();
    system.calc_rows(sample_.state.q, sample_.state.v, work_);
    sample_.residual = system.calc_largest(work_.rows.residual);
    sample_.energy = system.calc_energy(sample_.state.v, work_);
    if (first_) start_ = sample_.energy.total();
    first_ = false;
    sample_.energy_error = sample_.energy.total() - start_ - sample_.state.work;
    return sample_;
  }

 private:
  Method& method_;
  Workspace work_;
  Sample sample_;
  double start_ = 0.0;
  bool first_ = true;
};

}  // namespace

RunReport run(Method& method, double duration, double period,
              const std::function<bool(const Sample&)>& take) {
  const auto begin = std::chrono::steady_clock::now();
  const auto integrator = method.build_integrator();
  Sampler sampler(method);
  RunReport report;
  const auto ticks = static_cast<long>(std::floor(duration / period + 1e-9));
  std::vector<double> state;
  for (long tick = 0; tick <= ticks; ++tick) {
    if (tick > 0) integrator->advance(period * static_cast<double>(tick));
    const Sample& sample = sampler.take(*integrator);
    report.largest_residual = std::max(report.largest_residual, sample.residual);
    report.largest_energy_error = std::max(report.largest_energy_error, std::abs(sample.energy_error));
    if (!take(sample)) break;
    if (method.accept(sample.t, sample.state, state)) integrator->restart(sample.t, state);
  }
  report.statistics = integrator->statistics();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace rodeo::dynamics
