// SPDX-License-Identifier: MIT
// Eight tables, eight bytes at a time: table k gives what a byte becomes k bytes later.
#include "engine/record/crc32.h"

#include <array>
#include <bit>
#include <cstring>

namespace rodeo::engine {
namespace {

constexpr std::uint32_t kPolynomial = 0xEDB88320U;
using Table = std::array<std::uint32_t, 256>;

constexpr std::array<Table, 8> build_tables() {
  std::array<Table, 8> tables{};
  for (std::uint32_t i = 0; i < 256; ++i) {
    std::uint32_t value = i;
    for (int bit = 0; bit < 8; ++bit) value = (value >> 1) ^ ((value & 1U) != 0 ? kPolynomial : 0U);
    tables[0][i] = value;
  }
  for (std::size_t k = 1; k < tables.size(); ++k) {
    for (std::size_t i = 0; i < 256; ++i) {
      const std::uint32_t value = tables[k - 1][i];
      tables[k][i] = (value >> 8) ^ tables[0][value & 0xFFU];
    }
  }
  return tables;
}

constexpr std::array<Table, 8> kTables = build_tables();

std::uint32_t fold(std::uint64_t eight) noexcept {
  std::uint32_t result = 0;
  for (std::size_t k = 0; k < 8; ++k) result ^= kTables[7 - k][(eight >> (8 * k)) & 0xFFU];
  return result;
}

}  // namespace

std::uint32_t calc_crc32(std::string_view bytes, std::uint32_t before) noexcept {
  static_assert(std::endian::native == std::endian::little);
  std::uint32_t crc = ~before;
  for (; bytes.size() >= 8; bytes.remove_prefix(8)) {
    std::uint64_t eight = 0;
    std::memcpy(&eight, bytes.data(), sizeof eight);
    crc = fold(eight ^ crc);
  }
  for (const char byte : bytes)
    crc = (crc >> 8) ^ kTables[0][(crc ^ static_cast<unsigned char>(byte)) & 0xFFU];
  return ~crc;
}

}  // namespace rodeo::engine
