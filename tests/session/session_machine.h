// SPDX-License-Identifier: MIT
// A session on the hand-written four-bar: one drive, the crank, 1 rad at the start, 1 rad/s and 4 rad/s² at the most.
#pragma once
#include <vector>

#include "engine/session/session.h"
#include "tests/kernel/build_kernel.h"

namespace rodeo::engine::testing_support {

inline constexpr double kSpeed = 1.0;         // rad/s
inline constexpr double kAcceleration = 4.0;  // rad/s²
inline constexpr double kStart = 1.0;         // rad

inline const ModelFolder& four_bar_model() {
  static const TemporaryFolder folder;
  static const ModelFolder model = [] {
    write_model_folder(folder / "model", R"("speed": 1, "acceleration": 4, "start": 1)");
    return ModelFolder::build_from((folder / "model").string());
  }();
  return model;
}

inline std::vector<InitialCondition> four_bar_conditions() {
  return {{"start", {kStart}}, {"high", {1.5}}, {"low", {0.5}}};
}

inline Session build_four_bar_session(OnStale on_stale = OnStale::resume, std::int64_t period = 1'000'000) {
  SessionOptions options;
  options.period = period;
  options.on_stale = on_stale;
  return {four_bar_model(), options, four_bar_conditions()};
}

}  // namespace rodeo::engine::testing_support
