// SPDX-License-Identifier: MIT
// Emergency stops and rearms on their way from a socket to the loop: none is lost under a flood, and what was sent before a stop
// releases nothing.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <atomic>
#include <thread>

#include "engine/net/sender.h"
#include "tests/net/receiver_support.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

TEST_F(ReceiverOnLoopback, LosesNoVerbAndNoStop) {
  open();
  for (std::uint64_t i = 1; i <= 20; ++i) send(verb_packet(i, Verb::snapshot, static_cast<std::uint8_t>(i)));
  HandMade stop = verb_packet(21, Verb::none);
  stop.flags = 1;
  ASSERT_TRUE(is_accepted(20));  // a stop overtakes those that wait, and then they are old
  send(stop);
  ASSERT_TRUE(is_accepted(21));
  for (std::uint8_t i = 1; i <= 20; ++i) {
    EXPECT_FALSE(loop_.take(*receiver_)) << "no command has come";
    EXPECT_EQ(loop_.sample.verb, Verb::snapshot);
    EXPECT_EQ(loop_.sample.slot, i);
    EXPECT_EQ(loop_.sample.emergency_stop, i == 1) << "at the first tick, and once";
  }
  EXPECT_FALSE(loop_.take(*receiver_));
  EXPECT_EQ(loop_.sample.verb, Verb::none);
  EXPECT_FALSE(loop_.sample.has_any) << "verbs feed no watchdog";
}

TEST_F(ReceiverOnLoopback, TakesAStopEvenWhenItsQueueIsFull) {
  open();
  for (std::uint64_t i = 1; i <= 64; ++i) send(verb_packet(i, Verb::freeze));
  ASSERT_TRUE(is_accepted(64));
  HandMade stop = verb_packet(65, Verb::freeze);
  stop.flags = 1;
  send(stop);
  ASSERT_TRUE(is_refused(Refusal::queue));
  loop_.take(*receiver_);
  EXPECT_TRUE(loop_.sample.emergency_stop);
}

HandMade stop_packet(std::uint64_t session, std::uint64_t sequence) {
  HandMade stop = verb_packet(sequence, Verb::none);
  stop.session = session;
  stop.flags = 1;
  return stop;
}

/// A sender that repeats rearm in every packet undid the stop after one tick.
TEST_F(ReceiverOnLoopback, ARearmInEveryPacketIsNeverTheSecondOfTwoSteps) {
  open();
  HandMade command = numbered(0);
  command.verb = static_cast<std::uint8_t>(Verb::rearm);
  for (std::uint64_t i = 1; i <= 20; ++i) {
    command.sequence = i;
    if (i == 10) send(stop_packet(99, 1));
    ASSERT_TRUE(is_accepted(i < 10 ? i - 1 : i));
    send(command);
    ASSERT_TRUE(is_accepted(i < 10 ? i : i + 1));
    loop_.take(*receiver_);
    EXPECT_EQ(loop_.sample.verb, Verb::rearm);
    EXPECT_FALSE(loop_.sample.two_steps) << i;
    EXPECT_EQ(loop_.sample.emergency_stop, i == 10);
  }
  command.verb = 0;
  command.sequence = 21;
  send(command);
  command.verb = static_cast<std::uint8_t>(Verb::rearm);
  for (const std::uint64_t i : {22, 23}) {
    command.sequence = i;
    send(command);
    ASSERT_TRUE(is_accepted(i + 1));
    loop_.take(*receiver_);
    EXPECT_EQ(loop_.sample.verb, Verb::rearm);
    EXPECT_EQ(loop_.sample.two_steps, i == 22) << "an edge, not a level";
  }
}

TEST_F(ReceiverOnLoopback, AStopWinsOverEveryRearmOfBeforeAndBeside) {
  open();
  const auto take = [&] {
    loop_.sample.two_steps = false;
    loop_.take(*receiver_);
    return loop_.sample.verb == Verb::rearm && loop_.sample.two_steps && !loop_.sample.emergency_stop;
  };
  send(numbered(1));
  send(verb_packet(2, Verb::rearm));
  ASSERT_TRUE(is_accepted(2));
  send(stop_packet(99, 1));  // while the rearm waits
  ASSERT_TRUE(is_accepted(3));
  EXPECT_FALSE(take());
  send(numbered(3));
  ASSERT_TRUE(is_accepted(4));
  HandMade both = verb_packet(4, Verb::rearm);
  both.flags = 1;
  send(both);
  ASSERT_TRUE(is_accepted(5));
  EXPECT_FALSE(take());
  EXPECT_FALSE(take()) << "nor later";
  send(numbered(5));
  ASSERT_TRUE(is_accepted(6));
  receiver_->note_stop();  // of the terminal
  send(verb_packet(6, Verb::rearm));
  ASSERT_TRUE(is_accepted(7));
  EXPECT_FALSE(take()) << "the packet without it was before the stop";
  send(numbered(7));
  send(verb_packet(8, Verb::rearm));
  ASSERT_TRUE(is_accepted(9));
  EXPECT_TRUE(take());
}

/// Holds the net thread while it lives.
class Standstill {
 public:
  explicit Standstill(NetThread& thread)
      : holder_([this, &thread] {
          thread.run([this] {
            is_held_ = true;
            is_over_.wait(false);
          });
        }) {
    while (!is_held_) std::this_thread::yield();
  }
  ~Standstill() {
    is_over_ = true;
    is_over_.notify_all();
    holder_.join();
  }

 private:
  std::atomic<bool> is_held_{false};
  std::atomic<bool> is_over_{false};
  std::thread holder_;
};

/// A flood of valid packets fills every buffer: a stop that comes behind it was lost.
TEST_F(ReceiverOnLoopback, TakesAStopThatComesWhenNothingElseFitsAndCountsWhatIsLost) {
  open();
  constexpr std::uint64_t kFlood = 40'000;
  for (int i = 0; i < 3; ++i) {
    const std::uint64_t before = receiver_->counts().dropped;
    {
      const Standstill still(thread_);
      HandMade packet = numbered(1);
      for (std::uint64_t k = 0; k < kFlood; ++k) {
        packet.session = 1000 + k;
        send(packet);
      }
      EXPECT_GT(receiver_->counts().dropped, before + 1000) << "the flood is no flood";
      send(stop_packet(99, static_cast<std::uint64_t>(i) + 1));
    }
    ASSERT_TRUE(comes_true([&] {
      loop_.take(*receiver_);
      return loop_.sample.emergency_stop;
    }));
  }
  const auto is_all = [&] {
    const PacketCounts counts = receiver_->counts();
    return counts.accepted + counts.refused_total() + counts.dropped == 3 * (kFlood + 1);
  };
  EXPECT_TRUE(comes_true(is_all));
  EXPECT_EQ(receiver_->report(0).counts.dropped, receiver_->counts().dropped);
}

/// What the stop has overtaken was sent before it.
TEST_F(ReceiverOnLoopback, ARearmThatAStopHasOvertakenReleasesNothing) {
  open();
  const auto is_second_step = [&] {
    loop_.sample.two_steps = false;
    loop_.take(*receiver_);
    return loop_.sample.verb == Verb::rearm && loop_.sample.two_steps;
  };
  {
    const Standstill still(thread_);
    send(numbered(1));
    send(verb_packet(2, Verb::rearm));
    send(numbered(3));
    send(stop_packet(99, 1));
  }
  ASSERT_TRUE(is_accepted(4));
  EXPECT_FALSE(is_second_step());
  send(verb_packet(4, Verb::rearm));
  ASSERT_TRUE(is_accepted(5));
  EXPECT_FALSE(is_second_step()) << "the first step was before the stop";
  send(numbered(5));
  send(verb_packet(6, Verb::rearm));
  ASSERT_TRUE(is_accepted(7));
  EXPECT_TRUE(is_second_step());
}

/// 30 stops beside a sender without a pause, that begins a session with every packet.
TEST_F(ReceiverOnLoopback, TakesThirtyOfThirtyStopsUnderAFlood) {
  open();
  std::atomic<bool> is_over{false};
  std::thread flood([&] {
    const PlainSocket other;
    HandMade packet = numbered(1);
    for (packet.session = 1000; !is_over; ++packet.session)
      other.send(packet.bytes(), receiver_->endpoint().port);
  });
  int taken = 0;
  double longest = 0;
  for (std::uint64_t i = 1; i <= 30; ++i) {
    send(stop_packet(99, i));
    const auto begin = std::chrono::steady_clock::now();
    taken += comes_true([&] {
      loop_.take(*receiver_);
      return loop_.sample.emergency_stop;
    });
    longest =
        std::max(longest, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  is_over = true;
  flood.join();
  EXPECT_EQ(taken, 30) << "each was sent once";
  EXPECT_LT(longest, 0.5) << "s; one tick and what this computer's other work takes";
  RecordProperty("longest_ms", std::to_string(1e3 * longest));
}

TEST_F(ReceiverOnLoopback, TellsWhoStoppedAndWhoRearmed) {
  open();
  send(stop_packet(0xabc, 1));
  ASSERT_TRUE(is_accepted(1));
  loop_.take(*receiver_);
  const std::string from = fmt::format("127.0.0.1:{}", socket_.port());
  EXPECT_STREQ(loop_.sample.origin.name.data(), from.c_str());
  EXPECT_EQ(loop_.sample.origin.session, 0xabcU);
  send(verb_packet(1, Verb::rearm));
  ASSERT_TRUE(is_accepted(2));
  loop_.take(*receiver_);
  EXPECT_STREQ(loop_.sample.origin.name.data(), from.c_str());
  EXPECT_EQ(loop_.sample.origin.session, 7U);
}

TEST_F(ReceiverOnLoopback, TheSenderRearmsInTwoSteps) {
  open();
  Sender sender(to_text(receiver_->endpoint()), std::nullopt);
  sender.say_hello(std::chrono::seconds(5));
  ASSERT_TRUE(sender.send_emergency_stop());
  ASSERT_TRUE(is_accepted(1));
  ASSERT_TRUE(sender.send(CommandMode::none, {}, Verb::rearm));
  ASSERT_TRUE(is_accepted(3));
  loop_.take(*receiver_);
  EXPECT_EQ(loop_.sample.verb, Verb::rearm);
  EXPECT_TRUE(loop_.sample.two_steps);
}

}  // namespace
}  // namespace rodeo::engine
