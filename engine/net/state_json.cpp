// SPDX-License-Identifier: MIT
#include "engine/net/state_json.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
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
  fmt::format_to(out, R"(,"accepted":{},"dropped":{},"clipped":{},"last_refusal":"{}","refused":{{)",
                 link.counts.accepted, link.counts.dropped, link.counts.clipped,
                 refusal_name(link.last_refusal));
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
  fmt::format_to(
      std::back_inserter(text),
      R"(,"wall_time":{},"command_session":{},"command_sequence":{},"input_age":{},"delay":{},"lag":{},)"
      R"("lost":{},"unrecorded":{},"margin":)",
      to_seconds(header.wall_time), header.command_session, header.command_sequence,
      header.input_age < 0 ? -1.0 : to_seconds(header.input_age), static_cast<double>(header.delay) / 1e6,
      to_seconds(header.lag), header.lost, header.unrecorded);
  put(text, header.margin);
  text += R"(,"residual":)";
  put(text, header.residual);
  put_status(text, header.status);
  put_link(text, link);
}

}  // namespace

StateJson::StateJson(std::span<const Channel> signals, std::size_t most_bytes) : most_bytes_(most_bytes) {
  for (const Channel& signal : signals) {
    const nlohmann::json name = signal.name;
    keys_.push_back(fmt::format(",{}:", name.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)));
    if (kEveryBytes + keys_.back().size() + kNumberBytes <= most_bytes) continue;
    throw AddressError(fmt::format("the name of the signal '{}...' does not fit into a packet of {} bytes",
                                   signal.name.substr(0, 20), most_bytes));
  }
}

/// Into the list of the part under way, which has `room`, or into the next one's.
void StateJson::put_signal(std::size_t index, double value, std::size_t room) {
  std::string& list = lists_[used_ - 1];
  const std::size_t before = list.size();
  list += keys_[index];
  put(list, value);
  if (list.size() <= room) return;
  const std::string overflow = list.substr(before);
  list.resize(before);
  if (used_ == lists_.size()) lists_.emplace_back();
  lists_[used_++] = overflow;
}

std::span<const std::string> StateJson::write(const StateHeader& header, const LinkReport& link,
                                              std::span<const double> signals) {
  std::string first;
  put_header(first, header, link);
  used_ = 1;
  if (lists_.empty()) lists_.emplace_back();
  lists_[0].clear();
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    put_signal(
        i, signals[i],
        most_bytes_ - kEveryBytes - (used_ == 1 ? std::min(first.size(), most_bytes_ - kEveryBytes) : 0));
  }
  if (parts_.size() < used_) parts_.resize(used_);
  for (std::size_t part = 0; part < used_; ++part) {
    parts_[part].clear();
    fmt::format_to(std::back_inserter(parts_[part]),
                   R"({{"timestamp":{},"rodeo":{{"tick":{},"heartbeat":{},"part":{},"parts":{}{}}}{}}}{})",
                   to_seconds(header.simulated_time), header.tick, header.heartbeat, part + 1, used_,
                   part == 0 ? first : "", lists_[part], '\n');
  }
  return std::span(parts_).first(used_);
}

}  // namespace rodeo::engine
