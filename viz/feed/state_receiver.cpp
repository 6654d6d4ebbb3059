// SPDX-License-Identifier: MIT
#include <utility>  // Boost 1.74's Asio forgets it in C++20
//
#include <fmt/format.h>

#include <algorithm>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/multicast.hpp>
#include <boost/asio/ip/udp.hpp>
#include <cmath>
#include <cstring>
#include <deque>
#include <mutex>

#include "engine/net/net_thread.h"
#include "engine/net/socket_address.h"
#include "viz/feed/state_receiver.h"

namespace rodeo::viz {
namespace {

using boost::asio::ip::udp;
using boost::system::error_code;
using engine::Bytes;

constexpr std::size_t kMostQueued = 4096;
constexpr int kSocketBytes = 1 << 20;

bool begins_with(Bytes packet, std::string_view text) {
  return packet.size() >= text.size() && std::memcmp(packet.data(), text.data(), text.size()) == 0;
}

udp::endpoint to_asio(const engine::Endpoint& endpoint) {
  const engine::SocketAddress address = engine::build_socket_address(endpoint);
  udp::endpoint result;
  result.resize(address.length);
  std::memcpy(result.data(), &address.storage, address.length);
  return result;
}

/// By the interface's index: asio's own option takes an address of it.
void join(udp::socket& socket, const engine::Destination& from, error_code& error) {
  group_req request{};
  request.gr_interface = from.interface;
  const engine::SocketAddress address = engine::build_socket_address(from.endpoint);
  std::memcpy(&request.gr_group, &address.storage, address.length);
  const int level = from.endpoint.address.is_v6() ? IPPROTO_IPV6 : IPPROTO_IP;
  if (::setsockopt(socket.native_handle(), level, MCAST_JOIN_GROUP, &request, sizeof request) != 0)
    error.assign(errno, boost::system::system_category());
}

[[noreturn]] void refuse(const engine::Destination& from, const error_code& error) {
  const std::string where = engine::to_text(from.endpoint);
  if (error == boost::asio::error::address_in_use) {
    throw engine::NetError(
        fmt::format("cannot follow {}: another program has that port: publish to a second port, or to a "
                    "multicast group, which any number of viewers follow",
                    where));
  }
  if (error.value() == EADDRNOTAVAIL) {
    throw engine::NetError(
        fmt::format("cannot follow {}: that is no address of this computer: give the one that 'rodeo run "
                    "--publish' sends to",
                    where));
  }
  throw engine::NetError(fmt::format("cannot follow {}: {}", where, error.message()));
}

/// A port of one's own is not shared: the system would give each packet to one of the sharers only. A group's is.
udp::socket open(boost::asio::io_context& context, const engine::Destination& from) {
  udp::socket socket(context);
  error_code error;
  const udp::endpoint endpoint = to_asio(from.endpoint);
  const bool is_group = from.endpoint.address.is_multicast();
  static_cast<void>(socket.open(endpoint.protocol(), error));
  if (!error && is_group) static_cast<void>(socket.set_option(udp::socket::reuse_address(true), error));
  if (!error) static_cast<void>(socket.bind(endpoint, error));
  if (!error && is_group) join(socket, from, error);
  if (error) refuse(from, error);
  static_cast<void>(socket.set_option(udp::socket::receive_buffer_size(kSocketBytes), error));
  return socket;
}

}  // namespace

Objection judge(const engine::Fingerprint& fingerprint, Bytes packet, Arrival& arrival) {
  if (begins_with(packet, "{\"timestamp\"")) return Objection::json;
  constexpr std::size_t kFingerprintAt = 16;
  if (!begins_with(packet, "RDES") || packet.size() < engine::kStateHeaderBytes) return Objection::strange;
  if (packet[4] != engine::kPacketVersion || packet[5] != 0) return Objection::version;
  if (!std::ranges::equal(packet.subspan(kFingerprintAt, fingerprint.size()), fingerprint))
    return Objection::other_signals;
  if (engine::decode_state(fingerprint, packet, arrival.header, arrival.signals) != engine::Refusal::none)
    return Objection::strange;
  const auto is_finite = [](double value) { return std::isfinite(value); };
  const bool is_well = is_finite(arrival.header.margin) && is_finite(arrival.header.residual) &&
                       std::all_of(arrival.signals.begin(), arrival.signals.end(), is_finite);
  return is_well ? Objection::none : Objection::not_finite;
}

struct StateReceiver::Implementation {
  Implementation(const engine::Destination& from, const engine::Fingerprint& expected, std::size_t signals)
      : fingerprint(expected), socket(open(thread.context(), from)), buffer(engine::kLargestDatagram) {
    incoming.signals.resize(signals);
  }

  void receive() {
    socket.async_receive_from(boost::asio::buffer(buffer), sender,
                              [this](const error_code& error, std::size_t size) {
                                if (error == boost::asio::error::operation_aborted) return;
                                if (!error) take(Bytes(buffer).first(size));
                                receive();
                              });
  }

  void take(Bytes packet) {
    incoming.at = std::chrono::steady_clock::now();
    const Objection objection = judge(fingerprint, packet, incoming);
    const std::lock_guard lock(mutex);
    if (objection == Objection::none) {
      queue.push_back(incoming);
      if (queue.size() > kMostQueued) queue.pop_front();
      return;
    }
    ObjectionCount& count = objections[static_cast<std::size_t>(objection)];
    ++count.count;
    count.sender = engine::build_endpoint_of(*sender.data());
    count.last = incoming.at;
  }

  engine::NetThread thread;
  engine::Fingerprint fingerprint;
  udp::socket socket;
  udp::endpoint sender;
  std::vector<std::uint8_t> buffer;
  Arrival incoming;
  mutable std::mutex mutex;
  std::deque<Arrival> queue;
  std::array<ObjectionCount, kObjectionCount> objections{};
};

StateReceiver::StateReceiver(const engine::Destination& from, const engine::Fingerprint& fingerprint,
                             std::size_t signals)
    : implementation_(std::make_unique<Implementation>(from, fingerprint, signals)) {
  implementation_->thread.run([this] { implementation_->receive(); });
}

StateReceiver::~StateReceiver() {
  implementation_->thread.run([this] {
    error_code ignored;
    implementation_->socket.close(ignored);
  });
  // What was waiting is told of the end before the thread ends.
  implementation_->thread.run([] {});
}

std::uint16_t StateReceiver::port() const { return implementation_->socket.local_endpoint().port(); }

std::vector<Arrival> StateReceiver::take() {
  const std::lock_guard lock(implementation_->mutex);
  std::vector<Arrival> arrivals(std::make_move_iterator(implementation_->queue.begin()),
                                std::make_move_iterator(implementation_->queue.end()));
  implementation_->queue.clear();
  return arrivals;
}

std::array<ObjectionCount, kObjectionCount> StateReceiver::objections() const {
  const std::lock_guard lock(implementation_->mutex);
  return implementation_->objections;
}

}  // namespace rodeo::viz
