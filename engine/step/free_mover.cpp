// SPDX-License-Identifier: MIT
#include "engine/step/free_mover.h"

#include <algorithm>
#include <cmath>

namespace rodeo::engine {
namespace {

constexpr int kHalvings = 12;
constexpr int kMostJumps = 2;  // in one tick
/// A jump is at least this part of the larger acceleration, and would change a rate by at least this part of it in a tick.
constexpr double kJump = 0.2, kEffect = 1e-5;

/// At a part of the tick, from begin, middle and end: the parabola through them, exact for a constant acceleration.
double interpolate(const double* at_begin, std::size_t number, double part) noexcept {
  const double begin = at_begin[number], middle = at_begin[3 + number], end = at_begin[6 + number];
  return begin + part * (4 * middle - 3 * begin - end + part * 2 * (begin + end - 2 * middle));
}

}  // namespace

FreeMover::FreeMover(const Kernel& kernel)
    : here_(kernel),
      there_(kernel),
      path_(9 * kernel.drive_count()),
      inputs_(kernel.input_count()),
      before_(3 * kernel.free_count()),
      after_(3 * kernel.free_count()) {}

void FreeMover::set_path(const Tick& tick, double from, double to) noexcept {
  const double parts[3] = {from, 0.5 * (from + to), to};
  for (std::size_t i = 0; i < path_.size(); ++i)
    path_[i] = interpolate(&tick.paths[i - i % 9], i % 3, parts[i % 9 / 3]);
  std::copy(tick.inputs.begin(), tick.inputs.end(), inputs_.begin());
  if (!inputs_.empty()) inputs_[0] += from * tick.period;
}

KernelStatus FreeMover::try_part(const Tick& tick, double from, double to) noexcept {
  there_.copy(here_);
  if (from == 0 && to == 1) return there_.try_free(tick.paths, tick.inputs, tick.period, tick.method);
  set_path(tick, from, to);
  return there_.try_free(path_, inputs_, (to - from) * tick.period, tick.method);
}

bool FreeMover::is_rough(double duration) noexcept {
  here_.get_free(before_);
  there_.get_free(after_);
  for (std::size_t i = 0; i < before_.size(); i += 3) {
    const double jump = std::abs(after_[i + 2] - before_[i + 2]);
    const double rate = std::max(std::abs(before_[i + 1]), std::abs(after_[i + 1]));
    const double acceleration = std::max(std::abs(before_[i + 2]), std::abs(after_[i + 2]));
    if (jump > kJump * acceleration && jump * duration > kEffect * rate) return true;
  }
  return false;
}

KernelStatus FreeMover::try_jump(const Tick& tick, double& reached) noexcept {
  double part = 1 - reached;
  for (int i = 0; i < kHalvings; ++i) {
    part /= 2;
    if (const KernelStatus status = try_part(tick, reached, reached + part); status != KernelStatus::ok)
      return status;
    if (is_rough(tick.period)) continue;  // it is in this half
    here_.copy(there_);
    reached += part;
  }
  if (const KernelStatus status = try_part(tick, reached, reached + part); status != KernelStatus::ok)
    return status;
  here_.copy(there_);
  reached += part;
  return KernelStatus::ok;
}

KernelStatus FreeMover::try_move(Instance& machine, std::span<const double> paths,
                                 std::span<const double> inputs, double period,
                                 rodeo_method method) noexcept {
  const Tick tick{paths, inputs, period, method};
  here_.copy(machine);
  double reached = 0;
  for (int jumps = 0;; ++jumps) {
    if (const KernelStatus status = try_part(tick, reached, 1); status != KernelStatus::ok) return status;
    if (jumps == kMostJumps || !is_rough((1 - reached) * period)) break;
    if (const KernelStatus status = try_jump(tick, reached); status != KernelStatus::ok) return status;
    if (reached >= 1) {
      machine.copy(here_);
      return KernelStatus::ok;
    }
  }
  machine.copy(there_);
  return KernelStatus::ok;
}

}  // namespace rodeo::engine
