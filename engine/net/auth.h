// SPDX-License-Identifier: MIT
// Who may command. A tag is BLAKE2b with 32 bytes of result, keyed with the site's key, over the engine's nonce and then the
// packet without its tag. The nonce is drawn anew at every start of the engine, so yesterday's packets are worth nothing today;
// the session id and the sequence are in the packet, so one of today's cannot be sent twice. Before a session is forgotten the nonce is
// changed (SessionTable), so that its packets are worth nothing either.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/net/wire.h"

namespace rodeo::engine {

inline constexpr std::size_t kTagBytes = 32;
using Key = std::array<std::uint8_t, 32>;
using Nonce = std::array<std::uint8_t, 16>;
using Tag = std::array<std::uint8_t, kTagBytes>;

/// What the holder of a key may do. Values are fixed: a hello names them.
enum class Role : std::uint8_t {
  operator_,   // commands, verbs, emergency stops
  instructor,  // these, and takes the command over from who has it
  viewer,      // asks with a hello, and nothing else
};
inline constexpr std::size_t kRoleCount = 3;
using RoleKeys = std::array<std::optional<Key>, kRoleCount>;

/// A key file as it was read, and what is to be said about it: it is better not readable by everybody.
struct KeyFile {
  Key key{};  // the first one, which a sender uses
  Role role = Role::operator_;
  RoleKeys keys;  // all, which an engine takes
  std::vector<std::string> warnings;
};

/// 64 hexadecimal digits and white space, the operator's; or a line `operator|instructor|viewer DIGITS` for each role. Throws IoError
/// with path and remedy.
[[nodiscard]] KeyFile build_key_from_file(const std::string& path);
/// A new random key, in a new file that only its owner can read; throws IoError, also if there is such a file already.
void write_new_key(const std::string& path);

/// From the system's generator.
[[nodiscard]] Nonce build_nonce();
[[nodiscard]] std::uint64_t build_random_id();
/// The one that follows `first` after `epoch` changes; `first` itself after none. Real-time safe.
[[nodiscard]] Nonce calc_nonce(const Nonce& first, const Key& key, std::uint64_t epoch) noexcept;

/// Real-time safe; constant after construction.
class Authenticator {
 public:
  Authenticator(const Key& key, const Nonce& nonce) noexcept : key_(key), nonce_(nonce) {}

  [[nodiscard]] Tag calc_tag(Bytes message) const noexcept;
  /// In a time that does not tell how much of the tag was right.
  [[nodiscard]] bool is_tag(Bytes message, Bytes tag) const noexcept;

 private:
  Key key_;
  Nonce nonce_;
};

}  // namespace rodeo::engine
