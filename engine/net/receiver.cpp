// SPDX-License-Identifier: MIT
// The socket and the hand-over.
#include <utility>  // Boost 1.74's Asio forgets it in C++20
//
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>

#include "engine/loop/ring.h"
#include "engine/net/command_gate.h"
#include "engine/net/command_playout.h"
#include "engine/net/command_sockets.h"
#include "engine/net/hello.h"
#include "engine/net/receiver.h"

namespace rodeo::engine {
namespace {

using boost::asio::ip::udp;
using boost::system::error_code;

constexpr std::size_t kVerbQueue = 64;
/// Of stops only the senders wait; that there is one is a flag.
constexpr std::size_t kStopQueue = 16;
/// Packets that wait for the loop: a quarter of a second at 2 kHz.
constexpr std::size_t kPacketQueue = 512;

std::int64_t monotonic_now() noexcept {
  // libstdc++'s steady_clock is CLOCK_MONOTONIC, the loop's clock
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

/// One packet on its way to the loop.
struct Handed {
  TimedCommand packet;  // its arrival by the loop's clock
  std::vector<Command> commands;
  std::vector<double> forces;
};

/// What a socket reads into.
struct Way {
  CommandSockets::Socket& socket;
  udp::endpoint sender{};
  std::vector<std::uint8_t> buffer = std::vector<std::uint8_t>(std::size_t{1} << 16);
};

struct QueuedVerb {
  Verb verb = Verb::none;
  std::uint8_t slot = 0;
  bool is_second_step = false;
  std::uint64_t stops = 0;  // when it came
  Origin origin{};
};

Origin build_origin(const Endpoint& from, std::uint64_t session) {
  Origin origin;
  const std::string text = to_text(from);
  std::copy_n(text.begin(), std::min(text.size(), origin.name.size() - 1), origin.name.begin());
  origin.session = session;
  return origin;
}

/// An empty list, or ranges that together are as large as all of IPv4 or IPv6: 0.0.0.0/0, or 0.0.0.0/1 and 128.0.0.0/1.
bool lets_everybody(const std::vector<AddressRange>& allow) {
  double shares[2] = {0, 0};  // of IPv4 and IPv6
  for (const AddressRange& range : allow) shares[range.address.is_v6() ? 1 : 0] += std::exp2(-range.prefix);
  return allow.empty() || shares[0] >= 1 || shares[1] >= 1;
}

bool is_open(const ReceiverOptions& options) {
  return !options.key && !options.listen.address.is_loopback() && lets_everybody(options.allow);
}

void check_options(const ReceiverOptions& options) {
  const std::string where = to_text(options.listen);
  if (options.listen.address.is_multicast()) {
    throw NetError(fmt::format("cannot listen on {}: that is a multicast address", where));
  }
  if (options.plain && options.key) {
    throw NetError("plain packets have no tag: give either --plain or --key");
  }
  if (!is_open(options) || options.insecure) return;
  throw NetError(fmt::format(
      "cannot listen on {}: {}everybody could command the machine: give --key FILE, {}, or --insecure", where,
      options.allow.empty() ? "beyond loopback " : "what --allow names is every address: ",
      options.allow.empty() ? "--allow ADDRESS" : "a smaller --allow"));
}

GateOptions build_gate_options(const ReceiverOptions& options) {
  return {options.key,   options.instructor_key, options.viewer_key, options.allow,
          options.plain, options.site,           options.nonce,      std::llround(options.silence * 1e9)};
}

std::vector<std::string> build_warnings(const ReceiverOptions& options) {
  std::vector<std::string> warnings;
  if (is_open(options)) {
    warnings.push_back(fmt::format("listening on {} {}: everybody who can send there commands the machine",
                                   to_text(options.listen),
                                   options.allow.empty() ? "without key or allow-list"
                                                         : "without key, with an --allow of every address"));
  }
  return warnings;
}

}  // namespace

struct Receiver::Implementation : std::enable_shared_from_this<Receiver::Implementation> {
  Implementation(NetThread& net, const MachineInterface& machine, const ReceiverOptions& options);

  void receive(Way& way);
  void take(const Way& way, std::size_t size);
  void take(Bytes packet);
  void accept(const CommandHeader& header);
  void stop(std::uint64_t session);
  [[nodiscard]] bool try_put(const CommandHeader& header);
  [[nodiscard]] bool try_give(const CommandHeader& header) noexcept;
  void refuse(Refusal why);
  void answer(std::uint64_t cookie, Role role, std::size_t room);
  void note(const Sample& machine) noexcept;
  [[nodiscard]] std::vector<double> build_positions() const;
  void take_stop(Sample& out) noexcept;
  void take_verb(Sample& out) noexcept;
  [[nodiscard]] bool take_packets(std::int64_t now, Sample& out) noexcept;

  // the net thread's
  NetThread& thread;
  CommandSockets sockets;
  Way of_commands{sockets.commands()};
  Way of_stops{sockets.stops()};
  bool is_draining = false;  // what waits with the commands may be older than the last stop
  Endpoint sender;           // of the packet under way
  CommandGate gate;
  Answer interface;
  std::vector<Command> commands;
  std::vector<double> forces;
  Handed given;

  // between the threads
  Ring<Handed, kPacketQueue> packets;
  Ring<QueuedVerb, kVerbQueue> verbs;
  Ring<Origin, kStopQueue> stop_origins;
  std::atomic<bool> is_stop{false};
  std::atomic<std::uint64_t> stops{1};   // up to now, of all ports, and one
  std::atomic<std::uint32_t> status{0};  // the machine's, for who asks
  std::atomic<std::uint64_t> underruns{0};
  std::atomic<double> delay{0};
  std::atomic<bool> is_running{false};
  std::vector<std::atomic<double>> positions;  // of the drives
  LinkLog link;

  // constant, or the loop's
  Endpoint endpoint;
  Nonce nonce;
  std::vector<std::string> warnings;
  Handed taken;  // the newest of the loop
  CommandPlayout playout;
  bool has_any = false;
};

Receiver::Implementation::Implementation(NetThread& net, const MachineInterface& machine,
                                         const ReceiverOptions& options)
    : thread(net),
      sockets(net.context(), options.listen),
      gate(machine, build_gate_options(options)),
      interface {
  {machine.name, machine.drives, gate.build_limits_of_sender(), machine.forces}, options.nonce,
      options.key.has_value(), 0, {}, options.period
}, commands(machine.drives.size()), forces(machine.forces.size()), given{{}, commands, forces},
    positions(machine.drives.size()), nonce(options.nonce), warnings(build_warnings(options)), taken(given),
    playout(machine.limits, machine.forces.size(), options.period, options.delay) {
  for (std::size_t i = 0; i < kPacketQueue; ++i) {  // every slot has its memory before the loop runs
    static_cast<void>(packets.try_push(given));
    static_cast<void>(packets.try_pop(taken));
  }
  interface.site = options.site;
  endpoint = sockets.endpoint();
}

void Receiver::Implementation::receive(Way& way) {
  way.socket.async_receive_from(boost::asio::buffer(way.buffer), way.sender,
                                [self = shared_from_this(), &way](const error_code& error, std::size_t size) {
                                  if (error == boost::asio::error::operation_aborted) return;
                                  // Any other error is that of an answer that nobody took: it concerns no command.
                                  if (!error) self->take(way, size);
                                  if (way.socket.is_open()) self->receive(way);
                                });
}

/// A stop may have overtaken what waits with the commands. That was sent before it, so it is no step to release it.
void Receiver::Implementation::take(const Way& way, std::size_t size) {
  sender = build_endpoint_of(way.sender);
  const bool is_old = &way != &of_stops && is_draining;
  if (is_old) is_draining = !sockets.is_drained();  // before it is counted: who sees that may send the next
  take(Bytes(way.buffer).first(size));
  if (is_old) stops.fetch_add(1, std::memory_order_acq_rel);
}

void Receiver::Implementation::take(Bytes packet) {
  CommandHeader header;
  gate.set_now(monotonic_now());
  const auto cookie = find_hello(packet);
  if (cookie) {
    const Refusal refusal = gate.check_sender(sender);
    return refusal == Refusal::none ? answer(*cookie, find_hello_role(packet), packet.size())
                                    : refuse(refusal);
  }
  gate.set_stops(stops.load(std::memory_order_acquire));
  const Refusal refusal = gate.check(packet, sender, header, commands, forces);
  if (gate.stop()) stop(gate.stop()->session);
  refusal == Refusal::none ? accept(header) : refuse(refusal);
}

void Receiver::Implementation::refuse(Refusal why) {
  link.note_refused(sender, gate.had_values(), why, monotonic_now());
}

/// Without room for its verb or its values a packet is refused.
void Receiver::Implementation::accept(const CommandHeader& header) {
  if (header.verb != Verb::none && !try_put(header)) return refuse(Refusal::queue);
  if (header.mode != CommandMode::none && !try_give(header)) return refuse(Refusal::queue);
  link.note_accepted(sender, gate.had_values(), gate.clip(), monotonic_now());
}

/// What was sent before it, or with it, releases nothing.
void Receiver::Implementation::stop(std::uint64_t session) {
  stops.fetch_add(1, std::memory_order_acq_rel);
  static_cast<void>(stop_origins.try_push(build_origin(sender, session)));
  is_stop.store(true, std::memory_order_release);
  is_draining = !sockets.is_drained();
}

bool Receiver::Implementation::try_put(const CommandHeader& header) {
  const bool is_second = gate.is_second_step() && !header.emergency_stop;
  const Origin origin = build_origin(sender, header.session);
  return verbs.try_push({header.verb, header.slot, is_second, stops.load(std::memory_order_acquire), origin});
}

bool Receiver::Implementation::try_give(const CommandHeader& header) noexcept {
  given.packet = {header.mode, header.session,  header.sequence,
                  header.time, monotonic_now(), header.least_delay / 1e3};
  given.commands = commands;  // same size: no allocation
  given.forces = forces;
  return packets.try_push(given);
}

void Receiver::Implementation::answer(std::uint64_t cookie, Role role, std::size_t room) {
  Answer now = interface;
  now.nonce = gate.nonce();
  now.is_occupied = gate.is_occupied();
  now.status = status.load(std::memory_order_relaxed);
  now.delay = delay.load(std::memory_order_relaxed);
  now.positions = build_positions();
  now.counts = link.counts();
  now.counts.dropped = sockets.dropped();
  const std::vector<std::uint8_t> packet = build_answer(now, cookie, gate.authenticator(role), room);
  link.note_hello();
  error_code ignored;  // who asked may be gone
  sockets.commands().send_to(boost::asio::buffer(packet), build_asio_endpoint(sender), 0, ignored);
}

/// How the machine is, for who asks.
void Receiver::Implementation::note(const Sample& machine) noexcept {
  status.store(machine.status, std::memory_order_relaxed);
  if (machine.drives.size() != positions.size()) return;
  for (std::size_t d = 0; d < positions.size(); ++d)
    positions[d].store(machine.drives[d].position, std::memory_order_relaxed);
  is_running.store(true, std::memory_order_release);
}

std::vector<double> Receiver::Implementation::build_positions() const {
  std::vector<double> result;
  if (!is_running.load(std::memory_order_acquire)) return result;
  for (std::size_t d = 0; d < positions.size(); ++d)
    result.push_back(gate.calc_position_of_sender(d, positions[d].load(std::memory_order_relaxed)));
  return result;
}

/// All that have come; in the machine's time, which is that of the tick under way when it is due: a loop that is late must not look like
/// packets that are early.
bool Receiver::Implementation::take_packets(std::int64_t now, Sample& out) noexcept {
  bool is_new = false;
  while (packets.try_pop(taken)) {
    is_new = true;
    out.arrival = std::min(taken.packet.arrival, now);
    TimedCommand packet = taken.packet;
    packet.arrival = out.arrival - out.due + out.time;
    playout.add(packet, taken.commands, taken.forces);
  }
  has_any = has_any || is_new;
  return is_new;
}

void Receiver::Implementation::take_verb(Sample& out) noexcept {
  QueuedVerb next;
  if (!verbs.try_pop(next)) return;
  out.verb = next.verb;
  out.slot = next.slot;
  out.two_steps = next.is_second_step && next.stops == stops.load(std::memory_order_acquire);
  out.origin = next.origin;
}

/// The last one's sender is the one that is recorded.
void Receiver::Implementation::take_stop(Sample& out) noexcept {
  out.emergency_stop = is_stop.exchange(false, std::memory_order_acq_rel);
  Origin origin;
  while (out.emergency_stop && stop_origins.try_pop(origin)) out.origin = origin;
}

Receiver::Receiver(NetThread& thread, const MachineInterface& machine, const ReceiverOptions& options) {
  check_options(options);
  implementation_ = std::make_shared<Implementation>(thread, machine, options);
  thread.run([this] {
    implementation_->receive(implementation_->of_commands);
    if (implementation_->sockets.stops().is_open()) implementation_->receive(implementation_->of_stops);
  });
}

Receiver::~Receiver() {
  implementation_->thread.run([this] { implementation_->sockets.close(); });
}

bool Receiver::try_sample(std::int64_t now, Sample& out) noexcept {
  Implementation& from = *implementation_;
  from.note(out);
  from.playout.begin_tick(now, out.time);
  const bool is_new = from.take_packets(now, out);
  if (from.has_any) from.playout.sample(out.time, out.commands, out.forces);
  out.has_any = from.has_any;
  out.delay = static_cast<std::int64_t>(from.playout.delay() * 1e9);
  from.delay.store(from.playout.delay(), std::memory_order_relaxed);
  from.underruns.store(from.playout.underruns(), std::memory_order_relaxed);
  from.take_verb(out);
  from.take_stop(out);
  return is_new;
}

void Receiver::note_stop() noexcept { implementation_->stops.fetch_add(1, std::memory_order_acq_rel); }

std::uint64_t Receiver::sampled_session() const noexcept { return implementation_->taken.packet.session; }
std::uint64_t Receiver::sampled_sequence() const noexcept { return implementation_->taken.packet.sequence; }
const Endpoint& Receiver::endpoint() const noexcept { return implementation_->endpoint; }
const Nonce& Receiver::nonce() const noexcept { return implementation_->nonce; }
const std::vector<std::string>& Receiver::warnings() const noexcept { return implementation_->warnings; }
const LinkLog& Receiver::link() const noexcept { return implementation_->link; }
PacketCounts Receiver::counts() const noexcept {
  PacketCounts counts = link().counts();
  counts.underruns = implementation_->underruns.load(std::memory_order_relaxed);
  counts.dropped = implementation_->sockets.dropped();
  return counts;
}
LinkReport Receiver::report(std::int64_t now) const {
  LinkReport report = link().report(now);
  report.counts = counts();
  return report;
}

}  // namespace rodeo::engine
