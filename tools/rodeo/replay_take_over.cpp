// SPDX-License-Identifier: MIT
// A replay that ends in a live run.
#include "tools/rodeo/replay_take_over.h"

#include <fmt/format.h>

#include <memory>

#include "engine/io/printable.h"
#include "engine/record/recorder.h"
#include "tools/rodeo/replay_run.h"
#include "tools/rodeo/run_live.h"

namespace rodeo::tools {
namespace {

constexpr double kNano = 1e9;

void check_reach(const engine::Recording& recording, std::int64_t tick) {
  if (tick <= recording.last_tick()) return;
  const std::string why = recording.missing().empty() ? "" : " (" + recording.missing().front() + ")";
  throw engine::IoError(fmt::format("{}: tick {} cannot be taken over, the last one is {}{}",
                                    recording.path(), tick, recording.last_tick(), why));
}

}  // namespace

void take_over(const engine::Recording& recording, std::int64_t tick, RunOptions options,
               LoopThread& thread) {
  check_reach(recording, tick);
  engine::Replay replay(recording);
  std::unique_ptr<engine::Recorder> recorder;
  if (!options.record.empty())
    recorder = open_recorder(options, recording.model(), recording.files(), replay.session());
  const std::int64_t period = recording.options().period;
  const auto record = [&](const engine::Session& session) {
    if (recorder) recorder->record(replay.recorded().input, session);
  };
  const ReplayResult result = run_replay(replay, recording.replayable_count(), record, tick * period);
  if (result.first_difference) {
    throw engine::IoError(
        fmt::format("{}: computed again it differs from tick {} on, there is nothing to take over",
                    recording.path(), *result.first_difference));
  }
  engine::Session session = std::move(replay).take_session();
  options.rate = kNano / static_cast<double>(period);
  engine::print_sentence("{}: takes over at tick {}, {} s", recording.path(), session.tick_number(),
                         static_cast<double>(session.time()) / kNano);
  run_live(options, recording.model(), session, thread, std::move(recorder));
}

}  // namespace rodeo::tools
