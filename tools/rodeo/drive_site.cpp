// SPDX-License-Identifier: MIT
#include "tools/rodeo/drive_site.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace rodeo::tools {

using engine::CommandMode;
using engine::SiteChannel;

engine::Answer build_own_units(const engine::Answer& answer) {
  engine::Answer own = answer;
  for (std::size_t d = 0; d < answer.site.size(); ++d) {
    const SiteChannel& site = answer.site[d];
    const SiteChannel back{1 / site.factor, -site.offset / site.factor};
    own.machine.limits[d] = back.calc_limits_of_sender(answer.machine.limits[d]);
    if (!own.positions.empty()) own.positions[d] = site.calc_position(answer.positions[d]);
  }
  own.site.clear();
  return own;
}

std::string describe_site(const engine::Answer& answer) {
  std::vector<std::string> channels;
  for (std::size_t d = 0; d < answer.site.size(); ++d) {
    const auto& [factor, offset] = answer.site[d];
    const engine::Channel& drive = answer.machine.drives[d];
    if (factor != 1 || offset != 0)
      channels.push_back(fmt::format("{} = {:g} * sent {:+g} {}", drive.name, factor, offset, drive.unit));
  }
  if (channels.empty()) return "";
  return fmt::format("{} has a site ({}): the cycle, in the machine's own units, is sent as it wants it",
                     answer.machine.name, fmt::join(channels, ", "));
}

bool SiteSource::fill(std::int64_t time, Outgoing& out) {
  const bool is_more = source_.fill(time, out);
  const bool has_positions = out.mode != CommandMode::rate && out.mode != CommandMode::rate_acceleration;
  const std::size_t n = site_.size();
  for (std::size_t i = 0; i < n * engine::value_count(out.mode); ++i) {
    const SiteChannel& site = site_[i % n];
    double& value = out.values[i];
    value = has_positions && i < n ? site.calc_position_of_sender(value) : value / site.factor;
  }
  return is_more;
}

}  // namespace rodeo::tools
