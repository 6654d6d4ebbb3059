// SPDX-License-Identifier: MIT
#include "engine/io/printable.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace rodeo::engine {
namespace {

struct Letter {
  std::uint32_t code = 0;
  std::size_t bytes = 0;  // 0: no UTF-8
};

/// The letter that `text` begins with: the shortest form, no surrogate, at most U+10FFFF (RFC 3629).
Letter find_letter(std::string_view text) {
  const auto byte = [&](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  const unsigned first = byte(0);
  if (first < 0x80) return {first, 1};
  const std::size_t bytes = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
  if (first < 0xc2 || first > 0xf4 || text.size() < bytes) return {};
  std::uint32_t code = first & (0xffU >> (bytes + 1));
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xc0U) != 0x80) return {};
    code = code << 6 | (byte(i) & 0x3fU);
  }
  const bool is_longer_than_needed = (bytes == 3 && code < 0x800) || (bytes == 4 && code < 0x10000);
  if (is_longer_than_needed || (code >= 0xd800 && code < 0xe000) || code > 0x10ffff) return {};
  return {code, bytes};
}

bool is_harmless(std::uint32_t code, Lines lines) {
  if (code == '\n' || code == '\t') return lines == Lines::kept;
  const bool is_control = code < 0x20 || (code >= 0x7f && code < 0xa0);
  const bool turns_writing = code == 0x61c || code == 0x200e || code == 0x200f ||
                             (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
  return !is_control && !turns_writing;
}

}  // namespace

std::string build_printable(std::string_view text, Lines lines) {
  std::string shown;
  shown.reserve(text.size());
  while (!text.empty()) {
    const Letter letter = find_letter(text);
    const std::string_view bytes = text.substr(0, std::max<std::size_t>(letter.bytes, 1));
    text.remove_prefix(bytes.size());
    if (letter.bytes > 0 && is_harmless(letter.code, lines)) {
      shown += bytes;
      continue;
    }
    for (const char byte : bytes) shown += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
  }
  return shown;
}

}  // namespace rodeo::engine
