// SPDX-License-Identifier: MIT
// A pose in which two branches of a linkage meet (a parallelogram that lies flat), from the poses around it. Along a drive q that leads
// through it the transmission angle goes through zero at a finite rate: everything is a smooth function of q, rates and accelerations
// for given rates of the drives too, and only the formulas of the kernel are 0/0. So it is interpolated,
//     f(q) = Σ w_k (f(q + kδ) + f(q - kδ)),   w = 56/70, -28/70, 8/70, -1/70      exact for polynomials up to the seventh degree.
// The samples next to q are on the branch to which the rates of a regular pose nearby lead. A dead point that is a limit has no
// samples behind it; where two branches only pass close by each other the joints of the interpolated pose are open.
#pragma once
#include <array>
#include <span>
#include <vector>

#include "engine/kernel/kernel.h"
#include "engine/step/continuity.h"

namespace rodeo::engine {

class Passage {
 public:
  explicit Passage(const Kernel& kernel);

  /// A regular pose beside the meeting, and where its drives are.
  struct Side {
    explicit Side(const Kernel& kernel) : pose(kernel), at(kernel.drive_count()) {}
    Instance pose;
    std::vector<double> at;
  };

  /// The pose at `drives` (position, rate and acceleration of each), which the kernel refuses; `from` is regular and at `at`.
  /// False where no two branches meet, or where that cannot be seen from there.
  [[nodiscard]] bool try_pose(const Instance& from, std::span<const double> at,
                              std::span<const double> drives) noexcept;

  [[nodiscard]] std::span<const double> outputs() const noexcept { return outputs_; }
  [[nodiscard]] std::span<const double> states() const noexcept { return states_; }
  [[nodiscard]] double margin() const noexcept { return margin_; }
  /// Of both, the one nearer to these positions along the drive (3 numbers a drive).
  [[nodiscard]] const Side& side_towards(std::span<const double> drives) const noexcept;

 private:
  [[nodiscard]] bool try_drive(const Instance& from, std::span<const double> at,
                               std::span<const double> drives, double distance) noexcept;
  [[nodiscard]] bool try_begin(const Instance& from, std::span<const double> at,
                               std::span<const double> drives, double distance, Side& side) noexcept;
  [[nodiscard]] bool try_sample(Instance& pose, std::span<const double> drives, double offset) noexcept;
  void add(const Instance& pose, double weight, double sign) noexcept;

  Continuity continuity_;
  Side before_, behind_;
  Instance sample_;
  std::size_t drive_ = 0;                    // along which
  std::vector<double> change_, aim_;         // of the drives
  std::vector<double> sampled_, at_sample_;  // outputs, states
  std::vector<double> outputs_, states_;
  double margin_ = 0;
};

}  // namespace rodeo::engine
