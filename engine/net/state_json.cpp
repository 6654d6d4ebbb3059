// SPDX-License-Identifier: MIT
#include "engine/net/state_json.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <nlohmann/json.hpp>

namespace rodeo::engine {
namespace {

constexpr std::size_t kNumberBytes = 24;  // -1.2345678901234567e-308
/// Names and marks of everything but the signals, and 13 numbers.
constexpr std::size_t kFixedBytes = 240 + 13 * kNumberBytes;

double to_seconds(std::int64_t nanoseconds) { return static_cast<double>(nanoseconds) / 1e9; }

/// JSON has no NaN and no infinity.
void put(std::string& text, double value) {
  if (!std::isfinite(value)) {
    text += "null";
    return;
  }
  fmt::format_to(std::back_inserter(text), "{}", value);
}

}  // namespace

StateJson::StateJson(std::span<const Channel> signals) : most_bytes_(kFixedBytes) {
  for (const Channel& signal : signals) {
    const nlohmann::json name = signal.name;
    keys_.push_back(fmt::format(",{}:", name.dump(-1, ' ', true, nlohmann::json::error_handler_t::replace)));
    most_bytes_ += keys_.back().size() + kNumberBytes;
  }
}

std::size_t StateJson::signals_within(std::size_t bytes) const noexcept {
  std::size_t used = kFixedBytes;
  std::size_t count = 0;
  for (const std::string& key : keys_) {
    used += key.size() + kNumberBytes;
    if (used > bytes) break;
    ++count;
  }
  return count;
}

void StateJson::write(const StateHeader& header, std::span<const double> signals, std::string& text) const {
  text.clear();
  fmt::format_to(
      std::back_inserter(text),
      R"({{"timestamp":{},"rodeo":{{"tick":{},"heartbeat":{},"wall_time":{},"status":{},"command_session":{},)"
      R"("command_sequence":{},"input_age":{},"lag":{},"lost":{},"unrecorded":{},"margin":)",
      to_seconds(header.simulated_time), header.tick, header.heartbeat, to_seconds(header.wall_time),
      header.status, header.command_session, header.command_sequence,
      header.input_age < 0 ? -1.0 : to_seconds(header.input_age), to_seconds(header.lag), header.lost,
      header.unrecorded);
  put(text, header.margin);
  text += R"(,"residual":)";
  put(text, header.residual);
  text += '}';
  for (std::size_t i = 0; i < keys_.size(); ++i) {
    text += keys_[i];
    put(text, signals[i]);
  }
  text += "}\n";
}

}  // namespace rodeo::engine
