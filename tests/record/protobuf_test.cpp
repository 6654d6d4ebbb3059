// SPDX-License-Identifier: MIT
// The wire format against the examples of its documentation; names and numbers that protobuf accepts. Whole schemas are read
// by other people's programs in mcap_test.cpp.
#include "engine/record/protobuf.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <limits>

namespace rodeo::engine::protobuf {
namespace {

TEST(Wire, IsThatOfTheDocumentation) {
  std::string out;
  put_varint_field(out, 1, 150);
  EXPECT_EQ(out, "\x08\x96\x01");
  out.clear();
  put_bytes_field(out, 2, "testing");
  EXPECT_EQ(out, "\x12\x07testing");
  out.clear();
  put_double_field(out, 1, 25.4);
  EXPECT_EQ(out, std::string("\x09\x66\x66\x66\x66\x66\x66\x39\x40", 9));
}

TEST(Wire, GivesEveryBitBack) {
  for (const std::uint64_t bits : {std::uint64_t{0}, std::uint64_t{1} << 63, ~std::uint64_t{0},
                                   std::uint64_t{0x7FF0000000000001}, std::uint64_t{0x3FF0000000000001}}) {
    std::string out;
    put_double_field(out, 3, std::bit_cast<double>(bits));
    put_varint_field(out, 16, bits);
    FieldReader field(out);
    ASSERT_TRUE(field.next());
    EXPECT_EQ(field.number(), 3U);
    EXPECT_EQ(field.value(), bits);
    ASSERT_TRUE(field.next());
    EXPECT_EQ(field.number(), 16U);
    EXPECT_EQ(field.value(), bits);
    EXPECT_FALSE(field.next());
    EXPECT_TRUE(field.is_good());
  }
}

TEST(FieldReader, StopsAtWhatIsCutOff) {
  std::string whole;
  put_double_field(whole, 1, 1.5);
  put_bytes_field(whole, 2, "abc");
  put_varint_field(whole, 3, 300);
  for (std::size_t size = 0; size <= whole.size(); ++size) {
    FieldReader field(std::string_view(whole).substr(0, size));
    while (field.next()) {
    }
    const bool is_boundary = size == 0 || size == 9 || size == 14 || size == 17;
    EXPECT_EQ(field.is_good(), is_boundary) << size;
  }
  FieldReader endless(std::string_view("\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff", 12));
  EXPECT_FALSE(endless.next());
  EXPECT_FALSE(endless.is_good());
}

TEST(FieldNumbers, LeaveOutWhatProtobufReserves) {
  EXPECT_EQ(calc_field_number(0), 1U);
  EXPECT_EQ(calc_field_number(18998), 18999U);
  EXPECT_EQ(calc_field_number(18999), 20000U);
}

TEST(FieldNames, AreIdentifiersAndUniqueAsJsonNamesToo) {
  EXPECT_THAT(build_field_names({"tip.x", "tip_x", "tipX", "TIP.X", "2nd", "", "ä", "boom.origin.x"}),
              testing::ElementsAre("tip_x", "tip_x_v2", "tipX_v3", "TIP_X_v4", "x_2nd", "x_", "x____v2",
                                   "boom_origin_x"));
}

}  // namespace
}  // namespace rodeo::engine::protobuf
