// SPDX-License-Identifier: MIT
// The loop with the real receiver, publisher and recorder, on the virtual clock: none of them allocates in the loop's thread.
// Packets are plain ones, written here; the threads of the network and of the recorder run beside.
#include <arpa/inet.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include "engine/loop/loop.h"
#include "engine/loop/operator_port.h"
#include "engine/loop/virtual_clock.h"
#include "engine/net/publisher.h"
#include "engine/net/receiver.h"
#include "engine/record/recorder.h"
#include "tests/net/support.h"
#include "tests/session/session_machine.h"
#include "tests/step/count_allocations.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

/// Loopback, a port of the system's choice.
class UdpSocket {
 public:
  UdpSocket() : file_(::socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
    address_.sin_family = AF_INET;
    address_.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(file_, reinterpret_cast<sockaddr*>(&address_), sizeof address_);
    socklen_t size = sizeof address_;
    ::getsockname(file_, reinterpret_cast<sockaddr*>(&address_), &size);
  }
  ~UdpSocket() { ::close(file_); }
  UdpSocket(const UdpSocket&) = delete;
  UdpSocket& operator=(const UdpSocket&) = delete;

  [[nodiscard]] int port() const { return ntohs(address_.sin_port); }
  void send(double value, int port) {
    address_.sin_port = htons(static_cast<std::uint16_t>(port));
    ::sendto(file_, &value, sizeof value, 0, reinterpret_cast<sockaddr*>(&address_), sizeof address_);
  }

 private:
  int file_;
  sockaddr_in address_{};
};

class Traffic : public testing::Test {
 protected:
  Traffic()
      : session_(build_four_bar_session()),
        receiver_(thread_, build_machine_interface(four_bar_model()), build_receiver_options()),
        publisher_(thread_, session_, build_destinations(), &receiver_),
        recorder_({(folder_ / "run.mcap").string()}, four_bar_model(), build_model_files(four_bar_model()),
                  session_) {}

  static ReceiverOptions build_receiver_options() {
    ReceiverOptions options;
    options.listen = build_endpoint("127.0.0.1:0");
    options.plain = CommandMode::rate;
    return options;
  }
  std::vector<Destination> build_destinations() const {
    const std::string to = fmt::format("127.0.0.1:{},rate=1000,large", listener_.port());
    return {build_destination(to), build_destination(to + ",format=json")};
  }

  TemporaryFolder folder_;
  UdpSocket sender_, listener_;
  VirtualClock clock_;
  Session session_;
  NetThread thread_;
  Receiver receiver_;
  Publisher publisher_;
  Recorder recorder_;
};

TEST_F(Traffic, OfAHundredThousandTicksDoesNotAllocateInTheLoop) {
  OperatorPort port(&receiver_);
  Loop loop(session_, clock_, {}, {&port, {&publisher_}, &recorder_});
  loop.start();
  loop.tick();
  const long before = thread_allocation_count();
  for (int i = 0; i < 100'000; ++i) {
    if (i % 10 == 0) sender_.send(i % 2000 < 1000 ? 0.2 : -0.2, receiver_.endpoint().port);
    if (i % 1000 == 0) port.try_put(i % 2000 == 0 ? Verb::snapshot : Verb::restore);
    loop.tick();
  }
  EXPECT_EQ(thread_allocation_count(), before);
  EXPECT_GT(receiver_.counts().accepted, 100U) << "there was traffic";
  EXPECT_GT(publisher_.counts().at(0).sent, 1000U);
  EXPECT_GT(recorder_.status().recorded, 1000U);
  EXPECT_NE(session_.stepper().drives()[0].position, kStart) << "it was driven";
}

/// The machine rests and is commanded to: only that the rearm is never let go of keeps the stop.
TEST_F(Traffic, ASenderThatRearmsInEveryPacketDoesNotUndoAStop) {
  OperatorPort port(&receiver_);
  Loop loop(session_, clock_, {}, {&port, {}, nullptr});
  loop.start();
  const PlainSocket socket;
  HandMade packet;
  packet.fingerprint = build_machine_interface(four_bar_model()).build_layout().fingerprint;
  packet.mode = static_cast<std::uint8_t>(CommandMode::rate);
  packet.values = {0};
  std::uint64_t sent = 0;
  const auto send = [&](std::uint8_t verb, std::uint8_t flags, std::uint64_t session) {
    packet.verb = verb;
    packet.flags = flags;
    packet.session = session;
    packet.sequence = ++sent;
    socket.send(packet.bytes(), receiver_.endpoint().port);
    ASSERT_TRUE(comes_true([&] { return receiver_.counts().accepted == sent; }));
    loop.tick();
  };
  constexpr auto kRearm = static_cast<std::uint8_t>(Verb::rearm);
  const auto is_stopped = [&] { return (session_.status() & kStopped) != 0; };
  for (int i = 0; i < 10; ++i) send(kRearm, 0, 7);
  port.stop_now();
  for (int i = 0; i < 50; ++i) {
    send(kRearm, 0, 7);
    ASSERT_TRUE(is_stopped()) << i;
  }
  send(kRearm, 1, 7);
  ASSERT_TRUE(is_stopped()) << "nor with the stop itself";
  send(0, 0, 7);
  ASSERT_TRUE(is_stopped());
  send(kRearm, 0, 7);
  EXPECT_FALSE(is_stopped()) << "two steps";
}

/// A hundred packets of new sessions a tick, and now and then a stop among them: the tick after its arrival has it.
TEST_F(Traffic, AStopInAFloodOfSessionsIsInTheNextTick) {
  Loop loop(session_, clock_, {}, {&receiver_, {}, nullptr});
  loop.start();
  const PlainSocket flooding, quiet;  // what floods is refused before long, but for its stops
  HandMade packet;
  packet.fingerprint = build_machine_interface(four_bar_model()).build_layout().fingerprint;
  packet.mode = static_cast<std::uint8_t>(CommandMode::rate);
  packet.values = {0};
  std::uint64_t sent = 0;
  const auto is_taken = [&] {
    const PacketCounts counts = receiver_.counts();
    return counts.accepted + counts.refused_total() == sent;
  };
  const auto send = [&](const PlainSocket& socket, std::uint64_t session, std::uint64_t sequence,
                        std::uint8_t verb, std::uint8_t flags) {
    packet.session = session;
    packet.sequence = sequence;
    packet.verb = verb;
    packet.flags = flags;
    socket.send(packet.bytes(), receiver_.endpoint().port);
    ++sent;
  };
  int taken = 0;
  std::uint64_t step = 0;
  for (std::uint64_t i = 1; i <= 300; ++i) {
    const bool is_stop = i % 10 == 0;
    for (std::uint64_t k = 0; k < 100; ++k) {
      if (is_stop && k == i % 97) send(flooding, 7, i, 0, 1);
      send(flooding, 1'000'000 + sent, 1, 0, 0);
    }
    ASSERT_TRUE(comes_true(is_taken));
    loop.tick();
    TickNote note;
    while (loop.try_take_note(note)) taken += note.is_stop;
    if (!is_stop) continue;
    EXPECT_NE(session_.status() & kStopped, 0U) << i;
    packet.mode = 0;
    packet.values = {};
    for (const Verb verb : {Verb::none, Verb::rearm}) {
      send(quiet, 8, ++step, static_cast<std::uint8_t>(verb), 0);
      ASSERT_TRUE(comes_true(is_taken));
      loop.tick();
    }
    packet.mode = static_cast<std::uint8_t>(CommandMode::rate);
    packet.values = {0};
    ASSERT_EQ(session_.status() & kStopped, 0U) << "released for the next one";
  }
  EXPECT_EQ(taken, 30);
}

TEST(CountAllocations, CountsThoseOfThisThread) {
  const long before = thread_allocation_count();
  if (before < 0) GTEST_SKIP() << "a sanitizer owns malloc";
  const auto some = std::make_unique<std::vector<int>>(100);
  EXPECT_EQ(thread_allocation_count(), before + 2);
  EXPECT_FALSE(some->empty());
}

}  // namespace
}  // namespace rodeo::engine
