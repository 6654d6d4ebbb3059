// SPDX-License-Identifier: MIT
// Hello and its answer: what a sender learns, and that an answer is never larger than what asked for it.
#include "engine/net/hello.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "engine/net/sender.h"
#include "engine/net/state_packet.h"
#include "engine/session/session.h"
#include "tests/net/support.h"

namespace rodeo::engine {
namespace {

using testing_support::comes_true;
using testing_support::Datagram;
using testing_support::on_loopback;
using testing_support::PlainSocket;
using testing_support::two_drives;
using Kind = AnswerReading::Kind;

constexpr std::chrono::seconds kPatience{5};

Answer sample_answer() { return {two_drives(), Nonce{1, 2, 3}, false, 0, {}}; }

TEST(Hello, IsAnsweredWithTheInterface) {
  const Datagram packet = build_answer(sample_answer(), 42, nullptr, 1472);
  const AnswerReading reading = read_answer(packet, 42, {});
  ASSERT_EQ(reading.kind, Kind::whole);
  EXPECT_EQ(reading.answer.machine.name, "loader");
  EXPECT_EQ(reading.answer.machine.drives, two_drives().drives);
  EXPECT_EQ(reading.answer.machine.limits[0].upper, 1.99);
  EXPECT_EQ(reading.answer.machine.limits[0].acceleration, 0.6);
  EXPECT_FALSE(reading.answer.machine.limits[1].lower);
  EXPECT_EQ(reading.answer.nonce, (Nonce{1, 2, 3}));
  EXPECT_EQ(read_answer(packet, 43, {}).kind, Kind::foreign) << "to somebody else's hello";
}

TEST(Hello, TellsTheMachinesConditionAndWhatItRefused) {
  Answer answer = sample_answer();
  answer.status = kStaleLatched | kHalted;
  answer.counts.clipped = 4;
  answer.delay = 0.0117;
  answer.counts.refused[static_cast<std::size_t>(Refusal::replaced)] = 12;
  const Datagram packet = build_answer(answer, 42, nullptr, 1472);
  EXPECT_THAT(
      std::string(packet.begin(), packet.end()),
      testing::HasSubstr(
          R"("status":["stale_latched","halted"],"clipped":4,"refused":{"replaced":12},"delay":0.0117})"));
  const AnswerReading reading = read_answer(packet, 42, {});
  ASSERT_EQ(reading.kind, Kind::whole);
  EXPECT_EQ(reading.answer.status, answer.status);
  EXPECT_EQ(reading.answer.counts.clipped, 4U);
  EXPECT_EQ(reading.answer.delay, 0.0117);
  EXPECT_EQ(reading.answer.counts.refused, answer.counts.refused);
}

TEST(Hello, IsNeverAnsweredWithMoreThanItBrought) {
  const Answer answer = sample_answer();
  const Authenticator authenticator(Key{}, answer.nonce);
  for (const Authenticator* with : {static_cast<const Authenticator*>(nullptr), &authenticator}) {
    const std::size_t whole = build_answer(answer, 1, with, 65507).size();
    for (std::size_t room = kSmallestHello; room < whole + 20; ++room) {
      const Datagram packet = build_answer(answer, 1, with, room);
      ASSERT_LE(packet.size(), room);
      const AnswerReading reading = read_answer(packet, 1, with == nullptr ? std::optional<Key>() : Key{});
      ASSERT_EQ(reading.kind, room < whole ? Kind::too_small : Kind::whole);
      ASSERT_EQ(reading.needed, whole);
    }
  }
}

TEST(Hello, OfLessThanTheSmallestAnswerIsNone) {
  Datagram hello = build_hello(5, 0);
  EXPECT_EQ(hello.size(), kSmallestHello);
  EXPECT_EQ(find_hello(hello), 5U);
  hello.pop_back();
  EXPECT_FALSE(find_hello(hello));
  EXPECT_FALSE(find_hello(Datagram{}));
  Datagram other = build_hello(5, 200);
  other[4] = 2;
  EXPECT_FALSE(find_hello(other));
}

TEST(Hello, AnswersOfAnotherKeyAreNotBelieved) {
  const Authenticator authenticator(Key{1}, sample_answer().nonce);
  const Datagram packet = build_answer(sample_answer(), 1, &authenticator, 1472);
  EXPECT_EQ(read_answer(packet, 1, Key{1}).kind, Kind::whole);
  EXPECT_EQ(read_answer(packet, 1, Key{2}).kind, Kind::bad_tag);
  Datagram spoilt = packet;
  spoilt[60] ^= 1;
  EXPECT_EQ(read_answer(spoilt, 1, Key{1}).kind, Kind::bad_tag);
}

TEST(Hello, NoDamagedAnswerIsTakenForWhole) {
  const Datagram packet = build_answer(sample_answer(), 1, nullptr, 1472);
  for (std::size_t size = 0; size < packet.size(); ++size) {
    EXPECT_NE(read_answer(Bytes(packet).first(size), 1, {}).kind, Kind::whole);
  }
  Datagram renamed = packet;  // another drive under the same fingerprint
  const std::string name = "lift";
  const auto at = std::search(renamed.begin(), renamed.end(), name.begin(), name.end());
  ASSERT_NE(at, renamed.end());
  *at = 'g';
  EXPECT_EQ(read_answer(renamed, 1, {}).kind, Kind::foreign);
}

MachineInterface many_drives() {
  MachineInterface machine{"crane", {}, {}};
  for (int i = 0; i < 60; ++i) {
    machine.drives.push_back({fmt::format("a_drive_with_a_rather_long_name_{}", i), "rad"});
    machine.limits.push_back({-1.0, 1.0, 0.5, 2.0});
  }
  return machine;
}

TEST(Sender, LearnsALargeMachineInASecondHello) {
  NetThread thread;
  const Receiver receiver(thread, many_drives(), on_loopback());
  Sender sender(to_text(receiver.endpoint()), {});
  EXPECT_EQ(sender.say_hello(kPatience).machine.drives, many_drives().drives);
  EXPECT_GE(receiver.counts().hellos, 2U);
  EXPECT_TRUE(sender.send(CommandMode::rate, std::vector<double>(60, 0.25)));
  EXPECT_TRUE(comes_true([&] { return receiver.counts().accepted == 1; }));
}

TEST(Sender, TagsItsPacketsForThisRunOfTheEngine) {
  NetThread thread;
  ReceiverOptions options = on_loopback();
  options.key = Key{9, 8, 7};
  const Receiver receiver(thread, two_drives(), options);
  Sender sender(to_text(receiver.endpoint()), options.key);
  EXPECT_TRUE(sender.say_hello(kPatience).is_keyed);
  EXPECT_EQ(sender.answer().nonce, receiver.nonce());
  EXPECT_TRUE(sender.send(CommandMode::position, std::array{1.5, 0.0}));
  EXPECT_TRUE(sender.send_emergency_stop());
  EXPECT_TRUE(comes_true([&] { return receiver.counts().accepted == 2; }));
  EXPECT_EQ(receiver.counts().refused_total(), 0U);
}

std::string hello_error(const std::string& to, const std::optional<Key>& key,
                        std::chrono::milliseconds timeout) {
  try {
    Sender(to, key).say_hello(timeout);
  } catch (const NetError& error) {
    return error.what();
  }
  return "answered";
}

TEST(Sender, SaysWhyItIsNotAnswered) {
  NetThread thread;
  ReceiverOptions options = on_loopback();
  options.key = Key{1};
  const Receiver keyed(thread, two_drives(), options);
  const std::string where = to_text(keyed.endpoint());
  EXPECT_EQ(hello_error(where, {}, kPatience), where + " takes packets with a tag only: give --key FILE");
  EXPECT_EQ(hello_error(where, Key{2}, kPatience), where + " answers with another key than this one");
  const PlainSocket silent;
  const std::string nobody = fmt::format("127.0.0.1:{}", silent.port());
  EXPECT_EQ(hello_error(nobody, {}, std::chrono::milliseconds(30)),
            "nobody answers at " + nobody + ": is 'rodeo run' listening there?");
}

TEST(Sender, SaysWhenNothingIsThereAtAll) {
  std::string closed;
  { closed = fmt::format("127.0.0.1:{}", PlainSocket().port()); }
  EXPECT_EQ(hello_error(closed, {}, std::chrono::milliseconds(30)),
            "nobody answers at " + closed + ": is 'rodeo run' listening there?");
}

TEST(Sender, TellsTheSitesLimits) {
  NetThread thread;
  ReceiverOptions options = on_loopback();
  options.site = {{0.001, 1.23}, {1, 0}};
  const Receiver receiver(thread, two_drives(), options);
  Sender sender(to_text(receiver.endpoint()), {});
  const Answer& answer = sender.say_hello(kPatience);
  EXPECT_NEAR(*answer.machine.limits[0].lower, 0, 1e-9);
  EXPECT_NEAR(*answer.machine.limits[0].upper, 760, 1e-9);
}

}  // namespace
}  // namespace rodeo::engine
