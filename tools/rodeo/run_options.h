// SPDX-License-Identifier: MIT
// The command line of `rodeo run`: what may be asked for, and what it means to the engine.
#pragma once
#include <CLI/CLI.hpp>
#include <optional>
#include <string>
#include <vector>

#include "engine/loop/loop.h"
#include "engine/loop/realtime.h"
#include "tools/rodeo/net_options.h"
#include "tools/rodeo/run_model.h"

namespace rodeo::tools {

struct RunOptions {
  RunModelOptions model;
  double rate = 1000;                // Hz
  std::optional<double> duration;    // s
  std::string profile = "operator";  // or rig: what stands in for the next two
  std::string overrun;               // skip, slip, catch-up or halt; empty: the profile's
  std::string on_stale;              // resume or latch; empty: the profile's
  double timeout = 200;              // ms
  std::vector<std::string> initial;  // NAME:drive=value,...
  std::string input;                 // a CSV, or a cycle's name
  std::string record;
  bool overwrites = false;  // a recording of that name
  std::string key{};        // that signs it
  NetOptions net;
  bool json = false;
  std::optional<int> core;
  int priority = engine::RealtimeOptions{}.priority;
  bool no_realtime = false;
};

void add_loop_options(CLI::App& command, RunOptions& options);

/// ns.
[[nodiscard]] std::int64_t calc_period(const RunOptions& options);
/// The model's start, then those of --initial. Throws CLI::ValidationError.
[[nodiscard]] std::vector<engine::InitialCondition> build_conditions(const engine::ModelFolder& model,
                                                                     const std::vector<std::string>& initial);
/// A drive without speed and acceleration limits starts where the input begins, as in `simulate`.
void start_at_input(const engine::ModelFolder& model, engine::Input& input, engine::InitialCondition& start);
[[nodiscard]] engine::SessionOptions build_session_options(const RunOptions& options);
/// A machine that was stale waits to be rearmed.
[[nodiscard]] bool is_latching(const RunOptions& options);
/// `input_end`: of --input, ns; negative without. `is_listening`: there is somebody for the watchdog to watch.
[[nodiscard]] engine::LoopOptions build_loop_options(const RunOptions& options, bool is_listening,
                                                     bool is_free, std::int64_t input_end);
/// None with --no-realtime.
[[nodiscard]] std::optional<engine::RealtimeOptions> build_realtime_options(const RunOptions& options);

}  // namespace rodeo::tools
