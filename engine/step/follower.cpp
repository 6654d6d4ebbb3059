// SPDX-License-Identifier: MIT
#include "engine/step/follower.h"

#include <algorithm>

#include "engine/step/limiter.h"

namespace rodeo::engine {
namespace {

/// Kernel steps that one try may cost. A long step away from a dead point begins with short parts, each of which may double the
/// margin and be four times as long as the one before.
constexpr int kMostTrials = 64;
constexpr double kShortestPart = 1.0 / 16384;
/// Branches meet where the margin is 0: farther away than this, one goes nearer first. At most so many tries a step.
constexpr double kNearMeeting = 0.25;
constexpr int kMostAttempts = 4;

}  // namespace

std::uint32_t find_hold_bit(KernelStatus why) noexcept {
  switch (why) {
    case KernelStatus::ok: return 0;
    case KernelStatus::singular: return kHoldSingular;
    case KernelStatus::bad_input: return kBadInput;
    default: return kHoldOpen;
  }
}

Follower::Follower(const Kernel& kernel, Meetings meetings)
    : continuity_(kernel),
      passage_(kernel),
      passes_(meetings == Meetings::passed),
      here_(kernel),
      there_(kernel),
      from_(kernel.drive_count()),
      reached_(kernel.drive_count()),
      change_(kernel.drive_count()),
      aim_(3 * kernel.drive_count()),
      outputs_(kernel.output_count()),
      states_(kernel.state_count()) {}

std::uint32_t Follower::try_step(Instance& instance, std::span<double> at, std::span<const double> drives,
                                 std::span<double> outputs) noexcept {
  begin(instance, at);
  attempts_ = 0;
  double reached = 0, part = 1;
  std::uint32_t why = kHoldBranch;
  for (int trial = 0; reached < 1; ++trial) {
    if (trial == kMostTrials || part < kShortestPart) return why;
    aim(drives, reached, part);
    const Part result = try_part();
    if (result == Part::met && reached + part >= 1) {
      end_in_meeting(instance, at, outputs);
      return 0;
    }
    if (result == Part::met) {  // goes on behind it
      const Passage::Side& side = passage_.side_towards(drives);
      begin(side.pose, side.at);
      reached = 0;
      part = 1;
    } else if (result == Part::followed) {
      here_.copy(there_);
      for (std::size_t d = 0; d < at.size(); ++d) reached_[d] = aim_[3 * d];
      reached += part;
      part = std::min(2 * part, 1 - reached);
    } else {
      // The first trial is the pose that is asked for: refused there, it is the command; later, the way to it.
      if (result == Part::refused && trial == 0) why = find_hold_bit(why_);
      if (result == Part::refused && (why_ != KernelStatus::singular || !passes_)) return why;
      part /= 2;
    }
  }
  here_.get_state(states_);
  if (!is_closed(here_, states_)) return kJointOpen;
  margin_ = here_.calc_margin();
  instance.copy(here_);
  for (std::size_t d = 0; d < at.size(); ++d) at[d] = drives[3 * d];
  std::copy(outputs_.begin(), outputs_.end(), outputs.begin());
  return 0;
}

void Follower::begin(const Instance& instance, std::span<const double> at) noexcept {
  here_.copy(instance);
  std::copy(at.begin(), at.end(), from_.begin());
  std::copy(at.begin(), at.end(), reached_.begin());
}

/// The drives at reached + part of the way, and how they change over this part. Parts are powers of two: the last is exact.
void Follower::aim(std::span<const double> drives, double reached, double part) noexcept {
  std::copy(drives.begin(), drives.end(), aim_.begin());
  for (std::size_t d = 0; d < from_.size(); ++d) {
    const double way = drives[3 * d] - from_[d];
    change_[d] = part * way;
    if (reached + part < 1) aim_[3 * d] = from_[d] + (reached + part) * way;
  }
}

Follower::Part Follower::try_part() noexcept {
  there_.copy(here_);
  why_ = there_.try_step(aim_, outputs_);
  if (why_ == KernelStatus::ok)
    return continuity_.holds(here_, there_, change_) ? Part::followed : Part::doubtful;
  return why_ == KernelStatus::singular && try_meeting() ? Part::met : Part::refused;
}

bool Follower::try_meeting() noexcept {
  if (!passes_ || here_.calc_margin() > kNearMeeting || attempts_ == kMostAttempts) return false;
  ++attempts_;
  return passage_.try_pose(here_, reached_, aim_);
}

void Follower::end_in_meeting(Instance& instance, std::span<double> at, std::span<double> outputs) noexcept {
  const Passage::Side& side = passage_.side_towards(aim_);
  instance.copy(side.pose);
  std::copy(side.at.begin(), side.at.end(), at.begin());
  std::copy(passage_.outputs().begin(), passage_.outputs().end(), outputs.begin());
  std::copy(passage_.states().begin(), passage_.states().end(), states_.begin());
  margin_ = passage_.margin();
}

}  // namespace rodeo::engine
