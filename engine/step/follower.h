// SPDX-License-Identifier: MIT
// A driven machine goes from one pose to the next along the straight line of its drives' positions q, and stays on its branch
// (continuity.h). A step that leaves it in doubt is taken in shorter parts; one of these falls into the singular pose. Where two branches
// meet there it is passed, rates decide (passage.h); else it is a limit, which the kernel refuses. The number of parts is bounded.
// Every joint is closed at the end, the redundant ones too.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engine/kernel/kernel.h"
#include "engine/step/continuity.h"
#include "engine/step/passage.h"

namespace rodeo::engine {

/// What a refusal of the kernel is called; 0 for none.
[[nodiscard]] std::uint32_t find_hold_bit(KernelStatus why) noexcept;

/// Whether a machine goes through poses in which branches meet, or holds before them.
enum class Meetings : std::uint8_t { passed, refused };

class Follower {
 public:
  explicit Follower(const Kernel& kernel, Meetings meetings = Meetings::passed);

  /// Steps `instance` from where its drives are, `at`, to `drives` (position, rate, acceleration of each). 0, or the status bit that
  /// says why not: then `instance`, `at` and `outputs` are as they were. In a pose where branches meet the instance and `at`
  /// are those of a regular pose nearby, from which the next step begins; outputs, states and margin are of the pose itself.
  [[nodiscard]] std::uint32_t try_step(Instance& instance, std::span<double> at,
                                       std::span<const double> drives, std::span<double> outputs) noexcept;

  /// Of the last step that was made.
  [[nodiscard]] std::span<const double> states() const noexcept { return states_; }
  [[nodiscard]] double margin() const noexcept { return margin_; }

 private:
  enum class Part : std::uint8_t { followed, doubtful, refused, met };

  void begin(const Instance& instance, std::span<const double> at) noexcept;
  void aim(std::span<const double> drives, double reached, double part) noexcept;
  [[nodiscard]] Part try_part() noexcept;
  [[nodiscard]] bool try_meeting() noexcept;
  void end_in_meeting(Instance& instance, std::span<double> at, std::span<double> outputs) noexcept;

  Continuity continuity_;
  Passage passage_;
  bool passes_;
  int attempts_ = 0;             // to pass, in this step
  Instance here_;                // the last part's end
  Instance there_;               // this part's
  std::vector<double> from_;     // the drives where the straight line begins
  std::vector<double> reached_;  // and where here_ is
  std::vector<double> change_;   // of the drives over a part
  std::vector<double> aim_;      // 3 a drive
  std::vector<double> outputs_, states_;
  double margin_ = 1;
  KernelStatus why_ = KernelStatus::ok;
};

}  // namespace rodeo::engine
