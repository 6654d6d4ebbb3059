// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

namespace rodeo::dynamics {
namespace {

/// Of the energy that moves without the gain. Explicit Euler gains of itself, about ω²h a second; no other method does.
constexpr double kEulersGain = 0.1, kLargestGain = 0.01;
/// An explicit step from rest has speed and no way yet: up to the first peak of the kinetic energy, within these samples, only an
/// explosion is heard.
constexpr int kBeginning = 64;
constexpr double kExplosion = 2;
constexpr double kNotedLoss = 3e-4;
/// Of the potential energy itself: rounding of a machine at rest.
constexpr double kRounding = 1e-9;
/// m, or rad: what the joints' forces do over it is rounding, as of a machine that they hold at rest.
constexpr double kDrift = 1e-9;
/// Of the machine's size: a joint that is open by more has come apart, and may close on another branch.
constexpr double kLargestOpening = 1e-3;

/// E(t) − E(0) − work never rises above its least value: energy has a source. THEORY D11.
class Audit {
 public:
  explicit Audit(bool is_euler) : tolerance_(is_euler ? kEulersGain : kLargestGain) {}

  void add(const Sample& sample) {
    if (sample.t == 0.0) first_ = sample.energy.potential;
    has_peaked_ = has_peaked_ || sample.energy.kinetic < kinetic_;
    kinetic_ = std::max(kinetic_, sample.energy.kinetic);
    potential_ = std::max(potential_, std::abs(sample.energy.potential - first_));
    force_ = std::max(force_, sample.state.lambda.lpNorm<Eigen::Infinity>());
    const double account = sample.energy_error + sample.state.stored;
    lost_ = std::max(lost_, -account);
    least_ = std::min(least_, account + sample.state.damped);
    const double gain = account + sample.state.damped - least_;
    ++samples_;
    if (is_excused(gain) || !(gain > calc_room(tolerance_, gain))) return;
    throw FaultError(
        sample.t, fmt::format("the motion has {:.3g} J at t = {:.6g} s that no source gave", gain, sample.t));
  }
  [[nodiscard]] double scale() const noexcept { return kinetic_ + potential_; }
  [[nodiscard]] double lost() const noexcept { return std::max(0.0, lost_ - calc_rounding()); }

 private:
  [[nodiscard]] double calc_room(double part, double gain) const noexcept {
    return part * std::max(0.0, scale() - gain) + calc_rounding();
  }
  [[nodiscard]] double calc_rounding() const noexcept {
    return kRounding * std::abs(first_) + kDrift * force_;
  }
  [[nodiscard]] bool is_excused(double gain) const noexcept {
    if (has_peaked_ || samples_ > 1 + kBeginning) return false;
    return samples_ <= 2 || gain <= calc_room(kExplosion, gain);  // the start and one step
  }

  double tolerance_;
  int samples_ = 0;
  bool has_peaked_ = false;
  double least_ = 0.0, lost_ = 0.0, kinetic_ = 0.0, potential_ = 0.0, first_ = 0.0, force_ = 0.0;
};

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
    if (!(sample_.residual <= kLargestOpening * system.size())) throw_open(system);
    sample_.energy = system.calc_energy(sample_.state.v, work_);
    if (first_) start_ = sample_.energy.total();
    first_ = false;
    sample_.energy_error = sample_.energy.total() - start_ - sample_.state.work;
    return sample_;
  }

 private:
  [[noreturn]] void throw_open(const System& system) const {
    Eigen::Index row = 0;
    work_.rows.residual.cwiseAbs().maxCoeff(&row);
    throw FaultError(sample_.t, fmt::format("{} is open by {:.3g} m at t = {:.6g} s", system.row_name(row),
                                            sample_.residual, sample_.t));
  }

  Method& method_;
  Workspace work_;
  Sample sample_;
  double start_ = 0.0;
  bool first_ = true;
};

}  // namespace

bool RunReport::has_lost() const noexcept { return lost > kNotedLoss * scale; }

RunReport run(Method& method, double duration, double period,
              const std::function<bool(const Sample&)>& take) {
  const auto begin = std::chrono::steady_clock::now();
  const auto integrator = method.build_integrator();
  Sampler sampler(method);
  Audit audit(method.solver_name() == "euler");
  RunReport report;
  const auto ticks = static_cast<long>(std::floor(duration / period + 1e-9));
  std::vector<double> state;
  for (long tick = 0; tick <= ticks; ++tick) {
    if (tick > 0) integrator->advance(period * static_cast<double>(tick));
    const Sample& sample = sampler.take(*integrator);
    report.largest_residual = std::max(report.largest_residual, sample.residual);
    report.largest_energy_error = std::max(report.largest_energy_error, std::abs(sample.energy_error));
    audit.add(sample);
    report.damped = sample.state.damped;
    if (!take(sample)) break;
    if (method.accept(sample.t, sample.state, state)) integrator->restart(sample.t, state);
  }
  report.lost = audit.lost();
  report.scale = audit.scale();
  report.statistics = integrator->statistics();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return report;
}

}  // namespace rodeo::dynamics
