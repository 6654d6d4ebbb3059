// SPDX-License-Identifier: MIT
// Forces and payloads in command packets: bytes, fingerprint, what is refused, what a sender is told of them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "engine/net/command_gate.h"
#include "engine/net/hello.h"
#include "engine/net/sender.h"
#include "tests/net/support.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;
using testing::ElementsAre;

MachineInterface arm() {
  return {"arm",
          {{"lift", "m"}},
          {DriveLimits{1.0, 1.8, 0.5, 5.0}},
          {{"load.mass", "kg"}, {"dig.x", "N"}, {"dig.y", "N"}}};
}

HandMade by_hand(std::uint8_t mode, std::vector<double> values) {
  static std::uint64_t sequence = 0;
  HandMade hand;
  hand.fingerprint = arm().build_layout().fingerprint;
  hand.mode = mode;
  hand.sequence = ++sequence;
  hand.values = std::move(values);
  return hand;
}

/// A gate with what it last let through.
struct Gate {
  Refusal check(const HandMade& hand) {
    return gate.check(hand.bytes(), {kLocal, 4000}, header, commands, forces);
  }

  CommandGate gate{arm(), {}};
  CommandHeader header;
  std::vector<Command> commands{Command::moving(0)};
  std::vector<double> forces{7, 7, 7};
};

/// Python: hashlib.blake2b(b"rodeo command 1\nlift m\ninput load.mass kg\ninput dig.x N\ninput dig.y N\n", digest_size=16)
TEST(ForcePackets, HaveAFingerprintOfDrivesAndInputs) {
  EXPECT_EQ(build_hex(arm().build_layout().fingerprint), "51d1f3a095f4405f940da695968ed770");
  EXPECT_EQ(build_fingerprint_text("command", arm().drives, arm().forces),
            "rodeo command 1\nlift m\ninput load.mass kg\ninput dig.x N\ninput dig.y N\n");
  EXPECT_EQ(build_command_fingerprint(arm().drives, {}), build_command_fingerprint(arm().drives))
      << "none is as before there were any";
}

TEST(ForcePackets, HaveTheForcesBehindTheDrives) {
  const CommandLayout layout = arm().build_layout();
  const std::vector<double> ramp{1.5, 0.1, 200, 3, -4};
  HandMade hand = by_hand(3, ramp);
  Datagram packet(layout.packet_bytes(CommandMode::position_rate, false));
  CommandHeader header{CommandMode::position_rate, Verb::none, 0, false, hand.session, hand.sequence, 0};
  EXPECT_EQ(encode_command(layout, header, ramp, nullptr, packet), packet.size());
  EXPECT_EQ(packet, hand.bytes());
  EXPECT_EQ(layout.packet_bytes(CommandMode::none, false), 56U);
  EXPECT_EQ(layout.packet_bytes(CommandMode::position, false), 56U + 8 * 4);
  EXPECT_EQ(layout.packet_bytes(CommandMode::rate, true), 56U + 8 * 4 + 32);
}

TEST(ForcePackets, PassInEveryModeThatHasValues) {
  Gate gate;
  ASSERT_EQ(gate.check(by_hand(1, {1.5, 200, 3, -4})), Refusal::none);
  EXPECT_THAT(gate.forces, ElementsAre(200, 3, -4));
  EXPECT_EQ(gate.commands[0].position, 1.5);
  ASSERT_EQ(gate.check(by_hand(2, {0.25, 100, 5, 6})), Refusal::none);
  EXPECT_THAT(gate.forces, ElementsAre(100, 5, 6));
  EXPECT_EQ(gate.commands[0].rate, 0.25);
  ASSERT_EQ(gate.check(by_hand(3, {1.5, 0.25, 0, 1e6, -1e6})), Refusal::none);
  EXPECT_THAT(gate.forces, ElementsAre(0, 1e6, -1e6));
  ASSERT_EQ(gate.check(by_hand(0, {})), Refusal::none);
  EXPECT_THAT(gate.forces, ElementsAre(0, 1e6, -1e6)) << "a verb alone changes none";
}

TEST(ForcePackets, AreRefusedWholeAndChangeNothing) {
  constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  Gate gate;
  EXPECT_EQ(gate.check(by_hand(1, {1.5})), Refusal::wrong_length) << "drives alone are another machine's";
  EXPECT_EQ(gate.check(by_hand(1, {1.5, 200, 3})), Refusal::wrong_length);
  EXPECT_EQ(gate.check(by_hand(1, {1.5, 200, 3, kNan})), Refusal::not_finite);
  EXPECT_EQ(gate.check(by_hand(1, {1.5, kInfinity, 3, 4})), Refusal::not_finite);
  EXPECT_EQ(gate.check(by_hand(1, {1.5, -1e-9, 3, 4})), Refusal::out_of_range) << "a mass below 0";
  EXPECT_EQ(gate.check(by_hand(1, {1.5, 1, 2e12, 4})), Refusal::out_of_range);
  HandMade other = by_hand(1, {1.5, 200, 3, -4});
  other.fingerprint = build_command_fingerprint(arm().drives);
  EXPECT_EQ(gate.check(other), Refusal::fingerprint);
  EXPECT_THAT(gate.forces, ElementsAre(7, 7, 7));
  EXPECT_EQ(gate.commands[0].kind, Command::Kind::rate);
}

TEST(ForcePackets, OfThePlainModeHaveThemToo) {
  GateOptions options;
  options.plain = CommandMode::rate;
  CommandGate gate(arm(), options);
  CommandHeader header;
  std::vector<Command> commands(1);
  std::vector<double> forces(3);
  Datagram packet;
  for (const double value : {0.25, 200.0, 3.0, -4.0}) append(packet, value);
  ASSERT_EQ(gate.check(packet, {kLocal, 4000}, header, commands, forces), Refusal::none);
  EXPECT_THAT(forces, ElementsAre(200, 3, -4));
}

TEST(Answer, TellsTheInputsAndOfAMachineWithoutThemIsAsBefore) {
  const auto text = [](const MachineInterface& machine) {
    const Datagram packet = build_answer({machine, Nonce{}, false}, 42, nullptr, 1472);
    return std::string(packet.begin() + 56, packet.end());
  };
  EXPECT_THAT(text(arm()),
              testing::HasSubstr(R"("inputs":[{"name":"load.mass","unit":"kg"},{"name":"dig.x","unit":"N"},)"
                                 R"({"name":"dig.y","unit":"N"}],"status":)"));
  EXPECT_THAT(text(two_drives()), testing::Not(testing::HasSubstr("inputs")));
  const AnswerReading reading =
      read_answer(build_answer({arm(), Nonce{}, false}, 42, nullptr, 1472), 42, std::nullopt);
  ASSERT_EQ(reading.kind, AnswerReading::Kind::whole);
  EXPECT_EQ(reading.answer.machine.forces, arm().forces);
}

/// From a sender to the loop's sample; what a sender leaves out is 0.
TEST(Receiver, HandsForcesOver) {
  NetThread thread;
  Receiver receiver(thread, arm(), on_loopback());
  Sender sender(to_text(receiver.endpoint()), {});
  sender.say_hello(std::chrono::seconds(5));
  std::vector<Command> commands{Command::moving(0)};
  std::vector<double> forces{0, 0, 0};
  Sample sample;
  sample.commands = commands;
  sample.forces = forces;
  const auto now = [] {
    return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
  };
  EXPECT_FALSE(receiver.try_sample(now(), sample));
  EXPECT_THAT(forces, ElementsAre(0, 0, 0));
  ASSERT_TRUE(sender.send(CommandMode::position, std::vector{1.5, 200.0, 3.0, -4.0}));
  ASSERT_TRUE(comes_true([&] { return receiver.try_sample(now(), sample); }));
  EXPECT_THAT(forces, ElementsAre(200, 3, -4));
  EXPECT_FALSE(receiver.try_sample(now(), sample));
  EXPECT_THAT(forces, ElementsAre(200, 3, -4)) << "until the next packet";
  ASSERT_TRUE(sender.send(CommandMode::rate, std::vector{0.1}));
  ASSERT_TRUE(comes_true([&] { return receiver.try_sample(now(), sample); }));
  EXPECT_THAT(forces, ElementsAre(0, 0, 0));
  EXPECT_EQ(commands[0].rate, 0.1);
}

}  // namespace
}  // namespace rodeo::engine
