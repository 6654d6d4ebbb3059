// SPDX-License-Identifier: MIT
// Numbers as bytes, little-endian on every machine: written and read front to back. The caller has checked the length.
#pragma once
#include <bit>
#include <cassert>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <type_traits>

namespace rodeo::engine {

using Bytes = std::span<const std::uint8_t>;

class WireWriter {
 public:
  explicit WireWriter(std::span<std::uint8_t> out) noexcept : out_(out) {}

  template <std::integral T>
  void put(T value) noexcept {
    auto bits = static_cast<std::make_unsigned_t<T>>(value);
    assert(at_ + sizeof(T) <= out_.size());
    for (std::size_t i = 0; i < sizeof(T); ++i) out_[at_++] = static_cast<std::uint8_t>(bits >> (8 * i));
  }
  void put(double value) noexcept { put(std::bit_cast<std::uint64_t>(value)); }
  void put(Bytes bytes) noexcept {
    assert(at_ + bytes.size() <= out_.size());
    if (!bytes.empty()) std::memcpy(out_.data() + at_, bytes.data(), bytes.size());
    at_ += bytes.size();
  }

  /// Bytes written.
  [[nodiscard]] std::size_t size() const noexcept { return at_; }

 private:
  std::span<std::uint8_t> out_;
  std::size_t at_ = 0;
};

class WireReader {
 public:
  explicit WireReader(Bytes in) noexcept : in_(in) {}

  template <std::integral T>
  [[nodiscard]] T get() noexcept {
    assert(at_ + sizeof(T) <= in_.size());
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < sizeof(T); ++i) bits |= std::uint64_t{in_[at_++]} << (8 * i);
    return static_cast<T>(bits);
  }
  [[nodiscard]] double get_double() noexcept { return std::bit_cast<double>(get<std::uint64_t>()); }
  [[nodiscard]] Bytes get_bytes(std::size_t count) noexcept {
    assert(at_ + count <= in_.size());
    at_ += count;
    return in_.subspan(at_ - count, count);
  }
  [[nodiscard]] Bytes rest() const noexcept { return in_.subspan(at_); }

 private:
  Bytes in_;
  std::size_t at_ = 0;
};

}  // namespace rodeo::engine
