// SPDX-License-Identifier: MIT
#include "tools/rodeo/plot_input.h"

#include <fmt/format.h>

#include <utility>

#include "engine/io/log.h"
#include "tools/rodeo/recorded_rows.h"
#include "tools/rodeo/replay_run.h"
#include "viz/plot/breaks.h"

namespace rodeo::tools {
namespace {

/// Ticks lost at once that no line is drawn across.
constexpr std::int64_t kStall = 10;

LoadedLog load_recording(const std::string& path) {
  const RecordedRows rows(path);
  const engine::LogColumns columns(rows.recording().model().kernel, true);
  plot::Table table{path, columns.names(), std::vector<std::vector<double>>(columns.count()), {}};
  std::vector<double> values(columns.count());
  std::int64_t lost = 0;
  rows.run([&](const RecordedRow& row) {
    const bool is_behind_stall = row.lost - std::exchange(lost, row.lost) >= kStall;
    if (row.is_behind_gap || is_behind_stall) plot::add_gap(table);
    columns.gather(row.time, row.values, values);
    for (std::size_t c = 0; c < values.size(); ++c) table.columns[c].push_back(values[c]);
  });
  print_missing(rows.recording());
  plot::break_at_jumps(table);
  return {std::move(table), rows.recording().missing().empty()};
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
