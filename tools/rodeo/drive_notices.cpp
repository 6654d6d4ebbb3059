// SPDX-License-Identifier: MIT
#include "tools/rodeo/drive_notices.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "engine/net/refusal_text.h"
#include "engine/net/status_names.h"
#include "engine/session/session.h"

namespace rodeo::tools {
namespace {

constexpr std::uint32_t kLatches = engine::kStaleLatched | engine::kStopped | engine::kHalted;

/// What keeps a machine still that is not latched.
constexpr std::uint32_t kHolds = std::uint32_t{engine::kFrozen} | engine::kHoldSingular | engine::kHoldOpen |
                                 engine::kHoldBranch | engine::kJointOpen;

std::string list(std::uint32_t bits) { return fmt::format("{}", fmt::join(engine::list_status(bits), ", ")); }

/// A machine without drives moves even so.
std::string describe_latches(const std::string& name, bool has_drives, std::uint32_t latches) {
  return fmt::format("{} is latched ({}) and {}: 'rodeo drive --rearm' or key A of 'rodeo run' releases it",
                     name, list(latches), has_drives ? "does not move" : "takes no inputs");
}

}  // namespace

DriveNotices::DriveNotices(const engine::Answer& first, bool rearms)
    : name_(first.machine.name),
      counts_(first.counts),
      has_drives_(!first.machine.drives.empty()),
      status_(first.status),
      latches_(first.status & kLatches),
      rearms_(rearms),
      is_stuck_(latches_ != 0 && !rearms) {}

std::vector<std::string> DriveNotices::begin() const {
  if (latches_ == 0) return {};
  if (!rearms_) return {"warning: " + describe_latches(name_, has_drives_, latches_)};
  return {fmt::format("{} was latched ({}): rearmed", name_, list(latches_))};
}

std::vector<std::string> DriveNotices::take(const engine::Answer& answer) {
  std::vector<std::string> said;
  const std::uint32_t latches = answer.status & kLatches;
  const std::uint32_t fallen = latches & ~latches_;
  if (fallen != 0) said.push_back("warning: " + describe_latches(name_, has_drives_, latches));
  fallen_ |= fallen;
  status_ = answer.status;
  if (latches == 0 && latches_ != 0 && !rearms_) said.push_back(fmt::format("{} is rearmed", name_));
  rearms_ = false;
  latches_ = latches;
  is_stuck_ = is_stuck_ && latches != 0;
  for (std::size_t i = 1; i < engine::kRefusalCount; ++i) {
    if (answer.counts.refused[i] <= counts_.refused[i]) continue;
    const auto why = static_cast<engine::Refusal>(i);
    said.push_back(fmt::format("warning: {} refused {} packets: {}: {}", name_,
                               answer.counts.refused[i] - counts_.refused[i], engine::refusal_name(why),
                               engine::refusal_advice(why)));
  }
  counts_ = answer.counts;
  return said;
}

std::string DriveNotices::describe_lapse() const {
  if (is_stuck_) return "was latched all the time: it did nothing";
  if (fallen_ != 0) return fmt::format("was latched ({}) on the way: it did not do all", list(fallen_));
  const std::uint32_t holds = status_ & kHolds;
  return holds == 0 ? "" : fmt::format("stands still ({}): it did not reach the end", list(holds));
}

}  // namespace rodeo::tools
