// SPDX-License-Identifier: MIT
#include "tools/rodeo/packet_layout.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <string_view>

namespace rodeo::tools {
namespace {

/// Of C and Python, those that could be the name of a part of a machine.
constexpr std::array<std::string_view, 37> kKeywords{
    "and",  "as",       "assert", "auto",   "break",  "case",   "char", "class",  "const", "continue",
    "def",  "default",  "do",     "double", "else",   "end",    "enum", "extern", "float", "for",
    "from", "goto",     "if",     "import", "in",     "int",    "is",   "long",   "not",   "or",
    "pass", "register", "return", "short",  "static", "switch", "while"};

std::string build_identifier(const std::string& name) {
  std::string word = name;
  const auto is_other = [](unsigned char c) { return std::isalnum(c) == 0; };
  std::replace_if(word.begin(), word.end(), is_other, '_');
  const bool is_started = !word.empty() && std::isalpha(static_cast<unsigned char>(word.front())) != 0;
  if (!is_started) word = std::string("n").append(word);
  if (std::find(kKeywords.begin(), kKeywords.end(), word) != kKeywords.end()) word += '_';
  return word;
}

}  // namespace

std::size_t type_bytes(FieldType type) {
  switch (type) {
    case FieldType::character:
    case FieldType::u8: return 1;
    case FieldType::u16: return 2;
    case FieldType::u32: return 4;
    default: return 8;
  }
}

const std::vector<Field>& PacketLayout::command_header() {
  static const std::vector<Field> fields{
      {"magic", FieldType::character, 4, "RDEC"},
      {"version", FieldType::u16, 1, "1"},
      {"mode", FieldType::u8, 1,
       "0 none, 1 position, 2 rate, 3 position and rate, 4 position, rate and acceleration, 5 rate and "
       "acceleration"},
      {"verb", FieldType::u8, 1,
       "0 none, 1 run, 2 freeze, 3 step, 4 reset, 5 load, 6 snapshot, 7 restore, 8 rearm, 9 release"},
      {"slot", FieldType::u8, 1, "of the verb"},
      {"flags", FieldType::u8, 1, "1: emergency stop"},
      {"least_delay", FieldType::u16, 1,
       "ms by which the motion may be played late at least; 0: as little as it needs"},
      {"reserved_4", FieldType::u32, 1, "0"},
      {"fingerprint", FieldType::u8, 16, "of the drives and inputs"},
      {"session", FieldType::u64, 1, "drawn at random at every start of the sender"},
      {"sequence", FieldType::u64, 1, "rises with every packet"},
      {"time", FieldType::i64, 1, "the sender's clock when the values were so, ns: rises; 0 if it has none"},
  };
  return fields;
}

const std::vector<Field>& PacketLayout::state_header() {
  static const std::vector<Field> fields{
      {"magic", FieldType::character, 4, "RDES"},
      {"version", FieldType::u16, 1, "1"},
      {"count", FieldType::u16, 1, "of signals"},
      {"status", FieldType::u32, 1, "bits, see engine/net/PROTOCOL.md"},
      {"delay", FieldType::u32, 1, "us by which commands are delayed to be smooth"},
      {"fingerprint", FieldType::u8, 16, "of the signals"},
      {"nonce", FieldType::u8, 16, "of this run of the engine"},
      {"tick", FieldType::i64, 1, ""},
      {"heartbeat", FieldType::u64, 1, "one more with every packet"},
      {"simulated_time", FieldType::i64, 1, "ns"},
      {"wall_time", FieldType::i64, 1, "ns since 1970"},
      {"command_session", FieldType::u64, 1, "of the newest command that this tick knew"},
      {"command_sequence", FieldType::u64, 1, ""},
      {"input_age", FieldType::i64, 1, "ns; -1 before the first command"},
      {"lag", FieldType::i64, 1, "ns"},
      {"lost", FieldType::u64, 1, "ticks jumped over"},
      {"unrecorded", FieldType::u64, 1, "ticks not recorded"},
      {"margin", FieldType::f64, 1, "distance to a singular pose, 0 to 1"},
      {"residual", FieldType::f64, 1, "largest closure error, m"},
  };
  return fields;
}

std::string PacketLayout::command_fingerprint() const {
  return engine::build_hex(engine::build_command_fingerprint(machine.drives, machine.forces));
}

std::string PacketLayout::state_fingerprint() const {
  return engine::build_hex(engine::build_state_fingerprint(signals));
}

std::string describe_drive(const engine::Channel& drive, const engine::DriveLimits& limits) {
  std::string text = drive.unit;
  const auto bound = [](const std::optional<double>& at) { return at ? fmt::format("{}", *at) : "anything"; };
  if (limits.lower || limits.upper)
    text += fmt::format(", {} to {}", bound(limits.lower), bound(limits.upper));
  if (limits.speed) text += fmt::format(", {} {}/s at most", *limits.speed, drive.unit);
  if (limits.acceleration) text += fmt::format(", {} {}/s2", *limits.acceleration, drive.unit);
  if (limits.jerk) text += fmt::format(", {} {}/s3", *limits.jerk, drive.unit);
  return text;
}

std::vector<std::string> build_identifiers(const std::vector<engine::Channel>& channels) {
  std::vector<std::string> words;
  for (const engine::Channel& channel : channels) {
    const std::string first = build_identifier(channel.name);
    std::string word = first;
    for (int i = 2; std::find(words.begin(), words.end(), word) != words.end(); ++i) {
      word = fmt::format("{}_{}", first, i);
    }
    words.push_back(word);
  }
  return words;
}

}  // namespace rodeo::tools
