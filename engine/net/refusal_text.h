// SPDX-License-Identifier: MIT
// What a refusal means to the person at a terminal or a viewer, and what to do.
#pragma once
#include <string_view>

#include "engine/net/packet.h"

namespace rodeo::engine {

/// `another sender has taken over: stop one of them`; empty for none.
[[nodiscard]] std::string_view refusal_advice(Refusal refusal) noexcept;

}  // namespace rodeo::engine
