// SPDX-License-Identifier: MIT
// One map of keys for whoever stands at a running machine: `rodeo run`, `rodeo drive --keyboard` and `rodeo view` take the same ones, and
// their help is written from this table. Capitals everywhere; where small letters mean nothing else (in `run` and `view`) they do too.
// In `drive` they move the drives.
#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "engine/session/tick_input.h"

namespace rodeo::engine {

struct VerbKey {
  char key;
  Verb verb;  // none: emergency stop
  std::string_view what;
};

inline constexpr std::array kVerbKeys{
    VerbKey{'R', Verb::run, "run"},           VerbKey{'F', Verb::freeze, "freeze"},
    VerbKey{'N', Verb::step, "one tick"},     VerbKey{'0', Verb::reset, "reset to the start"},
    VerbKey{'S', Verb::snapshot, "snapshot"}, VerbKey{'B', Verb::restore, "back to it"},
    VerbKey{'A', Verb::rearm, "rearm"},       VerbKey{'E', Verb::none, "emergency stop"}};
inline constexpr std::string_view kLoadKeys = "1-9";  // initial condition of that number
inline constexpr char kQuitKey = 'Q';

/// What a key asks for.
struct KeyWish {
  Verb verb = Verb::none;
  std::uint8_t slot = 0;
  bool emergency_stop = false;
};

/// Of a capital or a digit; nothing if the key is not in the map.
[[nodiscard]] std::optional<KeyWish> find_key_wish(char key) noexcept;

/// `freeze`, `initial condition 2`; empty if the key is not in the map.
[[nodiscard]] std::string describe_key(char key);

/// The capital of a small letter, everything else as it is: for those who take both.
[[nodiscard]] char to_capital(char key) noexcept;

/// `R run, F freeze, ..., 1-9 initial condition, Q quit`
[[nodiscard]] std::string key_map_line();

}  // namespace rodeo::engine
