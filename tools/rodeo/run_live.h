// SPDX-License-Identifier: MIT
// A session that goes on live: the loop in its thread, the ports that the options name, keys and signals, the report at the end.
// `rodeo run` from the start, `rodeo replay --take-over` from any tick.
#pragma once
#include <functional>
#include <memory>

#include "tools/rodeo/run_options.h"
#include "tools/rodeo/run_ports.h"
#include "tools/rodeo/run_thread.h"

namespace rodeo::tools {

/// Returns at the end of --duration (counted from here on) or --input, or after SIGINT, SIGTERM or the key q, when the machine
/// rests. Prints the report. `thread`: set up, before the model was read. `recorder`: one that has recorded the session up to here, or null: then --record opens one,
/// for a session at its start. `input`: the same of --input. Throws NetError, IoError, and CLI::RuntimeError if the recording is not whole.
void run_live(const RunOptions& options, const engine::ModelFolder& model, engine::Session& session,
              LoopThread& thread, std::unique_ptr<engine::Recorder> recorder = nullptr,
              std::unique_ptr<engine::Input> input = nullptr);

/// Does `work`, with what the engine and the network have to say against it as a sentence on stderr and an exit status: 1 the
/// model or input, 2 the command line, 3 a port that cannot be had.
void report_live_errors(const std::function<void()>& work);

}  // namespace rodeo::tools
