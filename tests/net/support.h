// SPDX-License-Identifier: MIT
// A machine of two drives, a packet written byte by byte from PROTOCOL.md's table, and a plain socket: nothing of these shares
// code with engine/net.
#pragma once
#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <chrono>
#include <cstdint>
#include <cstring>
#include <functional>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "engine/net/command_gate.h"
#include "engine/net/machine_interface.h"
#include "engine/net/receiver.h"

namespace rodeo::engine::testing_support {

using Datagram = std::vector<std::uint8_t>;

inline MachineInterface two_drives() {
  return {"loader",
          {{"lift", "m"}, {"tilt", "m"}},
          {DriveLimits{1.23, 1.99, 0.15, 0.6}, DriveLimits{{}, {}, {}, {}}}};
}

/// Little-endian because every machine that we test on is; packed because vectors are.
template <typename T>
void append(Datagram& to, const T& value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

/// A command as a stranger would write it. Public fields, to be spoilt.
struct HandMade {
  std::string magic = "RDEC";
  std::uint16_t version = 1;
  std::uint8_t mode = 1;
  std::uint8_t verb = 0;
  std::uint8_t slot = 0;
  std::uint8_t flags = 0;
  std::uint16_t least_delay = 0;
  std::uint32_t reserved_4 = 0;
  Fingerprint fingerprint = two_drives().build_layout().fingerprint;
  std::uint64_t session = 7;
  std::uint64_t sequence = 1;
  std::int64_t time = 0;
  std::vector<double> values{1.5, 0.25};

  [[nodiscard]] Datagram bytes() const {
    Datagram out(magic.begin(), magic.end());
    append(out, version);
    append(out, mode);
    append(out, verb);
    append(out, slot);
    append(out, flags);
    append(out, least_delay);
    append(out, reserved_4);
    out.insert(out.end(), fingerprint.begin(), fingerprint.end());
    append(out, session);
    append(out, sequence);
    append(out, time);
    for (const double value : values) append(out, value);
    return out;
  }
};

inline const IpAddress kLocal{{127, 0, 0, 1}, 4, 0};

/// A UDP socket on 127.0.0.1, of the system's own calls.
class PlainSocket {
 public:
  explicit PlainSocket(std::uint16_t port = 0) : file_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    const sockaddr_in address = local(port);
    if (::bind(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
      throw std::runtime_error("no socket for the test");
    }
  }
  ~PlainSocket() { ::close(file_); }
  PlainSocket(const PlainSocket&) = delete;
  PlainSocket& operator=(const PlainSocket&) = delete;

  [[nodiscard]] std::uint16_t port() const {
    sockaddr_in address{};
    socklen_t length = sizeof address;
    ::getsockname(file_, reinterpret_cast<sockaddr*>(&address), &length);
    return ntohs(address.sin_port);
  }
  void send(const Datagram& packet, std::uint16_t to) const {
    const sockaddr_in address = local(to);
    ::sendto(file_, packet.data(), packet.size(), 0, reinterpret_cast<const sockaddr*>(&address),
             sizeof address);
  }
  /// The next datagram; empty if none comes within the time.
  [[nodiscard]] Datagram receive(int milliseconds = 5000) const {
    pollfd waiting{file_, POLLIN, 0};
    if (::poll(&waiting, 1, milliseconds) <= 0) return {};
    Datagram packet(65536);
    const ssize_t size = ::recv(file_, packet.data(), packet.size(), 0);
    packet.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return packet;
  }
  [[nodiscard]] int file() const { return file_; }

 private:
  static sockaddr_in local(std::uint16_t port) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return address;
  }
  int file_;
};

/// Waits for what another thread does; false if it never does.
inline bool comes_true(const std::function<bool()>& condition) {
  for (int i = 0; i < 20000; ++i) {
    if (condition()) return true;
    std::this_thread::sleep_for(std::chrono::microseconds(500));
  }
  return false;
}

inline ReceiverOptions on_loopback() {
  ReceiverOptions options;
  options.listen = {kLocal, 0};
  return options;
}

/// What the loop would hold: a sample with room for its commands.
struct LoopSample {
  std::vector<Command> commands{Command::moving(0), Command::moving(0)};
  Sample sample{};

  /// As the loop does at a tick.
  bool take(Receiver& receiver, std::int64_t now) {
    sample.time = sample.due = now;  // a machine that began with the clock
    sample.commands = commands;
    sample.verb = Verb::none;
    sample.slot = 0;
    sample.emergency_stop = false;
    return receiver.try_sample(now, sample);
  }
  bool take(Receiver& receiver) {
    return take(receiver,
                std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count());
  }
};

}  // namespace rodeo::engine::testing_support
