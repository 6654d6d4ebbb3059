// SPDX-License-Identifier: MIT
// States over a real socket, from a hand that follows PROTOCOL.md and from hands that do not.
#include "viz/feed/live_feed.h"

#include <random>

#include "engine/net/link_log.h"
#include "engine/session/session.h"
#include "tests/feed/feed_support.h"
#include "viz/feed/interface_file.h"
#include "viz/feed/signal.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;
using std::chrono::milliseconds;
using std::chrono::steady_clock;

constexpr double kRounding = 1e-12;

engine::Destination any_port() {
  engine::Destination from;
  from.endpoint.address = engine::build_endpoint("127.0.0.1:1").address;
  return from;
}

class LiveFeedTest : public ::testing::Test {
 protected:
  bool wait_for_rows(std::size_t rows) {
    return wait_for([&] { return feed.update(steady_clock::now()), feed.track().count() >= rows; });
  }
  bool wait_for_warning(const std::string& sentence) {
    return wait_for([&] {
      feed.update(steady_clock::now());
      const auto warnings = feed.calc_warnings(steady_clock::now());
      return std::find(warnings.begin(), warnings.end(), sentence) != warnings.end();
    });
  }
  void send(const ArmState& state) { socket.send(feed.port(), state.bytes()); }
  [[nodiscard]] std::string sender() const { return fmt::format("127.0.0.1:{}", socket.port()); }

  ArmFolder folder;
  Scene scene = folder.build();
  LiveFeed feed{scene, any_port(), ""};
  PlainSocket socket;
};

TEST_F(LiveFeedTest, BeforeTheFirstStateItShowsTheStartPoseAndSaysThatItWaits) {
  const Sample sample = feed.calc_sample(steady_clock::now());
  EXPECT_EQ(sample.bodies[1].pose.angle, 0.25);
  EXPECT_EQ(sample.drives[0].position, 0.25);
  EXPECT_FALSE(feed.has_data());
  EXPECT_EQ(feed.calc_notice(steady_clock::now()), "waiting for states at 127.0.0.1:0");
}

TEST_F(LiveFeedTest, TellsWhatTheEngineRefusesAndClipsAndOfTwoSenders) {
  send({.tick = 1});
  ASSERT_TRUE(wait_for_rows(1));
  EXPECT_TRUE(feed.calc_warnings(steady_clock::now()).empty());
  send({.tick = 2, .status = engine::kRefused | 12U << 26});
  send({.tick = 3, .status = engine::kClipped | engine::kTwoSenders});
  send({.tick = 4});  // what is told once stays for a while
  EXPECT_TRUE(
      wait_for_warning("the engine refuses packets: replaced: another sender has taken over: "
                       "stop one of the two"));
  EXPECT_TRUE(wait_for_warning("two senders command the machine in turns: stop one of them"));
  EXPECT_TRUE(wait_for_warning("a command is beyond the range or speed of its drive: clipped"));
  EXPECT_TRUE(feed.calc_warnings(steady_clock::now() + std::chrono::seconds(10)).empty());
}

TEST_F(LiveFeedTest, BetweenTwoStatesItShowsWhatLiesBetween) {
  for (std::int64_t tick = 0; tick <= 1000; tick += 100) send({.tick = tick});
  ASSERT_TRUE(wait_for_rows(11));
  std::size_t between = 0;
  // All of them came within an instant; at any time that is asked for, the angle is that of the shown time.
  for (int ms = -1200; ms <= 1200; ms += 7) {
    const Sample sample = feed.calc_sample(steady_clock::now() + milliseconds(ms));
    EXPECT_NEAR(sample.bodies[1].pose.angle, kRate * sample.time, kRounding);
    EXPECT_NEAR(sample.drives[0].position, kRate * sample.time, kRounding);
    if (std::fmod(sample.time, 0.1) > 1e-6) ++between;
  }
  EXPECT_GT(between, 50U);
  const Sample last = feed.calc_sample(steady_clock::now() + milliseconds(60'000));
  EXPECT_EQ(last.time, 1);
  EXPECT_EQ(last.tick, 1000);
  EXPECT_EQ(last.lost, 3U);
  EXPECT_NEAR(feed.calc_rate(), 10, 1e-9);
}

TEST_F(LiveFeedTest, ABodyWithoutItsOriginIsPlacedByItsTip) {
  send({.tick = 500});
  ASSERT_TRUE(wait_for_rows(1));
  const Sample sample = feed.calc_sample(steady_clock::now());
  EXPECT_NEAR(sample.bodies[1].pose.x, 0, kRounding);
  EXPECT_NEAR(sample.bodies[1].pose.y, 0, kRounding);
  EXPECT_NEAR(sample.bodies[1].pose.angle, 0.4, kRounding);
}

TEST_F(LiveFeedTest, ALostConnectionIsSaid) {
  send({.tick = 0});
  send({.tick = 10});
  ASSERT_TRUE(wait_for_rows(2));
  const auto now = steady_clock::now();
  std::string soon = feed.calc_notice(now + milliseconds(1200));
  EXPECT_TRUE(soon.starts_with("no data for ") && soon.ends_with(" s")) << soon;
  soon = feed.calc_notice(now + std::chrono::hours(1));
  EXPECT_TRUE(soon.starts_with("no data for 360")) << soon;
  send({.tick = 20});
  ASSERT_TRUE(wait_for_rows(3));
  EXPECT_EQ(feed.calc_notice(steady_clock::now() - milliseconds(1)), "");
}

TEST_F(LiveFeedTest, RandomBytesAreRefusedInASentenceAndHarmNothing) {
  std::mt19937 random(5);
  for (int i = 0; i < 300; ++i) {
    Datagram bytes(random() % 1400);
    for (auto& byte : bytes) byte = static_cast<std::uint8_t>(random());
    socket.send(feed.port(), bytes);
  }
  send({.tick = 7});
  EXPECT_TRUE(wait_for_warning(fmt::format("{} sends packets that are no states: not shown", sender())));
  ASSERT_TRUE(wait_for_rows(1));
  EXPECT_EQ(feed.track().count(), 1U);
  EXPECT_EQ(feed.newest()->tick, 7);
  EXPECT_TRUE(feed.calc_warnings(steady_clock::now() + std::chrono::minutes(1)).empty());
}

TEST_F(LiveFeedTest, StatesOfAnotherMachineAreRefusedInASentence) {
  ArmState other{.tick = 1};
  other.signals = "rodeo state 1\nlift m\n";
  socket.send(feed.port(), other.bytes({1.5}));
  EXPECT_TRUE(wait_for_warning(fmt::format(
      "{} sends states of another machine than 'arm', or other signals of it (--signals): not shown",
      sender())));
  EXPECT_FALSE(feed.has_data());
}

TEST_F(LiveFeedTest, StatesOfAnotherVersionAndJsonAndNoNumbersAreRefusedInASentence) {
  send({.tick = 1, .version = 2});
  const std::string json = R"({"timestamp":1.25,"rodeo":{"tick":1250}})";
  socket.send(feed.port(), Datagram(json.begin(), json.end()));
  send({.tick = 2, .margin = std::nan("")});
  EXPECT_TRUE(
      wait_for_warning(fmt::format("{} sends states of another version of rodeo: not shown", sender())));
  EXPECT_TRUE(wait_for_warning(
      fmt::format("{} sends states as JSON: not shown, publish without format=json", sender())));
  EXPECT_TRUE(wait_for_warning(fmt::format("{} sends states that are not finite: not shown", sender())));
  EXPECT_FALSE(feed.has_data());
}

TEST_F(LiveFeedTest, AnOvertakenStateIsPassedOver) {
  for (const std::int64_t tick : {10, 30, 20, 40}) send({.tick = tick});
  ASSERT_TRUE(wait_for([&] {
    feed.update(steady_clock::now());
    return feed.newest() && feed.newest()->tick == 40;
  }));
  EXPECT_EQ(feed.track().count(), 3U);
}

TEST_F(LiveFeedTest, AnEngineThatWasStartedAnewIsShownFromItsBegin) {
  send({.tick = 5000});
  ASSERT_TRUE(wait_for_rows(1));
  std::this_thread::sleep_for(milliseconds(250));  // longer than an engine that lives is silent
  send({.tick = 3, .run = 2});
  ASSERT_TRUE(wait_for([&] { return feed.update(steady_clock::now()), feed.newest()->tick == 3; }));
  EXPECT_EQ(feed.track().count(), 1U);
  EXPECT_TRUE(feed.calc_warnings(steady_clock::now()).empty());
}

TEST_F(LiveFeedTest, OfTwoEnginesAtOnePortOneIsShownAndTheOtherNamed) {
  std::int64_t tick = 0;
  const std::string sentence = "a second engine publishes to 127.0.0.1:0: its states are not shown";
  EXPECT_TRUE(wait_for([&] {
    send({.tick = ++tick});
    send({.tick = tick + 100'000, .run = 2});
    feed.update(steady_clock::now());
    const auto warnings = feed.calc_warnings(steady_clock::now());
    return std::find(warnings.begin(), warnings.end(), sentence) != warnings.end();
  }));
  const bool is_first = feed.track().row(0).tick < 100'000;  // whichever came first
  for (std::size_t r = 0; r < feed.track().count(); ++r)
    EXPECT_EQ(feed.track().row(r).tick < 100'000, is_first);
}

TEST_F(LiveFeedTest, TheStatusIsThatOfTheStateShown) {
  send({.tick = 1, .status = 1U << 16});
  ASSERT_TRUE(wait_for_rows(1));
  EXPECT_EQ(feed.calc_sample(steady_clock::now()).status, 1U << 16);
}

/// Commands do nothing until it runs again, whether any came or not.
TEST(DescribeStatus, AFrozenMachineIsSaidToBe) {
  EXPECT_EQ(describe_status(0x430000).text, "freeze") << "frozen, stale, waiting";
  EXPECT_EQ(describe_status(0x420000).text, "waits for a command");
  EXPECT_EQ(describe_status(engine::kFrozen | engine::kStopped).text, "emergency stop");
}

TEST(LiveFeed, APortThatIsTakenIsRefusedInASentence) {
  const ArmFolder folder;
  const Scene scene = folder.build();
  const PlainSocket other;
  engine::Destination from = any_port();
  from.endpoint.port = other.port();
  EXPECT_EQ(
      sentence_of<engine::NetError>([&] { LiveFeed(scene, from, ""); }),
      fmt::format("cannot follow 127.0.0.1:{}: another program has that port: publish to a second port, "
                  "or to a multicast group, which any number of viewers follow",
                  other.port()));
}

TEST(LiveFeed, AForeignAddressIsRefusedInASentence) {
  const ArmFolder folder;
  const Scene scene = folder.build();
  EXPECT_EQ(sentence_of<engine::NetError>(
                [&] { LiveFeed(scene, engine::build_destination("192.0.2.1:5006"), ""); }),
            "cannot follow 192.0.2.1:5006: that is no address of this computer: give the one that 'rodeo run "
            "--publish' sends to");
}

TEST(LiveFeed, SignalsThatDoNotTellWhereABodyIsAreRefused) {
  const ArmFolder folder;
  const Scene scene = folder.build();
  const auto follow = [&](const std::string& signals) {
    return sentence_of<std::exception>([&] { LiveFeed(scene, any_port(), signals); });
  };
  EXPECT_EQ(follow("tip.*"), "--signals: the viewer needs arm.angle, too");
  EXPECT_EQ(follow("nothing"), "--signals: there is no signal 'nothing'");
  EXPECT_EQ(follow("*.angle"), "nothing was thrown");  // by its pin
}

TEST(LiveFeed, AChoiceOfSignalsHasItsOwnFingerprint) {
  const ArmFolder folder;
  const Scene scene = folder.build();
  LiveFeed feed(scene, any_port(), "*.angle;turn");
  const PlainSocket socket;
  ArmState state{.tick = 100};
  state.signals = "rodeo state 1\narm.angle rad\nturn rad\n";
  socket.send(feed.port(), state.bytes({0.5, 0.75}));
  ASSERT_TRUE(wait_for([&] { return feed.update(steady_clock::now()), feed.has_data(); }));
  const Sample sample = feed.calc_sample(steady_clock::now());
  EXPECT_EQ(sample.bodies[1].pose.angle, 0.5);
  EXPECT_EQ(sample.drives[0].position, 0.75);
}

TEST(LiveFeed, AMulticastGroupIsFollowedByTwoAtOnce) {
  const ArmFolder folder;
  const Scene scene = folder.build();
  const PlainSocket socket;
  const in_addr loopback{htonl(INADDR_LOOPBACK)};
  ::setsockopt(socket.file(), IPPROTO_IP, IP_MULTICAST_IF, &loopback, sizeof loopback);
  const std::uint16_t port = PlainSocket().port();  // free a moment ago
  const auto from = engine::build_destination(fmt::format("239.255.77.9:{},interface=lo", port));
  std::unique_ptr<LiveFeed> first, second;
  try {
    first = std::make_unique<LiveFeed>(scene, from, "");
    second = std::make_unique<LiveFeed>(scene, from, "");
  } catch (const engine::NetError& error) {
    GTEST_SKIP() << "no multicast on loopback here: " << error.what();
  }
  std::int64_t tick = 0;
  EXPECT_TRUE(wait_for([&] {
    socket.send(port, ArmState{.tick = ++tick}.bytes(), "239.255.77.9");
    first->update(steady_clock::now());
    second->update(steady_clock::now());
    return first->has_data() && second->has_data();
  }));
}

TEST(Judge, TenThousandSpoiltStatesNeverPassForAState) {
  const Datagram good = ArmState{.tick = 9}.bytes();
  std::mt19937 random(3);
  Arrival arrival;
  arrival.signals.resize(7);
  ASSERT_EQ(judge(hash(kSignalText), good, arrival), Objection::none);
  for (int i = 0; i < 10'000; ++i) {
    Datagram bad = good;
    bad.resize(random() % (good.size() + 64));
    if (bad.size() == good.size()) bad[random() % 32] ^= 0x40;  // within magic, version, count, fingerprint
    // the status and the delay, bytes 8 to 15, may be any
    if (bad.size() == good.size() && std::equal(bad.begin(), bad.begin() + 8, good.begin()) &&
        std::equal(bad.begin() + 16, bad.end(), good.begin() + 16))
      continue;
    EXPECT_NE(judge(hash(kSignalText), bad, arrival), Objection::none) << bad.size();
  }
}

TEST(LiveClock, TimeIsEvenAlthoughPacketsAreNot) {
  LiveClock clock;
  std::mt19937 random(11);
  std::uniform_real_distribution<double> jitter(0, 0.006);
  double shown = -1;
  for (int packet = 0; packet < 500; ++packet) {
    const double time = 0.01 * packet;
    const double arrival = 1000 + time + jitter(random);
    clock.add(time, arrival);
    if (packet < 100) continue;
    const double next = clock.calc_time(arrival);
    EXPECT_GE(next, shown);         // never back
    EXPECT_LE(next, time);          // there is a state after it to go to
    EXPECT_GE(next, time - 0.035);  // and it is not long ago
    shown = next;
  }
  EXPECT_NEAR(clock.interval(), 0.01, 1e-9);
}

TEST(LiveClock, AnEngineThatStoodStillIsFollowedAtOnce) {
  LiveClock clock;
  for (int packet = 0; packet < 50; ++packet) clock.add(0.01 * packet, 100 + 0.01 * packet);
  clock.add(0.5, 107);  // 6.5 s later than its time tells
  EXPECT_NEAR(clock.calc_time(107), 0.5 - clock.delay(), 1e-9);
}

TEST(BuildSignals, AreThoseOfTheProtocolInItsOrder) {
  const ArmFolder folder;
  const auto signals = build_signals(build_interface(folder.path()));
  std::string text = "rodeo state 1\n";
  for (const engine::Channel& signal : signals) text += signal.name + " " + signal.unit + "\n";
  EXPECT_EQ(text, kSignalText);
}

/// The arm with a load and a payload, as its interface.json has them; what `rodeo run` publishes of it by `signals=*`.
const char* const kLoadedInterface = R"({"name": "arm",
 "drives": [{"name": "turn", "unit": "rad", "start": 0.25}],
 "channels": [{"name": "arm.angle", "unit": "rad"}],
 "loads": [{"name": "turn.torque", "unit": "N m"}],
 "inputs": [{"name": "time", "unit": "s"}, {"name": "load.mass", "unit": "kg"}]})";
const std::string kLoadedText =
    "rodeo state 1\nturn rad\narm.angle rad\nturn.rate rad/s\nturn.acceleration rad/s^2\nturn.torque N m\n"
    "input.load.mass kg\n";

TEST(LiveFeed, StreamsWithLoadsAndInputsAreFollowedAndCharted) {
  const ArmFolder folder;
  write_file(folder / "interface.json", kLoadedInterface);
  Scene scene = folder.build();
  add_charted(scene, any_port(), "*", {"turn.torque", "input.load.mass", "arm.angle"});
  LiveFeed feed(scene, any_port(), "*");
  const PlainSocket socket;
  ArmState state{.tick = 100};
  state.signals = kLoadedText;
  socket.send(feed.port(), state.bytes({0.25, 0.25, 0, 0, 131.5, 800}));
  ASSERT_TRUE(wait_for([&] { return feed.update(steady_clock::now()), feed.has_data(); }));
  const Sample sample = feed.calc_sample(steady_clock::now());
  const Signal torque(scene, "turn.torque"), mass(scene, "input.load.mass");
  EXPECT_EQ(torque.calc_value(scene, sample), 131.5);
  EXPECT_EQ(torque.unit(), "N m");
  EXPECT_EQ(mass.calc_value(scene, sample), 800);
  EXPECT_EQ(mass.unit(), "kg");
}

TEST(LiveFeed, AChartThatTheStatesDoNotHaveIsRefusedWithWhatToDo) {
  const ArmFolder folder;
  write_file(folder / "interface.json", kLoadedInterface);
  Scene scene = folder.build();
  EXPECT_EQ(sentence_of<SceneError>([&] { add_charted(scene, any_port(), "", {"turn.torque"}); }),
            "--chart: 'turn.torque' is not in the states that are followed: publish it, as in 'rodeo run "
            "--publish \"HOST:PORT,signals=*\"', and give --signals the same, as in --signals '*'");
  EXPECT_TRUE(scene.measures.empty());
}

TEST(BuildInterface, WhatIsWrongIsSaidWithTheFile) {
  const TemporaryFolder folder;
  const auto sentence = [&] {
    return sentence_of<SceneError>([&] { static_cast<void>(build_interface(folder.path())); });
  };
  EXPECT_EQ(sentence(), fmt::format("{}: has no interface.json: build the folder again with 'rodeo build'",
                                    folder.path().string()));
  const std::string file = (folder / "interface.json").string();
  write_file(file, "{\"name\"");
  EXPECT_EQ(sentence(), file + ": is cut off or no JSON: build the folder again with 'rodeo build'");
  write_file(file, R"({"drives": [{"name": 3}]})");
  EXPECT_EQ(sentence(), file + ": has no list 'drives': build the folder again with 'rodeo build'");
}

}  // namespace
}  // namespace rodeo::viz
