// SPDX-License-Identifier: MIT
#include "engine/session/key_map.h"

namespace rodeo::engine {

std::optional<KeyWish> find_key_wish(char key) noexcept {
  if (key >= '1' && key <= '9') return KeyWish{Verb::load, static_cast<std::uint8_t>(key - '0'), false};
  for (const VerbKey& each : kVerbKeys) {
    if (each.key == key) return KeyWish{each.verb, 0, each.verb == Verb::none};
  }
  return {};
}

std::string describe_key(char key) {
  if (key >= '1' && key <= '9') return std::string("initial condition ") + key;
  for (const VerbKey& each : kVerbKeys) {
    if (each.key == key) return std::string(each.what);
  }
  return "";
}

char to_capital(char key) noexcept {
  return key >= 'a' && key <= 'z' ? static_cast<char>(key - 'a' + 'A') : key;
}

std::string key_map_line() {
  std::string text;
  for (const VerbKey& each : kVerbKeys) {
    text += each.key;
    text.append(" ").append(each.what).append(", ");
  }
  return text.append(kLoadKeys).append(" initial condition, ").append(1, kQuitKey).append(" quit");
}

}  // namespace rodeo::engine
