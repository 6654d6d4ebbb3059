// SPDX-License-Identifier: MIT
#include "engine/net/command_sockets.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/filter.h>
#include <linux/sock_diag.h>
#include <poll.h>
#include <sys/socket.h>

#include <array>
#include <boost/asio/ip/v6_only.hpp>
#include <cstring>

#include "engine/net/error.h"
#include "engine/net/socket_address.h"

namespace rodeo::engine {
namespace {

using boost::asio::ip::udp;
using boost::system::error_code;

/// Bytes: 20 ms of a flood of 100,000 packets a second, as the system counts them.
constexpr int kReceiveBuffer = 4 << 20;
constexpr std::uint32_t kMagic = 0x52444543;  // RDEC, as the filter reads a word
constexpr std::uint32_t kFlagsOffset = 9;
constexpr std::uint32_t kStopFlag = 1;

/// The index of the socket: 1 for a stop. A load beyond the datagram's end is the first socket's.
constexpr std::array kIsStop{sock_filter{BPF_LD | BPF_W | BPF_ABS, 0, 0, 0},
                             sock_filter{BPF_JMP | BPF_JEQ | BPF_K, 0, 3, kMagic},
                             sock_filter{BPF_LD | BPF_B | BPF_ABS, 0, 0, kFlagsOffset},
                             sock_filter{BPF_JMP | BPF_JSET | BPF_K, 0, 1, kStopFlag},
                             sock_filter{BPF_RET | BPF_K, 0, 0, 1},
                             sock_filter{BPF_RET | BPF_K, 0, 0, 0}};

template <typename Value>
void set_option(udp::socket& socket, int option, const Value& value, error_code& error) {
  if (error) return;
  const int failed = ::setsockopt(socket.native_handle(), SOL_SOCKET, option, &value, sizeof value);
  if (failed != 0) error.assign(errno, boost::system::system_category());
}

void share_port(udp::socket& socket, error_code& error) { set_option(socket, SO_REUSEPORT, 1, error); }

void add_filter(udp::socket& socket, error_code& error) {
  auto filter = kIsStop;
  const sock_fprog program{static_cast<unsigned short>(filter.size()), filter.data()};
  set_option(socket, SO_ATTACH_REUSEPORT_CBPF, program, error);
}

std::uint64_t read_dropped(udp::socket& socket) noexcept {
  std::array<std::uint32_t, SK_MEMINFO_VARS> numbers{};
  socklen_t bytes = sizeof numbers;
  const int failed = ::getsockopt(socket.native_handle(), SOL_SOCKET, SO_MEMINFO, numbers.data(), &bytes);
  return failed == 0 ? numbers[SK_MEMINFO_DROPS] : 0;
}

}  // namespace

udp::endpoint build_asio_endpoint(const Endpoint& endpoint) {
  const SocketAddress address = build_socket_address(endpoint);
  udp::endpoint result;
  result.resize(address.length);
  std::memcpy(result.data(), &address.storage, address.length);
  return result;
}

Endpoint build_endpoint_of(const udp::endpoint& endpoint) { return build_endpoint_of(*endpoint.data()); }

CommandSockets::CommandSockets(boost::asio::io_context& context, const Endpoint& listen)
    : commands_(context), stops_(context) {
  error_code error;
  open(commands_, listen, error);
  if (!error) commands_.bind(build_asio_endpoint(listen), error);
  if (error == boost::asio::error::address_in_use) {
    throw NetError(fmt::format(
        "cannot listen on {}: another program has that port (another 'rodeo run'?): stop it or choose "
        "another port",
        to_text(listen)));
  }
  if (error) throw NetError(fmt::format("cannot listen on {}: {}", to_text(listen), error.message()));
  open_stops();
}

void CommandSockets::open(Socket& socket, const Endpoint& listen, error_code& error) const {
  socket.open(build_asio_endpoint(listen).protocol(), error);
  if (!error) ::fcntl(socket.native_handle(), F_SETFD, FD_CLOEXEC);  // a child would keep the port after us
  // [::] takes IPv4 too, whatever the system's default is
  if (!error && listen.address.is_v6()) socket.set_option(boost::asio::ip::v6_only(false), error);
  error_code ignored;  // what the system does not give: bursts of packets are lost sooner
  if (!error) socket.set_option(udp::socket::receive_buffer_size(kReceiveBuffer), ignored);
  if (!error) socket.non_blocking(true, error);
}

/// The port is shared after it was bound: another engine, whose first socket does not share, still finds it taken.
void CommandSockets::open_stops() {
  error_code error;
  share_port(commands_, error);
  if (!error) open(stops_, endpoint(), error);
  share_port(stops_, error);
  if (!error) stops_.bind(commands_.local_endpoint(), error);
  add_filter(stops_, error);
  error_code ignored;
  if (error) stops_.close(ignored);
}

bool CommandSockets::is_drained() noexcept {
  pollfd waiting{commands_.native_handle(), POLLIN, 0};
  return ::poll(&waiting, 1, 0) <= 0;
}

std::uint64_t CommandSockets::dropped() noexcept {
  return read_dropped(commands_) + (stops_.is_open() ? read_dropped(stops_) : 0);
}

void CommandSockets::close() noexcept {
  error_code ignored;
  commands_.close(ignored);
  stops_.close(ignored);
}

}  // namespace rodeo::engine
