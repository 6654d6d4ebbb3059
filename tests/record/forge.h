// SPDX-License-Identifier: MIT
// A recording changed by somebody who repairs the checksums behind him, so that nothing but its contents can tell.
#pragma once
#include <cstring>
#include <string>
#include <string_view>

#include "engine/record/crc32.h"

namespace rodeo::engine::testing_support {

inline std::uint64_t read_u64(const std::string& bytes, std::size_t at) {
  std::uint64_t value = 0;
  std::memcpy(&value, bytes.data() + at, sizeof value);
  return value;
}

inline void put_crc(std::string& bytes, std::size_t at, std::size_t begin, std::size_t end) {
  const std::uint32_t crc = calc_crc32(std::string_view(bytes).substr(begin, end - begin));
  std::memcpy(bytes.data() + at, &crc, sizeof crc);
}

/// The checksums of chunks, attachments, data and summary, where lengths are as they were.
inline std::string repair(std::string bytes) {
  for (std::size_t at = 8; at + 9 <= bytes.size();) {
    const auto op = static_cast<unsigned char>(bytes[at]);
    const std::size_t content = at + 9, end = content + read_u64(bytes, at + 1);
    if (op == 6) put_crc(bytes, content + 24, content + 28 + 4 + 8, end);
    if (op == 9) put_crc(bytes, end - 4, content, end - 4);
    if (op == 15) put_crc(bytes, content, 0, at);
    if (op == 2) put_crc(bytes, content + 16, read_u64(bytes, content), content + 16);
    if (op == 2) break;
    at = end;
  }
  return bytes;
}

/// `text` everywhere by another one of its length.
inline std::string replace_all(std::string bytes, std::string_view text, std::string_view other) {
  for (std::size_t at = bytes.find(text); at != std::string::npos; at = bytes.find(text, at + other.size()))
    bytes.replace(at, text.size(), other);
  return bytes;
}

inline std::string_view bytes_of(const double& value) {
  return {reinterpret_cast<const char*>(&value), sizeof value};
}

}  // namespace rodeo::engine::testing_support
