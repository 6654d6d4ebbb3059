// SPDX-License-Identifier: MIT
// The checksum against its published check value and against its definition, bit by bit.
#include "engine/record/crc32.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace rodeo::engine {
namespace {

/// Division of polynomials, one bit at a time.
std::uint32_t slow_crc32(const std::string& bytes) {
  std::uint32_t crc = 0xFFFFFFFFU;
  for (const char c : bytes) {
    crc ^= static_cast<unsigned char>(c);
    for (int bit = 0; bit < 8; ++bit) crc = (crc & 1U) != 0 ? (crc >> 1) ^ 0xEDB88320U : crc >> 1;
  }
  return ~crc;
}

TEST(Crc32, HasTheCheckValueOfTheCatalogue) { EXPECT_EQ(calc_crc32("123456789"), 0xCBF43926U); }

TEST(Crc32, IsTheDivisionOfPolynomialsForEveryLength) {
  std::mt19937 random(1);
  std::string bytes;
  for (int i = 0; i < 100; ++i) {
    EXPECT_EQ(calc_crc32(bytes), slow_crc32(bytes)) << i;
    bytes += static_cast<char>(random());
  }
}

TEST(Crc32, GoesOnInPieces) {
  const std::string text = "a chunk of a recording, cut anywhere";
  for (std::size_t i = 0; i <= text.size(); ++i) {
    EXPECT_EQ(calc_crc32(text.substr(i), calc_crc32(text.substr(0, i))), calc_crc32(text));
  }
}

}  // namespace
}  // namespace rodeo::engine
