// SPDX-License-Identifier: MIT
// A recording through another model folder.
#include "tools/rodeo/replay_simulate.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cmath>

#include "engine/io/printable.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/replay_run.h"
#include "tools/rodeo/run_faults.h"

namespace rodeo::tools {
namespace {

constexpr double kNano = 1e9;
/// Enough of a fingerprint for a person.
constexpr int kEnough = 12;

void check_model(const engine::Recording& recording, const engine::ModelFolder& model) {
  const std::string_view ours = model.kernel.model_fingerprint();
  const std::string_view theirs = recording.model().kernel.model_fingerprint();
  if (ours == theirs) return;
  throw engine::IoError(
      fmt::format("{}: was recorded from another model ({} {:.{}}, this is {} {:.{}}): 'rodeo replay' runs "
                  "it with its own",
                  recording.path(), recording.model().name, theirs, kEnough, model.name, ours, kEnough));
}

/// What makes another run of the same inputs, if anything does: `L1 = 0.5, not 0.4`.
std::string list_other_parameters(const engine::Recording& recording, const engine::ModelFolder& model) {
  std::string list;
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const double theirs = recording.model().parameters[i];
    if (model.parameters[i] == theirs) continue;
    list += fmt::format("{}{} = {}, not {}", list.empty() ? "" : ", ", model.kernel.parameters()[i].name,
                        model.parameters[i], theirs);
  }
  return list;
}

void print_difference(const engine::Recording& recording, const engine::ModelFolder& model,
                      std::int64_t tick) {
  const std::string parameters = list_other_parameters(recording, model);
  engine::print_sentence("note: {}: not as recorded from tick {} on{}", recording.path(), tick,
                         parameters.empty() ? "" : ", with " + parameters);
}

std::int64_t calc_until(double duration) {
  return duration < 0 ? std::numeric_limits<std::int64_t>::max() : std::llround(duration * kNano);
}

}  // namespace

void simulate_recording(const SimulateRecording& options, const engine::ModelFolder& model) {
  const engine::Recording recording = engine::Recording::build_from_file(options.recording);
  check_model(recording, model);
  engine::Replay replay(recording, engine::Session(model, recording.options(), recording.conditions()));
  engine::LogWriter log(options.output, {model.kernel, options.all_columns});
  const ReplayResult result =
      run_replay_into(log, replay, recording.replayable_count(), calc_until(options.duration));
  log.finish();
  print_missing(recording);
  if (result.first_difference) print_difference(recording, model, *result.first_difference);
  engine::print_sentence("checksum {:016x}", result.checksum);
  const auto faults = describe_faults(model, replay.session(), result.status_seen);
  for (const std::string& why : faults) engine::print_sentence("{}: {}", model.name, why);
  check_whole(recording);
  if (!faults.empty()) throw CLI::RuntimeError(fault);
}

}  // namespace rodeo::tools
