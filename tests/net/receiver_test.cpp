// SPDX-License-Identifier: MIT
// A receiver on loopback, with packets of a plain socket. Stops are receiver_stops_test.cpp's.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <random>

#include "engine/net/hello.h"
#include "engine/net/sender.h"
#include "tests/net/receiver_support.h"

namespace rodeo::engine {
namespace {

using testing::HasSubstr;
using namespace testing_support;

TEST_F(ReceiverOnLoopback, HandsCommandsToTheLoop) {
  open();
  EXPECT_FALSE(loop_.take(*receiver_));
  EXPECT_FALSE(loop_.sample.has_any);
  EXPECT_EQ(loop_.commands[0].kind, Command::Kind::rate) << "untouched before the first packet";
  send(numbered(1, {1.5, 1}));
  send(numbered(2, {1.6, 2}));
  ASSERT_TRUE(is_accepted(2));
  EXPECT_TRUE(loop_.take(*receiver_));
  EXPECT_TRUE(loop_.sample.has_any);
  EXPECT_EQ(loop_.commands[0].position, 1.5) << "a stream begins where its first packet is";
  EXPECT_EQ(loop_.commands[1].position, 1);
  EXPECT_EQ(receiver_->sampled_sequence(), 2U);
  EXPECT_EQ(receiver_->sampled_session(), 7U);
  const std::int64_t arrival = loop_.sample.arrival;
  EXPECT_FALSE(loop_.take(*receiver_, arrival + 1'000'000'000)) << "nothing new";
  EXPECT_TRUE(loop_.sample.has_any);
  EXPECT_EQ(loop_.commands[0].position, 1.6) << "and rests at the last one";
  EXPECT_EQ(loop_.commands[1].position, 2);
  EXPECT_EQ(loop_.commands[0].rate, 0);
}

TEST_F(ReceiverOnLoopback, NeverTellsAnArrivalLaterThanTheTick) {
  open();
  send(numbered(1));
  ASSERT_TRUE(is_accepted(1));
  EXPECT_TRUE(loop_.take(*receiver_, 5));
  EXPECT_EQ(loop_.sample.arrival, 5);
}

TEST_F(ReceiverOnLoopback, CountsWhatItRefusesAndMovesNothing) {
  open();
  HandMade bad;
  bad.magic = "XXXX";
  send(bad);
  send(numbered(1, {5e5, 0}));
  send(Datagram(3));
  send(Datagram(65000));
  ASSERT_TRUE(is_refused(Refusal::magic));
  ASSERT_TRUE(is_refused(Refusal::out_of_range));
  ASSERT_TRUE(is_refused(Refusal::wrong_length, 2));
  EXPECT_EQ(receiver_->counts().refused_total(), 4U);
  EXPECT_EQ(receiver_->counts().accepted, 0U);
  EXPECT_FALSE(loop_.take(*receiver_));
  EXPECT_FALSE(loop_.sample.has_any);
}

TEST_F(ReceiverOnLoopback, ContinuesARampThatBreaksOffAndComesToRest) {
  open();
  for (std::uint64_t i = 0; i < 20; ++i) {
    HandMade ramp = numbered(i + 1, {1.5 + 0.001 * static_cast<double>(i), 0, 0.1, 0});
    ramp.mode = 3;
    ramp.time = 1'000'000'000 + static_cast<std::int64_t>(i) * 10'000'000;
    send(ramp);
  }
  ASSERT_TRUE(is_accepted(20));
  ASSERT_TRUE(loop_.take(*receiver_));
  const std::int64_t arrival = loop_.sample.arrival;
  constexpr std::int64_t kMillisecond = 1'000'000;
  double largest = 0;
  for (int i = 1; i < 2000; ++i) {
    const double before = loop_.commands[0].acceleration;
    EXPECT_FALSE(loop_.take(*receiver_, arrival + i * kMillisecond));
    if (i > 150) largest = std::max(largest, std::abs(loop_.commands[0].acceleration - before));
  }
  EXPECT_EQ(loop_.commands[0].rate, 0);
  EXPECT_GT(loop_.commands[0].position, 1.519 + 0.1 * 0.15) << "on for 200 ms";
  EXPECT_LT(loop_.commands[0].position, 1.519 + 0.1 * 0.35) << "and no farther";
  EXPECT_LT(largest, 0.2) << "without a jump";
}

TEST_F(ReceiverOnLoopback, HandsOverEveryPacketThatIsFasterThanTheLoop) {
  open();
  for (std::uint64_t i = 1; i <= 200; ++i) {
    HandMade packet = numbered(i, {1.5, 0, 0.1, 0, 0.01, 0});
    packet.mode = 4;
    packet.time = 1'000'000'000 + static_cast<std::int64_t>(i) * 500'000;
    send(packet);
  }
  ASSERT_TRUE(is_accepted(200));
  EXPECT_TRUE(loop_.take(*receiver_));
  EXPECT_EQ(receiver_->sampled_sequence(), 200U);
  EXPECT_EQ(receiver_->counts().refused_total(), 0U);
}

TEST_F(ReceiverOnLoopback, TakesPlainPackets) {
  ReceiverOptions options = on_loopback();
  options.plain = CommandMode::position;
  open(options);
  Datagram plain;
  append(plain, 1.75);
  append(plain, 3.0);
  send(plain);
  ASSERT_TRUE(is_accepted(1));
  EXPECT_TRUE(loop_.take(*receiver_));
  EXPECT_EQ(loop_.commands[0].position, 1.75);
}

TEST_F(ReceiverOnLoopback, RefusesAStranger) {
  ReceiverOptions options = on_loopback();
  options.allow = {build_address_range("10.0.0.0/8")};
  open(options);
  send(numbered(1));
  send(build_hello(1, 1472));
  ASSERT_TRUE(is_refused(Refusal::sender, 2));
  EXPECT_EQ(receiver_->counts().hellos, 0U);
  EXPECT_TRUE(socket_.receive(50).empty()) << "a stranger gets no answer";
}

/// Five thousand, or as many as RODEO_SOAK_DATAGRAMS says (tools/soak packets), of senders that are no flood each.
TEST_F(ReceiverOnLoopback, SurvivesThousandsOfMutants) {
  ReceiverOptions options = on_loopback();
  options.silence = 0;  // mutants of a session may take over
  open(options);
  std::mt19937_64 random(11);
  const char* asked = std::getenv("RODEO_SOAK_DATAGRAMS");
  const std::uint64_t count = asked == nullptr ? 5000 : std::strtoull(asked, nullptr, 10);
  const std::array<PlainSocket, 32> senders;
  std::uint64_t sent = 0;
  const auto arrived = [&] {
    const PacketCounts counts = receiver_->counts();
    return counts.accepted + counts.hellos + counts.refused_total();
  };
  for (; sent < count; ++sent) {
    Datagram packet = numbered(random() % 1000).bytes();
    if (random() % 3 == 0) packet = build_hello(random(), random() % 300);
    for (std::uint64_t i = random() % 4; i > 0; --i)
      packet[random() % packet.size()] = static_cast<std::uint8_t>(random());
    if (random() % 5 == 0) packet.resize(random() % 1500);
    senders[sent % senders.size()].send(packet, receiver_->endpoint().port);
    if (sent % 64 == 63) {
      ASSERT_TRUE(comes_true([&] { return arrived() == sent + 1; })) << "loopback loses nothing that small";
    }
    if (loop_.take(*receiver_)) {
      ASSERT_LE(std::abs(loop_.commands[0].position), 1e5);  // the drive's limiter does the rest
    }
  }
  EXPECT_GT(receiver_->counts().accepted, 20U);
  EXPECT_GT(receiver_->counts().hellos, 100U);
  EXPECT_EQ(receiver_->counts().refused_for(Refusal::flood), 0U);
  EXPECT_EQ(receiver_->counts().dropped, 0U);
}

/// A sender that is killed and started again: a new session, once the old one is silent.
TEST_F(ReceiverOnLoopback, LetsARestartedSenderIn) {
  ReceiverOptions options = on_loopback();
  options.silence = 0.05;
  open(options);
  const std::string where = to_text(receiver_->endpoint());
  const auto command = [&](Sender& sender, double lift) {
    return sender.send(CommandMode::position, std::array{lift, 0.0});
  };
  auto first = std::make_unique<Sender>(where, std::nullopt);
  first->say_hello(std::chrono::seconds(5));
  for (int i = 0; i < 50; ++i) ASSERT_TRUE(command(*first, 1.5));
  ASSERT_TRUE(is_accepted(50));
  Sender second(where, std::nullopt);
  second.say_hello(std::chrono::seconds(5));
  ASSERT_NE(second.session(), first->session());
  ASSERT_TRUE(comes_true([&] { return !second.say_hello(std::chrono::seconds(5)).is_occupied; }));
  ASSERT_TRUE(command(second, 1.7));
  ASSERT_TRUE(is_accepted(51));
  EXPECT_TRUE(loop_.take(*receiver_));
  EXPECT_EQ(receiver_->sampled_session(), second.session());
  EXPECT_EQ(loop_.commands[0].position, 1.7);
  ASSERT_TRUE(command(second, 1.7));  // it lives
  ASSERT_TRUE(command(*first, 1.5));
  ASSERT_TRUE(is_refused(Refusal::replaced));
}

TEST_F(ReceiverOnLoopback, AnswersAHelloWithTheKeyOfTheRole) {
  ReceiverOptions options = on_loopback();
  options.key = Key{1};
  options.viewer_key = Key{3};
  open(options);
  const std::string where = to_text(receiver_->endpoint());
  Sender viewer(where, Key{3}, Role::viewer);
  EXPECT_EQ(viewer.say_hello(std::chrono::seconds(5)).machine.name, "loader");
  ASSERT_TRUE(viewer.send(CommandMode::rate, std::array{0.0, 0.0}));
  ASSERT_TRUE(is_refused(Refusal::role));
  EXPECT_THROW(Sender(where, Key{3}, Role::operator_).say_hello(std::chrono::seconds(5)), NetError);
  EXPECT_THROW(Sender(where, Key{3}, Role::instructor).say_hello(std::chrono::seconds(5)), NetError)
      << "there is none: the operator's key answers";
  EXPECT_EQ(receiver_->counts().accepted, 0U);
}

TEST_F(ReceiverOnLoopback, ListensOnIpv6Too) {
  ReceiverOptions options = on_loopback();
  options.listen = build_endpoint("[::1]:0");
  try {
    open(options);
  } catch (const NetError&) {
    GTEST_SKIP() << "this computer has no IPv6";
  }
  Sender sender(to_text(receiver_->endpoint()), std::nullopt);
  EXPECT_EQ(sender.say_hello(std::chrono::seconds(5)).machine.name, "loader");
  ASSERT_TRUE(sender.send(CommandMode::rate, std::array{0.1, 0.0}));
  EXPECT_TRUE(is_accepted(1));
}

std::string opening_error(const ReceiverOptions& options) {
  NetThread thread;
  try {
    const Receiver receiver(thread, two_drives(), options);
  } catch (const NetError& error) {
    return error.what();
  }
  return "it listens";
}

TEST(Receiver, SaysWhenAnotherEngineHasThePort) {
  NetThread thread;
  const Receiver first(thread, two_drives(), on_loopback());
  ReceiverOptions same = on_loopback();
  same.listen.port = first.endpoint().port;
  EXPECT_EQ(
      opening_error(same),
      fmt::format("cannot listen on 127.0.0.1:{}: another program has that port (another 'rodeo run'?): stop "
                  "it or choose another port",
                  same.listen.port));
}

TEST(Receiver, FreesItsPortAtOnce) {
  NetThread thread;
  ReceiverOptions same = on_loopback();
  same.listen.port = Receiver(thread, two_drives(), on_loopback()).endpoint().port;
  EXPECT_EQ(opening_error(same), "it listens");
}

TEST(Receiver, ListensBeyondLoopbackOnlyWithKeyAllowListOrInsecure) {
  ReceiverOptions open = on_loopback();
  open.listen = build_endpoint("0.0.0.0:0");
  EXPECT_EQ(
      opening_error(open),
      "cannot listen on 0.0.0.0:0: beyond loopback everybody could command the machine: give --key FILE, "
      "--allow ADDRESS, or --insecure");
  ReceiverOptions keyed = open;
  keyed.key = Key{};
  EXPECT_EQ(opening_error(keyed), "it listens");
  ReceiverOptions listed = open;
  listed.allow = {build_address_range("10.0.0.1")};
  EXPECT_EQ(opening_error(listed), "it listens");
  open.insecure = true;
  EXPECT_EQ(opening_error(open), "it listens");
  NetThread thread;
  EXPECT_THAT(
      Receiver(thread, two_drives(), open).warnings(),
      testing::ElementsAre(
          "listening on 0.0.0.0:0 without key or allow-list: everybody who can send there commands the "
          "machine"));
  EXPECT_TRUE(Receiver(thread, two_drives(), on_loopback()).warnings().empty());
}

TEST(Receiver, AnAllowListOfEveryAddressIsNone) {
  using Texts = std::vector<std::string>;
  for (const Texts& texts :
       {Texts{"0.0.0.0/0"}, Texts{"::/0"}, Texts{"10.0.0.1", "::/0"}, Texts{"0.0.0.0/1", "128.0.0.0/1"}}) {
    ReceiverOptions listed = on_loopback();
    listed.listen = build_endpoint("0.0.0.0:0");
    for (const std::string& text : texts) listed.allow.push_back(build_address_range(text));
    EXPECT_EQ(opening_error(listed),
              "cannot listen on 0.0.0.0:0: what --allow names is every address: everybody could command the "
              "machine: give --key FILE, a smaller --allow, or --insecure")
        << texts[0];
    listed.insecure = true;
    NetThread thread;
    EXPECT_THAT(Receiver(thread, two_drives(), listed).warnings(),
                testing::ElementsAre("listening on 0.0.0.0:0 without key, with an --allow of every address: "
                                     "everybody who can send there commands the machine"));
    listed.insecure = false;
    listed.key = Key{};
    EXPECT_EQ(opening_error(listed), "it listens") << "the key says who";
  }
}

TEST(Receiver, RefusesOptionsThatContradictEachOther) {
  ReceiverOptions both = on_loopback();
  both.key = Key{};
  both.plain = CommandMode::rate;
  EXPECT_EQ(opening_error(both), "plain packets have no tag: give either --plain or --key");
  ReceiverOptions many = on_loopback();
  many.listen = build_endpoint("239.1.1.1:0");
  EXPECT_EQ(opening_error(many), "cannot listen on 239.1.1.1:0: that is a multicast address");
}

}  // namespace
}  // namespace rodeo::engine
