// SPDX-License-Identifier: MIT
#include "tools/rodeo/plot_input.h"

#include <fmt/format.h>

#include "tools/rodeo/replay_run.h"
#include "viz/plot/breaks.h"

namespace rodeo::tools {
namespace {

LoadedLog load_recording(const std::string& path) {
  const engine::Recording recording = engine::Recording::build_from_file(path);
  engine::Replay replay(recording);
  const engine::LogColumns columns(recording.model().kernel, true);
  plot::Table table{path, columns.names(), std::vector<std::vector<double>>(columns.count()), {}};
  std::vector<double> row(columns.count());
  const auto add = [&](const engine::Session& session) {
    if (replay.is_resumed()) plot::add_gap(table);  // ticks are missing before it
    columns.gather(static_cast<double>(session.time()) / 1e9, session.stepper(), row);
    for (std::size_t c = 0; c < row.size(); ++c) table.columns[c].push_back(row[c]);
  };
  add(replay.session());
  const ReplayResult result = run_replay(replay, recording.tick_count(), add);
  if (result.first_difference) {
    throw engine::IoError(
        fmt::format("{}: computed again it differs from tick {} on, no picture was drawn: see "
                    "'rodeo replay --verify'",
                    path, *result.first_difference));
  }
  print_missing(recording);
  plot::break_at_jumps(table);
  return {std::move(table), recording.missing().empty()};
}

}  // namespace

LoadedLog load_log(const std::string& path) {
  if (path.ends_with(".yaml") || path.ends_with(".yml")) {
    throw engine::IoError(fmt::format(
        "{}: is no log but a model: plot what 'rodeo simulate' or 'rodeo run --record' writes of it", path));
  }
  if (engine::is_recording(path)) return load_recording(path);
  plot::Table table = plot::build_table_from_file(path);
  plot::break_at_jumps(table);
  return {std::move(table), true};
}

}  // namespace rodeo::tools
