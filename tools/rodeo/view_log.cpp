// SPDX-License-Identifier: MIT
#include "tools/rodeo/view_log.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "engine/io/log.h"
#include "engine/io/printable.h"
#include "engine/net/signals.h"
#include "tools/rodeo/recorded_rows.h"
#include "tools/rodeo/replay_run.h"

namespace rodeo::tools {
namespace {

/// More states than this help nobody's eye and fill the memory: a longer run is thinned.
constexpr std::int64_t kMostRows = 200'000;

/// The model that was recorded is the one in the folder; other numbers of it are worth a note, the picture would be wrong else.
void check_model(const engine::Recording& recording, const engine::ModelFolder& model) {
  if (recording.model().kernel.model_fingerprint() != model.kernel.model_fingerprint()) {
    throw engine::IoError(fmt::format("{}: was recorded from another model ({}, this is {})",
                                      recording.path(), recording.model().name, model.name));
  }
  for (std::size_t i = 0; i < model.parameters.size(); ++i) {
    const double recorded = recording.model().parameters[i];
    if (recorded == model.parameters[i]) continue;
    const std::string name = model.kernel.parameters()[i].name;
    engine::print_sentence("note: {}: was recorded with {} = {}, shown with {}: give -p {}={}",
                           recording.path(), name, recorded, model.parameters[i], name, recorded);
  }
}

/// Everything that a picture needs: no accelerations, unless they are drawn over time.
bool is_shown(const std::string& name) {
  for (const char* ending : {".acceleration", ".ax", ".ay"}) {
    if (name.ends_with(ending)) return false;
  }
  return true;
}

engine::SignalTable build_table(const engine::Kernel& kernel, const std::vector<std::string>& charts) {
  const engine::SignalTable all = engine::SignalTable(kernel);
  std::vector<std::string> names;
  for (const engine::Channel& channel : all.channels()) {
    const bool is_charted = std::find(charts.begin(), charts.end(), channel.name) != charts.end();
    if (is_charted || is_shown(channel.name)) names.push_back(channel.name);
  }
  return all.build_selection(names);
}

class ViewLog {
 public:
  ViewLog(const std::string& path, const engine::Kernel& kernel, const std::vector<std::string>& charts)
      : file_(path), table_(build_table(kernel, charts)), row_(table_.count()) {
    text_ = "t,tick,lost,status,margin,residual";
    for (const engine::Channel& channel : table_.channels()) text_ += "," + channel.name;
    text_ += "\n";
  }

  void write(const RecordedRow& row) {
    table_.gather(row.values, row_);
    fmt::format_to(std::back_inserter(text_), "{},{},{},{},{},{}", row.time, row.tick, row.lost, row.status,
                   row.values.margin, row.values.residual);
    for (const double value : row_) fmt::format_to(std::back_inserter(text_), ",{}", value);
    text_ += "\n";
    if (text_.size() < kFlush) return;
    file_.write(text_);
    text_.clear();
  }

  void finish() {
    file_.write(text_);
    file_.finish();
  }

 private:
  static constexpr std::size_t kFlush = 1U << 16;
  engine::AtomicFile file_;
  engine::SignalTable table_;
  std::vector<double> row_;
  std::string text_;
};

}  // namespace

bool write_view_log(const std::string& path, const std::string& folder, const std::string& log,
                    const std::vector<std::string>& charts) {
  const RecordedRows rows(path);
  const engine::Recording& recording = rows.recording();
  check_model(recording, engine::ModelFolder::build_from(folder));
  ViewLog out(log, recording.model().kernel, charts);
  const std::int64_t every = std::max<std::int64_t>((recording.tick_count() + kMostRows - 1) / kMostRows, 1);
  std::int64_t count = 0;
  rows.run([&](const RecordedRow& row) {
    if (count++ % every == 0) out.write(row);
  });
  out.finish();
  print_missing(recording);
  if (every > 1)
    engine::print_sentence("note: {}: of its {} ticks one in {} is shown", path, count - 1, every);
  return recording.missing().empty();
}

}  // namespace rodeo::tools
