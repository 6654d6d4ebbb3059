// SPDX-License-Identifier: MIT
// Random, mutated, valid and replayed packets against the gate and the machine behind it, at full speed: a million in the tests, as many
// as RODEO_SOAK_PACKETS says in `tools/soak packets N`. Whether a packet may pass is said by an oracle that reads its bytes by
// PROTOCOL.md and remembers sessions in containers of its own; every verdict of the gate must be the oracle's. What passes moves a
// session, whose limits must hold at every tick.
#include <gtest/gtest.h>
#include <sodium.h>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <list>
#include <random>
#include <unordered_map>

#include "tests/net/support.h"
#include "tests/session/session_machine.h"

namespace rodeo::engine {
namespace {

using namespace testing_support;

constexpr std::size_t kHeader = 56;
constexpr std::size_t kTag = 32;
constexpr int kInstructor = 1;
constexpr int kViewer = 2;
constexpr std::int64_t kSilence = 200'000'000;  // ns
constexpr std::size_t kRemembered = 1024;

std::uint64_t asked_packets() {
  const char* asked = std::getenv("RODEO_SOAK_PACKETS");
  return asked == nullptr ? 1'000'000 : std::strtoull(asked, nullptr, 10);
}

using Bytes32 = std::array<std::uint8_t, kTag>;

Bytes32 calc_tag(const Datagram& packet, std::size_t length, const Key& key, const Nonce& nonce) {
  static Datagram message;
  message.assign(nonce.begin(), nonce.end());
  message.insert(message.end(), packet.begin(), packet.begin() + static_cast<std::ptrdiff_t>(length));
  Bytes32 tag{};
  crypto_generichash(tag.data(), tag.size(), message.data(), message.size(), key.data(), key.size());
  return tag;
}

template <typename T>
T at(const Datagram& packet, std::size_t offset) {
  T value;
  std::memcpy(&value, packet.data() + offset, sizeof value);
  return value;
}

struct Verdict {
  bool passes = false;
  bool stops = false;
  bool is_second_step = false;
  bool operator==(const Verdict&) const = default;
};

/// A machine of one drive without inputs; no keys, or one for each role.
class Oracle {
 public:
  Oracle(const Fingerprint& fingerprint, std::vector<Key> keys)
      : fingerprint_(fingerprint), keys_(std::move(keys)) {}

  Verdict judge(const Datagram& packet, std::int64_t now, const Nonce& nonce, std::uint64_t stops) {
    now_ = now;
    nonce_ = nonce;
    Verdict verdict;
    if (!is_formed(packet)) return verdict;
    const std::uint64_t session = at<std::uint64_t>(packet, 32);
    const std::uint64_t sequence = at<std::uint64_t>(packet, 40);
    if (!find_signer(packet, session)) return verdict;
    if (role_ == kViewer) return verdict;
    verdict.stops = packet[9] == 1 && (keys_.empty() || take_stop(session, sequence));
    const bool has_values = packet[6] != 0;
    if (!are_possible(packet)) return verdict;
    if (!may_pass(session, sequence, has_values)) return verdict;
    verdict.passes = true;
    Known& known = remember(session);
    known.least = sequence + 1;
    known.nonce = signed_with_;
    const bool is_rearm = packet[7] == 8;
    verdict.is_second_step = is_rearm && known.let_go == stops;
    known.let_go = is_rearm ? 0 : stops;
    if (!keys_.empty()) highest_ever_[session] = sequence;
    if (has_values) {
      known.has_commanded = true;
      if (!commander_ || *commander_ != session) is_consenting_ = false;
      commander_ = session;
      commanded_at_ = now;
    }
    if (packet[7] == 9 && commander_ && *commander_ == session) is_consenting_ = true;
    return verdict;
  }
  /// A session that was forgotten would be believed again with this nonce.
  [[nodiscard]] bool must_change_nonce() const { return must_change_nonce_; }

 private:
  struct Known {
    std::uint64_t session = 0;
    std::uint64_t least = 0;
    std::optional<std::uint64_t> stop{};
    std::uint64_t let_go = 0;
    int role = 0;
    Nonce nonce{};
    bool has_commanded = false;
  };
  using Order = std::list<Known>;

  [[nodiscard]] bool is_formed(const Datagram& packet) const {
    constexpr std::array<std::size_t, 6> kValues{0, 1, 1, 2, 3, 2};
    if (packet.size() < kHeader || std::memcmp(packet.data(), "RDEC", 4) != 0) return false;
    if (at<std::uint16_t>(packet, 4) != 1 || packet[6] > 5 || packet[7] > 9 || packet[9] > 1) return false;
    if (at<std::uint32_t>(packet, 12) != 0 || std::memcmp(&packet[16], fingerprint_.data(), 16) != 0)
      return false;
    return packet.size() == kHeader + 8 * kValues[packet[6]] + (keys_.empty() ? 0 : kTag);
  }

  [[nodiscard]] bool find_signer(const Datagram& packet, std::uint64_t session) {
    const auto known = sessions_.find(session);
    role_ = known == sessions_.end() ? 0 : known->second->role;
    if (keys_.empty()) return true;
    const std::size_t length = packet.size() - kTag;
    const auto is_of = [&](int role, const Nonce& nonce) {
      const Bytes32 tag = calc_tag(packet, length, keys_[static_cast<std::size_t>(role)], nonce);
      if (std::memcmp(tag.data(), packet.data() + length, kTag) != 0) return false;
      role_ = role;
      signed_with_ = nonce;
      return true;
    };
    if (known != sessions_.end()) return is_of(role_, known->second->nonce) || is_of(role_, nonce_);
    return is_of(0, nonce_) || is_of(1, nonce_) || is_of(2, nonce_);
  }

  /// Finite, and within 1e5: the crank has no range, and a speed of 1.
  [[nodiscard]] static bool are_possible(const Datagram& packet) {
    const std::size_t end = kHeader + 8 * std::array<std::size_t, 6>{0, 1, 1, 2, 3, 2}[packet[6]];
    for (std::size_t i = kHeader; i < end; i += 8) {
      if (!(std::abs(at<double>(packet, i)) <= 1e5)) return false;
    }
    return true;
  }

  [[nodiscard]] bool may_pass(std::uint64_t session, std::uint64_t sequence, bool has_values) const {
    if (sequence >= std::uint64_t{1} << 63) return false;
    const auto ever = highest_ever_.find(session);
    if (ever != highest_ever_.end() && sequence <= ever->second) return false;  // whatever is remembered
    const auto known = sessions_.find(session);
    if (known != sessions_.end() && sequence < known->second->least) return false;
    const bool is_taken =
        commander_ && *commander_ != session && !is_consenting_ && now_ - commanded_at_ <= kSilence;
    if (!has_values || !is_taken) return true;
    return role_ == kInstructor && (known == sessions_.end() || !known->second->has_commanded);
  }

  bool take_stop(std::uint64_t session, std::uint64_t sequence) {
    if (sequence >= std::uint64_t{1} << 63) return false;
    Known& known = remember(session);
    if (known.stop && sequence <= *known.stop) return false;
    known.stop = sequence;
    known.nonce = signed_with_;
    return true;
  }

  Known& remember(std::uint64_t session) {
    const auto found = sessions_.find(session);
    if (found != sessions_.end()) return *found->second;
    if (order_.size() == kRemembered) {
      if (commander_ && order_.front().session == *commander_)
        order_.splice(order_.end(), order_, order_.begin());
      must_change_nonce_ = !keys_.empty() && order_.front().nonce == nonce_;
      sessions_.erase(order_.front().session);
      order_.pop_front();
    }
    order_.push_back({.session = session, .role = role_, .nonce = signed_with_});
    return *(sessions_[session] = std::prev(order_.end()));
  }

  Fingerprint fingerprint_;
  std::vector<Key> keys_;
  Order order_;  // as they were seen first
  std::unordered_map<std::uint64_t, Order::iterator> sessions_;
  std::unordered_map<std::uint64_t, std::uint64_t> highest_ever_;  // with a key
  std::optional<std::uint64_t> commander_;
  std::int64_t commanded_at_ = 0;
  bool is_consenting_ = false;
  std::int64_t now_ = 0;
  Nonce nonce_{};
  Nonce signed_with_{};
  int role_ = 0;
  bool must_change_nonce_ = false;

 public:
  void forget_change() { must_change_nonce_ = false; }
};

/// Senders that begin, go on, end and are started again, and strangers.
class Traffic {
 public:
  Traffic(const Fingerprint& fingerprint, std::vector<Key> keys) : keys_(std::move(keys)) {
    hand_.fingerprint = fingerprint;
  }

  Datagram next(const Nonce& nonce) {
    const std::uint64_t dice = random_() % 100;
    if (dice < 5) return build_noise();
    if (dice < 15 && !captured_.empty()) return captured_[random_() % captured_.size()];
    Datagram packet = build_valid(nonce);
    if (dice < 45) mutate(packet);
    if (captured_.size() < 4096)
      captured_.push_back(packet);
    else
      captured_[random_() % captured_.size()] = packet;
    return packet;
  }
  [[nodiscard]] bool chance(std::uint64_t one_in) { return random_() % one_in == 0; }

 private:
  struct Station {
    std::uint64_t session = 0;
    std::uint64_t sequence = 0;
    int role = 0;
    Nonce nonce{};
  };

  Datagram build_noise() {
    Datagram packet(random_() % 200);
    for (std::uint8_t& byte : packet) byte = static_cast<std::uint8_t>(random_());
    return packet;
  }

  Datagram build_valid(const Nonce& nonce) {
    Station& station = stations_[random_() % 8 == 0 ? random_() % stations_.size() : 0];
    if (station.session == 0 || chance(100))
      station = {random_(), 0, static_cast<int>(random_() % 8) % 3, nonce};
    if (chance(50)) station.nonce = nonce;
    hand_.session = station.session;
    hand_.sequence = station.sequence += 1 + random_() % 2;
    if (chance(1000)) hand_.sequence = ~std::uint64_t{0} - random_() % 3;
    hand_.mode = static_cast<std::uint8_t>(random_() % 6);
    hand_.verb = chance(4) ? static_cast<std::uint8_t>(random_() % 10) : 0;
    hand_.slot = static_cast<std::uint8_t>(random_() % 5);
    hand_.flags = chance(200) ? 1 : 0;
    hand_.values.resize(std::array<std::size_t, 6>{0, 1, 1, 2, 3, 2}[hand_.mode]);
    for (double& value : hand_.values)
      value = chance(3) ? 0 : 4.0 * static_cast<double>(random_()) / 1.8e19 - 2.0;
    Datagram packet = hand_.bytes();
    if (keys_.empty()) return packet;
    const Bytes32 tag =
        calc_tag(packet, packet.size(), keys_[static_cast<std::size_t>(station.role)], station.nonce);
    packet.insert(packet.end(), tag.begin(), tag.end());
    return packet;
  }

  void flip(std::uint8_t& byte) { byte = static_cast<std::uint8_t>(byte ^ 1U << random_() % 8); }

  /// Some bytes, often of the header, sometimes the length, sometimes a value that no machine takes.
  void mutate(Datagram& packet) {
    constexpr std::array<double, 5> kBad{NAN, INFINITY, -INFINITY, 1e6, -1e300};
    if (packet.size() > kHeader + 8 && keys_.empty() && chance(4)) {
      std::memcpy(&packet[kHeader], &kBad[random_() % kBad.size()], 8);
      return;
    }
    for (std::uint64_t i = random_() % 4; i > 0; --i) flip(packet[random_() % packet.size()]);
    if (chance(6)) packet.resize(random_() % 150);
  }

  std::mt19937_64 random_{20261118};
  std::vector<Key> keys_;
  HandMade hand_;
  std::array<Station, 40> stations_{};
  std::vector<Datagram> captured_;
};

/// A machine that is moved by what passes, a tick a packet.
class Machine {
 public:
  void take(const CommandHeader& header, const Command& command, bool is_stop, bool is_second_step) {
    if (header.mode != CommandMode::none) command_ = command;
    const DriveState before = drive();
    const std::uint32_t was = session_.status();
    TickInput input{.verb = header.verb, .slot = header.slot, .commands = {&command_, 1}};
    if (is_stop) input.events |= kEmergencyStop;
    if (is_second_step && !is_stop) input.events |= kTwoSteps;
    session_.tick(input);
    const bool jumped = (session_.status() & kJumped) != 0;
    const bool may_jump = (was & kStopped) == 0 && !is_stop && (before.rate == 0 || (was & kFrozen) != 0);
    ASSERT_TRUE(!jumped || may_jump);
    jumps_ += jumped ? 1 : 0;
    const bool is_released = (was & kStopped) != 0 && (session_.status() & kStopped) == 0;
    ASSERT_TRUE(!is_released || (is_second_step && before.rate == 0));
    releases_ += is_released ? 1 : 0;
    ASSERT_TRUE(!is_stop || (session_.status() & kStopped) != 0);
    if (jumped) return;
    ASSERT_LE(std::abs(drive().rate), kSpeed * (1 + 1e-9));
    ASSERT_LE(std::abs(drive().rate - before.rate), kAcceleration * 1e-3 * (1 + 1e-9));
    ASSERT_LE(std::abs(drive().position - before.position), kSpeed * 1e-3 * (1 + 1e-9));
  }
  int jumps_ = 0;
  int releases_ = 0;

 private:
  [[nodiscard]] DriveState drive() const { return session_.stepper().drives()[0]; }
  Session session_ = build_four_bar_session();
  Command command_ = Command::moving(0);
};

struct Tally {
  std::uint64_t passed = 0;
  std::uint64_t stops = 0;
  std::uint64_t nonces = 0;
  std::array<std::uint64_t, kRefusalCount> refused{};
};

void soak(std::uint64_t packets, const GateOptions& options, const std::vector<Key>& keys, Tally& tally,
          Machine& machine) {
  const MachineInterface interface = build_machine_interface(four_bar_model());
  CommandGate gate(interface, options);
  Oracle oracle(interface.build_layout().fingerprint, keys);
  Traffic traffic(interface.build_layout().fingerprint, keys);
  CommandHeader header;
  std::vector<Command> commands(1, Command::moving(0));
  std::int64_t now = 0;
  std::uint64_t stops = 1;
  for (std::uint64_t i = 0; i < packets; ++i) {
    now += traffic.chance(2000) ? 300'000'000 : 100'000;  // now and then a silence
    const Nonce nonce = gate.nonce();
    const Datagram packet = traffic.next(nonce);
    gate.set_now(now);
    gate.set_stops(stops);
    const Verdict expected = oracle.judge(packet, now, nonce, stops);
    const Refusal refusal = gate.check(packet, {kLocal, 4000}, header, commands);
    const Verdict got{refusal == Refusal::none, gate.stop().has_value(), gate.is_second_step()};
    ASSERT_TRUE(got == expected) << "packet " << i << ": " << refusal_name(refusal) << ", passes "
                                 << expected.passes << ", stops " << expected.stops << got.stops
                                 << ", second step " << expected.is_second_step << got.is_second_step;
    if (oracle.must_change_nonce()) {
      ASSERT_NE(gate.nonce(), nonce) << "packet " << i;
      ++tally.nonces;
      oracle.forget_change();
    }
    ++tally.refused[static_cast<std::size_t>(refusal)];
    tally.passed += got.passes ? 1 : 0;
    tally.stops += got.stops ? 1 : 0;
    stops += got.stops ? 1 : 0;
    if (got.passes) machine.take(header, commands[0], got.stops, got.is_second_step);
    if (testing::Test::HasFatalFailure()) return;
  }
}

TEST(Soak, EveryVerdictWithoutAKeyIsTheOraclesAndNoLimitBreaks) {
  Tally tally;
  Machine machine;
  const std::uint64_t packets = asked_packets() * 4 / 5;
  soak(packets, {}, {}, tally, machine);
  EXPECT_GT(tally.passed, packets / 20);
  EXPECT_GT(tally.stops, packets / 2000);
  EXPECT_GT(machine.jumps_, 0);
  EXPECT_GT(machine.releases_, 0);
  for (const Refusal why : {Refusal::wrong_length, Refusal::field, Refusal::sequence, Refusal::not_finite,
                            Refusal::out_of_range, Refusal::replaced, Refusal::role})
    EXPECT_GT(tally.refused[static_cast<std::size_t>(why)], 0U) << refusal_name(why);
  std::printf("%llu packets, %llu passed, %llu stops, %d jumps, %d releases\n",
              static_cast<unsigned long long>(packets), static_cast<unsigned long long>(tally.passed),
              static_cast<unsigned long long>(tally.stops), machine.jumps_, machine.releases_);
}

TEST(Soak, EveryVerdictWithKeysIsTheOraclesAndNothingIsTakenTwice) {
  Tally tally;
  Machine machine;
  GateOptions options;
  const std::vector<Key> keys{Key{1}, Key{2}, Key{3}};
  options.key = keys[0];
  options.instructor_key = keys[1];
  options.viewer_key = keys[2];
  options.nonce = Nonce{7};
  const std::uint64_t packets = asked_packets() / 5;
  soak(packets, options, keys, tally, machine);
  EXPECT_GT(tally.passed, packets / 20);
  for (const Refusal why : {Refusal::tag, Refusal::sequence, Refusal::replaced, Refusal::role})
    EXPECT_GT(tally.refused[static_cast<std::size_t>(why)], 0U) << refusal_name(why);
  std::printf("%llu packets, %llu passed, %llu stops, %llu nonces\n",
              static_cast<unsigned long long>(packets), static_cast<unsigned long long>(tally.passed),
              static_cast<unsigned long long>(tally.stops), static_cast<unsigned long long>(tally.nonces));
}

}  // namespace
}  // namespace rodeo::engine
