// SPDX-License-Identifier: MIT
// How long a command takes to come back as a published state, over UDP on loopback: sender -> receiver -> loop -> publisher ->
// listener, with the wheel loader. At the rate f a command waits for the next tick, half a period on the average and a whole
// one at the most; what is over that is the way through the kernel and the threads. Printed, asserted by nobody: the order of
// events is asserted in tests/loop on the virtual clock.
#include <arpa/inet.h>
#include <benchmark/benchmark.h>
#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <random>
#include <thread>

#include "engine/loop/loop.h"
#include "engine/loop/realtime.h"
#include "engine/net/publisher.h"
#include "engine/net/sender.h"
#include "engine/net/state_packet.h"
#include "tests/bench/loader_kernel.h"

namespace {

using namespace rodeo::engine;

const ModelFolder& loader_model() {
  static const loader::LoaderKernel kernel;
  static const ModelFolder model =
      ModelFolder::build_from(std::filesystem::path(kernel.library()).parent_path().string());
  return model;
}

/// Hears states of the signal `boom`.
class Listener {
 public:
  Listener() : file_(::socket(AF_INET, SOCK_DGRAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    ::bind(file_, reinterpret_cast<sockaddr*>(&address), sizeof address);
    socklen_t size = sizeof address;
    ::getsockname(file_, reinterpret_cast<sockaddr*>(&address), &size);
    port_ = ntohs(address.sin_port);
  }
  ~Listener() { ::close(file_); }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;

  [[nodiscard]] int port() const { return port_; }
  /// Until a state knows the command of this sequence.
  void wait_for(std::uint64_t sequence) {
    StateHeader header;
    std::array<double, 1> signals{};
    do {
      const ssize_t size = ::recv(file_, packet_.data(), packet_.size(), 0);
      const Bytes packet(packet_.data(), static_cast<std::size_t>(std::max<ssize_t>(size, 0)));
      if (decode_state(fingerprint_, packet, header, signals) != Refusal::none) header = {};
    } while (header.command_sequence < sequence);
  }

 private:
  int file_;
  int port_ = 0;
  std::array<std::uint8_t, 1472> packet_{};
  Fingerprint fingerprint_ = build_state_fingerprint(std::array{Channel{"boom", "rad"}});
};

/// The machine at a rate, in its thread, as `rodeo run` has it.
class Engine {
 public:
  Engine(std::int64_t rate, int port)
      : session_(loader_model(), build_session_options(rate), {{"start", loader_model().start}}),
        receiver_(net_, build_machine_interface(loader_model()), build_receiver_options()),
        publisher_(net_, session_,
                   {build_destination(fmt::format("127.0.0.1:{},rate={},signals=boom", port, rate))},
                   &receiver_),
        loop_(session_, clock_, {}, {&receiver_, {&publisher_}, nullptr}),
        thread_([this] {
          static_cast<void>(set_up_realtime({}));
          loop_.run();
        }) {}
  ~Engine() {
    loop_.request_stop();
    thread_.join();
  }
  Engine(const Engine&) = delete;
  Engine& operator=(const Engine&) = delete;

  [[nodiscard]] std::string address() const { return to_text(receiver_.endpoint()); }

 private:
  static SessionOptions build_session_options(std::int64_t rate) {
    SessionOptions options;
    options.period = 1'000'000'000 / rate;
    return options;
  }
  static ReceiverOptions build_receiver_options() {
    ReceiverOptions options;
    options.listen = build_endpoint("127.0.0.1:0");
    return options;
  }

  Session session_;
  NetThread net_;
  Receiver receiver_;
  Publisher publisher_;
  MonotonicClock clock_;
  Loop loop_;
  std::thread thread_;
};

void BM_command_to_published_state(benchmark::State& state) {
  const std::int64_t rate = state.range(0), period = 1'000'000'000 / rate;
  Listener listener;
  Engine engine(rate, listener.port());
  Sender sender(engine.address(), std::nullopt);
  sender.say_hello(std::chrono::seconds(5));
  MonotonicClock clock;
  std::mt19937_64 random(1);
  Histogram histogram;
  for (auto _ : state) {
    // At any moment of a period: right after a state the command would always wait the longest.
    clock.sleep_until(clock.now() +
                      static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(2 * period)));
    const std::int64_t begin = clock.now();
    sender.send(CommandMode::rate, std::array{0.0, 0.0});
    listener.wait_for(sender.sequence());
    const std::int64_t lasted = clock.now() - begin;
    histogram.add(lasted);
    state.SetIterationTime(static_cast<double>(lasted) / 1e9);
  }
  state.counters["p50_us"] = static_cast<double>(histogram.calc_quantile(0.5)) / 1e3;
  state.counters["p99_us"] = static_cast<double>(histogram.calc_quantile(0.99)) / 1e3;
  state.counters["max_us"] = static_cast<double>(histogram.max()) / 1e3;
}
BENCHMARK(BM_command_to_published_state)
    ->Arg(1000)
    ->Arg(10000)
    ->Iterations(2000)
    ->UseManualTime()
    ->Unit(benchmark::kMicrosecond);

}  // namespace
