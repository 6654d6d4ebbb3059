// SPDX-License-Identifier: MIT
// A driven machine goes from one pose to the next along the straight line of its drives' positions q, and stays on its branch.
//
// Where two branches of a linkage meet (a parallelogram that lies flat) the pose alone does not tell them apart; rates do. With
// D(x) the rates of the states for unit rates of the drives, a step over Δq is on the branch if both ends agree about it,
//     |x₁ - x₀ - D(x₀) Δq| <= m/2   and   |x₁ - x₀ - D(x₁) Δq| <= m/2     (angles; m: the smaller margin of both ends)
// because a transmission angle that changes its sign and is given the other one is wrong by at least m₀ + m₁. A step that
// does not agree is taken in shorter parts; one of these falls into the singular pose, which the kernel refuses. The number
// of parts is bounded. Every joint is closed at the end, the redundant ones too.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "engine/kernel/kernel.h"

namespace rodeo::engine {

/// m. Closed forms close to some 1e-15 of the machine's size: what is open by more is another machine, of any size up to 1 km.
inline constexpr double kLargestOpening = 1e-9;

/// What a refusal of the kernel is called; 0 for none.
[[nodiscard]] std::uint32_t find_hold_bit(KernelStatus why) noexcept;

class Follower {
 public:
  explicit Follower(const Kernel& kernel);

  /// Steps `instance` from where its drives are, `at`, to `drives` (position, rate, acceleration of each). 0, or the status bit that
  /// says why not: then `instance`, `at` and `outputs` are as they were.
  [[nodiscard]] std::uint32_t try_step(Instance& instance, std::span<double> at,
                                       std::span<const double> drives, std::span<double> outputs) noexcept;

 private:
  enum class Part : std::uint8_t { followed, doubtful, refused };

  void aim(std::span<const double> at, std::span<const double> drives, double reached, double part) noexcept;
  [[nodiscard]] Part try_part(std::span<double> outputs) noexcept;
  [[nodiscard]] bool is_continuous() noexcept;
  [[nodiscard]] bool agrees(const Instance& instance, std::span<const double> states, double room) noexcept;
  [[nodiscard]] bool is_closed() noexcept;

  Instance here_;                          // the last part's end
  Instance there_;                         // this part's
  std::vector<std::size_t> angles_;        // of the states; what is dimensionless counts as half an angle
  std::vector<double> from_, to_, rates_;  // states, and their rates over a part
  std::vector<double> change_;             // of the drives over a part
  std::vector<double> aim_;                // 3 a drive
  std::vector<double> outputs_;
  KernelStatus why_ = KernelStatus::ok;
};

}  // namespace rodeo::engine
