// SPDX-License-Identifier: MIT
#include "engine/net/refusal_text.h"

#include <array>

namespace rodeo::engine {

std::string_view refusal_advice(Refusal refusal) noexcept {
  constexpr std::array<std::string_view, kRefusalCount> kAdvice{
      "",
      "not on the list of --allow: add the address there",
      "not the length of a packet of this machine: 'rodeo packet MODEL' writes the layout",
      "no packet of Rodeo's: a stranger sends here, or --plain is missing",
      "of another version of the protocol",
      "made for another machine, or other drives and inputs of it: 'rodeo packet MODEL' writes the "
      "fingerprint",
      "a mode, verb, flag or reserved byte that this version does not have",
      "made with another key, or for another run of the engine: say hello again after its restart",
      "older than one before it, or a restarted sender with a constant session id: draw one at every start",
      "a value is NaN or infinite",
      "a value that no machine takes: beyond 1e5 rad, m or per second, a mass below 0, a force beyond 1e12",
      "more waited than the engine takes at once, 512 packets or 64 verbs: it stood still, or verbs come "
      "faster "
      "than one a tick",
      "another sender has taken over: stop one of the two",
      "without a tag: this engine has a key: make one with the engine's key file and the nonce of its hello",
      "another sender commands: it has to end or to release the command (verb 9), or use the instructor's "
      "key; a "
      "viewer's key commands nothing",
      "more than 20000 packets a second of one sender: send fewer",
  };
  return kAdvice[static_cast<std::size_t>(refusal)];
}

}  // namespace rodeo::engine
