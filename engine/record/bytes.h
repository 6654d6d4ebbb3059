// SPDX-License-Identifier: MIT
// Little-endian numbers and length-prefixed texts, as MCAP has them, to and from bytes.
#pragma once
#include <bit>
#include <concepts>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace rodeo::engine {

static_assert(std::endian::native == std::endian::little);

template <std::unsigned_integral Number>
void put_number(std::string& out, Number value) {
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  out.append(bytes, sizeof value);
}

/// Length in 32 bits, then the bytes.
inline void put_text(std::string& out, std::string_view text) {
  put_number(out, static_cast<std::uint32_t>(text.size()));
  out.append(text);
}

/// Overwrites a number that was put before.
template <std::unsigned_integral Number>
void replace_number(std::string& out, std::size_t at, Number value) {
  std::memcpy(out.data() + at, &value, sizeof value);
}

/// Takes from the front; once something does not fit, everything is 0 or empty and is_good() is false.
class ByteReader {
 public:
  explicit ByteReader(std::string_view bytes) : left_(bytes) {}

  [[nodiscard]] bool is_good() const noexcept { return is_good_; }
  [[nodiscard]] std::string_view left() const noexcept { return left_; }

  template <std::unsigned_integral Number>
  Number take_number() noexcept {
    Number value = 0;
    const std::string_view bytes = take(sizeof value);
    if (is_good_) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  std::string_view take(std::uint64_t size) noexcept {
    if (!is_good_ || size > left_.size()) {
      is_good_ = false;
      left_ = {};
      return {};
    }
    const std::string_view bytes = left_.substr(0, size);
    left_.remove_prefix(size);
    return bytes;
  }

  std::string_view take_text() noexcept { return take(take_number<std::uint32_t>()); }

 private:
  std::string_view left_;
  bool is_good_ = true;
};

}  // namespace rodeo::engine
