// SPDX-License-Identifier: MIT
#include "tools/rodeo/recorded_rows.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/io/input.h"
#include "engine/io/printable.h"
#include "engine/record/state_reader.h"
#include "tools/rodeo/kernel_trust.h"
#include "tools/rodeo/replay_run.h"

namespace rodeo::tools {
namespace {

constexpr double kNano = 1e9;

bool has_known_kernel(const engine::Recording& recording) {
  const engine::ModelFiles& files = recording.files();
  const auto kernel = std::find_if(files.begin(), files.end(),
                                   [](const engine::ModelFile& file) { return file.name == "kernel.so"; });
  return kernel != files.end() && is_known_kernel(*kernel);
}

RecordedRow build_row(const engine::Session& session) {
  RecordedRow row{
      session.tick_number(), static_cast<double>(session.time()) / kNano, session.status(), 0, false,
      session.stepper()};
  row.values.status = session.status();
  return row;
}

}  // namespace

RecordedRows::RecordedRows(const std::string& path) : recording_(engine::Recording::build_from_file(path)) {
  if (recording_.state_count() > recording_.tick_count()) return;  // one a tick, and the start
  if (has_known_kernel(recording_)) {
    recording_ = engine::Recording::build_runnable(path, build_gate(path, false));
    is_computed_ = true;
  } else if (recording_.state_count() == 0) {
    throw engine::IoError(fmt::format(
        "{}: has no states, and its kernel was neither built nor run here: 'rodeo replay --trust' runs it",
        path));
  } else {
    engine::print_sentence(
        "note: {}: {} of its {} ticks have a state; the others are not shown, as its kernel was "
        "neither built nor run "
        "here",
        path, recording_.state_count(), recording_.tick_count());
  }
}

void RecordedRows::run(const std::function<void(const RecordedRow&)>& on_row) const {
  is_computed_ ? compute(on_row) : read(on_row);
}

void RecordedRows::read(const std::function<void(const RecordedRow&)>& on_row) const {
  engine::StateReader reader(recording_);
  const double period = static_cast<double>(recording_.options().period);
  engine::RecordedState state;
  std::int64_t seen = 0;
  while (reader.next(state)) {
    seen += state.tick == 0 ? 0 : 1 + state.passed;
    on_row({state.tick, static_cast<double>(state.tick) * period / kNano, state.status, state.tick - seen,
            !state.follows, state.values()});
  }
}

void RecordedRows::compute(const std::function<void(const RecordedRow&)>& on_row) const {
  engine::Replay replay(recording_);
  on_row(build_row(replay.session()));
  std::int64_t ticks = 0;
  const auto write = [&](const engine::Session& session) {
    RecordedRow row = build_row(session);
    row.lost = session.tick_number() - ++ticks;
    row.is_behind_gap = replay.is_resumed();
    on_row(row);
  };
  const ReplayResult result = run_replay(replay, recording_.tick_count(), write);
  if (!result.first_difference) return;
  throw engine::IoError(
      fmt::format("{}: computed again it differs from tick {} on: see 'rodeo replay --verify'",
                  recording_.path(), *result.first_difference));
}

}  // namespace rodeo::tools
