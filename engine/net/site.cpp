// SPDX-License-Identifier: MIT
#include "engine/net/site.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "engine/net/yaml_file.h"

namespace rodeo::engine {
namespace {

SiteChannel read_channel(const YamlNode& node) {
  double scale = 1;
  double sign = 1;
  SiteChannel channel;
  for (const YamlEntry& entry : node.entries_of({"scale", "offset", "sign"})) {
    const double value = entry.value.number();
    if (entry.key == "offset") channel.offset = value;
    if (entry.key == "scale") scale = value;
    if (entry.key == "sign") sign = value;
    if (entry.key == "scale" && value <= 0) entry.value.refuse("scale must be above 0: turn with sign: -1");
    if (entry.key == "sign" && std::abs(value) != 1) entry.value.refuse("sign must be 1 or -1");
  }
  channel.factor = sign * scale;
  return channel;
}

std::size_t find_drive(const YamlEntry& entry, std::span<const Channel> drives) {
  const auto is_it = [&](const Channel& drive) { return drive.name == entry.key; };
  const auto found = std::find_if(drives.begin(), drives.end(), is_it);
  if (found != drives.end()) return static_cast<std::size_t>(found - drives.begin());
  std::vector<std::string> names;
  for (const Channel& drive : drives) names.push_back(drive.name);
  entry.value.refuse(
      fmt::format("'{}' is no drive of this machine (it has {})", entry.key, fmt::join(names, ", ")));
}

std::vector<SiteChannel> read_site(const YamlNode& root, std::span<const Channel> drives) {
  std::vector<SiteChannel> site(drives.size());
  for (const YamlEntry& part : root.entries_of({"drives"})) {
    for (const YamlEntry& entry : part.value.entries()) {
      const std::size_t drive = find_drive(entry, drives);
      site[drive] = read_channel(entry.value.named(fmt::format("drive '{}'", entry.key)));
    }
  }
  return site;
}

}  // namespace

DriveLimits SiteChannel::calc_limits_of_sender(const DriveLimits& limits) const noexcept {
  const auto turn = [&](const std::optional<double>& at) {
    return at ? std::optional((*at - offset) / factor) : std::nullopt;
  };
  const auto shrink = [&](const std::optional<double>& most) {
    return most ? std::optional(*most / std::abs(factor)) : std::nullopt;
  };
  DriveLimits result{turn(limits.lower), turn(limits.upper), shrink(limits.speed),
                     shrink(limits.acceleration), shrink(limits.jerk)};
  if (factor < 0) std::swap(result.lower, result.upper);
  return result;
}

std::vector<SiteChannel> build_site_from_file(const std::string& path, std::span<const Channel> drives) {
  return read_site(YamlNode::build_from_file(path), drives);
}

std::vector<SiteChannel> build_site_from_text(const std::string& text, const std::string& name,
                                              std::span<const Channel> drives) {
  return read_site(YamlNode::build_from_text(text, name), drives);
}

}  // namespace rodeo::engine
