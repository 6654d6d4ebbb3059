// SPDX-License-Identifier: MIT
// Who commands: sessions and their numbers, taking over, keys and roles, and how much one sender may send.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "tests/net/gate_support.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

/// After 1024 sessions packets of a forgotten one were accepted again.
TEST(CommandGate, NeverTakesAPacketOfAForgottenSessionAgain) {
  GateOptions options;
  options.key = Key{1, 2, 3};
  options.nonce = Nonce{9};
  Gate gate(options);
  std::vector<Datagram> captured;
  for (std::uint64_t session = 1; session <= 5000; ++session) {
    gate.set_now(static_cast<double>(session));
    HandMade hand = verb_alone(session, 5);
    hand.flags = session == 1 ? 1 : 0;
    captured.push_back(tagged(hand, *options.key, gate.nonce()));
    ASSERT_EQ(gate.check(captured.back()), Refusal::none) << session;
    if (session % 500 != 0) continue;
    double now = static_cast<double>(session);
    for (const Datagram& packet : captured) {
      gate.set_now(now += 1e-4);
      ASSERT_NE(gate.check(packet), Refusal::none) << session;
      ASSERT_FALSE(gate.is_stop());
    }
  }
}

TEST(CommandGate, AKnownSessionGoesOnWithTheNonceThatItHasOrTheNewest) {
  GateOptions options;
  options.key = Key{1, 2, 3};
  Gate gate(options);
  HandMade station = verb_alone(7, 1);  // verbs beside others
  const Nonce first = gate.nonce();
  for (std::uint64_t session = 1; session <= 1100; ++session) {
    ASSERT_EQ(gate.check(tagged(verb_alone(100 + session, 1), *options.key, gate.nonce())), Refusal::none);
    if (session < 1000) continue;
    station.sequence = session;
    ASSERT_EQ(gate.check(tagged(station, *options.key, first)), Refusal::none);
  }
  EXPECT_NE(gate.nonce(), first);
  station.sequence = 2000;
  EXPECT_EQ(gate.check(tagged(station, *options.key, gate.nonce())), Refusal::none);
  station.sequence = 2001;
  EXPECT_EQ(gate.check(tagged(station, *options.key, Nonce{5})), Refusal::tag);
}

TEST(CommandGate, NoSequenceLocksASessionOut) {
  Gate gate;
  ASSERT_EQ(gate.check(numbered(7, 1)), Refusal::none);
  EXPECT_EQ(gate.check(numbered(7, ~std::uint64_t{0})), Refusal::sequence);
  EXPECT_EQ(gate.check(verb_alone(8, ~std::uint64_t{0})), Refusal::sequence);
  EXPECT_EQ(gate.check(numbered(7, 2)), Refusal::none);
  EXPECT_EQ(gate.check(verb_alone(8, 1)), Refusal::none);
  EXPECT_EQ(gate.check(verb_alone(8, std::uint64_t{1} << 63)), Refusal::sequence);
  EXPECT_EQ(gate.check(verb_alone(8, (std::uint64_t{1} << 63) - 1)), Refusal::none) << "the last one";
}

/// It was told that its length is wrong.
TEST(CommandGate, SaysOfAPacketThatOnlyItsTagIsMissing) {
  GateOptions options;
  options.key = Key{1, 2, 3};
  Gate gate(options);
  EXPECT_EQ(gate.check(numbered(7, 1)), Refusal::untagged);
  EXPECT_EQ(gate.check(verb_alone(7, 1)), Refusal::untagged);
  EXPECT_EQ(gate.check(tagged(numbered(7, 1), Key{4}, gate.nonce())), Refusal::tag);
  Datagram packet = numbered(7, 1).bytes();
  packet.pop_back();
  EXPECT_EQ(gate.check(packet), Refusal::wrong_length);
  HandMade stop = verb_alone(7, 1);
  stop.flags = 1;
  EXPECT_EQ(gate.check(stop), Refusal::untagged);
  EXPECT_FALSE(gate.is_stop());
}

TEST(CommandGate, TakesASequenceOnceAndInOrder) {
  Gate gate;
  EXPECT_EQ(gate.check(numbered(7, 5)), Refusal::none);
  EXPECT_EQ(gate.check(numbered(7, 5)), Refusal::sequence) << "duplicated";
  EXPECT_EQ(gate.check(numbered(7, 4)), Refusal::sequence) << "reordered";
  EXPECT_EQ(gate.check(numbered(7, 6)), Refusal::none);
  EXPECT_EQ(gate.check(numbered(7, 1000)), Refusal::none) << "lost ones in between";
  EXPECT_EQ(gate.check(numbered(7, std::numeric_limits<std::int64_t>::max())), Refusal::none);
  EXPECT_EQ(gate.check(numbered(7, 0)), Refusal::sequence);
}

TEST(CommandGate, LetsARestartedSenderInOnceTheOldOneIsSilent) {
  Gate gate;
  ASSERT_EQ(gate.check(numbered(7, 1000)), Refusal::none);
  EXPECT_TRUE(gate.is_occupied());
  gate.set_now(0.2);
  EXPECT_EQ(gate.check(numbered(8, 1)), Refusal::role) << "it may still be there";
  EXPECT_TRUE(gate.had_values());
  gate.set_now(0.21);
  EXPECT_FALSE(gate.is_occupied());
  EXPECT_EQ(gate.check(numbered(8, 1)), Refusal::none) << "what was refused is not old";
  EXPECT_EQ(gate.check(numbered(7, 1001)), Refusal::replaced) << "still running";
  EXPECT_TRUE(gate.had_values());
  EXPECT_EQ(gate.check(numbered(7, 3)), Refusal::sequence) << "replayed";
  EXPECT_EQ(gate.check(numbered(8, 2)), Refusal::none);
  gate.set_now(0.5);
  EXPECT_EQ(gate.check(numbered(7, 1002)), Refusal::none) << "nobody else is left";
}

/// A new session took over from a live one, also without a key.
TEST(CommandGate, ALiveSenderIsTakenOverFromByConsentOnly) {
  Gate gate;
  for (std::uint64_t i = 1; i <= 1000; ++i) {
    gate.set_now(0.01 * static_cast<double>(i));
    ASSERT_EQ(gate.check(numbered(7, i)), Refusal::none);
    ASSERT_EQ(gate.check(numbered(100 + i, 1)), Refusal::role);
  }
  HandMade release = numbered(8, 1);
  release.mode = 0;
  release.values = {};
  release.verb = 9;
  ASSERT_EQ(gate.check(release), Refusal::none);
  EXPECT_EQ(gate.check(numbered(8, 2)), Refusal::role) << "it does not command: its consent is none";
  release.session = 7;
  release.sequence = 1001;
  ASSERT_EQ(gate.check(release), Refusal::none);
  EXPECT_FALSE(gate.is_occupied());
  EXPECT_EQ(gate.check(numbered(7, 1002)), Refusal::none) << "until somebody does, it goes on";
  EXPECT_EQ(gate.check(numbered(8, 3)), Refusal::none);
  EXPECT_EQ(gate.check(numbered(7, 1003)), Refusal::replaced);
  EXPECT_EQ(gate.check(numbered(9, 1)), Refusal::role) << "the new one has not consented";
}

TEST(CommandGate, PlainSendersDoNotTakeOverFromEachOtherEither) {
  GateOptions options;
  options.plain = CommandMode::position;
  Gate gate(options);
  Datagram plain;
  append(plain, 1.5);
  append(plain, 0.25);
  const Endpoint first{kLocal, 4000};
  const Endpoint second{kLocal, 4001};
  for (int i = 0; i < 10; ++i) EXPECT_EQ(gate.check(plain, first), Refusal::none);
  EXPECT_EQ(gate.check(plain, second), Refusal::role);
  EXPECT_EQ(gate.check(numbered(7, 1).bytes(), second), Refusal::role);
  gate.set_now(0.3);
  EXPECT_EQ(gate.check(plain, second), Refusal::none);
  EXPECT_EQ(gate.check(plain, first), Refusal::replaced);
}

/// 100,000 packets a second of one, 1,000 of another, and stops among the flood.
TEST(CommandGate, AFloodOfOneSenderIsCutAndLeavesTheOthersAlone) {
  Gate gate;
  const Endpoint flooder{kLocal, 4001};
  const Endpoint wanted{kLocal, 4000};
  std::array<int, kRefusalCount> of_flood{};
  int stops = 0;
  for (std::uint64_t i = 0; i < 200'000; ++i) {
    gate.set_now(1e-5 * static_cast<double>(i));
    HandMade junk = verb_alone(1'000'000 + i, 1);
    junk.flags = i % 10'000 == 9'999 ? 1 : 0;
    ++of_flood[static_cast<std::size_t>(gate.check(junk.bytes(), flooder))];
    stops += gate.is_stop();
    if (i % 100 != 0) continue;
    ASSERT_EQ(gate.check(numbered(7, i + 1).bytes(), wanted), Refusal::none);
  }
  EXPECT_EQ(stops, 20) << "all of them";
  const int looked_at = of_flood[0];
  EXPECT_NEAR(looked_at, 2 * 20'000 + 4'000 + 20, 10) << "of two seconds";
  EXPECT_EQ(of_flood[static_cast<std::size_t>(Refusal::flood)], 200'000 - looked_at);
}

TEST(SourceLimit, KeepsATrustworthyCountForEverySenderAmongManyOthers) {
  SourceLimit limit;
  const Endpoint slow{kLocal, 4000};
  const std::uint64_t id = limit.calc_id(slow);
  EXPECT_EQ(limit.calc_id({kLocal, 4000}), id);
  std::set<std::uint64_t> ids;
  for (std::uint16_t port = 0; port < 5000; ++port) {
    ids.insert(limit.calc_id({kLocal, port}));
    const std::int64_t now = 100'000 * std::int64_t{port};
    ASSERT_TRUE(limit.try_take(limit.calc_id({kLocal, port}), now));
    ASSERT_TRUE(limit.try_take(id, now)) << "pushed out it begins anew, it is never refused";
  }
  EXPECT_EQ(ids.size(), 5000U);
  SourceLimit quiet;
  int taken = 0;
  for (int i = 0; i < 10'000; ++i) taken += quiet.try_take(id, 0);
  EXPECT_EQ(taken, 4000);
  EXPECT_TRUE(quiet.try_take(id, 50'000)) << "one more after 50 us";
  EXPECT_FALSE(quiet.try_take(id, 50'001));
  EXPECT_TRUE(quiet.try_take(id + 1, 50'001)) << "another one";
}

GateOptions three_keys() {
  GateOptions options;
  options.key = Key{1};
  options.instructor_key = Key{2};
  options.viewer_key = Key{3};
  return options;
}

TEST(CommandGate, AnInstructorTakesOverAndIsNotTakenOverFrom) {
  Gate gate(three_keys());
  const auto check = [&](std::uint64_t session, std::uint64_t sequence, std::uint8_t key) {
    return gate.check(tagged(numbered(session, sequence), Key{key}, gate.nonce()));
  };
  EXPECT_EQ(check(7, 1, 1), Refusal::none);
  EXPECT_EQ(check(8, 1, 1), Refusal::role) << "another operator";
  EXPECT_EQ(check(20, 1, 2), Refusal::none) << "the instructor";
  EXPECT_EQ(check(7, 2, 1), Refusal::replaced);
  EXPECT_EQ(check(8, 2, 1), Refusal::role);
  EXPECT_EQ(check(21, 1, 2), Refusal::none) << "another instructor";
  EXPECT_EQ(check(20, 2, 2), Refusal::replaced) << "no turns";
  EXPECT_EQ(check(21, 2, 1), Refusal::tag) << "a session keeps its role";
  EXPECT_EQ(check(7, 3, 2), Refusal::tag);
  EXPECT_EQ(check(21, 3, 2), Refusal::none);
  gate.set_now(0.3);
  EXPECT_EQ(check(7, 4, 1), Refusal::none) << "the operator again, once the instructor is silent";
}

TEST(CommandGate, AViewerMayNeitherCommandNorSendVerbsNorStop) {
  Gate gate(three_keys());
  const auto check = [&](HandMade hand) {
    hand.session = 9;
    return gate.check(tagged(hand, Key{3}, gate.nonce()));
  };
  EXPECT_EQ(check(numbered(9, 1)), Refusal::role);
  HandMade verb = verb_alone(9, 2);
  for (verb.verb = 0; verb.verb <= 9; ++verb.verb) EXPECT_EQ(check(verb), Refusal::role);
  verb.verb = 0;
  verb.flags = 1;
  EXPECT_EQ(check(verb), Refusal::role);
  EXPECT_FALSE(gate.is_stop());
  verb.session = 10;
  EXPECT_EQ(gate.check(tagged(verb, Key{2}, gate.nonce())), Refusal::none);
  EXPECT_TRUE(gate.is_stop()) << "an instructor may";
}

TEST(CommandGate, TakesVerbsFromAStationBesideTheOperators) {
  Gate gate;
  HandMade stop = numbered(99, 1);
  stop.mode = 0;
  stop.flags = 1;
  stop.values.clear();
  ASSERT_EQ(gate.check(numbered(7, 1)), Refusal::none);
  EXPECT_EQ(gate.check(stop), Refusal::none);
  EXPECT_TRUE(gate.header.emergency_stop);
  EXPECT_EQ(gate.check(stop), Refusal::sequence) << "replayed";
  EXPECT_EQ(gate.check(numbered(7, 2)), Refusal::none) << "the operator goes on";
  gate.set_now(0.3);
  EXPECT_EQ(gate.check(numbered(8, 1)), Refusal::none);
  HandMade late = numbered(7, 3);
  late.mode = 0;
  late.flags = 1;
  late.values.clear();
  EXPECT_EQ(gate.check(late), Refusal::none) << "who was replaced can still stop the machine";
  EXPECT_EQ(gate.check(numbered(8, 2)), Refusal::none);
}

TEST(SessionTable, RemembersAThousandSessionsAndNeverForgetsWhoCommands) {
  SessionTable table(0);
  table.note({1, 50, true});
  for (std::uint64_t id = 2; id < 2 + 3 * SessionTable::kMost; ++id) {
    ASSERT_EQ(table.find_verdict({id, 1, false}), SessionTable::Verdict::fresh);
    table.note({id, 1, false});
    ASSERT_NE(table.find_verdict({id, 1, false}), SessionTable::Verdict::fresh);
    ASSERT_NE(table.find_verdict({1, 50, true}), SessionTable::Verdict::fresh);
    ASSERT_EQ(table.find_verdict({1, 51, true}), SessionTable::Verdict::fresh);
    if (id > 1000) {
      ASSERT_NE(table.find_verdict({id - 990, 1, false}), SessionTable::Verdict::fresh)
          << "one of the last thousand";
    }
  }
}

}  // namespace
}  // namespace rodeo::engine
