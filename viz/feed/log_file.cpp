// SPDX-License-Identifier: MIT
// The columns of a log, then its rows.
#include "viz/feed/log_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <optional>
#include <string_view>

#include "engine/record/recording.h"
#include "viz/feed/columns.h"
#include "viz/feed/csv_line.h"
#include "viz/feed/signal.h"

namespace rodeo::viz {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

class LogReader {
 public:
  LogReader(const std::string& path, const Scene& scene)
      : path_(path), scene_(scene), file_(path), track_(scene) {
    if (!file_) throw SceneError(fmt::format("{}: cannot be read", path));
  }

  Track build() {
    read_header();
    Sample sample = build_start_sample(scene_);
    std::string line;
    while (next(line)) {
      read_values(line);
      fill(sample);
      if (!track_.empty() && sample.time <= track_.end_time()) refuse("time does not rise");
      track_.add(sample);
    }
    if (track_.empty()) throw SceneError(path_ + ": has no rows");
    if (!columns_->has_rates()) track_.derive_rates();
    return std::move(track_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw SceneError(fmt::format("{}:{}: {}", path_, line_number_, why));
  }

  bool next(std::string& line) {
    while (std::getline(file_, line)) {
      ++line_number_;
      if (!is_blank(line)) return true;
    }
    return false;
  }

  [[nodiscard]] std::size_t column(const std::string& name) const {
    const auto found = std::find(names_.begin(), names_.end(), name);
    return found == names_.end() ? kNone : static_cast<std::size_t>(found - names_.begin());
  }

  void read_header() {
    std::string line;
    if (!next(line)) throw SceneError(path_ + ": is empty");
    for (const std::string_view word : split_csv(line)) names_.emplace_back(word);
    time_ = column("t");
    if (time_ == kNone) refuse("is no log (it has no column 't')");
    tick_ = column("tick"), lost_ = column("lost"), status_ = column("status");
    residual_ = column("residual"), margin_ = column("margin");
    columns_.emplace(scene_, names_);
    if (!columns_->missing().empty() && scene_.is_spatial) {
      refuse(
          fmt::format("does not tell where the bodies of '{}' are (it has no column {}): write the log with "
                      "'rodeo simulate --columns all'",
                      scene_.name, columns_->missing().front()));
    }
    if (!columns_->missing().empty()) {
      refuse(fmt::format("is no log of the machine '{}' (it has no column {})", scene_.name,
                         fmt::join(columns_->missing(), ", ")));
    }
    if (!columns_->unplaced()) return;
    refuse(fmt::format("does not tell where body '{}' is: write the log with 'rodeo simulate --columns all'",
                       *columns_->unplaced()));
  }

  void read_values(const std::string& line) {
    const auto words = split_csv(line);
    if (words.size() != names_.size())
      refuse(fmt::format("has {} values, the header has {}", words.size(), names_.size()));
    values_.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      const char* end = words[i].data() + words[i].size();
      const auto result = std::from_chars(words[i].data(), end, values_[i]);
      if (result.ec != std::errc() || result.ptr != end || !std::isfinite(values_[i]))
        refuse(fmt::format("'{}' is no number", words[i]));
    }
  }

  [[nodiscard]] double value(std::size_t at, double otherwise) const {
    return at == kNone ? otherwise : values_[at];
  }

  void fill(Sample& sample) const {
    sample.time = values_[time_];
    sample.tick = static_cast<std::int64_t>(value(tick_, static_cast<double>(track_.count())));
    sample.lost = static_cast<std::uint64_t>(value(lost_, 0));
    sample.status = static_cast<std::uint32_t>(value(status_, 0));
    sample.residual = value(residual_, kUnknown);
    sample.margin = value(margin_, kUnknown);
    columns_->fill(values_, sample);
  }

  const std::string& path_;
  const Scene& scene_;
  std::ifstream file_;
  std::size_t line_number_ = 0;
  std::vector<std::string> names_;
  std::size_t time_ = kNone, tick_ = kNone, lost_ = kNone, status_ = kNone, residual_ = kNone,
              margin_ = kNone;
  std::optional<StateColumns> columns_;
  std::vector<double> values_;
  Track track_;
};

}  // namespace

namespace {

/// By what its name ends with: a log has no units.
std::string find_unit(const std::string& name) {
  const auto ends = [&](std::initializer_list<const char*> endings) {
    return std::any_of(endings.begin(), endings.end(),
                       [&](const char* each) { return name.ends_with(each); });
  };
  if (ends({".force", ".fx", ".fy", ".fz"})) return "N";
  if (ends({".torque"})) return "N m";
  return ends({".mass"}) ? "kg" : "";
}

}  // namespace

void add_charted(Scene& scene, const std::string& log, const std::vector<std::string>& charts) {
  std::ifstream file(log);
  std::string line;
  if (charts.empty() || !std::getline(file, line)) return;
  const auto names = split_csv(line);
  for (const std::string& chart : charts) {
    if (is_signal(scene, chart) || std::find(names.begin(), names.end(), chart) == names.end()) continue;
    scene.measures.push_back({chart, find_unit(chart), kUnknown});
  }
}

Track build_track_from_log(const std::string& path, const Scene& scene) {
  if (engine::is_recording(path)) {
    throw SceneError(fmt::format(
        "{}: is a recording: 'rodeo view MODEL --replay' makes a log of it, rodeo-view reads logs only",
        path));
  }
  return LogReader(path, scene).build();
}

}  // namespace rodeo::viz
