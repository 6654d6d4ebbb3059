// SPDX-License-Identifier: MIT
// Nothing that a file says reaches a terminal as a command, and nothing that it says is lost.
#include "engine/io/printable.h"

#include <gtest/gtest.h>

namespace rodeo::engine {
namespace {

TEST(Printable, LettersOfAnyLanguageStayAsTheyAre) {
  for (const char* text : {"", "boom.angle ~ {}'\"", "Ausleger für Größe", "吊臂", "ξ̇ ≤ 2·π", "🚜"})
    EXPECT_EQ(build_printable(text), text);
}

TEST(Printable, ControlCharactersAreShownAsBytes) {
  EXPECT_EQ(build_printable("\x1b[2Ja\x07 b\r\x7f"), "\\x1b[2Ja\\x07 b\\x0d\\x7f");
  EXPECT_EQ(build_printable(std::string_view("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(build_printable("\xc2\x9b[31m"), "\\xc2\\x9b[31m") << "CSI of eight bits";
  EXPECT_EQ(build_printable("a\xe2\x80\xae b"), "a\\xe2\\x80\\xae b") << "writes from right to left";
}

TEST(Printable, LineEndsStayInTextsOnly) {
  EXPECT_EQ(build_printable("a\nb\tc"), "a\\x0ab\\x09c");
  EXPECT_EQ(build_printable("a\nb\tc\x1b", Lines::kept), "a\nb\tc\\x1b");
}

TEST(Printable, BytesThatAreNoUtf8AreShown) {
  EXPECT_EQ(build_printable("a\xffz"), "a\\xffz");
  EXPECT_EQ(build_printable("\xc3"), "\\xc3") << "cut off";
  EXPECT_EQ(build_printable("\xc0\x9b"), "\\xc0\\x9b") << "longer than needed";
  EXPECT_EQ(build_printable("\xe0\x82\x9b"), "\\xe0\\x82\\x9b") << "longer than needed";
  EXPECT_EQ(build_printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(build_printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond U+10FFFF";
}

/// A pair that stays is a letter of U+0080 to U+07FF.
TEST(Printable, OfAnyTwoBytesNoneIsAControl) {
  for (unsigned a = 0; a < 256; ++a) {
    for (unsigned b = 0; b < 256; ++b) {
      const std::string shown = build_printable(std::string{static_cast<char>(a), static_cast<char>(b)});
      for (const char c : shown)
        ASSERT_FALSE(static_cast<unsigned char>(c) < 0x20 || c == 0x7f) << a << ' ' << b;
      const bool is_letter = a >= 0xc2 && a <= 0xdf && b >= 0x80 && b <= 0xbf;
      EXPECT_TRUE(shown.size() > 2 || a < 0x80 || is_letter) << a << ' ' << b;
    }
  }
}

}  // namespace
}  // namespace rodeo::engine
