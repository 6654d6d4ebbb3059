// SPDX-License-Identifier: MIT
// States as JSON: what a parser of another hand reads of them, their length, and machines with more signals than a datagram takes.
#include "engine/net/state_json.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "engine/net/publisher.h"
#include "engine/net/signals.h"
#include "tests/net/support.h"
#include "tests/session/session_machine.h"

namespace rodeo::engine {
namespace {

using nlohmann::json;
using testing_support::comes_true;
using testing_support::Datagram;
using testing_support::four_bar_model;
using testing_support::PlainSocket;

json parse(const Datagram& packet) { return json::parse(packet.begin(), packet.end()); }

/// Numbers at their longest.
StateHeader longest_header() {
  StateHeader header;
  header.status = ~0U;
  header.tick = std::numeric_limits<std::int64_t>::min();
  header.simulated_time = header.tick;
  header.wall_time = header.tick + 1;
  header.lag = header.tick + 1;
  header.input_age = std::numeric_limits<std::int64_t>::max();
  header.heartbeat = header.lost = header.unrecorded = header.command_session = header.command_sequence =
      ~0ULL;
  header.margin = -1.2345678901234567e-308;
  header.residual = header.margin;
  return header;
}

LinkReport longest_link() {
  LinkReport link;
  link.counts.accepted = link.counts.dropped = link.counts.clipped = ~0ULL;
  link.counts.refused.fill(~0ULL);
  link.last_refusal = Refusal::wrong_length;
  IpAddress address;
  address.length = 16;
  address.bytes.fill(0xff);
  link.rivals = std::pair(Endpoint{address, 65535}, Endpoint{address, 65534});
  return link;
}

TEST(StateJson, NamesItsConditionAndCountsRefusalsByReason) {
  StateJson writer(std::vector<Channel>{{"lift", "m"}}, kFrameBytes);
  StateHeader header;
  header.status = kStale | kWaiting | kTwoSenders | kLimited;
  LinkReport link;
  link.counts.accepted = 5;
  link.counts.clipped = 2;
  link.counts.refused[static_cast<std::size_t>(Refusal::tag)] = 3;
  link.last_refusal = Refusal::tag;
  link.rivals = std::pair(Endpoint{testing_support::kLocal, 4000}, Endpoint{testing_support::kLocal, 4001});
  const std::string text = writer.write(header, link, std::vector{1.5}).front();
  const json rodeo = json::parse(text).at("rodeo");
  EXPECT_EQ(rodeo.at("status"), header.status);
  EXPECT_EQ(rodeo.at("status_names"), json::array({"limited", "stale", "waiting", "two_senders"}));
  EXPECT_EQ(rodeo.at("last_refusal"), "tag");
  EXPECT_EQ(rodeo.at("refused").at("tag"), 3);
  EXPECT_EQ(rodeo.at("refused").at("sequence"), 0);
  EXPECT_EQ(rodeo.at("refused").size(), kRefusalCount - 1);
  EXPECT_EQ(rodeo.at("accepted"), 5);
  EXPECT_EQ(rodeo.at("clipped"), 2);
  EXPECT_EQ(rodeo.at("two_senders"), json({"127.0.0.1:4000", "127.0.0.1:4001"}));
  EXPECT_EQ(rodeo.at("part"), 1);
  EXPECT_EQ(rodeo.at("parts"), 1);
  EXPECT_EQ(json::parse(text).at("lift"), 1.5);
}

TEST(StateJson, SplitsIntoObjectsThatFitWhateverTheirNumbersAre) {
  for (const std::size_t count : {0, 1, 7, 40, 161, 400}) {
    std::vector<Channel> channels;
    for (std::size_t i = 0; i < count; ++i)
      channels.push_back({fmt::format("{}\"quoted {}\"", i, i * i), "m"});
    StateJson writer(channels, kFrameBytes);
    const std::vector<double> signals(count, -1.2345678901234567e-308);
    std::set<std::string> found;
    const auto parts = writer.write(longest_header(), longest_link(), signals);
    EXPECT_EQ(parts.size() > 1, count > 0) << "the longest header leaves no room";
    for (std::size_t part = 0; part < parts.size(); ++part) {
      ASSERT_LE(parts[part].size(), kFrameBytes);
      const json object = json::parse(parts[part]);
      EXPECT_EQ(object.at("timestamp"), json::parse(parts[0]).at("timestamp"));
      EXPECT_EQ(object.at("rodeo").at("tick"), longest_header().tick);
      EXPECT_EQ(object.at("rodeo").at("part"), part + 1);
      EXPECT_EQ(object.at("rodeo").at("parts"), parts.size());
      EXPECT_EQ(object.at("rodeo").contains("status"), part == 0);
      for (const auto& [key, value] : object.items()) {
        const bool is_signal = key != "timestamp" && key != "rodeo";
        EXPECT_TRUE(!is_signal || found.insert(key).second) << "once: " << key;
      }
    }
    EXPECT_EQ(found.size(), count);
    StateJson large(channels, kLargestDatagram);
    EXPECT_EQ(large.write(longest_header(), longest_link(), signals).size(), 1U);
    EXPECT_EQ(writer.write({}, {}, std::vector<double>(count)).size() > 1, count > 40)
        << "usual numbers are short";
  }
}

TEST(StateJson, WritesNullForWhatIsNotFinite) {
  StateJson writer(std::vector<Channel>{{"a", "m"}, {"b", "m"}}, kFrameBytes);
  const std::vector values{std::nan(""), -std::numeric_limits<double>::infinity()};
  const std::string text = writer.write({}, {}, values).front();
  EXPECT_TRUE(json::parse(text).at("a").is_null());
  EXPECT_TRUE(json::parse(text).at("b").is_null());
}

TEST(StateJson, RefusesANameThatIsLongerThanAPacket) {
  EXPECT_THROW(StateJson(std::vector<Channel>{{std::string(1500, 'x'), "m"}}, kFrameBytes), AddressError);
}

/// A session of the four-bar that publishes JSON to a socket of the test's.
class JsonPublishing : public testing::Test {
 protected:
  void open(const Session& session, const std::string& options, const Receiver* receiver = nullptr) {
    const std::string text = fmt::format("127.0.0.1:{},format=json{}", socket_.port(), options);
    publisher_ =
        std::make_unique<Publisher>(thread_, session, std::vector{build_destination(text)}, receiver);
  }
  void tick() {
    session_.tick({0, Verb::none, 0, 0, commands_});
    publisher_->try_publish(session_, {}, 0);
  }

  NetThread thread_;
  PlainSocket socket_;
  Session session_ = testing_support::build_four_bar_session();
  std::vector<Command> commands_{Command::moving(0.1)};
  std::unique_ptr<Publisher> publisher_;
};

TEST_F(JsonPublishing, SendsEveryDigitOfEverySignal) {
  open(session_, ",rate=1000");
  tick();
  const json state = parse(socket_.receive());
  EXPECT_EQ(state.at("timestamp"), 0.001);
  EXPECT_EQ(state.at("rodeo").at("tick"), 1);
  EXPECT_EQ(state.at("rodeo").at("status"), session_.status());
  EXPECT_EQ(state.at("rodeo").at("margin"), session_.stepper().margin());
  EXPECT_EQ(state.at("crank"), session_.stepper().drives()[0].position) << "every digit";
  std::size_t signals = state.size() - 2;
  for (int part = 1; part < state.at("rodeo").at("parts"); ++part)
    signals += parse(socket_.receive()).size() - 2;
  EXPECT_EQ(signals, SignalTable(four_bar_model().kernel).count());
}

TEST_F(JsonPublishing, TellsOfRefusedAndClippedPacketsOnceAndOfTwoSendersWhileTheyLast) {
  const MachineInterface machine = build_machine_interface(four_bar_model());
  Receiver receiver(thread_, machine, testing_support::on_loopback());
  open(session_, ",rate=1000,signals=crank", &receiver);
  testing_support::HandMade hand;
  hand.fingerprint = machine.build_layout().fingerprint;
  hand.mode = 2;
  const auto send = [&](const PlainSocket& from, std::uint64_t session, double rate) {
    hand.session = session;
    ++hand.sequence;
    hand.values = {rate};
    from.send(hand.bytes(), receiver.endpoint().port);
  };
  const auto counted = [&](std::uint64_t accepted, std::uint64_t refused) {
    return comes_true([&] {
      const PacketCounts counts = receiver.counts();
      return counts.accepted == accepted && counts.refused_total() == refused;
    });
  };
  const auto state = [&] {  // that the crank is limited by its acceleration is not asked here
    tick();
    json rodeo = parse(socket_.receive()).at("rodeo");
    json& names = rodeo.at("status_names");
    names.erase(std::remove(names.begin(), names.end(), "limited"), names.end());
    return rodeo;
  };
  const PlainSocket other;
  send(socket_, 7, 1.5);  // the crank's speed is 1 rad/s
  ASSERT_TRUE(counted(1, 0));
  EXPECT_EQ(state().at("status_names"), json::array({"clipped"}));
  EXPECT_EQ(state().at("status_names"), json::array()) << "told once";
  send(other, 8, 0.1);
  send(socket_, 7, 0.1);
  ASSERT_TRUE(counted(2, 1));
  json now = state();
  EXPECT_EQ(now.at("status_names"), json::array({"refused"}));
  EXPECT_EQ(now.at("last_refusal"), "role");
  EXPECT_EQ(now.at("status").get<std::uint32_t>() >> 26, 14U) << "its number, for packets";
  EXPECT_EQ(now.at("two_senders"), json::array()) << "one turn may be a restart";
  send(other, 8, 0.1);
  ASSERT_TRUE(counted(2, 2));
  send(socket_, 7, 0.1);
  ASSERT_TRUE(counted(3, 2));
  now = state();
  EXPECT_EQ(now.at("status_names"), json::array({"refused", "two_senders"}));
  EXPECT_EQ(now.at("refused").at("role"), 2);
  EXPECT_THAT(now.at("two_senders").get<std::vector<std::string>>(),
              testing::UnorderedElementsAre(fmt::format("127.0.0.1:{}", socket_.port()),
                                            fmt::format("127.0.0.1:{}", other.port())));
}

}  // namespace
}  // namespace rodeo::engine
