// SPDX-License-Identifier: MIT
// Endpoints as the system's calls take them.
#pragma once
#include <sys/socket.h>

#include "engine/net/address.h"

namespace rodeo::engine {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t length = 0;

  [[nodiscard]] const sockaddr* get() const noexcept { return reinterpret_cast<const sockaddr*>(&storage); }
};

[[nodiscard]] SocketAddress build_socket_address(const Endpoint& endpoint) noexcept;
/// An IPv4 address that IPv6 wraps comes out as IPv4.
[[nodiscard]] Endpoint build_endpoint_of(const sockaddr& socket) noexcept;

}  // namespace rodeo::engine
