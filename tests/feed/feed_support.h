// SPDX-License-Identifier: MIT
// An arm that turns about the origin, as a built folder without a kernel; states of it written byte by byte from PROTOCOL.md's table;
// and plain sockets. Shares no code with viz/feed or engine/net.
#pragma once
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sodium.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <thread>
#include <vector>

#include "tests/kernel/build_kernel.h"
#include "viz/feed/scene_file.h"

namespace rodeo::viz::testing_support {

using engine::testing_support::TemporaryFolder;
using engine::testing_support::write_file;

inline constexpr double kLength = 2;  // m, of the arm
inline constexpr double kRate = 0.8;  // rad/s

inline constexpr const char* kScene = R"({"name": "arm", "bodies": [
  {"name": "ground", "colour": "#8a8f94", "points": {"O": [0, 0]}, "start": [0, 0, 0]},
  {"name": "arm", "colour": "#e69f00", "points": {"O": [0, 0], "E": [2, 0]}, "start": [0, 0, 0.25]}],
 "joints": [{"kind": "revolute", "name": "pin", "first": ["ground", "O"], "second": ["arm", "O"]}],
 "drives": [{"name": "turn", "kind": "angle", "unit": "rad", "lower": -3, "upper": 3}],
 "outputs": [{"name": "tip", "body": "arm", "point": "E"}]})";

inline constexpr const char* kInterface = R"({"name": "arm",
 "drives": [{"name": "turn", "unit": "rad", "start": 0.25, "speed": 1.5}],
 "channels": [{"name": "arm.angle", "unit": "rad"}, {"name": "arm.rate", "unit": "rad/s"},
  {"name": "tip.x", "unit": "m"}, {"name": "tip.y", "unit": "m"}]})";

/// What the engine publishes of it: the drive, the outputs, then the drive's rate and acceleration.
inline const std::string kSignalText =
    "rodeo state 1\nturn rad\narm.angle rad\narm.rate rad/s\ntip.x m\ntip.y m\nturn.rate rad/s\n"
    "turn.acceleration rad/s^2\n";

inline std::array<std::uint8_t, 16> hash(const std::string& text) {
  std::array<std::uint8_t, 16> result{};
  crypto_generichash(result.data(), result.size(), reinterpret_cast<const unsigned char*>(text.data()),
                     text.size(), nullptr, 0);
  return result;
}

class ArmFolder {
 public:
  ArmFolder() {
    write_file(folder_ / "scene.json", kScene);
    write_file(folder_ / "interface.json", kInterface);
  }
  /// With whatever a test has written into it since.
  [[nodiscard]] Scene build() const {
    engine::write_checksums(folder_.path().string());
    return build_scene(folder_.path());
  }
  [[nodiscard]] std::filesystem::path operator/(const std::string& name) const { return folder_ / name; }
  [[nodiscard]] const std::filesystem::path& path() const { return folder_.path(); }

 private:
  TemporaryFolder folder_;
};

using Datagram = std::vector<std::uint8_t>;

template <typename T>
void append(Datagram& to, const T& value) {
  const auto* bytes = reinterpret_cast<const std::uint8_t*>(&value);
  to.insert(to.end(), bytes, bytes + sizeof value);
}

/// A state of the arm at a tick of 1 ms, turning at kRate from angle 0. Public fields, to be spoilt.
struct ArmState {
  std::int64_t tick = 0;
  std::uint8_t run = 1;  // every byte of the nonce
  std::uint32_t status = 0;
  std::uint16_t version = 1;
  std::string signals = kSignalText;
  double margin = 0.5;
  std::uint64_t session = 0;

  [[nodiscard]] double angle() const { return kRate * static_cast<double>(tick) / 1000; }

  [[nodiscard]] std::vector<double> values() const {
    return {angle(), angle(), kRate, kLength * std::cos(angle()), kLength * std::sin(angle()), kRate, 0};
  }

  [[nodiscard]] Datagram bytes() const { return bytes(values()); }
  [[nodiscard]] Datagram bytes(const std::vector<double>& numbers) const {
    const std::string magic = "RDES";
    Datagram out(magic.begin(), magic.end());
    append(out, version);
    append(out, static_cast<std::uint16_t>(numbers.size()));
    append(out, status);
    append(out, std::uint32_t{0});
    append(out, hash(signals));
    append(out, std::array<std::uint64_t, 2>{0x0101010101010101ULL * run, 0x0101010101010101ULL * run});
    append(out, tick);
    append(out, static_cast<std::uint64_t>(tick));  // heartbeat
    append(out, tick * 1'000'000);                  // simulated time
    append(out, std::int64_t{0});                   // wall time
    append(out, session);
    append(out, std::uint64_t{0});  // command sequence
    append(out, std::int64_t{-1});  // input age
    append(out, std::int64_t{0});   // lag
    append(out, std::uint64_t{3});  // lost
    append(out, std::uint64_t{0});  // unrecorded
    append(out, margin);
    append(out, 1e-15);
    for (const double number : numbers) append(out, number);
    return out;
  }
};

/// A socket of loopback, at a port of the system's choosing.
class PlainSocket {
 public:
  PlainSocket() : file_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in address = loopback(0);
    EXPECT_EQ(::bind(file_, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
    const timeval patience{0, 20'000};
    ::setsockopt(file_, SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
  }
  ~PlainSocket() { ::close(file_); }
  PlainSocket(const PlainSocket&) = delete;
  PlainSocket& operator=(const PlainSocket&) = delete;

  [[nodiscard]] int file() const { return file_; }
  [[nodiscard]] std::uint16_t port() const {
    sockaddr_in address{};
    socklen_t length = sizeof address;
    ::getsockname(file_, reinterpret_cast<sockaddr*>(&address), &length);
    return ntohs(address.sin_port);
  }
  void send(std::uint16_t port, const Datagram& bytes, const char* host = "127.0.0.1") const {
    const sockaddr_in address = loopback(port, host);
    ::sendto(file_, bytes.data(), bytes.size(), 0, reinterpret_cast<const sockaddr*>(&address),
             sizeof address);
  }
  /// Empty after a short while; `from` is where to answer.
  [[nodiscard]] Datagram receive(sockaddr_in& from) const {
    Datagram buffer(65536);
    socklen_t length = sizeof from;
    const ssize_t size =
        ::recvfrom(file_, buffer.data(), buffer.size(), 0, reinterpret_cast<sockaddr*>(&from), &length);
    buffer.resize(size < 0 ? 0 : static_cast<std::size_t>(size));
    return buffer;
  }

 private:
  static sockaddr_in loopback(std::uint16_t port, const char* host = "127.0.0.1") {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(port);
    ::inet_pton(AF_INET, host, &address.sin_addr);
    return address;
  }
  int file_;
};

/// False if it does not come true within a minute.
inline bool wait_for(const std::function<bool()>& condition) {
  const auto until = std::chrono::steady_clock::now() + std::chrono::minutes(1);
  while (!condition()) {
    if (std::chrono::steady_clock::now() > until) return false;
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
  }
  return true;
}

/// What `work` throws, as its sentence.
template <typename Error>
std::string sentence_of(const std::function<void()>& work) {
  try {
    work();
  } catch (const Error& error) {
    return error.what();
  }
  return "nothing was thrown";
}

}  // namespace rodeo::viz::testing_support
