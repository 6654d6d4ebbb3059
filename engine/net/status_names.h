// SPDX-License-Identifier: MIT
// The bits of a published status word by name: in JSON, in the report of a run, in the answer to a hello. PROTOCOL.md has the table.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace rodeo::engine {

struct StatusName {
  std::uint32_t bit;
  std::string_view name;
};

/// All of them, from the lowest bit on.
[[nodiscard]] std::span<const StatusName> status_names() noexcept;

/// `frozen`, `stale`, ...: those of the bits that are set.
[[nodiscard]] std::vector<std::string_view> list_status(std::uint32_t status);

}  // namespace rodeo::engine
