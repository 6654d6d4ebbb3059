// SPDX-License-Identifier: MIT
// The interface itself is a JSON text within the answer: names have no fixed length.
#include "engine/net/hello.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "engine/net/status_names.h"

namespace rodeo::engine {
namespace {

using Json = nlohmann::ordered_json;

constexpr std::size_t kRoleOffset = 6;
constexpr std::array<std::uint8_t, 4> kHelloMagic{'R', 'D', 'E', 'H'};
constexpr std::array<std::uint8_t, 4> kAnswerMagic{'R', 'D', 'E', 'A'};
constexpr std::uint16_t kKeyed = 1;

void put_limit(Json& drive, const char* name, const std::optional<double>& limit) {
  if (limit) drive[name] = *limit;
}

/// By name, as in a state of JSON.
void put_condition(Json& all, const Answer& answer) {
  all["status"] = list_status(answer.status);
  all["clipped"] = answer.counts.clipped;
  Json refused = Json::object();
  for (std::size_t i = 1; i < kRefusalCount; ++i) {
    if (answer.counts.refused[i] == 0) continue;
    refused[std::string(refusal_name(static_cast<Refusal>(i)))] = answer.counts.refused[i];
  }
  all["refused"] = refused;
  if (answer.counts.dropped > 0) all["dropped"] = answer.counts.dropped;
  if (answer.period > 0) all["rate"] = 1 / answer.period;
  all["delay"] = answer.delay;
  if (answer.is_occupied) all["occupied"] = true;
}

void get_condition(const Json& all, Answer& answer) {
  const auto names = all.value("status", std::vector<std::string>());
  for (const StatusName& each : status_names()) {
    if (std::ranges::find(names, each.name) != names.end()) answer.status |= each.bit;
  }
  answer.counts.clipped = all.value("clipped", std::uint64_t{0});
  answer.counts.dropped = all.value("dropped", std::uint64_t{0});
  const double rate = all.value("rate", 0.0);
  answer.period = rate > 0 ? 1 / rate : 0;
  answer.delay = all.value("delay", 0.0);
  answer.is_occupied = all.value("occupied", false);
  for (const Json& drive : all.at("drives")) {
    if (drive.contains("position")) answer.positions.push_back(drive.at("position").get<double>());
    if (drive.contains("scale")) answer.site.push_back({drive.at("scale"), drive.value("offset", 0.0)});
  }
  if (answer.site.size() != answer.machine.drives.size()) answer.site.clear();
  if (answer.positions.size() != answer.machine.drives.size()) answer.positions.clear();
  const Json refused = all.value("refused", Json::object());
  for (std::size_t i = 1; i < kRefusalCount; ++i) {
    answer.counts.refused[i] =
        refused.value(std::string(refusal_name(static_cast<Refusal>(i))), std::uint64_t{0});
  }
}

std::string build_text(const Answer& answer) {
  const MachineInterface& machine = answer.machine;
  Json drives = Json::array();
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    Json drive{{"name", machine.drives[d].name}, {"unit", machine.drives[d].unit}};
    put_limit(drive, "lower", machine.limits[d].lower);
    put_limit(drive, "upper", machine.limits[d].upper);
    put_limit(drive, "speed", machine.limits[d].speed);
    put_limit(drive, "acceleration", machine.limits[d].acceleration);
    put_limit(drive, "jerk", machine.limits[d].jerk);
    if (!answer.positions.empty()) drive["position"] = answer.positions[d];
    if (!answer.site.empty()) {
      drive["scale"] = answer.site[d].factor;
      drive["offset"] = answer.site[d].offset;
    }
    drives.push_back(drive);
  }
  Json all{{"name", machine.name}, {"drives", drives}};
  for (const Channel& force : machine.forces) {
    all["inputs"].push_back({{"name", force.name}, {"unit", force.unit}});
  }
  put_condition(all, answer);
  return all.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::optional<double> get_limit(const Json& drive, const char* name) {
  const auto found = drive.find(name);
  return found == drive.end() ? std::nullopt : std::optional(found->get<double>());
}

/// Throws what nlohmann throws.
MachineInterface read_machine(const Json& all) {
  MachineInterface machine{all.at("name").get<std::string>(), {}, {}};
  for (const Json& drive : all.at("drives")) {
    machine.drives.push_back({drive.at("name").get<std::string>(), drive.at("unit").get<std::string>()});
    machine.limits.push_back({get_limit(drive, "lower"), get_limit(drive, "upper"), get_limit(drive, "speed"),
                              get_limit(drive, "acceleration"), get_limit(drive, "jerk")});
  }
  for (const Json& force : all.value("inputs", Json::array())) {
    machine.forces.push_back({force.at("name").get<std::string>(), force.at("unit").get<std::string>()});
  }
  return machine;
}

/// The fixed part of an answer.
struct AnswerHeader {
  bool is_keyed = false;
  std::uint64_t cookie = 0;
  Fingerprint fingerprint{};
  Nonce nonce{};
  std::uint32_t needed = 0;
  std::uint32_t text_bytes = 0;
};

bool read_answer_header(Bytes packet, AnswerHeader& header) {
  if (packet.size() < kAnswerHeaderBytes) return false;
  WireReader in(packet);
  if (!std::ranges::equal(in.get_bytes(kAnswerMagic.size()), kAnswerMagic)) return false;
  if (in.get<std::uint16_t>() != kPacketVersion) return false;
  header.is_keyed = (in.get<std::uint16_t>() & kKeyed) != 0;
  header.cookie = in.get<std::uint64_t>();
  std::ranges::copy(in.get_bytes(header.fingerprint.size()), header.fingerprint.begin());
  std::ranges::copy(in.get_bytes(header.nonce.size()), header.nonce.begin());
  header.needed = in.get<std::uint32_t>();
  header.text_bytes = in.get<std::uint32_t>();
  const std::size_t tag = header.is_keyed ? kTagBytes : 0;
  return packet.size() == kAnswerHeaderBytes + std::size_t{header.text_bytes} + tag;
}

bool is_tag_right(Bytes packet, const AnswerHeader& header, const std::optional<Key>& key) {
  if (!key || !header.is_keyed) return true;  // an engine without a key takes what everybody sends
  const Bytes message = packet.first(kAnswerHeaderBytes + header.text_bytes);
  return Authenticator(*key, header.nonce).is_tag(message, packet.subspan(message.size()));
}

}  // namespace

std::vector<std::uint8_t> build_hello(std::uint64_t cookie, std::size_t bytes, Role role) {
  std::vector<std::uint8_t> packet(std::max(bytes, kSmallestHello));
  WireWriter to(packet);
  to.put(Bytes(kHelloMagic));
  to.put(kPacketVersion);
  to.put(static_cast<std::uint16_t>(role));
  to.put(cookie);
  return packet;
}

std::optional<std::uint64_t> find_hello(Bytes packet) noexcept {
  if (packet.size() < kSmallestHello) return {};
  WireReader in(packet);
  if (!std::ranges::equal(in.get_bytes(kHelloMagic.size()), kHelloMagic)) return {};
  if (in.get<std::uint16_t>() != kPacketVersion || in.get<std::uint16_t>() >= kRoleCount) return {};
  return in.get<std::uint64_t>();
}

Role find_hello_role(Bytes packet) noexcept {
  return static_cast<Role>(WireReader(packet.subspan(kRoleOffset)).get<std::uint16_t>());
}

std::vector<std::uint8_t> build_answer(const Answer& answer, std::uint64_t cookie,
                                       const Authenticator* authenticator, std::size_t room) {
  std::string text = build_text(answer);
  const std::size_t tag = authenticator != nullptr ? kTagBytes : 0;
  const std::size_t needed = kAnswerHeaderBytes + text.size() + tag;
  if (needed > room) text.clear();
  std::vector<std::uint8_t> packet(kAnswerHeaderBytes + text.size() + tag);
  WireWriter to(packet);
  to.put(Bytes(kAnswerMagic));
  to.put(kPacketVersion);
  to.put(authenticator != nullptr ? kKeyed : std::uint16_t{0});
  to.put(cookie);
  to.put(Bytes(answer.machine.build_layout().fingerprint));
  to.put(Bytes(answer.nonce));
  to.put(static_cast<std::uint32_t>(needed));
  to.put(static_cast<std::uint32_t>(text.size()));
  to.put(Bytes(reinterpret_cast<const std::uint8_t*>(text.data()), text.size()));
  if (authenticator != nullptr) {
    to.put(Bytes(authenticator->calc_tag(Bytes(packet).first(to.size()))));
  }
  return packet;
}

AnswerReading read_answer(Bytes packet, std::uint64_t cookie, const std::optional<Key>& key) {
  AnswerReading reading;
  AnswerHeader header;
  if (!read_answer_header(packet, header) || header.cookie != cookie) return reading;
  if (!is_tag_right(packet, header, key)) {
    reading.kind = AnswerReading::Kind::bad_tag;
    return reading;
  }
  reading.needed = header.needed;
  reading.kind = AnswerReading::Kind::too_small;
  if (header.text_bytes == 0) return reading;
  reading.kind = AnswerReading::Kind::foreign;
  try {
    const Bytes text = packet.subspan(kAnswerHeaderBytes, header.text_bytes);
    const Json all = Json::parse(text.begin(), text.end());
    reading.answer = {read_machine(all), header.nonce, header.is_keyed, 0, {}};
    get_condition(all, reading.answer);
  } catch (const Json::exception&) {
    return reading;
  }
  const bool is_same = reading.answer.machine.build_layout().fingerprint == header.fingerprint;
  if (is_same) reading.kind = AnswerReading::Kind::whole;
  return reading;
}

}  // namespace rodeo::engine
