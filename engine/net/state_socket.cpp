// SPDX-License-Identifier: MIT
#include "engine/net/state_socket.h"

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>
#include <utility>

#include "engine/net/socket_address.h"
#include "engine/session/nonblocking.h"

namespace rodeo::engine {
namespace {

template <typename T>
bool set(int file, int level, int name, const T& value) {
  return ::setsockopt(file, level, name, &value, sizeof value) == 0;
}

bool set_multicast(int file, const Destination& destination) {
  const int ttl = destination.ttl;
  if (destination.endpoint.address.is_v6()) {
    return set(file, IPPROTO_IPV6, IPV6_MULTICAST_HOPS, ttl) &&
           (destination.interface == 0 ||
            set(file, IPPROTO_IPV6, IPV6_MULTICAST_IF, static_cast<int>(destination.interface)));
  }
  ip_mreqn interface {};
  interface.imr_ifindex = static_cast<int>(destination.interface);
  return set(file, IPPROTO_IP, IP_MULTICAST_TTL, ttl) &&
         (destination.interface == 0 || set(file, IPPROTO_IP, IP_MULTICAST_IF, interface));
}

}  // namespace

StateSocket::StateSocket(const Destination& destination) {
  const SocketAddress address = build_socket_address(destination.endpoint);
  file_ = ::socket(address.get()->sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  const bool is_set =
      file_ >= 0 && (!destination.endpoint.address.is_multicast() || set_multicast(file_, destination));
  if (is_set && ::connect(file_, address.get(), address.length) == 0) return;
  const int error = errno;
  if (file_ >= 0) ::close(file_);
  throw NetError(
      fmt::format("cannot publish to {}: {}", destination.text, std::generic_category().message(error)));
}

StateSocket::~StateSocket() {
  if (file_ >= 0) ::close(file_);
}

StateSocket::StateSocket(StateSocket&& other) noexcept : file_(std::exchange(other.file_, -1)) {}

SendResult StateSocket::try_send(Bytes packet) const noexcept {
  const NonblockingUnchecked nor_does_msg_dontwait;
  const auto send = [&] { return ::send(file_, packet.data(), packet.size(), MSG_DONTWAIT | MSG_NOSIGNAL); };
  const auto size = static_cast<ssize_t>(packet.size());
  if (send() == size) return SendResult::sent;
  if (errno != ECONNREFUSED) return SendResult::failed;
  // That was the answer to an earlier packet; this one has not been sent yet.
  static_cast<void>(send());
  return SendResult::unreachable;
}

}  // namespace rodeo::engine
