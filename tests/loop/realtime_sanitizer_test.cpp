// SPDX-License-Identifier: MIT
// That the real-time sanitizer looks at a tick, and that it is on: in the preset `rtsan` only. Every port of the loop does here what it
// must not; the program ends and says so.
#include "engine/session/nonblocking.h"

#ifdef RODEO_REALTIME_SANITIZER
#include <gtest/gtest.h>

#include <memory>
#include <mutex>

#include "engine/loop/loop.h"
#include "engine/loop/virtual_clock.h"
#include "tests/session/session_machine.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

class AllocatingCommands : public CommandPort {
 public:
  [[nodiscard]] bool try_sample(std::int64_t, Sample&) noexcept override {
    kept_ = std::make_unique<int>(1);
    return false;
  }

 private:
  std::unique_ptr<int> kept_;
};

class LockingStates : public StatePort {
 public:
  void try_publish(const Session&, const LoopReport&, std::int64_t) noexcept override {
    const std::lock_guard lock(mutex_);
  }

 private:
  std::mutex mutex_;
};

class WritingRecord : public RecordPort {
 public:
  [[nodiscard]] bool try_record(const TickInput&, const Session&) noexcept override {
    return std::fopen("/dev/null", "we") != nullptr;
  }
};

class RealtimeSanitizerDeathTest : public testing::Test {
 protected:
  void tick_with(LoopPorts ports) {
    Loop loop(session_, clock_, {}, std::move(ports));
    loop.start();
    loop.tick();
  }

  VirtualClock clock_;
  Session session_ = build_four_bar_session();
  AllocatingCommands allocating_;
  LockingStates locking_;
  WritingRecord writing_;
};

TEST_F(RealtimeSanitizerDeathTest, EndsATickThatAllocatesLocksOrOpensAFile) {
  tick_with({});
  EXPECT_DEATH(tick_with({&allocating_, {}, nullptr}), "real-time unsafe function `malloc`");
  EXPECT_DEATH(tick_with({nullptr, {&locking_}, nullptr}), "real-time unsafe function `pthread_mutex_lock`");
  EXPECT_DEATH(tick_with({nullptr, {}, &writing_}), "real-time unsafe function `fopen`");
}

TEST_F(RealtimeSanitizerDeathTest, EndsAnyFunctionSoMarkedThatAllocates) {
  const auto allocate = [&]() noexcept RODEO_NONBLOCKING {
    session_.conditions().front().name + std::string(99, ' ');
  };
  EXPECT_DEATH(allocate(), "real-time unsafe function `malloc`");
}

}  // namespace
}  // namespace rodeo::engine
#endif
