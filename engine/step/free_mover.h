// SPDX-License-Identifier: MIT
// Free coordinates over one tick, with the instant found at which a stop or a contact is touched or left. There an acceleration jumps,
// and one step across it is wrong by what the jump does in a part of the tick. A jump stays as large however short the step is, and
// a smooth change does not: the tick is halved towards what stays, kHalvings times, and the step across it is 1/4096 of the tick.
// Other ticks are one step, as they were. The number of steps is bounded.
#pragma once
#include <span>
#include <vector>

#include "engine/kernel/kernel.h"

namespace rodeo::engine {

class FreeMover {
 public:
  explicit FreeMover(const Kernel& kernel);

  /// `paths`: position, rate and acceleration of each drive at the begin, middle and end of the period; `inputs` at its begin.
  /// On any status but ok `machine` is as it was.
  [[nodiscard]] KernelStatus try_move(Instance& machine, std::span<const double> paths,
                                      std::span<const double> inputs, double period,
                                      rodeo_method method) noexcept;

 private:
  struct Tick {
    std::span<const double> paths, inputs;
    double period;
    rodeo_method method;
  };
  /// there_ from here_, from one part of the tick to another.
  [[nodiscard]] KernelStatus try_part(const Tick& tick, double from, double to) noexcept;
  void set_path(const Tick& tick, double from, double to) noexcept;
  /// Whether an acceleration jumps between here_ and there_.
  [[nodiscard]] bool is_rough(double duration) noexcept;
  /// Goes close to the jump and across it; where it got to in `reached`.
  [[nodiscard]] KernelStatus try_jump(const Tick& tick, double& reached) noexcept;

  Instance here_, there_;
  std::vector<double> path_, inputs_;
  std::vector<double> before_, after_;  // position, rate, acceleration of each free coordinate
};

}  // namespace rodeo::engine
