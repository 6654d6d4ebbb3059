// SPDX-License-Identifier: MIT
// The loop of a replay.
#include "tools/rodeo/replay_run.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>

#include "engine/io/printable.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/fraction_bar.h"

namespace rodeo::tools {
namespace {

constexpr double kNano = 1e9;
/// Ticks between two looks at the clock and at Ctrl-C.
constexpr std::int64_t kProgressTicks = 1024;

volatile std::sig_atomic_t interrupted = 0;

void check_interrupted(FractionBar& bar) {
  if (interrupted == 0) return;
  bar.finish();
  engine::print_sentence("rodeo: stopped before the end");
  throw CLI::RuntimeError(fault);
}

}  // namespace

ReplayResult run_replay(engine::Replay& replay, std::int64_t tick_count,
                        const std::function<void(const engine::Session&)>& on_tick, std::int64_t until) {
  FractionBar bar;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  const engine::Session& session = replay.session();
  std::uint32_t seen = 0;
  std::optional<std::int64_t> halt;
  while (session.time() < until && replay.next()) {
    seen |= session.status();
    if (!halt && (session.status() & engine::kHalted) != 0) halt = session.tick_number();
    if (on_tick) on_tick(session);
    if (replay.tick_count() % kProgressTicks != 0) continue;
    bar.show(static_cast<double>(replay.tick_count()) / static_cast<double>(tick_count));
    check_interrupted(bar);
  }
  return {replay.tick_count(),
          replay.passed_count(),
          session.time(),
          session.checksum(),
          replay.first_difference(),
          seen,
          halt,
          replay.what_differs()};
}

ReplayResult run_replay_into(engine::LogWriter& log, engine::Replay& replay, std::int64_t tick_count,
                             std::int64_t until) {
  const auto write = [&](const engine::Session& session) {
    engine::TickValues values(session.stepper());
    values.status = session.status();  // stale, stopped and frozen too
    log.write(static_cast<double>(session.time()) / kNano, values);
  };
  write(replay.session());
  return run_replay(replay, tick_count, write, until);
}

void print_missing(const engine::Recording& recording) {
  for (const std::string& sentence : recording.missing()) engine::print_sentence("note: {}", sentence);
}

void check_whole(const engine::Recording& recording) {
  if (!recording.missing().empty()) throw CLI::RuntimeError(input_wrong);
}

}  // namespace rodeo::tools
