// SPDX-License-Identifier: MIT
// How a sender learns what it talks to: a hello, and its answer with the machine's name, fingerprint, nonce, drives and limits.
// A hello is padded to the size that its answer may have, so that nobody can make the engine shout at a third party: an answer
// that does not fit says only how large it would be.
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/net/auth.h"
#include "engine/net/link_log.h"
#include "engine/net/machine_interface.h"
#include "engine/net/packet.h"
#include "engine/net/site.h"

namespace rodeo::engine {

inline constexpr std::size_t kHelloHeaderBytes = 16;
inline constexpr std::size_t kAnswerHeaderBytes = 56;
/// An answer without its text, with a tag.
inline constexpr std::size_t kSmallestHello = kAnswerHeaderBytes + kTagBytes;

/// The cookie, drawn by who asks, comes back in the answer; the role says with whose key it is tagged.
[[nodiscard]] std::vector<std::uint8_t> build_hello(std::uint64_t cookie, std::size_t bytes,
                                                    Role role = Role::operator_);
/// The cookie of a hello; nothing if this is none.
[[nodiscard]] std::optional<std::uint64_t> find_hello(Bytes packet) noexcept;
/// Of a hello.
[[nodiscard]] Role find_hello_role(Bytes packet) noexcept;

/// What the engine says of itself.
struct Answer {
  MachineInterface machine;  // limits as the sender has to keep them
  Nonce nonce{};
  bool is_keyed = false;            // packets need tags
  std::uint32_t status = 0;         // of the machine, at its last tick
  PacketCounts counts{};            // of the engine, since its start; of those refused, and clipped
  double period = 0;                // s, of its loop; 0: not told
  double delay = 0;                 // s, of commands, as it is now
  std::vector<double> positions{};  // of the drives, as a sender would write them; empty: not told
  std::vector<SiteChannel> site{};  // one a drive: how its values are read; empty: as they are
  bool is_occupied = false;         // somebody commands whom only an instructor may take over from
};

/// The answer in `room` bytes; tagged if there is an authenticator.
[[nodiscard]] std::vector<std::uint8_t> build_answer(const Answer& answer, std::uint64_t cookie,
                                                     const Authenticator* authenticator, std::size_t room);

/// What came of reading a datagram as an answer.
struct AnswerReading {
  enum class Kind : std::uint8_t {
    foreign,    // not an answer to this hello
    too_small,  // ask again with `needed` bytes
    bad_tag,    // made with another key, or tampered with
    whole,
  };
  Kind kind = Kind::foreign;
  std::size_t needed = 0;
  Answer answer;
};

/// `key`: if given, the answer's tag is checked; with none, a tag is passed over.
[[nodiscard]] AnswerReading read_answer(Bytes packet, std::uint64_t cookie, const std::optional<Key>& key);

}  // namespace rodeo::engine
