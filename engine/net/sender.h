// SPDX-License-Identifier: MIT
// The other side: who commands a machine over UDP. Says hello, learns what the machine is, then sends packets with a session
// id and a sequence of its own. One thread.
#pragma once
#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/net/address.h"
#include "engine/net/hello.h"
#include "engine/net/state_socket.h"

namespace rodeo::engine {

class Sender {
 public:
  /// Throws NetError.
  Sender(const std::string& to, const std::optional<Key>& key, Role role = Role::operator_);
  ~Sender();
  Sender(const Sender&) = delete;
  Sender& operator=(const Sender&) = delete;

  /// Asks until somebody answers, and takes the answer's layout and nonce. Throws NetError: nobody answers, another key.
  const Answer& say_hello(std::chrono::milliseconds timeout);
  [[nodiscard]] const Answer& answer() const noexcept { return answer_; }
  /// After say_hello(), and without waiting: asks the engine once more how it is, and takes what it answered since. True if there
  /// is an answer of the same run of the engine: its status and counts are in answer().
  void ask();
  [[nodiscard]] bool try_answer();

  /// After say_hello(). `values`: as the mode says, then the forces; those that are left out are 0. `time`: when they are so, ns since 1970;
  /// now, if it is not given. `least_delay`: ms, see PROTOCOL.md. A rearm is sent in its two
  /// steps, a packet without it first. False if it could not be sent now, or if nobody listens there any more.
  bool send(CommandMode mode, std::span<const double> values, Verb verb = Verb::none, std::uint8_t slot = 0,
            std::optional<std::int64_t> time = {}, std::uint16_t least_delay = 0);
  /// Until somebody rearms the machine.
  bool send_emergency_stop();

  [[nodiscard]] Role role() const noexcept { return role_; }
  [[nodiscard]] std::uint64_t session() const noexcept { return session_; }
  /// Of the last packet.
  [[nodiscard]] std::uint64_t sequence() const noexcept { return sequence_; }

 private:
  [[nodiscard]] std::optional<AnswerReading> wait_for_answer(
      std::uint64_t cookie, std::chrono::steady_clock::time_point until) const;
  bool send(CommandHeader header, std::span<const double> values);

  std::string to_;
  Endpoint endpoint_;
  std::optional<Key> key_;
  Role role_;
  int file_ = -1;
  std::uint64_t session_;
  std::uint64_t sequence_ = 0;
  Answer answer_;
  bool is_gone_ = false;         // try_answer() has learned that the engine is gone, or was started anew
  std::uint64_t cookie_ = 0;     // of the question under way
  std::size_t hello_bytes_ = 0;  // that its answer fitted into
  std::vector<std::uint8_t> incoming_;
  CommandLayout layout_;
  std::optional<Authenticator> authenticator_;
  std::vector<double> values_;
  std::vector<std::uint8_t> packet_;
};

}  // namespace rodeo::engine
