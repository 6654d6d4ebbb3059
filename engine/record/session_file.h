// SPDX-License-Identifier: MIT
// session.json of a recording: what a session is made of, beside its model's files. Numbers are written so that they come back
// bit for bit.
//
// {"format": 1, "model": "four_bar", "model_fingerprint": "3f…", "recorded_at": "2026-01-31T12:00:00Z", "period_ns": 1000000,
//  "closure": "exact", "method": "rk4", "gain": 10.0, "warn_margin": 0.1, "stop_margin": 0.01, "on_stale": "resume", "rules": 3,
//  "start_checksum": "0123456789abcdef", "parameters": [{"name": "L1", "value": 0.5}],
//  "drives": [{"name": "crank", "unit": "rad", "start": 1.0, "lower": null, "upper": 2.0, "speed": null, "acceleration": 8.0, "jerk": 160.0}],
//  "conditions": [{"name": "start", "positions": [1.0]}]}
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/session/session.h"
#include "engine/step/model_folder.h"

namespace rodeo::engine {

/// Of session.json and of the messages; another one is another rodeo's.
inline constexpr int kRecordingFormat = 1;

/// Keys of the metadata `rodeo`: BLAKE2b of an attachment, and, under kDefinitions, of all schemas, then all channels, as records.
inline constexpr const char* kDigest = "digest.";
inline constexpr const char* kDefinitions = "channels";

struct SessionFile {
  std::string model_fingerprint;
  SessionOptions options;
  std::vector<InitialCondition> conditions;
  std::uint64_t start_checksum = 0;
};

/// `recorded_at`: UTC, as text, for people.
[[nodiscard]] std::string build_session_file(const ModelFolder& model, const Session& session,
                                             const std::string& recorded_at);

/// Reads it and gives `model`, loaded from the recording's files, the parameters, limits and start of the run. Errors begin
/// with `where`; throws IoError.
[[nodiscard]] SessionFile read_session_file(std::string_view text, ModelFolder& model,
                                            const std::string& where);
/// Throws IoError if the format is not this rodeo's: to be asked before anything else is believed.
void check_recording_format(std::string_view text, const std::string& where);

}  // namespace rodeo::engine
