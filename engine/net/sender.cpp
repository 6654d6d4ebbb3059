// SPDX-License-Identifier: MIT
#include "engine/net/sender.h"

#include <fmt/format.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <ctime>
#include <system_error>
#include <utility>

#include "engine/net/socket_address.h"
#include "engine/net/state_packet.h"

namespace rodeo::engine {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::chrono::milliseconds kAskAgain{100};
/// What the text of an answer may grow by: counts and names of conditions.
constexpr std::size_t kGrowth = 512;

std::int64_t wall_now() {
  timespec time{};
  ::clock_gettime(CLOCK_REALTIME, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

int open_socket(const std::string& text, const Endpoint& endpoint) {
  const SocketAddress address = build_socket_address(endpoint);
  const int file = ::socket(address.get()->sa_family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
  if (file >= 0 && ::connect(file, address.get(), address.length) == 0) return file;
  const int error = errno;
  if (file >= 0) ::close(file);
  throw NetError(fmt::format("cannot send to {}: {}", text, std::generic_category().message(error)));
}

int calc_wait(Clock::time_point until) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - Clock::now()).count();
  return static_cast<int>(std::max<std::int64_t>(left, 0));
}

}  // namespace

Sender::Sender(const std::string& to, const std::optional<Key>& key, Role role)
    : to_(to),
      endpoint_(build_endpoint(to)),
      key_(key),
      role_(role),
      file_(open_socket(to, endpoint_)),
      session_(build_random_id()) {}

Sender::~Sender() { ::close(file_); }

std::optional<AnswerReading> Sender::wait_for_answer(std::uint64_t cookie, Clock::time_point until) const {
  std::vector<std::uint8_t> buffer(kLargestDatagram);
  for (;;) {
    pollfd waiting{file_, POLLIN, 0};
    const int wait = calc_wait(until);
    if (::poll(&waiting, 1, wait) <= 0 && wait == 0) return {};
    const ssize_t size = ::recv(file_, buffer.data(), buffer.size(), 0);
    if (size < 0) {  // refused: nobody there yet
      if (Clock::now() >= until) return {};
      ::usleep(1000);
      continue;
    }
    AnswerReading reading = read_answer(Bytes(buffer).first(static_cast<std::size_t>(size)), cookie, key_);
    if (reading.kind != AnswerReading::Kind::foreign) return reading;
  }
}

const Answer& Sender::say_hello(std::chrono::milliseconds timeout) {
  const auto end = Clock::now() + timeout;
  std::size_t bytes = kFrameBytes;
  const std::uint64_t cookie = build_random_id();
  do {
    const std::vector<std::uint8_t> hello = build_hello(cookie, bytes, role_);
    static_cast<void>(::send(file_, hello.data(), hello.size(), MSG_NOSIGNAL));
    auto reading = wait_for_answer(cookie, std::min(Clock::now() + kAskAgain, end));
    if (!reading) continue;
    if (reading->kind == AnswerReading::Kind::bad_tag) {
      throw NetError(fmt::format("{} answers with another key than this one", to_));
    }
    if (reading->kind == AnswerReading::Kind::too_small) {
      bytes = std::min<std::size_t>(reading->needed, kLargestDatagram);
      continue;
    }
    if (reading->answer.is_keyed && !key_)
      throw NetError(fmt::format("{} takes packets with a tag only: give --key FILE", to_));
    answer_ = std::move(reading->answer);
    is_gone_ = false;
    hello_bytes_ = std::min(bytes + kGrowth, kLargestDatagram);
    layout_ = answer_.machine.build_layout();
    packet_.resize(layout_.largest());
    authenticator_.reset();
    if (answer_.is_keyed) authenticator_.emplace(*key_, answer_.nonce);
    return answer_;
  } while (Clock::now() < end);
  throw NetError(fmt::format("nobody answers at {}: is 'rodeo run' listening there?", to_));
}

void Sender::ask() {
  cookie_ = build_random_id();
  const std::vector<std::uint8_t> hello = build_hello(cookie_, hello_bytes_, role_);
  static_cast<void>(::send(file_, hello.data(), hello.size(), MSG_NOSIGNAL));
}

bool Sender::try_answer() {
  incoming_.resize(kLargestDatagram);
  bool is_answered = false;
  for (;;) {
    const ssize_t size = ::recv(file_, incoming_.data(), incoming_.size(), MSG_DONTWAIT);
    if (size < 0) {  // the error is told once: to this call, or to the next send
      is_gone_ = is_gone_ || errno == ECONNREFUSED;
      return is_answered;
    }
    const auto reading = read_answer(Bytes(incoming_).first(static_cast<std::size_t>(size)), cookie_, key_);
    if (reading.kind != AnswerReading::Kind::whole) continue;
    is_gone_ = reading.answer.nonce != answer_.nonce;  // started anew
    if (is_gone_) continue;
    answer_.status = reading.answer.status;
    answer_.counts = reading.answer.counts;
    answer_.delay = reading.answer.delay;
    answer_.is_occupied = reading.answer.is_occupied;
    is_answered = true;
  }
}

bool Sender::send(CommandHeader header, std::span<const double> values) {
  if (std::exchange(is_gone_, false)) return false;
  header.session = session_;
  header.sequence = ++sequence_;
  if (header.time == 0) header.time = wall_now();
  const Authenticator* authenticator = authenticator_ ? &*authenticator_ : nullptr;
  values_.assign(values.begin(), values.end());
  values_.resize(layout_.count(header.mode));
  const std::size_t size = encode_command(layout_, header, values_, authenticator, packet_);
  return ::send(file_, packet_.data(), size, MSG_NOSIGNAL) == static_cast<ssize_t>(size);
}

bool Sender::send(CommandMode mode, std::span<const double> values, Verb verb, std::uint8_t slot,
                  std::optional<std::int64_t> time, std::uint16_t least_delay) {
  CommandHeader header;
  header.time = time.value_or(0);
  header.mode = mode;
  header.verb = verb;
  header.slot = slot;
  header.least_delay = least_delay;
  const bool is_released = verb != Verb::rearm || send(CommandHeader{}, {});  // a rearm is two steps
  return is_released && send(header, values);
}

bool Sender::send_emergency_stop() {
  CommandHeader header;
  header.emergency_stop = true;
  return send(header, {});
}

}  // namespace rodeo::engine
