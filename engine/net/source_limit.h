// SPDX-License-Identifier: MIT
// How many packets may come from one sender, that is an address and a port: a bucket of tokens for each, in a table of fixed size with sets of
// four. Which set a sender falls into is a secret hash, so that nobody can push another one out of it by choosing ports; a look-up
// takes the same time whatever comes, and there is no heap after construction. Who is pushed out begins with a full bucket.
#pragma once
#include <array>
#include <cstdint>
#include <vector>

#include "engine/net/address.h"

namespace rodeo::engine {

class SourceLimit {
 public:
  static constexpr double kRate =
      20'000;  // packets a second: twice what the fastest of our own senders sends
  static constexpr double kBurst = 4'000;  // at once

  SourceLimit();

  /// The same for one sender as long as this lives, and of no meaning to anybody else.
  [[nodiscard]] std::uint64_t calc_id(const Endpoint& source) const noexcept;
  /// False if that was one packet too many. `now`: ns.
  [[nodiscard]] bool try_take(std::uint64_t id, std::int64_t now) noexcept;

 private:
  struct Bucket {
    std::uint64_t id = 0;
    std::int64_t time = 0;  // of the last packet, ns
    double tokens = kBurst;
  };
  static constexpr std::size_t kWays = 4;
  static constexpr std::size_t kSets = 1024;

  std::array<std::uint8_t, 16> secret_{};
  std::vector<std::array<Bucket, kWays>> sets_ = std::vector<std::array<Bucket, kWays>>(kSets);
};

}  // namespace rodeo::engine
