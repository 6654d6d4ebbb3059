// SPDX-License-Identifier: MIT
// Keys as packets, at a socket that answers as an engine does and reads them by PROTOCOL.md's table.
#include "viz/feed/commander.h"

#include <atomic>
#include <cstring>
#include <mutex>

#include "engine/net/hello.h"
#include "tests/feed/feed_support.h"

namespace rodeo::viz {
namespace {

using namespace testing_support;
using engine::Verb;

struct Packet {
  int mode, verb;
  std::uint64_t session, sequence;
  std::vector<double> values;
};

Packet read_packet(const Datagram& bytes) {
  Packet packet{bytes[6], bytes[7], 0, 0, {}};
  std::memcpy(&packet.session, &bytes[32], 8);
  std::memcpy(&packet.sequence, &bytes[40], 8);
  packet.values.resize((bytes.size() - 56) / 8);
  if (!packet.values.empty()) std::memcpy(packet.values.data(), &bytes[56], 8 * packet.values.size());
  return packet;
}

/// Answers hellos; keeps commands.
class FakeEngine {
 public:
  explicit FakeEngine(const std::string& drive = "turn")
      : thread_([this, drive](const std::stop_token& stop) { run(stop, drive); }) {}

  [[nodiscard]] std::string address() const { return fmt::format("127.0.0.1:{}", socket_.port()); }
  [[nodiscard]] std::vector<Packet> packets() const {
    const std::lock_guard lock(mutex_);
    return packets_;
  }
  [[nodiscard]] bool wait_for_packet(const std::function<bool(const Packet&)>& is_it) const {
    return wait_for([&] {
      const auto all = packets();
      return std::any_of(all.begin(), all.end(), is_it);
    });
  }
  [[nodiscard]] int hellos() const { return hellos_; }

 private:
  void run(const std::stop_token& stop, const std::string& drive) {
    while (!stop.stop_requested()) {
      sockaddr_in from{};
      const Datagram bytes = socket_.receive(from);
      if (bytes.size() < 16) continue;
      if (const auto cookie = engine::find_hello(bytes)) {
        const engine::Answer answer{
            {"arm", {{drive, "rad"}}, {engine::DriveLimits{-3, 3, 1.5, 5}}}, {}, false};
        const auto reply = engine::build_answer(answer, *cookie, nullptr, bytes.size());
        ::sendto(socket_.file(), reply.data(), reply.size(), 0, reinterpret_cast<const sockaddr*>(&from),
                 sizeof from);
        ++hellos_;
        continue;
      }
      const std::lock_guard lock(mutex_);
      packets_.push_back(read_packet(bytes));
    }
  }

  PlainSocket socket_;
  mutable std::mutex mutex_;
  std::vector<Packet> packets_;
  std::atomic<int> hellos_ = 0;
  std::jthread thread_;
};

class CommanderTest : public ::testing::Test {
 protected:
  ArmFolder folder;
  Scene scene = folder.build();
  FakeEngine engine;
};

TEST_F(CommanderTest, AVerbTakesNothingOver) {
  Commander commander(scene, engine.address(), "");
  ASSERT_TRUE(wait_for([&] { return commander.is_connected(); }));
  for (const Verb verb : {Verb::freeze, Verb::step, Verb::reset}) commander.send({verb, 0, false});
  ASSERT_TRUE(wait_for([&] { return engine.packets().size() == 3; }));
  const auto packets = engine.packets();
  const std::array verbs{2, 3, 4};
  for (std::size_t i = 0; i < 3; ++i) {
    EXPECT_EQ(packets[i].mode, 0);
    EXPECT_EQ(packets[i].verb, verbs[i]);
    EXPECT_EQ(packets[i].sequence, i + 1);
  }
}

TEST_F(CommanderTest, AHeldKeyIsTheDrivesSpeedAndAReleasedOneStopsIt) {
  {
    Commander commander(scene, engine.address(), "");
    ASSERT_TRUE(wait_for([&] { return commander.is_connected(); }));
    commander.drive(0, 1);
    commander.drive(7, 1);  // there is no eighth drive
    EXPECT_TRUE(
        engine.wait_for_packet([](const Packet& p) { return p.mode == 2 && p.values == std::vector{1.5}; }));
    commander.drive(0, 0);
    EXPECT_TRUE(
        engine.wait_for_packet([](const Packet& p) { return p.mode == 2 && p.values == std::vector{0.0}; }));
    const std::size_t count = engine.packets().size();
    EXPECT_TRUE(wait_for([&] { return engine.packets().size() > count + 5; }));  // the watchdog is content
    commander.drive(0, -1);
    EXPECT_TRUE(engine.wait_for_packet([](const Packet& p) { return p.values == std::vector{-1.5}; }));
  }
  EXPECT_TRUE(
      wait_for([&] { return engine.packets().back().values == std::vector{0.0}; }));  // and ends at rest
}

TEST_F(CommanderTest, WhoIsReplacedStopsAndComesBackWithASessionOfItsOwn) {
  Commander commander(scene, engine.address(), "");
  ASSERT_TRUE(wait_for([&] { return commander.is_connected(); }));
  commander.drive(0, 1);
  ASSERT_TRUE(wait_for([&] { return !engine.packets().empty(); }));
  const std::uint64_t first = engine.packets().front().session;
  engine::StateHeader state;
  state.command_session = first + 1;  // somebody else drives
  ASSERT_TRUE(wait_for([&] { return commander.note(state), engine.hellos() == 2; }));
  ASSERT_TRUE(wait_for([&] { return commander.is_connected(); }));
  commander.drive(0, -1);
  EXPECT_TRUE(engine.wait_for_packet(
      [&](const Packet& p) { return p.session != first && p.values == std::vector{-1.5}; }));
}

TEST_F(CommanderTest, AnEngineThatWasStartedAnewIsAskedAgain) {
  Commander commander(scene, engine.address(), "");
  ASSERT_TRUE(wait_for([&] { return commander.is_connected(); }));
  engine::StateHeader state;
  commander.note(state);
  EXPECT_EQ(engine.hellos(), 1);
  state.nonce.fill(9);
  commander.note(state);
  EXPECT_TRUE(wait_for([&] { return engine.hellos() == 2; }));
}

TEST(Commander, NobodyThereIsSaid) {
  const ArmFolder folder;
  const Scene scene = folder.build();
  const std::uint16_t port = PlainSocket().port();
  const Commander commander(scene, fmt::format("127.0.0.1:{}", port), "");
  EXPECT_TRUE(wait_for([&] {
    return commander.trouble() ==
           fmt::format("nobody answers at 127.0.0.1:{}: is 'rodeo run' listening there?", port);
  }));
}

TEST(Commander, AnotherMachineIsSaid) {
  const ArmFolder folder;
  const Scene scene = folder.build();
  const FakeEngine engine("lift");
  Commander commander(scene, engine.address(), "");
  commander.send({Verb::freeze, 0, false});
  EXPECT_TRUE(wait_for([&] {
    return commander.trouble() ==
           fmt::format("at {} the machine 'arm' listens, but not with the drives of 'arm': keys are not sent",
                       engine.address());
  }));
  EXPECT_TRUE(engine.packets().empty());
}

}  // namespace
}  // namespace rodeo::viz
