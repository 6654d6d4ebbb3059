// SPDX-License-Identifier: MIT
// A cycle is written in the machine's own units. Where the engine reads its packets by a site file (millimetres, another zero, another
// sign), they are sent as that file wants them.
#pragma once
#include "tools/rodeo/drive_source.h"

namespace rodeo::tools {

/// The answer of an engine with a site, in the machine's own units: limits and positions. Another one as it is.
[[nodiscard]] engine::Answer build_own_units(const engine::Answer& answer);
/// For the person at the terminal; empty if there is no site.
[[nodiscard]] std::string describe_site(const engine::Answer& answer);

/// What `source` says, as the site wants it.
class SiteSource final : public DriveSource {
 public:
  SiteSource(DriveSource& source, std::vector<engine::SiteChannel> site)
      : source_(source), site_(std::move(site)) {}

  bool fill(std::int64_t time, Outgoing& out) override;
  [[nodiscard]] bool is_written() const override { return source_.is_written(); }
  [[nodiscard]] double fraction(std::int64_t time) const override { return source_.fraction(time); }

 private:
  DriveSource& source_;
  std::vector<engine::SiteChannel> site_;
};

}  // namespace rodeo::tools
