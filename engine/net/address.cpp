// SPDX-License-Identifier: MIT
// Text to addresses and back, with the system's own functions.
#include "engine/net/address.h"

#include <arpa/inet.h>
#include <fmt/format.h>
#include <net/if.h>
#include <netdb.h>

#include <algorithm>
#include <charconv>
#include <cstring>
#include <memory>
#include <optional>

#include "engine/net/socket_address.h"

namespace rodeo::engine {
namespace {

constexpr std::uint8_t kMappedPrefix = 12;  // ::ffff:0:0/96

IpAddress without_mapping(const IpAddress& address) {
  constexpr std::array<std::uint8_t, kMappedPrefix> kMapped{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  if (!address.is_v6() || !std::equal(kMapped.begin(), kMapped.end(), address.bytes.begin())) return address;
  IpAddress inner;
  std::copy_n(address.bytes.begin() + kMappedPrefix, 4, inner.bytes.begin());
  return inner;
}

std::optional<std::uint16_t> find_port(std::string_view text) {
  std::uint16_t port = 0;
  const auto result = std::from_chars(text.data(), text.data() + text.size(), port);
  if (result.ec != std::errc() || result.ptr != text.data() + text.size()) return {};
  return port;
}

[[noreturn]] void refuse(const std::string& text, const std::string& why) {
  throw AddressError(fmt::format("'{}' {}", text, why));
}

/// What stands between the brackets of [::1], or the host before the last colon.
std::string split_host(const std::string& text, std::string& port) {
  const std::size_t colon = text.rfind(':');
  const bool is_bracketed = text.starts_with('[');
  const std::size_t end = is_bracketed ? text.find(']') : colon;
  const bool is_whole = colon != std::string::npos && end != std::string::npos && end > 0 &&
                        (is_bracketed ? colon == end + 1 : text.find(':') == colon);
  if (!is_whole) refuse(text, "must be HOST:PORT, as in 127.0.0.1:5005 or [::1]:5005");
  port = text.substr(colon + 1);
  return is_bracketed ? text.substr(1, end - 1) : text.substr(0, end);
}

using AddressList = std::unique_ptr<addrinfo, decltype(&::freeaddrinfo)>;

IpAddress look_up(const std::string& host, const std::string& text, int flags) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = flags;
  addrinfo* found = nullptr;
  const int error = ::getaddrinfo(host.c_str(), nullptr, &hints, &found);
  const AddressList list(found, &::freeaddrinfo);
  if (error != 0 || found == nullptr) {
    refuse(text, fmt::format("has an address that cannot be found: {}", ::gai_strerror(error)));
  }
  return build_endpoint_of(*found->ai_addr).address;
}

bool is_zero(std::uint8_t byte) { return byte == 0; }

}  // namespace

Endpoint build_endpoint_of(const sockaddr& socket) noexcept {
  Endpoint endpoint;
  if (socket.sa_family == AF_INET6) {
    sockaddr_in6 six{};
    std::memcpy(&six, &socket, sizeof six);
    std::memcpy(endpoint.address.bytes.data(), &six.sin6_addr, 16);
    endpoint.address.length = 16;
    endpoint.address.scope = six.sin6_scope_id;
    endpoint.port = ntohs(six.sin6_port);
    endpoint.address = without_mapping(endpoint.address);
    return endpoint;
  }
  sockaddr_in four{};
  std::memcpy(&four, &socket, sizeof four);
  std::memcpy(endpoint.address.bytes.data(), &four.sin_addr, 4);
  endpoint.port = ntohs(four.sin_port);
  return endpoint;
}

SocketAddress build_socket_address(const Endpoint& endpoint) noexcept {
  SocketAddress result;
  if (endpoint.address.is_v6()) {
    sockaddr_in6 six{};
    six.sin6_family = AF_INET6;
    six.sin6_port = htons(endpoint.port);
    six.sin6_scope_id = endpoint.address.scope;
    std::memcpy(&six.sin6_addr, endpoint.address.bytes.data(), 16);
    std::memcpy(&result.storage, &six, sizeof six);
    result.length = sizeof six;
    return result;
  }
  sockaddr_in four{};
  four.sin_family = AF_INET;
  four.sin_port = htons(endpoint.port);
  std::memcpy(&four.sin_addr, endpoint.address.bytes.data(), 4);
  std::memcpy(&result.storage, &four, sizeof four);
  result.length = sizeof four;
  return result;
}

bool IpAddress::is_loopback() const noexcept {
  if (!is_v6()) return bytes[0] == 127;
  return std::all_of(bytes.begin(), bytes.end() - 1, is_zero) && bytes.back() == 1;
}

bool IpAddress::is_multicast() const noexcept {
  return is_v6() ? bytes[0] == 0xff : (bytes[0] & 0xf0U) == 0xe0U;
}

bool IpAddress::is_unspecified() const noexcept { return std::all_of(bytes.begin(), bytes.end(), is_zero); }

Endpoint build_endpoint(const std::string& text) {
  std::string port_text;
  const std::string host = split_host(text, port_text);
  const auto port = find_port(port_text);
  if (!port) refuse(text, "has no port from 0 to 65535 after its colon");
  return {look_up(host, text, 0), *port};
}

std::string to_text(const IpAddress& address) {
  std::array<char, INET6_ADDRSTRLEN> buffer{};
  ::inet_ntop(address.is_v6() ? AF_INET6 : AF_INET, address.bytes.data(), buffer.data(), buffer.size());
  return buffer.data();
}

std::string to_text(const Endpoint& endpoint) {
  const bool is_v6 = endpoint.address.is_v6();
  return fmt::format("{}{}{}:{}", is_v6 ? "[" : "", to_text(endpoint.address), is_v6 ? "]" : "",
                     endpoint.port);
}

bool AddressRange::contains(const IpAddress& other) const noexcept {
  if (other.length != address.length) return false;
  for (std::size_t bit = 0; bit < prefix; ++bit) {
    const auto mask = static_cast<std::uint8_t>(0x80U >> (bit % 8));
    if (((address.bytes[bit / 8] ^ other.bytes[bit / 8]) & mask) != 0) return false;
  }
  return true;
}

AddressRange build_address_range(const std::string& text) {
  const std::size_t slash = text.find('/');
  AddressRange range;
  range.address = look_up(text.substr(0, slash), text, AI_NUMERICHOST);
  const auto bits = static_cast<std::uint8_t>(8 * range.address.length);
  range.prefix = bits;
  if (slash == std::string::npos) return range;
  const auto prefix = find_port(std::string_view(text).substr(slash + 1));
  if (!prefix || *prefix > bits) refuse(text, fmt::format("must end in / and a number from 0 to {}", bits));
  range.prefix = static_cast<std::uint8_t>(*prefix);
  return range;
}

}  // namespace rodeo::engine
