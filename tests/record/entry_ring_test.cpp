// SPDX-License-Identifier: MIT
// The ring between two threads: nothing lost, nothing torn, nothing out of order.
#include "engine/record/entry_ring.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <thread>

namespace rodeo::engine {
namespace {

using Words = std::array<std::uint64_t, 5>;

bool try_push(EntryRing& ring, std::uint64_t value) {
  std::byte* place = ring.try_place();
  if (place == nullptr) return false;
  const Words words{value, value * 3, ~value, value ^ 0x5555, value};
  std::memcpy(place, &words, sizeof words);
  ring.put();
  return true;
}

TEST(EntryRing, IsFullAtItsCapacityAndHasRoomAgainAfterOneIsTaken) {
  EntryRing ring(sizeof(Words), 3);
  for (std::uint64_t i = 0; i < 3; ++i) EXPECT_TRUE(try_push(ring, i));
  EXPECT_FALSE(try_push(ring, 3));
  ASSERT_NE(ring.try_front(), nullptr);
  ring.take();
  EXPECT_TRUE(try_push(ring, 3));
  EXPECT_FALSE(try_push(ring, 4));
}

TEST(EntryRing, KeepsOrderAndContentsBetweenTwoThreads) {
  constexpr std::uint64_t kCount = 100'000;
  EntryRing ring(sizeof(Words), 509);
  std::thread producer([&] {
    for (std::uint64_t i = 0; i < kCount;) {
      if (try_push(ring, i)) {
        ++i;
      } else {
        std::this_thread::yield();
      }
    }
  });
  std::uint64_t wrong = 0;
  for (std::uint64_t i = 0; i < kCount;) {
    const std::byte* front = ring.try_front();
    if (front == nullptr) {
      std::this_thread::yield();
      continue;
    }
    Words words{};
    std::memcpy(&words, front, sizeof words);
    wrong += words == Words{i, i * 3, ~i, i ^ 0x5555, i} ? 0 : 1;
    ring.take();
    ++i;
  }
  producer.join();
  EXPECT_EQ(wrong, 0U);
  EXPECT_EQ(ring.try_front(), nullptr);
}

}  // namespace
}  // namespace rodeo::engine
