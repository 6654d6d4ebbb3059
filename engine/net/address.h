// SPDX-License-Identifier: MIT
// Addresses as the user writes them: `127.0.0.1:5005`, `[::1]:5005`, `localhost:5005`, and ranges of an allow-list,
// `192.168.1.7`, `10.0.0.0/8`, `fd00::/8`. An IPv4 address that IPv6 wraps (::ffff:10.0.0.1) counts as IPv4.
#pragma once
#include <array>
#include <cstdint>
#include <string>

#include "engine/net/error.h"

namespace rodeo::engine {

/// An IP address. `length` is 4 or 16.
struct IpAddress {
  std::array<std::uint8_t, 16> bytes{};
  std::uint8_t length = 4;
  std::uint32_t scope = 0;  // of an IPv6 link-local address

  bool operator==(const IpAddress&) const = default;
  [[nodiscard]] bool is_v6() const noexcept { return length == 16; }
  [[nodiscard]] bool is_loopback() const noexcept;
  [[nodiscard]] bool is_multicast() const noexcept;
  /// 0.0.0.0 or [::]: listens on all of them.
  [[nodiscard]] bool is_unspecified() const noexcept;
};

struct Endpoint {
  IpAddress address;
  std::uint16_t port = 0;

  bool operator==(const Endpoint&) const = default;
};

/// HOST:PORT, names looked up; throws AddressError with the text and how it should look.
[[nodiscard]] Endpoint build_endpoint(const std::string& text);
/// As it is written: `[::1]:5005`.
[[nodiscard]] std::string to_text(const Endpoint& endpoint);
[[nodiscard]] std::string to_text(const IpAddress& address);

/// Addresses whose first `prefix` bits are the same.
struct AddressRange {
  IpAddress address;
  std::uint8_t prefix = 32;

  [[nodiscard]] bool contains(const IpAddress& other) const noexcept;
};

/// ADDRESS or ADDRESS/PREFIX, no names; throws AddressError.
[[nodiscard]] AddressRange build_address_range(const std::string& text);

}  // namespace rodeo::engine
