// SPDX-License-Identifier: MIT
// States on loopback, read by a plain socket: rates, signals, sizes, JSON, and receivers that are not there.
#include "engine/net/publisher.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <net/if.h>

#include <future>
#include <nlohmann/json.hpp>
#include <thread>

#include "engine/net/signals.h"
#include "engine/net/state_packet.h"
#include "tests/kernel/build_kernel.h"
#include "tests/net/support.h"

namespace rodeo::engine {
namespace {

using testing_support::comes_true;
using testing_support::Datagram;
using testing_support::PlainSocket;
using testing_support::TemporaryFolder;
using testing_support::write_model_folder;

const ModelFolder& four_bar() {
  static const TemporaryFolder folder;
  static const ModelFolder model = [] {
    write_model_folder(folder / "model", R"("lower": -10, "upper": 10, "speed": 2, "acceleration": 8)");
    return ModelFolder::build_from((folder / "model").string());
  }();
  return model;
}

class Publishing : public testing::Test {
 protected:
  Publisher& open(const std::vector<std::string>& texts) {
    std::vector<Destination> destinations;
    for (const std::string& text : texts) destinations.push_back(build_destination(text));
    publisher_ = std::make_unique<Publisher>(thread_, session_, destinations, nullptr);
    return *publisher_;
  }
  std::string here(const std::string& options = "") const {
    return fmt::format("127.0.0.1:{}{}", socket_.port(), options);
  }
  std::string open_error(const std::string& text) {
    try {
      open({text});
    } catch (const NetError& error) {
      return error.what();
    }
    return "it publishes";
  }
  void tick(std::uint32_t skipped = 0, Verb verb = Verb::none, std::uint8_t slot = 0) {
    TickInput input;
    input.skipped = skipped;
    input.verb = verb;
    input.slot = slot;
    input.commands = commands_;
    session_.tick(input);
    publisher_->try_publish(session_, report_, 0);
  }

  NetThread thread_;
  PlainSocket socket_;
  Session session_{four_bar(), {}, {{"start", four_bar().start}}};
  std::vector<Command> commands_{Command::moving(1)};
  LoopReport report_;
  std::unique_ptr<Publisher> publisher_;
};

struct Received {
  StateHeader header;
  std::vector<double> signals;
};

Received decode(const Datagram& packet, const std::vector<Channel>& channels) {
  Received received;
  received.signals.resize(channels.size());
  EXPECT_EQ(decode_state(build_state_fingerprint(channels), packet, received.header, received.signals),
            Refusal::none);
  return received;
}

TEST_F(Publishing, SendsWhatTheSessionIs) {
  open({here(",rate=1000")});
  report_.lag = 17;
  report_.lost = 3;
  report_.unrecorded = 5;
  report_.input_age = 250;
  for (int i = 0; i < 5; ++i) tick();
  const SignalTable table(four_bar().kernel);
  for (std::int64_t i = 1; i <= 5; ++i) {
    const Received got = decode(socket_.receive(), table.channels());
    EXPECT_EQ(got.header.tick, i);
    EXPECT_EQ(got.header.heartbeat, static_cast<std::uint64_t>(i));
    EXPECT_EQ(got.header.simulated_time, i * 1'000'000);
    EXPECT_GT(got.header.wall_time, 1'600'000'000'000'000'000);
    EXPECT_EQ(got.header.lag, 17);
    EXPECT_EQ(got.header.lost, 3U);
    EXPECT_EQ(got.header.unrecorded, 5U);
    EXPECT_EQ(got.header.input_age, 250);
    if (i < 5) continue;
    EXPECT_EQ(got.header.status, session_.status());
    EXPECT_EQ(got.header.margin, session_.stepper().margin());
    EXPECT_EQ(got.header.residual, session_.stepper().residual());
    EXPECT_EQ(got.signals[0], session_.stepper().drives()[0].position);
    EXPECT_NE(got.signals[0], four_bar().start[0]) << "a machine that stands still shows nothing";
    EXPECT_EQ(got.signals[1], session_.stepper().outputs()[0]);
  }
  EXPECT_EQ(publisher_->counts()[0].sent, 5U);
}

TEST_F(Publishing, KeepsEachDestinationsRateEvenOverSkippedTicks) {
  const PlainSocket slow;
  open({here(",rate=500"), fmt::format("127.0.0.1:{},rate=10", slow.port())});
  for (int i = 0; i < 1000; ++i) tick();
  EXPECT_EQ(publisher_->counts()[0].sent, 501U) << "at tick 1, then at every second one";
  EXPECT_EQ(publisher_->counts()[1].sent, 11U);
  tick(99);
  EXPECT_EQ(publisher_->counts()[1].sent, 12U) << "the skip passed tick 1100";
  tick();
  EXPECT_EQ(publisher_->counts()[1].sent, 12U);
  EXPECT_TRUE(publisher_->warnings().empty());
}

/// Of 55 refused verbs a receiver of JSON at 1000 a second saw 43, next to a busy computer.
TEST_F(Publishing, TellsWhatLastsOneTickWithTheNextStateThatIsSent) {
  open({here(",rate=1000,format=json,signals=crank")});
  commands_ = {Command::moving(0)};
  const auto receive = [&] {
    const Datagram packet = socket_.receive();
    return nlohmann::json::parse(packet.begin(), packet.end()).at("rodeo");
  };
  tick();
  EXPECT_EQ(receive().at("status").get<std::uint32_t>() & kTickEvents, 0U);
  std::promise<void> begun, ended;
  std::thread busy([&] {
    thread_.run([&] {
      begun.set_value();
      ended.get_future().wait();
    });
  });
  begun.get_future().wait();
  tick(0, Verb::restore, 9);  // no such snapshot
  tick(0, Verb::reset);
  for (int i = 0; i < 5; ++i) tick();
  ended.set_value();
  busy.join();
  const nlohmann::json newest = receive();
  EXPECT_EQ(newest.at("tick"), 8);
  EXPECT_EQ(newest.at("heartbeat"), 8);
  EXPECT_EQ(newest.at("status").get<std::uint32_t>() & kTickEvents, kVerbRefused | kJumped);
  EXPECT_EQ(publisher_->counts()[0].skipped, 6U);
  tick();
  EXPECT_EQ(receive().at("status").get<std::uint32_t>() & kTickEvents, 0U) << "told once";
  EXPECT_EQ(publisher_->counts()[0].skipped, 6U);
}

/// Of eight refused verbs a receiver at 100 a second saw none.
TEST_F(Publishing, GathersWhatLastsOneTickUntilTheNextStateOfEachDestination) {
  const PlainSocket slow;
  open({here(",rate=100"), fmt::format("127.0.0.1:{},rate=50", slow.port())});
  commands_ = {Command::moving(0)};
  const auto channels = SignalTable(four_bar().kernel).channels();
  const auto ticks_to = [&](std::int64_t last) {
    while (session_.tick_number() < last) tick();
  };
  const auto events_at = [&](const PlainSocket& socket, std::int64_t expected) {
    const Received got = decode(socket.receive(), channels);
    EXPECT_EQ(got.header.tick, expected);
    return got.header.status & (kVerbRefused | kJumped);
  };
  ticks_to(1);
  EXPECT_EQ(events_at(socket_, 1), 0U);
  EXPECT_EQ(events_at(slow, 1), 0U);
  tick(0, Verb::restore, 9);  // no such snapshot
  tick(0, Verb::reset);
  ticks_to(10);
  EXPECT_EQ(events_at(socket_, 10), kVerbRefused | kJumped);
  ticks_to(19);
  tick(0, Verb::restore, 9);
  EXPECT_EQ(events_at(socket_, 20), kVerbRefused) << "the jump was told before";
  EXPECT_EQ(events_at(slow, 20), kVerbRefused | kJumped) << "here it was not";
  ticks_to(40);
  EXPECT_EQ(events_at(socket_, 30), 0U);
  EXPECT_EQ(events_at(slow, 40), 0U);
}

TEST_F(Publishing, TellsWhenARateIsNoPartOfTheLoops) {
  open({here(",rate=300"), here(",rate=5000"), here()});
  EXPECT_THAT(
      publisher_->warnings(),
      testing::ElementsAre(here(",rate=300: one tick in 3 is published, 333.333 a second instead of 300"),
                           here(",rate=5000: every tick is published, 1000 a second instead of 5000")));
}

TEST_F(Publishing, SendsTheChosenSignalsInTheChosenOrder) {
  const SignalTable all(four_bar().kernel);
  const std::string last = all.channels().back().name;
  open({here(",rate=1000,signals=" + last + ";crank")});
  tick();
  const Received got = decode(socket_.receive(), {all.channels().back(), all.channels().front()});
  EXPECT_EQ(got.signals[1], session_.stepper().drives()[0].position);
}

TEST_F(Publishing, RefusesSignalsThatAreNotThere) {
  EXPECT_EQ(open_error(here(",signals=crank;nonsense")),
            "'" + here(",signals=crank;nonsense") +
                "': there is no signal 'nonsense': 'rodeo packet MODEL --format python' lists them");
}

/// The four-bar with the names of 300 outputs; its kernel fills the first of them.
class WideMachine {
 public:
  WideMachine() : table_(four_bar().kernel.table()) {
    for (int i = 0; i < kOutputs; ++i) names_.push_back(fmt::format("wide_{}.x", i));
    for (const std::string& name : names_) outputs_.push_back({name.c_str(), "m"});
    table_.n_outputs = kOutputs;
    table_.outputs = outputs_.data();
  }
  [[nodiscard]] Session build_session() const {
    ModelFolder model = four_bar();
    model.kernel = Kernel::build_from_table(&table_, "wide");
    return {model, {}, {{"start", model.start}}};
  }
  static constexpr int kOutputs = 300;

 private:
  rodeo_kernel table_;
  std::vector<std::string> names_;
  std::vector<rodeo_channel> outputs_;
};

TEST_F(Publishing, SaysHowManySignalsFitIntoAFrame) {
  const WideMachine wide;
  const Session session = wide.build_session();
  const auto error = [&](const std::string& text) -> std::string {
    try {
      const Publisher publisher(thread_, session, {build_destination(text)}, nullptr);
    } catch (const AddressError& found) {
      return found.what();
    }
    return "it publishes";
  };
  const std::string binary = here();  // crank, 300 outputs, crank.rate, crank.acceleration
  EXPECT_EQ(error(binary),
            "'" + binary + "': 303 signals make packets of 2568 bytes, more than the 1472 of one Ethernet " +
                "frame: choose at most 166 with signals=a;b, or add ,large");
  EXPECT_EQ(error(here(",large")), "it publishes");
  EXPECT_EQ(error(here(",signals=wide_1*.x")), "it publishes");
  EXPECT_EQ(error(here(",format=json")), "it publishes") << "split";
  EXPECT_EQ(error(here(",format=json,large")), "it publishes");
}

TEST_F(Publishing, IsNotHarmedByAReceiverThatVanishes) {
  auto gone = std::make_unique<PlainSocket>();
  const std::uint16_t port = gone->port();
  open({fmt::format("127.0.0.1:{},rate=1000", port), here(",rate=1000")});
  tick();
  EXPECT_FALSE(gone->receive().empty());
  gone.reset();
  for (int i = 0; i < 50; ++i) tick();
  EXPECT_EQ(publisher_->counts()[1].sent, 51U);
  EXPECT_TRUE(comes_true([&] {
    tick();
    return publisher_->counts()[0].unreachable > 0;
  }));
  EXPECT_EQ(publisher_->counts()[0].failed, 0U);
  const PlainSocket back(port);
  tick();
  EXPECT_FALSE(back.receive().empty()) << "the first packet after it is back arrives";
}

TEST_F(Publishing, ReachesAMulticastGroup) {
  const int member = ::socket(AF_INET, SOCK_DGRAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  ASSERT_EQ(::bind(member, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  socklen_t length = sizeof address;
  ::getsockname(member, reinterpret_cast<sockaddr*>(&address), &length);
  ip_mreqn group{};
  group.imr_multiaddr.s_addr = ::inet_addr("239.255.77.1");
  group.imr_ifindex = static_cast<int>(::if_nametoindex("lo"));
  if (::setsockopt(member, IPPROTO_IP, IP_ADD_MEMBERSHIP, &group, sizeof group) != 0) {
    ::close(member);
    GTEST_SKIP() << "no multicast on loopback here";
  }
  open({fmt::format("239.255.77.1:{},rate=1000,interface=lo,ttl=0", ntohs(address.sin_port))});
  tick();
  pollfd waiting{member, POLLIN, 0};
  EXPECT_EQ(::poll(&waiting, 1, 5000), 1);
  ::close(member);
}

TEST_F(Publishing, TellsWhichCommandAStateKnew) {
  Receiver receiver(thread_, build_machine_interface(four_bar()), testing_support::on_loopback());
  publisher_ = std::make_unique<Publisher>(
      thread_, session_, std::vector{build_destination(here(",rate=1000,signals=crank"))}, &receiver);
  testing_support::HandMade hand;
  hand.fingerprint = build_machine_interface(four_bar()).build_layout().fingerprint;
  hand.sequence = 321;
  hand.values = {0.5};
  socket_.send(hand.bytes(), receiver.endpoint().port);
  ASSERT_TRUE(comes_true([&] { return receiver.counts().accepted == 1; }));
  testing_support::LoopSample loop;
  loop.commands.resize(1);
  ASSERT_TRUE(loop.take(receiver));
  tick();
  const Received got = decode(socket_.receive(), {{"crank", "rad"}});
  EXPECT_EQ(got.header.command_sequence, 321U);
  EXPECT_EQ(got.header.command_session, 7U);
  EXPECT_EQ(got.header.nonce, receiver.nonce());
}

}  // namespace
}  // namespace rodeo::engine
