// SPDX-License-Identifier: MIT
// `rodeo simulate MODEL --input RECORDING`: the inputs of a live run through a model of one's own, by the same session that
// the run had: the same model gives the same bits.
#pragma once
#include <cstdint>
#include <string>

#include "engine/step/model_folder.h"

namespace rodeo::tools {

struct SimulateRecording {
  std::string recording;
  std::string output;  // the log
  bool all_columns = false;
  double duration = -1;  // s; negative: to the end
};

/// Writes the log, and `checksum 0123456789abcdef` to stderr. Period, initial conditions and what a session does when it is
/// stale are the recording's. Throws IoError if the recording is of another model.
void simulate_recording(const SimulateRecording& options, const engine::ModelFolder& model);

}  // namespace rodeo::tools
