// SPDX-License-Identifier: MIT
#include "engine/step/passage.h"

#include <algorithm>
#include <cmath>

namespace rodeo::engine {
namespace {

constexpr std::array kWeights{56.0 / 70, -28.0 / 70, 8.0 / 70, -1.0 / 70};
/// rad: what δ moves the body that moves most. The first that gets out of the poses which the kernel refuses is taken.
constexpr std::array kSwings{0.0125, 0.025, 0.05, 0.1};

}  // namespace

Passage::Passage(const Kernel& kernel)
    : continuity_(kernel),
      before_(kernel),
      behind_(kernel),
      sample_(kernel),
      change_(kernel.drive_count()),
      aim_(3 * kernel.drive_count()),
      sampled_(kernel.output_count()),
      at_sample_(kernel.state_count()),
      outputs_(kernel.output_count()),
      states_(kernel.state_count()) {}

bool Passage::try_pose(const Instance& from, std::span<const double> at,
                       std::span<const double> drives) noexcept {
  for (const double swing : kSwings) {
    for (drive_ = 0; drive_ < at.size(); ++drive_) {
      const double unit = continuity_.calc_swing(from, drive_);
      if (unit > 0 && try_drive(from, at, drives, swing / unit)) return true;
    }
  }
  return false;
}

/// Along drive_, δ = `distance`.
bool Passage::try_drive(const Instance& from, std::span<const double> at, std::span<const double> drives,
                        double distance) noexcept {
  if (!try_begin(from, at, drives, -distance, before_)) return false;
  if (!try_begin(from, at, drives, distance, behind_)) return false;
  std::fill(outputs_.begin(), outputs_.end(), 0.0);
  std::fill(states_.begin(), states_.end(), 0.0);
  margin_ = 0;
  for (const Side* side : {&before_, &behind_}) {
    const double sign = side == &before_ ? -1 : 1;
    sample_.copy(side->pose);
    for (std::size_t k = 0; k < kWeights.size(); ++k) {
      if (!try_sample(sample_, drives, sign * static_cast<double>(k + 1) * distance)) return false;
      add(sample_, kWeights[k], sign);
    }
  }
  margin_ = std::abs(margin_);
  return is_closed(from, states_);
}

/// The first sample of a side: the branch is where the rates lead, and both ends agree about it.
bool Passage::try_begin(const Instance& from, std::span<const double> at, std::span<const double> drives,
                        double distance, Side& side) noexcept {
  for (std::size_t d = 0; d < at.size(); ++d) {
    side.at[d] = drives[3 * d] + (d == drive_ ? distance : 0);
    change_[d] = side.at[d] - at[d];
  }
  side.pose.copy(from);
  return continuity_.try_predict(from, change_, at_sample_) &&
         side.pose.try_set_state(at_sample_) == KernelStatus::ok && try_sample(side.pose, drives, distance) &&
         continuity_.holds(from, side.pose, change_);
}

/// Refused like any pose below the stop margin.
bool Passage::try_sample(Instance& pose, std::span<const double> drives, double offset) noexcept {
  std::copy(drives.begin(), drives.end(), aim_.begin());
  aim_[3 * drive_] += offset;
  return pose.try_step(aim_, sampled_) == KernelStatus::ok;
}

void Passage::add(const Instance& pose, double weight, double sign) noexcept {
  pose.get_state(at_sample_);
  for (std::size_t o = 0; o < outputs_.size(); ++o) outputs_[o] += weight * sampled_[o];
  for (std::size_t s = 0; s < states_.size(); ++s) states_[s] += weight * at_sample_[s];
  margin_ += weight * sign * pose.calc_margin();
}

const Passage::Side& Passage::side_towards(std::span<const double> drives) const noexcept {
  const double to = drives[3 * drive_];
  const bool is_before = std::abs(to - before_.at[drive_]) <= std::abs(to - behind_.at[drive_]);
  return is_before ? before_ : behind_;
}

}  // namespace rodeo::engine
