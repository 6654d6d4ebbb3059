// SPDX-License-Identifier: MIT
// Where states go, as the user writes it:
//     HOST:PORT[,rate=100][,signals=a;b;c][,format=json|binary][,large][,ttl=1][,interface=eth0]
#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "engine/net/address.h"

namespace rodeo::engine {

enum class StateFormat : std::uint8_t { binary, json };

inline constexpr double kUsualRate = 100;

struct Destination {
  std::string text;  // as it was written, for messages
  Endpoint endpoint;
  std::optional<double> rate;        // packets a second, every n-th tick; 100 if not given
  std::vector<std::string> signals;  // names or patterns; empty: all
  StateFormat format = StateFormat::binary;
  bool is_large = false;        // may be over 1472 bytes
  std::uint8_t ttl = 1;         // of multicast: routers that it may pass, and one
  std::uint32_t interface = 0;  // of multicast: index of the network interface; 0: the system's choice
};

/// `lift;tip.x;*.angle` as patterns; throws AddressError.
[[nodiscard]] std::vector<std::string> build_signal_patterns(const std::string& text);

/// Throws AddressError with the text and what is wrong with it.
[[nodiscard]] Destination build_destination(const std::string& text);

}  // namespace rodeo::engine
