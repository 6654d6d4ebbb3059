// SPDX-License-Identifier: MIT
#include "engine/step/follower.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "engine/step/limiter.h"

namespace rodeo::engine {
namespace {

/// Kernel steps that one try may cost. A long step away from a dead point begins with short parts, each of which may double the
/// margin and be four times as long as the one before.
constexpr int kMostTrials = 64;
constexpr double kShortestPart = 1.0 / 16384;
/// Far from singular poses a short step needs no second look.
constexpr double kSafeMargin = 0.5;
constexpr double kSafeMove = 0.05;  // rad

std::vector<std::size_t> find_angles(const Kernel& kernel) {
  std::vector<std::size_t> angles;
  for (std::size_t s = 0; s < kernel.state_count(); ++s) {
    if (std::string_view(kernel.states()[s].unit) != "m") angles.push_back(s);
  }
  return angles;
}

}  // namespace

std::uint32_t find_hold_bit(KernelStatus why) noexcept {
  switch (why) {
    case KernelStatus::ok: return 0;
    case KernelStatus::singular: return kHoldSingular;
    case KernelStatus::bad_input: return kBadInput;
    default: return kHoldOpen;
  }
}

Follower::Follower(const Kernel& kernel)
    : here_(kernel),
      there_(kernel),
      angles_(find_angles(kernel)),
      from_(kernel.state_count()),
      to_(kernel.state_count()),
      rates_(kernel.state_count()),
      change_(kernel.drive_count()),
      aim_(3 * kernel.drive_count()),
      outputs_(kernel.output_count()) {}

std::uint32_t Follower::try_step(Instance& instance, std::span<double> at, std::span<const double> drives,
                                 std::span<double> outputs) noexcept {
  here_.copy(instance);
  double reached = 0, part = 1;
  for (int trial = 0; reached < 1; ++trial) {
    aim(at, drives, reached, part);
    const Part result = try_part(outputs_);
    // The first trial is the pose that is asked for: refused there, it is the command; later, the way to it.
    if (result == Part::refused) return trial == 0 ? find_hold_bit(why_) : kHoldBranch;
    if (result == Part::doubtful) {
      part /= 2;
      if (part < kShortestPart || trial == kMostTrials) return kHoldBranch;
      continue;
    }
    here_.copy(there_);
    reached += part;
    part = std::min(2 * part, 1 - reached);
  }
  if (!is_closed()) return kJointOpen;
  instance.copy(here_);
  for (std::size_t d = 0; d < at.size(); ++d) at[d] = drives[3 * d];
  std::copy(outputs_.begin(), outputs_.end(), outputs.begin());
  return 0;
}

/// The drives at reached + part of the way, and how they change over this part. Parts are powers of two: the last is exact.
void Follower::aim(std::span<const double> at, std::span<const double> drives, double reached,
                   double part) noexcept {
  std::copy(drives.begin(), drives.end(), aim_.begin());
  for (std::size_t d = 0; d < at.size(); ++d) {
    const double way = drives[3 * d] - at[d];
    change_[d] = part * way;
    if (reached + part < 1) aim_[3 * d] = at[d] + (reached + part) * way;
  }
}

Follower::Part Follower::try_part(std::span<double> outputs) noexcept {
  there_.copy(here_);
  why_ = there_.try_step(aim_, outputs);
  if (why_ != KernelStatus::ok) return Part::refused;
  return is_continuous() ? Part::followed : Part::doubtful;
}

bool Follower::is_continuous() noexcept {
  here_.get_state(from_);
  there_.get_state(to_);
  const double margin = std::min(here_.calc_margin(), there_.calc_margin());
  double move = 0;
  for (const std::size_t s : angles_) move = std::max(move, std::abs(to_[s] - from_[s]));
  if (margin > kSafeMargin && move < kSafeMove) return true;
  return agrees(here_, from_, margin / 2) && agrees(there_, to_, margin / 2);
}

/// Whether the rates at `states` explain the move, within `room`.
bool Follower::agrees(const Instance& instance, std::span<const double> states, double room) noexcept {
  if (instance.try_derivatives(states, change_, rates_) != KernelStatus::ok) return false;
  return std::all_of(angles_.begin(), angles_.end(),
                     [&](std::size_t s) { return std::abs(to_[s] - from_[s] - rates_[s]) <= room; });
}

bool Follower::is_closed() noexcept {
  double opening = 0;
  here_.get_state(to_);
  return here_.try_closure(to_, opening) == KernelStatus::ok && opening <= kLargestOpening;
}

}  // namespace rodeo::engine
