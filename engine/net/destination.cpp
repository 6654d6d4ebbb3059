// SPDX-License-Identifier: MIT
#include "engine/net/destination.h"

#include <fmt/format.h>
#include <net/if.h>

#include <algorithm>
#include <charconv>
#include <string_view>

namespace rodeo::engine {
namespace {

constexpr double kFastest = 1e5;  // packets a second
constexpr double kSlowest = 1e-3;
constexpr std::string_view kForm =
    "HOST:PORT[,rate=100][,signals=a;b][,format=json|binary][,large][,ttl=1][,interface=eth0]";

std::vector<std::string> split(std::string_view text, char at) {
  std::vector<std::string> parts;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(at, begin), text.size());
    parts.emplace_back(text.substr(begin, end - begin));
    begin = end + 1;
  }
  return parts;
}

template <typename T>
bool read_number(const std::string& text, T& number) {
  const auto result = std::from_chars(text.data(), text.data() + text.size(), number);
  return result.ec == std::errc() && result.ptr == text.data() + text.size();
}

class Reader {
 public:
  explicit Reader(Destination& destination) : destination_(destination) {}

  void read(const std::string& option) {
    const std::size_t equals = option.find('=');
    const std::string key = option.substr(0, equals);
    if (key == "large" && equals == std::string::npos) {
      destination_.is_large = true;
      return;
    }
    if (equals == std::string::npos) refuse(fmt::format("'{}' is no option: {}", option, kForm));
    read(key, option.substr(equals + 1));
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw AddressError(fmt::format("'{}': {}", destination_.text, why));
  }

  void read(const std::string& key, const std::string& value) {
    if (key == "rate") return read_rate(value);
    if (key == "signals") return read_signals(value);
    if (key == "format") return read_format(value);
    if (key == "ttl") return read_ttl(value);
    if (key == "interface") return read_interface(value);
    refuse(fmt::format("there is no option '{}': {}", key, kForm));
  }

  void read_rate(const std::string& value) {
    double rate = 0;
    if (!read_number(value, rate) || !(rate >= kSlowest && rate <= kFastest)) {
      refuse(fmt::format("rate '{}' must be a number of packets a second, from 0.001 to 100000", value));
    }
    destination_.rate = rate;
  }

  void read_signals(const std::string& value) {
    try {
      destination_.signals = build_signal_patterns(value);
    } catch (const AddressError& error) {
      refuse(error.what());
    }
  }

  void read_format(const std::string& value) {
    if (value != "json" && value != "binary")
      refuse(fmt::format("format '{}' must be json or binary", value));
    destination_.format = value == "json" ? StateFormat::json : StateFormat::binary;
  }

  void read_ttl(const std::string& value) {
    if (!read_number(value, destination_.ttl)) refuse(fmt::format("ttl '{}' must be from 0 to 255", value));
  }

  void read_interface(const std::string& value) {
    destination_.interface = ::if_nametoindex(value.c_str());
    if (destination_.interface == 0)
      refuse(fmt::format("this computer has no network interface '{}'", value));
  }

  Destination& destination_;
};

}  // namespace

std::vector<std::string> build_signal_patterns(const std::string& text) {
  std::vector<std::string> patterns = split(text, ';');
  if (std::count(patterns.begin(), patterns.end(), "") != 0) {
    throw AddressError("signals must be names with ; between them, as in signals=lift;tip.x;*.angle");
  }
  return patterns;
}

Destination build_destination(const std::string& text) {
  const std::vector<std::string> parts = split(text, ',');
  Destination destination;
  destination.text = text;
  destination.endpoint = build_endpoint(parts.front());
  if (destination.endpoint.port == 0)
    throw AddressError(fmt::format("'{}': nothing can be sent to port 0", text));
  Reader reader(destination);
  for (std::size_t i = 1; i < parts.size(); ++i) reader.read(parts[i]);
  return destination;
}

}  // namespace rodeo::engine
