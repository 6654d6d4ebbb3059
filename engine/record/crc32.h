// SPDX-License-Identifier: MIT
// CRC-32 as MCAP, zlib and Ethernet have it: reflected polynomial 0xEDB88320, all ones before and after.
#pragma once
#include <cstdint>
#include <string_view>

namespace rodeo::engine {

/// Of bytes in pieces: calc_crc32(b, calc_crc32(a)) is that of a and b in one.
[[nodiscard]] std::uint32_t calc_crc32(std::string_view bytes, std::uint32_t before = 0) noexcept;

}  // namespace rodeo::engine
