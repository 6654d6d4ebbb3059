// SPDX-License-Identifier: MIT
// From thread to thread without a lock. The claims are of whole and ordered values; the thread sanitizer says the rest.
#include <gtest/gtest.h>

#include <array>
#include <atomic>
#include <thread>

#include "engine/loop/ring.h"
#include "engine/net/triple_buffer.h"

namespace rodeo::engine {
namespace {

using Block = std::array<std::uint64_t, 64>;

TEST(TripleBuffer, HandsOverTheNewestAndOnlyOnce) {
  TripleBuffer<int> buffer(0);
  EXPECT_FALSE(buffer.try_fetch());
  for (const int value : {1, 2, 3}) {
    buffer.filling() = value;
    buffer.give();
  }
  EXPECT_TRUE(buffer.try_fetch());
  EXPECT_EQ(buffer.held(), 3);
  EXPECT_FALSE(buffer.try_fetch());
  EXPECT_EQ(buffer.held(), 3);
  buffer.filling() = 4;
  EXPECT_EQ(buffer.held(), 3) << "what is being filled is not held";
  buffer.give();
  EXPECT_TRUE(buffer.try_fetch());
  EXPECT_EQ(buffer.held(), 4);
}

TEST(TripleBuffer, TakesBackWhatWasNotFetched) {
  TripleBuffer<int> buffer(0);
  EXPECT_FALSE(buffer.try_take_back()) << "there was nothing";
  buffer.filling() = 1;
  buffer.give();
  EXPECT_TRUE(buffer.try_take_back());
  EXPECT_EQ(buffer.filling(), 1);
  EXPECT_FALSE(buffer.try_fetch());
  buffer.filling() = 2;
  buffer.give();
  EXPECT_TRUE(buffer.try_fetch());
  EXPECT_EQ(buffer.held(), 2);
  EXPECT_FALSE(buffer.try_take_back()) << "fetched";
  EXPECT_EQ(buffer.held(), 2);
}

/// What a value adds to one that was not fetched comes exactly once.
TEST(TripleBuffer, LosesNothingThatIsTakenBackBetweenThreads) {
  struct Counted {
    std::uint64_t number, count;
  };
  constexpr std::uint64_t kCount = 100'000;
  TripleBuffer<Counted> buffer(Counted{0, 0});
  std::thread writer([&] {
    for (std::uint64_t i = 1; i <= kCount; ++i) {
      const std::uint64_t waiting = buffer.try_take_back() ? buffer.filling().count : 0;
      buffer.filling() = {i, waiting + 1};
      buffer.give();
    }
  });
  std::uint64_t last = 0, sum = 0;
  while (last < kCount) {
    if (!buffer.try_fetch()) {
      std::this_thread::yield();
      continue;
    }
    ASSERT_GT(buffer.held().number, last);
    last = buffer.held().number;
    sum += buffer.held().count;
  }
  writer.join();
  EXPECT_EQ(sum, kCount);
}

TEST(TripleBuffer, IsWholeAndNeverGoesBackBetweenThreads) {
  constexpr std::uint64_t kCount = 100'000;
  TripleBuffer<Block> buffer(Block{});
  std::thread writer([&] {
    for (std::uint64_t i = 1; i <= kCount; ++i) {
      buffer.filling().fill(i);
      buffer.give();
    }
  });
  std::uint64_t last = 0;
  while (last < kCount) {
    if (!buffer.try_fetch()) {
      std::this_thread::yield();
      continue;
    }
    const Block& block = buffer.held();
    ASSERT_GT(block.front(), last);
    for (const std::uint64_t word : block) ASSERT_EQ(word, block.front()) << "torn";
    last = block.front();
  }
  writer.join();
}

TEST(Ring, RefusesWhenFullAndKeepsTheOrder) {
  Ring<int, 4> ring;
  int value = 0;
  EXPECT_FALSE(ring.try_pop(value));
  for (int i = 0; i < 4; ++i) EXPECT_TRUE(ring.try_push(i));
  EXPECT_FALSE(ring.try_push(4));
  for (int i = 0; i < 4; ++i) {
    ASSERT_TRUE(ring.try_pop(value));
    EXPECT_EQ(value, i);
  }
  EXPECT_FALSE(ring.try_pop(value));
}

TEST(Ring, LosesNothingBetweenThreads) {
  constexpr int kCount = 100'000;
  Ring<int, 64> ring;
  std::thread writer([&] {
    for (int i = 0; i < kCount; ++i) {
      while (!ring.try_push(i)) std::this_thread::yield();
    }
  });
  for (int i = 0; i < kCount; ++i) {
    int value = -1;
    while (!ring.try_pop(value)) std::this_thread::yield();
    ASSERT_EQ(value, i);
  }
  writer.join();
}

}  // namespace
}  // namespace rodeo::engine
