// SPDX-License-Identifier: MIT
// A recording with its kernel: tests trust what they have recorded.
#pragma once
#include "engine/record/recording.h"

namespace rodeo::engine::testing_support {

inline Recording load_recording(const std::string& path) {
  return Recording::build_runnable(path, [](const ModelFile&, const ModelFiles&) { return std::nullopt; });
}

}  // namespace rodeo::engine::testing_support
