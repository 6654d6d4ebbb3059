// SPDX-License-Identifier: MIT
#include "engine/net/state_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

#include "engine/net/error.h"
#include "engine/net/status_names.h"

namespace rodeo::engine {
namespace {

constexpr std::size_t kNumberBytes = 24;  // -1.2345678901234567e-308
/// Names and marks of timestamp, tick, heartbeat, part and parts, the closing brackets, and their numbers.
constexpr std::size_t kEveryBytes = 90 + 5 * kNumberBytes;
constexpr std::size_t kAddressBytes = 64;  // [ffff:...:ffff%4294967295]:65535 and quotes

double to_seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

/// JSON has no NaN and no infinity.
void put(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  fmt::format_to(std::back_inserter(text), "{}", value);
}

void put_status(std::string& text, std::uint32_t status) {
  fmt::format_to(std::back_inserter(text), R"(,"status":{},"status_names":[)", status);
  const char* comma = "";
  for (const std::string_view name : list_status(status)) {
    fmt::format_to(std::back_inserter(text), R"({}"{}")", comma, name);
    comma = ",";
  }
  text += ']';
}

/// Counters by reason, the last reason, and who is at odds.
void put_link(std::string& text, const LinkReport& link) {
  auto out = std::back_inserter(text);
  fmt::format_to(out, R"(,"accepted":{},"clipped":{},"last_refusal":"{}","refused":{{)", link.counts.accepted,
                 link.counts.clipped, refusal_name(link.last_refusal));
  for (std::size_t i = 1; i < kRefusalCount; ++i) {
    fmt::format_to(out, R"({}"{}":{})", i == 1 ? "" : ",", refusal_name(static_cast<Refusal>(i)),
                   link.counts.refused[i]);
  }
  text += R"(},"two_senders":[)";
  if (link.rivals) {
    fmt::format_to(out, R"("{}","{}")", to_text(link.rivals->first), to_text(link.rivals->second));
  }
  text += ']';
}

/// Everything of the first part that is no signal.
void put_header(std::string& text, const StateHeader& header, const LinkReport& link) {
  fmt::format_to(std::back_inserter(text),
                 R"(,"wall_time":{},"command_session":{},"command_sequence":{},"input_age":{},"lag":{},)"
                 R"("lost":{},"unrecorded":{},"margin":)",
                 to_seconds(header.wall_time), header.command_session, header.command_sequence,
                 header.input_age < 0 ? -1.0 : to_seconds(header.input_age), to_seconds(header.lag),
                 header.lost, header.unrecorded);
  put(text, header.margin);
  text += R"(,"residual":)";
  put(text, header.residual);
  put_status(text, header.status);
  put_link(text, link);
}

/// A header at its longest; of numbers kNumberBytes each, which are at least one here.
std::size_t calc_header_bytes() {
  constexpr std::size_t kNumbers = 13 + kRefusalCount;  // one for the name of the last refusal
  std::string text;
  StateHeader header;
  header.status = ~std::uint32_t{0};
  put_header(text, header, LinkReport{});
  return text.size() + kNumbers * kNumberBytes + 2 * kAddressBytes;
}

}  // namespace

StateJson::StateJson(std::span<const Channel> signals, std::size_t most_bytes) {
  std::size_t used = kEveryBytes + calc_header_bytes();
  for (const Channel& signal : signals) {
    const nlohmann::json name = signal.name;
    keys_.push_back(fmt::format(",{}:", name.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)));
    const std::size_t bytes = keys_.back().size() + kNumberBytes;
    if (kEveryBytes + bytes > most_bytes) {
      throw AddressError(fmt::format("the name of the signal '{}...' does not fit into a packet of {} bytes",
                                     signal.name.substr(0, 20), most_bytes));
    }
    if (used + bytes > most_bytes) {
      ends_.push_back(keys_.size() - 1);
      used = kEveryBytes;
    }
    used += bytes;
  }
  ends_.push_back(keys_.size());
}

void StateJson::write(std::size_t part, const StateHeader& header, const LinkReport& link,
                      std::span<const double> signals, std::string& text) const {
  text.clear();
  fmt::format_to(std::back_inserter(text),
                 R"({{"timestamp":{},"rodeo":{{"tick":{},"heartbeat":{},"part":{},"parts":{})",
                 to_seconds(header.simulated_time), header.tick, header.heartbeat, part + 1, part_count());
  if (part == 0) put_header(text, header, link);
  text += '}';
  for (std::size_t i = part == 0 ? 0 : ends_[part - 1]; i < ends_[part]; ++i) {
    text += keys_[i];
    put(text, signals[i]);
  }
  text += "}\n";
}

}  // namespace rodeo::engine
