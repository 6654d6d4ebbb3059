// SPDX-License-Identifier: MIT
// Packets as bytes, against bytes written by hand.
#include "engine/net/packet.h"

#include <gtest/gtest.h>

#include <limits>
#include <random>

#include "engine/net/state_packet.h"
#include "tests/net/support.h"

namespace rodeo::engine {
namespace {

using testing_support::append;
using testing_support::Datagram;
using testing_support::HandMade;
using testing_support::two_drives;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInfinity = std::numeric_limits<double>::infinity();

Datagram encode(const CommandHeader& header, const std::vector<double>& values,
                const Authenticator* authenticator = nullptr) {
  const CommandLayout layout = two_drives().build_layout();
  Datagram out(layout.packet_bytes(header.mode, authenticator != nullptr));
  EXPECT_EQ(encode_command(layout, header, values, authenticator, out), out.size());
  return out;
}

Refusal decode(const Datagram& packet, const Authenticator* authenticator = nullptr) {
  CommandHeader header;
  std::array<double, 6> values{};
  return decode_command(two_drives().build_layout(), authenticator, packet, header, values);
}

TEST(EncodeCommand, WritesTheBytesOfTheTable) {
  HandMade hand;
  hand.mode = 3;
  hand.verb = 7;
  hand.slot = 5;
  hand.flags = 1;
  hand.session = 0x0123456789abcdefULL;
  hand.sequence = 99;
  hand.time = -5;
  hand.values = {1.5, 0.25, -0.125, 1e-300};
  const CommandHeader header{CommandMode::position_rate, Verb::restore, 5, true, hand.session, 99, -5};
  EXPECT_EQ(encode(header, hand.values), hand.bytes());
}

TEST(DecodeCommand, ReadsBackEveryModeVerbAndValue) {
  std::mt19937_64 random(4);
  for (int i = 0; i < 2000; ++i) {
    CommandHeader header{static_cast<CommandMode>(random() % 6),
                         static_cast<Verb>(random() % 9),
                         static_cast<std::uint8_t>(random()),
                         random() % 2 == 0,
                         random(),
                         random(),
                         static_cast<std::int64_t>(random())};
    std::vector<double> values(2 * value_count(header.mode));
    for (double& value : values)
      value = std::ldexp(static_cast<double>(random()) - 9e18, int(random() % 100) - 80);
    CommandHeader found;
    std::vector<double> read(6);
    ASSERT_EQ(decode_command(two_drives().build_layout(), nullptr, encode(header, values), found, read),
              Refusal::none);
    EXPECT_EQ(found, header);
    read.resize(values.size());
    EXPECT_EQ(read, values);
  }
}

TEST(DecodeCommand, SaysWhatIsWrong) {
  const auto with = [](auto spoil) {
    HandMade hand;
    spoil(hand);
    return decode(hand.bytes());
  };
  EXPECT_EQ(with([](HandMade&) {}), Refusal::none);
  EXPECT_EQ(with([](HandMade& h) { h.magic = "RDES"; }), Refusal::magic);
  EXPECT_EQ(with([](HandMade& h) { h.version = 2; }), Refusal::version);
  EXPECT_EQ(with([](HandMade& h) { h.fingerprint[15] ^= 1; }), Refusal::fingerprint);
  EXPECT_EQ(with([](HandMade& h) { h.mode = 6; }), Refusal::field);
  EXPECT_EQ(with([](HandMade& h) { h.verb = 10; }), Refusal::field);
  EXPECT_EQ(with([](HandMade& h) { h.flags = 2; }), Refusal::field);
  EXPECT_EQ(with([](HandMade& h) { h.reserved_4 = 1; }), Refusal::field);
  EXPECT_EQ(with([](HandMade& h) { h.values = {1, kNan}; }), Refusal::not_finite);
  EXPECT_EQ(with([](HandMade& h) { h.values = {-kInfinity, 1}; }), Refusal::not_finite);
  EXPECT_EQ(with([](HandMade& h) { h.values = {1}; }), Refusal::wrong_length);
  EXPECT_EQ(with([](HandMade& h) { h.values = {1, 1, 1}; }), Refusal::wrong_length);
  EXPECT_EQ(with([](HandMade& h) { h.mode = 3; }), Refusal::wrong_length) << "the length of another mode";
  EXPECT_EQ(with([](HandMade& h) { h.mode = 0; }), Refusal::wrong_length);
}

TEST(DecodeCommand, ReadsTheDelayThatASenderAsksFor) {
  HandMade hand;
  hand.least_delay = 50;
  const CommandLayout layout = two_drives().build_layout();
  CommandHeader header;
  std::vector<double> values(6);
  ASSERT_EQ(decode_command(layout, nullptr, hand.bytes(), header, values), Refusal::none);
  EXPECT_EQ(header.least_delay, 50);
  Datagram again(layout.packet_bytes(header.mode, false));
  encode_command(layout, header, hand.values, nullptr, again);
  EXPECT_EQ(again, hand.bytes());
}

TEST(DecodeCommand, TakesNoOtherLength) {
  const Datagram whole = HandMade().bytes();
  for (std::size_t size = 0; size < 300; ++size) {
    Datagram packet = whole;
    packet.resize(size);
    EXPECT_EQ(decode(packet) == Refusal::none, size == whole.size()) << size;
  }
}

TEST(DecodeCommand, LeavesTheResultUntouchedWhenItRefuses) {
  HandMade hand;
  hand.values = {2.5, kNan};
  CommandHeader header;
  header.sequence = 42;
  std::array<double, 6> values{9, 9, 9, 9, 9, 9};
  ASSERT_NE(decode_command(two_drives().build_layout(), nullptr, hand.bytes(), header, values),
            Refusal::none);
  EXPECT_EQ(header.sequence, 42U);
  EXPECT_EQ(values, (std::array<double, 6>{9, 9, 9, 9, 9, 9}));
}

TEST(DecodeCommand, RefusesEveryFlippedBitUnderATag) {
  const Authenticator authenticator(Key{1, 2, 3}, Nonce{4});
  CommandHeader header;
  header.mode = CommandMode::position;
  const Datagram packet = encode(header, {1.5, 0.25}, &authenticator);
  ASSERT_EQ(decode(packet, &authenticator), Refusal::none);
  for (std::size_t bit = 0; bit < 8 * packet.size(); ++bit) {
    Datagram spoilt = packet;
    spoilt[bit / 8] = static_cast<std::uint8_t>(spoilt[bit / 8] ^ (1U << (bit % 8)));
    ASSERT_NE(decode(spoilt, &authenticator), Refusal::none) << bit;
  }
}

TEST(DecodeCommand, RefusesTheTagOfAnotherKeyOrNonceAndNoTag) {
  const Authenticator right(Key{1}, Nonce{1});
  CommandHeader header;
  header.mode = CommandMode::position;
  EXPECT_EQ(decode(encode(header, {1, 1}, &right), &right), Refusal::none);
  const Authenticator other_key(Key{2}, Nonce{1});
  EXPECT_EQ(decode(encode(header, {1, 1}, &other_key), &right), Refusal::tag);
  const Authenticator yesterday(Key{1}, Nonce{2});
  EXPECT_EQ(decode(encode(header, {1, 1}, &yesterday), &right), Refusal::tag);
  EXPECT_EQ(decode(encode(header, {1, 1}), &right), Refusal::wrong_length);
  EXPECT_EQ(decode(encode(header, {1, 1}, &right)), Refusal::wrong_length) << "a tag that nobody asked for";
}

TEST(DecodePlain, TakesOneNumberADriveAndNothingElse) {
  Datagram packet;
  append(packet, 1.5);
  append(packet, -2.0);
  std::array<double, 2> values{};
  EXPECT_EQ(decode_plain(2, packet, values), Refusal::none);
  EXPECT_EQ(values, (std::array{1.5, -2.0}));
  EXPECT_EQ(decode_plain(1, packet, values), Refusal::wrong_length);
  EXPECT_EQ(decode_plain(3, packet, values), Refusal::wrong_length);
  packet.clear();
  append(packet, 1.0);
  append(packet, kNan);
  EXPECT_EQ(decode_plain(2, packet, values), Refusal::not_finite);
  EXPECT_EQ(values, (std::array{1.5, -2.0}));
}

TEST(Refusal, HasANameEach) {
  EXPECT_EQ(refusal_name(Refusal::none), "none");
  EXPECT_EQ(refusal_name(Refusal::wrong_length), "wrong_length");
  EXPECT_EQ(refusal_name(Refusal::out_of_range), "out_of_range");
  EXPECT_EQ(refusal_name(Refusal::queue), "queue");
}

StateHeader sample_state() {
  StateHeader header;
  header.status = 0x00120003;
  header.delay = 31'000;
  header.fingerprint[3] = 7;
  header.nonce[5] = 9;
  header.tick = 1234;
  header.heartbeat = 12;
  header.simulated_time = 1'234'000'000;
  header.wall_time = 1'700'000'000'000'000'000;
  header.command_session = 77;
  header.command_sequence = 88;
  header.input_age = 350'000;
  header.lag = 4;
  header.lost = 3;
  header.unrecorded = 2;
  header.margin = 0.5;
  header.residual = 1e-15;
  return header;
}

TEST(EncodeState, WritesTheBytesOfTheTable) {
  const StateHeader header = sample_state();
  Datagram hand{'R', 'D', 'E', 'S'};
  append(hand, std::uint16_t{1});
  append(hand, std::uint16_t{2});
  append(hand, std::uint32_t{0x00120003});
  append(hand, std::uint32_t{31'000});
  hand.insert(hand.end(), header.fingerprint.begin(), header.fingerprint.end());
  hand.insert(hand.end(), header.nonce.begin(), header.nonce.end());
  append(hand, std::int64_t{1234});
  append(hand, std::uint64_t{12});
  append(hand, std::int64_t{1'234'000'000});
  append(hand, std::int64_t{1'700'000'000'000'000'000});
  append(hand, std::uint64_t{77});
  append(hand, std::uint64_t{88});
  append(hand, std::int64_t{350'000});
  append(hand, std::int64_t{4});
  append(hand, std::uint64_t{3});
  append(hand, std::uint64_t{2});
  append(hand, 0.5);
  append(hand, 1e-15);
  append(hand, 1.25);
  append(hand, -2.5);
  Datagram packet(kStateHeaderBytes + 16);
  const std::array signals{1.25, -2.5};
  EXPECT_EQ(encode_state(header, signals, packet), packet.size());
  EXPECT_EQ(packet, hand);
}

TEST(DecodeState, ReadsBackAndSaysWhatIsWrong) {
  const StateHeader header = sample_state();
  Datagram packet(kStateHeaderBytes + 16);
  encode_state(header, std::array{1.25, -2.5}, packet);
  StateHeader found;
  std::array<double, 2> signals{};
  EXPECT_EQ(decode_state(header.fingerprint, packet, found, signals), Refusal::none);
  EXPECT_EQ(found, header);
  EXPECT_EQ(signals, (std::array{1.25, -2.5}));

  const auto spoilt = [&](std::size_t at) {
    Datagram copy = packet;
    copy[at] ^= 1;
    return decode_state(header.fingerprint, copy, found, signals);
  };
  EXPECT_EQ(spoilt(0), Refusal::magic);
  EXPECT_EQ(spoilt(4), Refusal::version);
  EXPECT_EQ(spoilt(6), Refusal::wrong_length);
  EXPECT_EQ(spoilt(20), Refusal::fingerprint);
  std::array<double, 3> more{};
  EXPECT_EQ(decode_state(header.fingerprint, packet, found, more), Refusal::wrong_length);
  EXPECT_EQ(decode_state(header.fingerprint, Datagram{}, found, {}), Refusal::wrong_length);
}

TEST(StatePacket, HoldsAHundredAndSixtySixSignalsInAFrame) {
  EXPECT_EQ(signals_within(kFrameBytes), 166U);
  EXPECT_EQ(signals_within(kStateHeaderBytes - 1), 0U);
}

}  // namespace
}  // namespace rodeo::engine
