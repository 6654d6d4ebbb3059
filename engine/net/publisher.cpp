// SPDX-License-Identifier: MIT
// The loop's part of publishing, and the net thread's part of JSON.
#include <utility>  // Boost 1.74's Asio forgets it in C++20
//
#include <fmt/format.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <chrono>
#include <cmath>
#include <ctime>

#include "engine/net/publisher.h"
#include "engine/net/signals.h"
#include "engine/net/state_json.h"
#include "engine/net/state_packet.h"
#include "engine/net/state_socket.h"
#include "engine/net/triple_buffer.h"

namespace rodeo::engine {
namespace {

using boost::system::error_code;

std::int64_t read_clock(clockid_t which) noexcept {
  timespec time{};
  ::clock_gettime(which, &time);
  return std::int64_t{time.tv_sec} * 1'000'000'000 + time.tv_nsec;
}

struct State {
  StateHeader header;
  std::vector<double> signals;
};

/// Of a state's bits, what has happened since the state before: whoever did not get that one has to be told with the next.
constexpr std::uint32_t kRefusal = kRefused | kRefusalMask;
constexpr std::uint32_t kSinceBefore = kTickEvents | kRefusal | kClipped;

/// Of two refusals the newer one's reason.
std::uint32_t add_unsent(std::uint32_t status, std::uint32_t unsent) noexcept {
  const std::uint32_t told = (status & kRefused) != 0 ? kSinceBefore & ~kRefusal : kSinceBefore;
  return status | (unsent & told);
}

/// Ticks from one packet to the next.
std::int64_t calc_every(const Destination& destination, std::int64_t period) {
  const double ticks = 1e9 / (destination.rate.value_or(kUsualRate) * static_cast<double>(period));
  return std::max<std::int64_t>(1, std::llround(ticks));
}

SignalTable build_signals(const Destination& destination, const Kernel& kernel) {
  const SignalTable all(kernel);
  if (destination.signals.empty()) return all.build_motion();
  try {
    return all.build_selection(destination.signals);
  } catch (const AddressError& error) {
    throw AddressError(fmt::format("'{}': {}", destination.text, error.what()));
  }
}

void check_size(const Destination& destination, std::size_t bytes, std::size_t signals, std::size_t fitting) {
  const std::size_t most = destination.is_large ? kLargestDatagram : kFrameBytes;
  if (bytes <= most) return;
  throw AddressError(fmt::format(
      "'{}': {} signals make packets of {} bytes, more than the {} of {}: choose at most {} with signals={}",
      destination.text, signals, bytes, most, destination.is_large ? "any packet" : "one Ethernet frame",
      fitting, destination.is_large ? "a;b" : "a;b, or add ,large"));
}

/// One destination.
class Stream {
 public:
  Stream(const Destination& destination, const Session& session)
      : destination_(destination),
        signals_(build_signals(destination, session.stepper().kernel())),
        json_(signals_.channels(), destination.is_large ? kLargestDatagram : kFrameBytes),
        socket_(destination),
        every_(calc_every(destination, session.options().period)),
        state_({StateHeader{}, std::vector<double>(signals_.count())}),
        packet_(kStateHeaderBytes + 8 * signals_.count()),
        handed_over_(state_) {
    state_.header.fingerprint = build_state_fingerprint(signals_.channels());
    check_names();
    if (!is_json()) check_size(destination, packet_.size(), signals_.count(), signals_within(most_bytes()));
  }

  [[nodiscard]] bool is_json() const noexcept { return destination_.format == StateFormat::json; }
  [[nodiscard]] bool is_due(std::int64_t tick) const noexcept { return tick / every_ != last_; }

  /// The loop's, at every tick.
  void note(std::uint32_t status) noexcept { events_ |= status & kTickEvents; }

  /// The loop's. `common`: what is the same for all destinations.
  void publish(const StateHeader& common, const LinkSummary& link, const Stepper& stepper) noexcept {
    last_ = common.tick / every_;
    const Fingerprint fingerprint = state_.header.fingerprint;
    const std::uint64_t heartbeat = state_.header.heartbeat + 1;
    state_.header = common;
    state_.header.status |= calc_link_bits(link) | std::exchange(events_, 0);
    state_.header.fingerprint = fingerprint;
    state_.header.heartbeat = heartbeat;
    signals_.gather(stepper, state_.signals);
    is_json() ? hand_over() : send_packet();
  }

  /// The net thread's.
  void send_json(const LinkReport& link) {
    if (!handed_over_.try_fetch()) return;
    StateHeader header = handed_over_.held().header;
    header.status = add_unsent(header.status, unsent_);
    unsent_ = 0;
    for (const std::string& part : json_.write(header, link, handed_over_.held().signals)) {
      const Bytes bytes(reinterpret_cast<const std::uint8_t*>(part.data()), part.size());
      if (!try_send(bytes)) unsent_ = header.status;
    }
  }

  [[nodiscard]] SendCounts counts() const {
    return {destination_.text, sent_.load(std::memory_order_relaxed),
            unreachable_.load(std::memory_order_relaxed), failed_.load(std::memory_order_relaxed),
            skipped_.load(std::memory_order_relaxed)};
  }

  /// What the user should know of the rate; empty if it is as asked.
  [[nodiscard]] std::string find_rate_warning(std::int64_t period) const {
    if (!destination_.rate) return "";
    const double rate = 1e9 / static_cast<double>(period * every_);
    if (std::abs(rate - *destination_.rate) <= 1e-6 * rate) return "";
    const std::string which = every_ == 1 ? "every tick" : fmt::format("one tick in {}", every_);
    return fmt::format("{}: {} is published, {:.6g} a second instead of {:.6g}", destination_.text, which,
                       rate, *destination_.rate);
  }

 private:
  [[nodiscard]] std::size_t most_bytes() const noexcept {
    return destination_.is_large ? kLargestDatagram : kFrameBytes;
  }

  void check_names() const {
    for (const Channel& signal : signals_.channels()) {
      if (!is_json() || (signal.name != "timestamp" && signal.name != "rodeo")) continue;
      throw AddressError(
          fmt::format("'{}': in JSON '{}' means something else: leave that signal out with "
                      "signals=a;b",
                      destination_.text, signal.name));
    }
  }

  /// What has happened since the state before to this destination.
  [[nodiscard]] std::uint32_t calc_link_bits(const LinkSummary& link) noexcept {
    std::uint32_t bits = link.has_rivals ? kTwoSenders : 0U;
    if (link.refused != link_.refused) {
      bits |= kRefused | static_cast<std::uint32_t>(link.last_refusal) << kRefusalShift;
    }
    if (link.clipped != link_.clipped) bits |= kClipped;
    link_ = link;
    return bits;
  }

  void hand_over() noexcept {
    const bool is_skipped = handed_over_.try_take_back();
    State& next = handed_over_.filling();
    const std::uint32_t unsent = is_skipped ? next.header.status : 0;
    if (is_skipped) skipped_.fetch_add(1, std::memory_order_relaxed);
    next.header = state_.header;
    next.header.status = add_unsent(next.header.status, unsent);
    std::copy(state_.signals.begin(), state_.signals.end(), next.signals.begin());
    handed_over_.give();
  }

  void send_packet() noexcept {
    state_.header.status = add_unsent(state_.header.status, unsent_);
    encode_state(state_.header, state_.signals, packet_);
    unsent_ = try_send(packet_) ? 0 : state_.header.status;
  }

  bool try_send(Bytes bytes) noexcept {
    const SendResult result = socket_.try_send(bytes);
    std::atomic<std::uint64_t>& counter = result == SendResult::sent          ? sent_
                                          : result == SendResult::unreachable ? unreachable_
                                                                              : failed_;
    counter.fetch_add(1, std::memory_order_relaxed);
    return result == SendResult::sent;
  }

  Destination destination_;
  SignalTable signals_;
  StateJson json_;
  StateSocket socket_;
  std::int64_t every_;
  std::int64_t last_ = -1;
  State state_;
  LinkSummary link_;          // at the state before
  std::uint32_t events_ = 0;  // since the state before
  std::uint32_t unsent_ = 0;  // bits of the state before, if it did not get out; of the thread that sends
  std::vector<std::uint8_t> packet_;
  TripleBuffer<State> handed_over_;
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<std::uint64_t> unreachable_{0};
  std::atomic<std::uint64_t> failed_{0};
  std::atomic<std::uint64_t> skipped_{0};
};

int build_bell() {
  const int bell = ::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
  if (bell < 0) throw NetError("cannot publish JSON: the system gives no eventfd");
  return bell;
}

}  // namespace

struct Publisher::Implementation : std::enable_shared_from_this<Publisher::Implementation> {
  Implementation(NetThread& net, const Session& session, const std::vector<Destination>& destinations,
                 const Receiver* from)
      : thread(net),
        receiver(from),
        nonce(from != nullptr ? from->nonce() : build_nonce()),
        bell(net.context(), build_bell()) {
    for (const Destination& destination : destinations) {
      streams.push_back(std::make_unique<Stream>(destination, session));
      const std::string warning = streams.back()->find_rate_warning(session.options().period);
      if (!warning.empty()) warnings.push_back(warning);
    }
  }

  [[nodiscard]] StateHeader calc_common(const Session& session, const LoopReport& report) const noexcept;
  [[nodiscard]] LinkSummary try_link() const noexcept;
  void send_json();
  void ring() noexcept;
  void wait_for_ring();

  NetThread& thread;
  const Receiver* receiver;
  Nonce nonce;
  std::vector<std::unique_ptr<Stream>> streams;
  std::vector<std::string> warnings;
  boost::asio::posix::stream_descriptor bell;  // wakes the net thread when there is JSON to write
  std::uint64_t rung = 0;
  std::int64_t send_time = 0;
};

StateHeader Publisher::Implementation::calc_common(const Session& session,
                                                   const LoopReport& report) const noexcept {
  StateHeader common;
  common.status = session.status();
  common.nonce = nonce;
  common.tick = session.tick_number();
  common.simulated_time = session.time();
  common.wall_time = read_clock(CLOCK_REALTIME);
  common.command_session = receiver != nullptr ? receiver->sampled_session() : 0;
  common.command_sequence = receiver != nullptr ? receiver->sampled_sequence() : 0;
  common.input_age = report.input_age;
  common.delay = static_cast<std::uint32_t>(std::max<std::int64_t>(0, report.delay / 1000));
  common.lag = report.lag;
  common.lost = report.lost;
  common.unrecorded = report.unrecorded;
  common.margin = session.stepper().margin();
  common.residual = session.stepper().residual();
  return common;
}

/// A non-blocking write of eight bytes; if the counter is full, the thread is awake anyway.
void Publisher::Implementation::ring() noexcept {
  const std::uint64_t one = 1;
  const NonblockingUnchecked bell_does_not_block;
  static_cast<void>(!::write(bell.native_handle(), &one, sizeof one));
}

LinkSummary Publisher::Implementation::try_link() const noexcept {
  return receiver != nullptr ? receiver->link().try_summary(read_clock(CLOCK_MONOTONIC)) : LinkSummary{};
}

void Publisher::Implementation::send_json() {
  const LinkReport link = receiver != nullptr ? receiver->report(read_clock(CLOCK_MONOTONIC)) : LinkReport{};
  for (const auto& stream : streams) {
    if (stream->is_json()) stream->send_json(link);
  }
}

void Publisher::Implementation::wait_for_ring() {
  bell.async_read_some(boost::asio::buffer(&rung, sizeof rung),
                       [self = shared_from_this()](const error_code& error, std::size_t) {
                         if (error) return;
                         self->send_json();
                         self->wait_for_ring();
                       });
}

Publisher::Publisher(NetThread& thread, const Session& session, const std::vector<Destination>& destinations,
                     const Receiver* receiver)
    : implementation_(std::make_shared<Implementation>(thread, session, destinations, receiver)) {
  thread.run([this] { implementation_->wait_for_ring(); });
}

Publisher::~Publisher() {
  implementation_->thread.run([this] {
    error_code ignored;
    implementation_->bell.close(ignored);
  });
}

void Publisher::try_publish(const Session& session, const LoopReport& report, std::int64_t) noexcept {
  Implementation& self = *implementation_;
  self.send_time = 0;
  for (const auto& stream : self.streams) stream->note(session.status());
  const auto is_due = [&](const auto& stream) { return stream->is_due(session.tick_number()); };
  if (std::none_of(self.streams.begin(), self.streams.end(), is_due)) return;
  const std::int64_t begin = read_clock(CLOCK_MONOTONIC);
  const LinkSummary link = self.try_link();
  const StateHeader common = self.calc_common(session, report);
  bool is_json_due = false;
  for (const auto& stream : self.streams) {
    if (!stream->is_due(common.tick)) continue;
    stream->publish(common, link, session.stepper());
    is_json_due = is_json_due || stream->is_json();
  }
  if (is_json_due) self.ring();
  self.send_time = read_clock(CLOCK_MONOTONIC) - begin;
}

std::int64_t Publisher::send_time() const noexcept { return implementation_->send_time; }

std::vector<SendCounts> Publisher::counts() const {
  std::vector<SendCounts> counts;
  for (const auto& stream : implementation_->streams) counts.push_back(stream->counts());
  return counts;
}

const std::vector<std::string>& Publisher::warnings() const noexcept { return implementation_->warnings; }

}  // namespace rodeo::engine
