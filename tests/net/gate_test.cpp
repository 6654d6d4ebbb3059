// SPDX-License-Identifier: MIT
// What passes to the machine and what does not: ranges, stops, senders, plain packets, the site's units, and what a bad
// network does to packets. Who may command is gate_rights_test.cpp's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <random>

#include "tests/net/gate_support.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

HandMade valued(std::uint8_t mode, std::vector<double> values) {
  static std::uint64_t sequence = 0;
  HandMade hand = numbered(7, ++sequence);
  hand.mode = mode;
  hand.values = std::move(values);
  return hand;
}

/// 100 new sessions a ms, each of which took the command over: 6 of 30 stops were refused as those of a replaced session.
TEST(CommandGate, TakesEveryStopUnderAFloodOfNewSessions) {
  Gate gate;
  std::mt19937_64 random(5);
  std::uint64_t sequence = 0;
  int taken = 0;
  for (int ms = 0; ms < 300; ++ms) {
    const auto place = ms % 10 == 3 ? random() % 100 : 100;
    for (std::uint64_t i = 0; i < 100; ++i) {
      gate.set_now(ms);  // no sender lasts
      ASSERT_EQ(gate.check(numbered(random(), 1)), i == 0 ? Refusal::none : Refusal::role);
      EXPECT_FALSE(gate.is_stop());
      if (i != place) continue;
      HandMade stop = numbered(7, ++sequence);
      stop.flags = 1;
      static_cast<void>(gate.check(stop));
      taken += gate.is_stop() ? 1 : 0;
    }
    static_cast<void>(gate.check(numbered(7, ++sequence)));
  }
  EXPECT_EQ(taken, 30);
}

TEST(CommandGate, TakesAStopWhateverIsWrongWithTheRest) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  Gate gate;
  ASSERT_EQ(gate.check(numbered(7, 100)), Refusal::none);
  std::uint64_t sequence = 50;  // overtaken
  const std::vector<std::vector<double>> wrong{{1.5, 0}, {5e5, 0}, {nan, 0}};
  const std::vector<Refusal> why{Refusal::sequence, Refusal::out_of_range, Refusal::not_finite};
  for (std::size_t i = 0; i < wrong.size(); ++i) {
    HandMade stop = numbered(7, ++sequence);
    stop.values = wrong[i];
    EXPECT_EQ(gate.check(stop), why[i]);
    EXPECT_FALSE(gate.is_stop()) << "it does not ask for one";
    stop.flags = 1;
    EXPECT_EQ(gate.check(stop), why[i]);
    EXPECT_TRUE(gate.is_stop());
  }
}

TEST(CommandGate, TakesNoStopOfAStranger) {
  GateOptions options;
  options.allow = {build_address_range("10.0.0.1")};
  HandMade stop = numbered(7, 1);
  stop.flags = 1;
  Gate listed(options);
  EXPECT_EQ(listed.check(stop), Refusal::sender);
  EXPECT_FALSE(listed.is_stop());
  options = {};
  options.key = Key{};
  Gate keyed(options);
  Datagram forged = stop.bytes();
  forged.resize(forged.size() + kTagBytes);
  EXPECT_EQ(keyed.check(forged), Refusal::tag);
  EXPECT_FALSE(keyed.is_stop());
}

TEST(CommandGate, HandsOnPositionsRatesAndBoth) {
  Gate gate;
  ASSERT_EQ(gate.check(valued(1, {1.5, -3})), Refusal::none);
  EXPECT_EQ(gate.commands[0].kind, Command::Kind::position);
  EXPECT_EQ(gate.commands[0].position, 1.5);
  EXPECT_EQ(gate.commands[0].rate, 0);
  EXPECT_EQ(gate.commands[1].position, -3);
  ASSERT_EQ(gate.check(valued(2, {-0.1, 5})), Refusal::none);
  EXPECT_EQ(gate.commands[0].kind, Command::Kind::rate);
  EXPECT_EQ(gate.commands[0].rate, -0.1);
  EXPECT_EQ(gate.commands[1].rate, 5);
  ASSERT_EQ(gate.check(valued(3, {1.5, -3, 0.05, 0.5})), Refusal::none);
  EXPECT_EQ(gate.commands[0].kind, Command::Kind::position);
  EXPECT_EQ(gate.commands[0].position, 1.5);
  EXPECT_EQ(gate.commands[0].rate, 0.05);
  EXPECT_EQ(gate.commands[1].rate, 0.5);
  ASSERT_EQ(gate.check(valued(4, {1.5, -3, 0.05, 0.5, 0.2, -7})), Refusal::none);
  EXPECT_EQ(gate.commands[0].position, 1.5);
  EXPECT_EQ(gate.commands[1].rate, 0.5);
  EXPECT_EQ(gate.commands[0].acceleration, 0.2);
  EXPECT_EQ(gate.commands[1].acceleration, -7);
  ASSERT_EQ(gate.check(valued(5, {0.05, 0.5, 0.2, -7})), Refusal::none);
  EXPECT_EQ(gate.commands[0].kind, Command::Kind::rate);
  EXPECT_EQ(gate.commands[1].rate, 0.5);
  EXPECT_EQ(gate.commands[1].acceleration, -7);
  EXPECT_EQ(gate.check(valued(5, {0.05, 0.5, 0.2, 1e6})), Refusal::out_of_range);
}

/// Whether the packet is taken, and which limit it is beyond.
std::string find_limit(Gate& gate, const HandMade& hand) {
  if (gate.check(hand) != Refusal::none) return "refused";
  const auto& clip = gate.clip();
  return clip ? fmt::format("{} {} {}", clip->drive, clip->is_rate ? "rate" : "position", clip->limit) : "";
}

TEST(CommandGate, TakesWhatIsBeyondALimitAndSaysWhichOne) {
  Gate gate;
  EXPECT_EQ(find_limit(gate, valued(1, {1.23, 0})), "");
  EXPECT_EQ(find_limit(gate, valued(1, {1.99, 0})), "");
  EXPECT_EQ(find_limit(gate, valued(1, {1.2299, 0})), "0 position 1.23");
  EXPECT_EQ(find_limit(gate, valued(1, {1.9901, 0})), "0 position 1.99");
  EXPECT_EQ(gate.commands[0].position, 1.9901) << "the limiter clips, and tells the end stop";
  EXPECT_EQ(find_limit(gate, valued(1, {1.99 + 1e-10, 0})), "") << "a rounding of the sender's";
  EXPECT_EQ(find_limit(gate, valued(2, {0.15, 0})), "");
  EXPECT_EQ(find_limit(gate, valued(2, {-0.1501, 0})), "0 rate -0.15");
  EXPECT_EQ(find_limit(gate, valued(3, {1.5, 0, 0.16, 0})), "0 rate 0.15");
  EXPECT_EQ(find_limit(gate, valued(3, {1.2, 0, 0.16, 0})), "0 position 1.23") << "the first";
  EXPECT_EQ(find_limit(gate, valued(1, {1e5, 0})), "0 position 1.99");
  EXPECT_EQ(find_limit(gate, valued(1, {1.5, 1e5})), "") << "a drive without limits";
}

TEST(CommandGate, RefusesWhatNoMachineDoes) {
  Gate gate;
  EXPECT_EQ(gate.check(valued(1, {1.001e5, 0})), Refusal::out_of_range) << "with limits too";
  EXPECT_EQ(gate.check(valued(3, {1.5, 0, -1.001e5, 0})), Refusal::out_of_range);
  EXPECT_EQ(gate.check(valued(1, {1.5, -1.001e5})), Refusal::out_of_range);
  EXPECT_EQ(gate.check(valued(2, {0, 1.001e5})), Refusal::out_of_range);
  EXPECT_EQ(gate.check(valued(1, {1.5, std::numeric_limits<double>::max()})), Refusal::out_of_range);
}

TEST(CommandGate, LeavesEverythingUntouchedWhenItRefuses) {
  Gate gate;
  ASSERT_EQ(gate.check(numbered(7, 10)), Refusal::none);
  HandMade bad = numbered(8, 11);
  bad.values = {9e5, 9};
  ASSERT_EQ(gate.check(bad), Refusal::out_of_range);
  EXPECT_EQ(gate.header.session, 7U);
  EXPECT_EQ(gate.commands[0].position, 1.5);
  EXPECT_EQ(gate.check(numbered(7, 11)), Refusal::none) << "a refused session must not take over";
}

TEST(CommandGate, RefusesSendersThatAreNotOnTheList) {
  GateOptions options;
  options.allow = {build_address_range("10.1.0.0/16"), build_address_range("fd00::1")};
  Gate gate(options);
  const auto from = [&](const char* address, std::uint64_t sequence) {
    return gate.check(numbered(7, sequence).bytes(), build_address_range(address).address);
  };
  EXPECT_EQ(from("10.1.255.3", 1), Refusal::none);
  EXPECT_EQ(from("10.2.0.1", 2), Refusal::sender);
  EXPECT_EQ(from("127.0.0.1", 2), Refusal::sender);
  EXPECT_EQ(from("fd00::1", 2), Refusal::none);
  EXPECT_EQ(from("fd00::2", 3), Refusal::sender);
  EXPECT_EQ(from("::ffff:10.1.2.3", 3), Refusal::none) << "IPv4 within IPv6";
}

TEST(CommandGate, TakesPlainPacketsWhenTheyAreSwitchedOn) {
  Datagram plain;
  append(plain, 0.125);
  append(plain, -2.0);
  Gate strict;
  EXPECT_EQ(strict.check(plain), Refusal::wrong_length);
  GateOptions options;
  options.plain = CommandMode::rate;
  Gate gate(options);
  EXPECT_EQ(gate.check(plain), Refusal::none);
  EXPECT_EQ(gate.check(plain), Refusal::none) << "no sequence to be old";
  EXPECT_EQ(gate.commands[0].kind, Command::Kind::rate);
  EXPECT_EQ(gate.commands[0].rate, 0.125);
  Datagram fast;
  append(fast, 0.2);
  append(fast, 0.0);
  EXPECT_EQ(gate.check(fast), Refusal::none);
  EXPECT_TRUE(gate.clip());
  gate.set_now(1);  // the plain sender is gone
  EXPECT_EQ(gate.check(numbered(7, 1)), Refusal::none) << "a packet with a header is still one";
  EXPECT_EQ(gate.commands[0].kind, Command::Kind::position);
}

TEST(CommandGate, ConvertsTheSitesUnitsAndChecksTheMachines) {
  GateOptions options;
  options.site = {{-0.001, 1.99}, {1, 0}};  // retraction in millimetres
  Gate gate(options);
  ASSERT_EQ(gate.check(valued(3, {500, 2, -100, 0.5})), Refusal::none);
  EXPECT_DOUBLE_EQ(gate.commands[0].position, 1.49);
  EXPECT_DOUBLE_EQ(gate.commands[0].rate, 0.1);
  EXPECT_EQ(gate.commands[1].position, 2);
  EXPECT_EQ(find_limit(gate, valued(1, {-1, 2})), "0 position 1.99");
  EXPECT_EQ(find_limit(gate, valued(1, {761, 2})), "0 position 1.23");
  EXPECT_EQ(find_limit(gate, valued(1, {760, 2})), "");
  EXPECT_EQ(find_limit(gate, valued(2, {150, 2})), "");
  EXPECT_EQ(find_limit(gate, valued(2, {151, 2})), "0 rate -0.15");
}

/// What a network does to `count` numbered packets: order and copies of their sequence numbers.
std::vector<std::uint64_t> disturb(std::mt19937& random, std::uint64_t count, double lost, double doubled,
                                   std::size_t farthest) {
  std::uniform_real_distribution<double> chance(0, 1);
  std::vector<std::pair<double, std::uint64_t>> arrivals;
  for (std::uint64_t i = 1; i <= count; ++i) {
    const int copies = chance(random) < lost ? 0 : (chance(random) < doubled ? 2 : 1);
    for (int c = 0; c < copies; ++c) {
      arrivals.push_back({double(i) + chance(random) * double(farthest), i});
    }
  }
  std::sort(arrivals.begin(), arrivals.end());
  std::vector<std::uint64_t> order;
  for (const auto& arrival : arrivals) order.push_back(arrival.second);
  return order;
}

/// The claim for every disturbance: what passes are exactly the records (each newer than all before it).
void expect_only_newer(const std::vector<std::uint64_t>& order) {
  Gate gate;
  std::uint64_t newest = 0;
  for (const std::uint64_t sequence : order) {
    const Refusal refusal = gate.check(numbered(7, sequence));
    ASSERT_EQ(refusal, sequence > newest ? Refusal::none : Refusal::sequence);
    newest = std::max(newest, sequence);
    ASSERT_EQ(gate.header.sequence, newest);
  }
  EXPECT_GT(newest, 0U);
}

TEST(BadNetwork, LosingHalfLeavesTheRest) {
  std::mt19937 random(1);
  expect_only_newer(disturb(random, 2000, 0.5, 0, 0));
}

TEST(BadNetwork, DoublingAndReorderingPassEachOnceAndOnlyForward) {
  std::mt19937 random(2);
  expect_only_newer(disturb(random, 2000, 0.1, 0.5, 20));
}

TEST(BadNetwork, ASecondsDelayIsOldWhenItComes) {
  // 100 packets a second, every tenth one a second late
  std::vector<std::pair<std::uint64_t, std::uint64_t>> arrivals;
  for (std::uint64_t i = 1; i <= 1000; ++i) arrivals.push_back({i + (i % 10 == 0 ? 100 : 0), i});
  std::stable_sort(arrivals.begin(), arrivals.end());
  std::vector<std::uint64_t> order;
  for (const auto& arrival : arrivals) order.push_back(arrival.second);
  expect_only_newer(order);
}

TEST(BadNetwork, ReplayingAnOldSessionMovesNothing) {
  Gate gate;
  std::vector<Datagram> recorded;
  for (std::uint64_t i = 1; i <= 500; ++i) recorded.push_back(numbered(7, i).bytes());
  for (const Datagram& packet : recorded) ASSERT_EQ(gate.check(packet), Refusal::none);
  HandMade live = numbered(8, 1);
  live.values = {1.75, 0};
  gate.set_now(1);
  ASSERT_EQ(gate.check(live), Refusal::none);
  for (const Datagram& packet : recorded) ASSERT_EQ(gate.check(packet), Refusal::sequence);
  EXPECT_EQ(gate.commands[0].position, 1.75);
}

TEST(BadNetwork, WithAKeyYesterdaysPacketsAreWorthNothing) {
  GateOptions yesterday;
  yesterday.key = Key{1, 2, 3};
  yesterday.nonce = Nonce{1};
  GateOptions today = yesterday;
  today.nonce = Nonce{2};
  const auto packet_for = [](const GateOptions& options, std::uint64_t session) {
    Datagram packet = numbered(session, 1).bytes();
    const Tag tag = Authenticator(*options.key, options.nonce).calc_tag(packet);
    packet.insert(packet.end(), tag.begin(), tag.end());
    return packet;
  };
  EXPECT_EQ(Gate(yesterday).check(packet_for(yesterday, 7)), Refusal::none);
  Gate gate(today);
  EXPECT_EQ(gate.check(packet_for(yesterday, 7)), Refusal::tag);
  EXPECT_EQ(gate.check(packet_for(today, 7)), Refusal::none) << "the same session id, a new tag";
  gate.set_now(1);
  EXPECT_EQ(gate.check(packet_for(today, 8)), Refusal::none) << "restarted";
  EXPECT_EQ(gate.check(packet_for(today, 7)), Refusal::sequence) << "old and replaced";
}

/// A packet that is nearly right: random bytes, a right one with some bytes changed, cut or lengthened.
Datagram build_mutant(std::mt19937_64& random) {
  Datagram packet;
  if (random() % 4 == 0) {
    packet.resize(random() % 200);
    for (std::uint8_t& byte : packet) byte = static_cast<std::uint8_t>(random());
    return packet;
  }
  HandMade hand = numbered(random() % 3, random() % 1000);
  hand.mode = static_cast<std::uint8_t>(random() % 5);
  hand.values.assign(2 * (hand.mode == 3 ? 2 : (hand.mode == 0 ? 0 : 1)), 1.5);
  packet = hand.bytes();
  for (std::uint64_t i = random() % 6; i > 0; --i) {
    const std::size_t from = random() % 2 == 0 ? 0 : std::min<std::size_t>(56, packet.size() - 1);
    packet[from + random() % (packet.size() - from)] = static_cast<std::uint8_t>(random());
  }
  if (random() % 10 == 0) packet.resize(random() % 200);
  return packet;
}

/// What is promised of every accepted command: the drive that follows it stays within its range, speed and acceleration.
void expect_within_limits(const Gate& gate, const DriveLimiter& limiter, DriveState& drive) {
  if (gate.header.mode == CommandMode::none) return;
  ASSERT_LE(std::abs(gate.commands[1].position), 1e5);
  ASSERT_LE(std::abs(gate.commands[1].rate), 1e5);
  const double before = drive.rate;
  drive = limiter.calc_next(drive, gate.commands[0]).state;
  ASSERT_GE(drive.position, 1.23);
  ASSERT_LE(drive.position, 1.99);
  ASSERT_LE(std::abs(drive.rate), 0.15);
  ASSERT_LE(std::abs(drive.rate - before), 0.6 * 1e-3 * (1 + 1e-9));
}

TEST(BadNetwork, NothingRandomOrMutatedMovesPastALimit) {
  std::mt19937_64 random(20060421);
  Gate gate;
  int accepted = 0;
  std::array<int, kRefusalCount> refused{};
  const DriveLimiter limiter(two_drives().limits[0], 1e-3);
  DriveState drive{1.5, 0, 0};
  for (int i = 0; i < 300'000; ++i) {
    if (i % 1000 == 0) gate = Gate();
    gate.set_now(i);  // nobody is live
    const Refusal refusal = gate.check(build_mutant(random));
    ++refused[static_cast<std::size_t>(refusal)];
    if (refusal != Refusal::none) continue;
    ++accepted;
    expect_within_limits(gate, limiter, drive);
  }
  EXPECT_GT(accepted, 1000) << "mutants that never pass prove nothing";
  for (const Refusal reason :
       {Refusal::wrong_length, Refusal::magic, Refusal::version, Refusal::fingerprint, Refusal::field,
        Refusal::sequence, Refusal::not_finite, Refusal::out_of_range}) {
    EXPECT_GT(refused[static_cast<std::size_t>(reason)], 5) << refusal_name(reason);
  }
}

}  // namespace
}  // namespace rodeo::engine
