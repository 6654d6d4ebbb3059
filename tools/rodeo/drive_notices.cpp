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

std::string describe_latches(const std::string& name, std::uint32_t latches) {
  return fmt::format(
      "{} is latched ({}) and does not move: 'rodeo drive --rearm' or key A of 'rodeo run' releases it", name,
      fmt::join(engine::list_status(latches), ", "));
}

}  // namespace

DriveNotices::DriveNotices(const engine::Answer& first, bool rearms)
    : name_(first.machine.name),
      counts_(first.counts),
      latches_(first.status & kLatches),
      rearms_(rearms),
      is_stuck_(latches_ != 0 && !rearms) {}

std::vector<std::string> DriveNotices::begin() const {
  if (latches_ == 0) return {};
  if (!rearms_) return {"warning: " + describe_latches(name_, latches_)};
  return {fmt::format("{} was latched ({}): rearmed", name_, fmt::join(engine::list_status(latches_), ", "))};
}

std::vector<std::string> DriveNotices::take(const engine::Answer& answer) {
  std::vector<std::string> said;
  const std::uint32_t latches = answer.status & kLatches;
  if ((latches & ~latches_) != 0) said.push_back("warning: " + describe_latches(name_, latches));
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

}  // namespace rodeo::tools
