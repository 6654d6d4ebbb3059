// SPDX-License-Identifier: MIT
#include "engine/net/source_limit.h"

#include <sodium.h>

#include <algorithm>

#include "engine/net/auth.h"

namespace rodeo::engine {

static_assert(crypto_shorthash_KEYBYTES == 16 && crypto_shorthash_BYTES == sizeof(std::uint64_t));

SourceLimit::SourceLimit() : secret_(build_nonce()) {}

std::uint64_t SourceLimit::calc_id(const Endpoint& source) const noexcept {
  std::array<std::uint8_t, 19> bytes{};
  std::ranges::copy(source.address.bytes, bytes.begin());
  bytes[16] = source.address.length;
  bytes[17] = static_cast<std::uint8_t>(source.port);
  bytes[18] = static_cast<std::uint8_t>(source.port >> 8U);
  std::uint64_t id = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&id), bytes.data(), bytes.size(), secret_.data());
  return id;
}

bool SourceLimit::try_take(std::uint64_t id, std::int64_t now) noexcept {
  auto& set = sets_[id % kSets];
  auto found = std::ranges::find(set, id, &Bucket::id);
  if (found == set.end()) {
    found = std::ranges::min_element(set, {}, &Bucket::time);
    *found = {id, now, kBurst};
  }
  const double passed = 1e-9 * static_cast<double>(std::max<std::int64_t>(0, now - found->time));
  found->tokens = std::min(kBurst, found->tokens + passed * kRate);
  found->time = now;
  if (found->tokens < 1) return false;
  found->tokens -= 1;
  return true;
}

}  // namespace rodeo::engine
