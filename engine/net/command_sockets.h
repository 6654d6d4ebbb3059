// SPDX-License-Identifier: MIT
// Two sockets on the port where commands come. The system itself puts emergency stops (magic RDEC, the flag) into one of their own, by a
// filter on the port, so that no flood of other packets fills the buffer in which a stop waits or keeps it behind them. Where the system has
// no such filter, stops come with everything else.
#pragma once
#include <utility>  // Boost 1.74's Asio forgets it in C++20
//
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>
#include <cstdint>

#include "engine/net/address.h"

namespace rodeo::engine {

[[nodiscard]] boost::asio::ip::udp::endpoint build_asio_endpoint(const Endpoint& endpoint);
[[nodiscard]] Endpoint build_endpoint_of(const boost::asio::ip::udp::endpoint& endpoint);

class CommandSockets {
 public:
  using Socket = boost::asio::ip::udp::socket;

  /// Throws NetError.
  CommandSockets(boost::asio::io_context& context, const Endpoint& listen);

  [[nodiscard]] Socket& commands() noexcept { return commands_; }
  /// Not open where the system has no filter.
  [[nodiscard]] Socket& stops() noexcept { return stops_; }
  [[nodiscard]] Endpoint endpoint() const { return build_endpoint_of(commands_.local_endpoint()); }

  /// Nothing waits in commands().
  [[nodiscard]] bool is_drained() noexcept;
  /// Datagrams that the system has thrown away because a buffer was full, as it counts them (32 bits a socket). From any thread.
  [[nodiscard]] std::uint64_t dropped() noexcept;
  void close() noexcept;

 private:
  void open(Socket& socket, const Endpoint& listen, boost::system::error_code& error) const;
  void open_stops();

  Socket commands_;
  Socket stops_;
};

}  // namespace rodeo::engine
