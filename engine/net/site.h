// SPDX-License-Identifier: MIT
// The site file: what a channel of the other side means here, apart from the machine. A sensor reports extension in
// millimetres, the machine wants pin-to-pin metres:
//     drives:
//       lift: {scale: 0.001, offset: 1.23, sign: 1}
// position of the machine = sign · scale · value + offset, rate = sign · scale · value. Commands only: states are published
// in the machine's own units. What is not listed stays as it is.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "engine/net/fingerprint.h"
#include "engine/step/limiter.h"

namespace rodeo::engine {

/// One drive as the other side sees it.
struct SiteChannel {
  double factor = 1;  // sign · scale, not 0
  double offset = 0;  // rad or m

  [[nodiscard]] double calc_position(double value) const noexcept { return factor * value + offset; }
  [[nodiscard]] double calc_rate(double value) const noexcept { return factor * value; }
  /// What the other side would have to send.
  [[nodiscard]] double calc_position_of_sender(double position) const noexcept {
    return (position - offset) / factor;
  }
  /// The machine's limits as the other side would write them.
  [[nodiscard]] DriveLimits calc_limits_of_sender(const DriveLimits& limits) const noexcept;
};

/// One channel a drive, in the machine's order; YAML, throws IoError with file, line and remedy.
[[nodiscard]] std::vector<SiteChannel> build_site_from_file(const std::string& path,
                                                            std::span<const Channel> drives);
[[nodiscard]] std::vector<SiteChannel> build_site_from_text(const std::string& text, const std::string& name,
                                                            std::span<const Channel> drives);

}  // namespace rodeo::engine
