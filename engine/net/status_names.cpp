// SPDX-License-Identifier: MIT
#include "engine/net/status_names.h"

#include <array>

#include "engine/net/link_log.h"
#include "engine/session/session.h"

namespace rodeo::engine {
namespace {

constexpr std::array kNames{
    StatusName{kLimited, "limited"},
    StatusName{kAtLower, "at_lower"},
    StatusName{kAtUpper, "at_upper"},
    StatusName{kNearSingular, "near_singular"},
    StatusName{kHoldSingular, "hold_singular"},
    StatusName{kHoldOpen, "hold_open"},
    StatusName{kBadInput, "bad_input"},
    StatusName{kHoldAbrupt, "hold_abrupt"},
    StatusName{kHoldBranch, "hold_branch"},
    StatusName{kJointOpen, "joint_open"},
    StatusName{kEnergyGain, "energy_gain"},
    StatusName{kFrozen, "frozen"},
    StatusName{kStale, "stale"},
    StatusName{kStaleLatched, "stale_latched"},
    StatusName{kStopped, "stopped"},
    StatusName{kHalted, "halted"},
    StatusName{kVerbRefused, "verb_refused"},
    StatusName{kWaiting, "waiting"},
    StatusName{kClipped, "clipped"},
    StatusName{kRefused, "refused"},
    StatusName{kTwoSenders, "two_senders"},
    StatusName{kJumped, "jumped"},
};

}  // namespace

std::span<const StatusName> status_names() noexcept { return kNames; }

std::vector<std::string_view> list_status(std::uint32_t status) {
  std::vector<std::string_view> names;
  for (const StatusName& each : kNames) {
    if ((status & each.bit) != 0) names.push_back(each.name);
  }
  return names;
}

}  // namespace rodeo::engine
