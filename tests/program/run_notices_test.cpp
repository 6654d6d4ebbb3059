// SPDX-License-Identifier: MIT
// What `rodeo run` and `rodeo drive` say while they run: when something begins, then at most once a second with a count. On a clock of
// the test's own.
#include "tools/rodeo/run_notices.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>

#include "engine/session/key_map.h"
#include "engine/session/session.h"
#include "tests/net/support.h"

namespace rodeo::tools {
namespace {

using engine::Refusal;
using testing::ElementsAre;
using testing::IsEmpty;

class Notices : public testing::Test {
 protected:
  /// Everything that is new has happened just now.
  std::vector<std::string> look(double now, std::uint32_t status, std::uint32_t news = 0) {
    const std::int64_t moment = std::llround(now * 1e9);
    link_.refused_at.fill(moment);
    link_.clipped_at = link_.rivals_since = moment;
    NoticeLook look{now, now, status, news, link_};
    look.risen.fill(moment);
    look.fallen.fill(moment);
    return notices_.take(look);
  }
  void refuse(Refusal why, std::uint64_t count) {
    link_.counts.refused[static_cast<std::size_t>(why)] += count;
    link_.last_refusal = why;
    link_.last_refused = {engine::testing_support::kLocal, 4000};
  }
  RunNotices notices_{{"loader", {{"lift", "m"}, {"tilt", "m"}}, "127.0.0.1:5005", 200, false}};
  engine::LinkReport link_;
};

TEST_F(Notices, SaysWhatBeginsAndWhatEnds) {
  EXPECT_THAT(look(0, engine::kStale | engine::kWaiting),
              ElementsAre("loader: 0.000 s: waits for the first command at 127.0.0.1:5005 (rodeo drive FILE "
                          "--to 127.0.0.1:5005)"));
  EXPECT_THAT(look(0.1, engine::kStale | engine::kWaiting), IsEmpty());
  link_.commander = engine::Endpoint{engine::testing_support::kLocal, 4000};
  EXPECT_THAT(look(0.2, 0), ElementsAre("loader: 0.200 s: armed: commands come, from 127.0.0.1:4000"));
  EXPECT_THAT(
      look(1.5, engine::kStale),
      ElementsAre("loader: 1.500 s: stale: no command for 200 ms, the machine brakes and goes on with "
                  "the next command"));
  EXPECT_THAT(look(1.6, 0), ElementsAre("loader: 1.600 s: commands come again, from 127.0.0.1:4000"));
  EXPECT_THAT(look(1.7, engine::kStopped),
              ElementsAre("loader: 1.700 s: stopped: the machine brakes: key A here or 'rodeo drive "
                          "--rearm' releases it"));
  EXPECT_THAT(look(1.8, 0), ElementsAre("loader: 1.800 s: rearmed"));
}

/// Of a second in which nothing moved, the terminal had not a word.
TEST_F(Notices, SaysThatTheEngineStoodStill) {
  const auto look = [&](double now, std::uint64_t lost, double lag) {
    return notices_.take({.now = now, .time = now, .link = link_, .lost = lost, .lag = lag});
  };
  EXPECT_THAT(look(1, 0, 0), IsEmpty());
  EXPECT_THAT(look(1.1, 3, 0), IsEmpty()) << "a few are in the report";
  EXPECT_THAT(
      look(2.2, 1006, 0),
      ElementsAre("loader: 2.200 s: the engine stood still: 1003 ticks, 1 s, were lost: 'rodeo doctor' says "
                  "what keeps this computer from being in time"));
  EXPECT_THAT(look(2.3, 1006, 0), IsEmpty());
  EXPECT_THAT(
      look(3.5, 1006, 0.25),
      ElementsAre(
          "loader: 3.500 s: the engine stood still: 0.25 s behind the clock: 'rodeo doctor' says what "
          "keeps this computer from being in time"));
  EXPECT_THAT(look(3.6, 1006, 0.25), IsEmpty());
}

engine::TickNote build_note(engine::Verb verb, std::uint8_t slot, engine::VerbRefusal why,
                            const std::string& from, std::uint64_t session = 0) {
  engine::TickNote note{1'250'000'000, verb == engine::Verb::none, verb, slot, why, {{}, session}};
  std::copy(from.begin(), from.end(), note.origin.name.begin());
  return note;
}

TEST_F(Notices, SaysWhoStoppedItAndWhoSentAVerb) {
  using engine::Verb;
  using engine::VerbRefusal;
  EXPECT_THAT(notices_.take({2,
                             1.3,
                             0,
                             0,
                             link_,
                             {build_note(Verb::none, 0, VerbRefusal::none, "127.0.0.1:4000", 0xabc),
                              build_note(Verb::rearm, 0, VerbRefusal::none, "terminal"),
                              build_note(Verb::load, 3, VerbRefusal::none, "terminal"),
                              build_note(Verb::freeze, 0, VerbRefusal::none, "")}}),
              ElementsAre("loader: 1.250 s: emergency stop, from 127.0.0.1:4000, session 0000000000000abc",
                          "loader: 1.250 s: rearm, from the terminal",
                          "loader: 1.250 s: initial condition 3, from the terminal: the machine jumped",
                          "loader: 1.250 s: freeze"));
}

/// A look comes up to a tenth of a second later.
TEST_F(Notices, CarryTheTimeOfTheTickAtWhichItHappened) {
  NoticeLook look{7.0, 5.0, engine::kStopped, 0, link_};  // s of the loop's clock, s simulated
  look.risen[std::countr_zero(std::uint32_t{engine::kStopped})] = 4'912'000'000;
  EXPECT_THAT(notices_.take(look), ElementsAre(testing::StartsWith("loader: 4.912 s: stopped")));
  look = {7.1, 5.1, 0, 0, link_};
  look.fallen[std::countr_zero(std::uint32_t{engine::kStopped})] = 5'034'000'000;
  EXPECT_THAT(notices_.take(look), ElementsAre("loader: 5.034 s: rearmed"));
  refuse(Refusal::tag, 1);
  link_.refused_at[static_cast<std::size_t>(Refusal::tag)] = 7'150'000'000;
  look = {7.2, 5.2, engine::kHalted, 0, link_};
  look.risen[std::countr_zero(std::uint32_t{engine::kHalted})] = 5'160'000'000;
  EXPECT_THAT(notices_.take(look), ElementsAre(testing::StartsWith("loader: 5.150 s: refused 1 packet"),
                                               testing::StartsWith("loader: 5.160 s: halted")))
      << "in the order in which they happened";
}

/// Eight refused verbs had two lines.
TEST_F(Notices, HasALineForEveryRefusedVerb) {
  using engine::VerbRefusal;
  const std::vector<std::pair<VerbRefusal, std::string>> texts{{VerbRefusal::moving, "the machine moves"},
                                                               {VerbRefusal::stopped, "in emergency stop"},
                                                               {VerbRefusal::one_step, "not let go of"},
                                                               {VerbRefusal::commanded, "commanded to move"},
                                                               {VerbRefusal::missing, "there is none"}};
  double now = 0;
  for (int i = 0; i < 2; ++i) {
    for (const auto& [why, text] : texts) {
      now += 0.1;
      EXPECT_THAT(
          notices_.take({now,
                         now,
                         0,
                         engine::kVerbRefused,
                         link_,
                         {build_note(engine::Verb::restore, 9, why, "terminal")}}),
          ElementsAre(testing::AllOf(testing::HasSubstr("return to snapshot 9 refused, from the terminal: "),
                                     testing::HasSubstr(text))));
    }
  }
}

TEST_F(Notices, CountsVerbsBeyondTenASecondButTellsEveryStop) {
  using engine::Verb;
  std::vector<engine::TickNote> many(100, build_note(Verb::rearm, 0, engine::VerbRefusal::one_step, "a"));
  many.push_back(build_note(Verb::none, 0, engine::VerbRefusal::none, "b"));
  const auto said = notices_.take({1, 1, 0, 0, link_, many});
  ASSERT_EQ(said.size(), 11U);
  EXPECT_THAT(said.back(), testing::HasSubstr("emergency stop, from b"));
  EXPECT_THAT(look(2.1, 0), ElementsAre("loader: 2.100 s: 90 more verbs came within a second"));
}

TEST_F(Notices, SaysOnlyThatItIsArmedWhereTheFirstCommandCameBeforeTheFirstLook) {
  EXPECT_THAT(look(0.1, 0, engine::kStale | engine::kWaiting),
              ElementsAre("loader: 0.100 s: armed: commands come"));
  EXPECT_THAT(look(0.2, 0), IsEmpty());
}

TEST_F(Notices, MissesNothingThatWasOverBeforeTheLook) {
  EXPECT_THAT(look(3, 0, engine::kHoldSingular),
              ElementsAre("loader: 3.000 s: held: a singular pose is ahead: command another way"));
}

TEST_F(Notices, SaysAThingAtOnceAndThenOnceASecondWithACount) {
  refuse(Refusal::not_finite, 1);
  EXPECT_THAT(look(0.0, 0),
              ElementsAre("loader: 0.000 s: refused 1 packet of 127.0.0.1:4000: not_finite: a value "
                          "is NaN or infinite"));
  for (int i = 1; i < 10; ++i) {
    refuse(Refusal::not_finite, 10);
    EXPECT_THAT(look(0.1 * i, 0), IsEmpty());
  }
  EXPECT_THAT(look(1.0, 0),
              ElementsAre("loader: 1.000 s: refused 90 packets of 127.0.0.1:4000: not_finite: a "
                          "value is NaN or infinite"));
  EXPECT_THAT(look(5.0, 0), IsEmpty()) << "nothing new";
}

TEST_F(Notices, HasAnAdviceForEveryRefusal) {
  for (std::size_t i = 1; i < engine::kRefusalCount; ++i) {
    refuse(static_cast<Refusal>(i), 1);
    const auto said = look(10.0 * static_cast<double>(i), 0);
    ASSERT_EQ(said.size(), 1U);
    EXPECT_FALSE(said[0].ends_with(": ")) << said[0];
  }
}

TEST_F(Notices, NamesTheDriveThatIsClippedAndTheSendersThatAreAtOdds) {
  link_.counts.clipped = 3;
  link_.last_clip = engine::Clip{1, true, -0.2, -0.15};
  link_.last_clipped = {engine::testing_support::kLocal, 4001};
  link_.rivals = std::pair(engine::Endpoint{engine::testing_support::kLocal, 4000}, link_.last_clipped);
  EXPECT_THAT(
      look(0, 0),
      ElementsAre(
          "loader: 0.000 s: clipped 3 commands of 127.0.0.1:4001: drive 'tilt' at -0.2 m/s, its speed "
          "ends at -0.15",
          "loader: 0.000 s: two senders command in turns, 127.0.0.1:4000 and 127.0.0.1:4001: the "
          "one that began first is followed: stop the other"));
}

TEST_F(Notices, TellsOfDatagramsThatWereNeverRead) {
  link_.counts.dropped = 7;
  EXPECT_THAT(look(0, 0),
              ElementsAre("loader: 0.000 s: dropped 7 datagrams: they come faster than they can be "
                          "read: find who floods 127.0.0.1:5005"));
  EXPECT_THAT(look(2, 0), IsEmpty());
}

TEST(KeyMap, HasEveryVerbOnceAndNoKeyTwice) {
  std::set<char> keys;
  std::set<engine::Verb> verbs;
  for (const engine::VerbKey& each : engine::kVerbKeys) {
    EXPECT_TRUE(keys.insert(each.key).second) << each.key;
    verbs.insert(each.verb);
    EXPECT_EQ(engine::to_capital(each.key), each.key);
    EXPECT_EQ(engine::find_key_wish(each.key)->verb, each.verb);
  }
  EXPECT_EQ(verbs.size(), 8U) << "all but load, which are digits; none is the emergency stop";
  EXPECT_TRUE(engine::find_key_wish('E')->emergency_stop);
  EXPECT_EQ(engine::find_key_wish('3')->slot, 3);
  EXPECT_FALSE(engine::find_key_wish('r')) << "small letters are the drives' in 'rodeo drive'";
  EXPECT_FALSE(keys.contains(engine::kQuitKey));
}

}  // namespace
}  // namespace rodeo::tools
