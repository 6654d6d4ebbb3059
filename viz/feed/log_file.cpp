// SPDX-License-Identifier: MIT
// The columns of a log, then its rows. Which body is placed from what is decided once, from the header.
#include "viz/feed/log_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <map>
#include <string_view>

namespace rodeo::viz {
namespace {

constexpr std::size_t kNone = static_cast<std::size_t>(-1);

std::vector<std::string_view> split(std::string_view line) {
  std::vector<std::string_view> words;
  while (!line.empty() && (line.back() == '\r' || line.back() == ' ')) line.remove_suffix(1);
  for (std::size_t at = 0;;) {
    const std::size_t comma = line.find(',', at);
    words.push_back(line.substr(at, comma - at));
    if (comma == std::string_view::npos) return words;
    at = comma + 1;
  }
}

bool is_blank(std::string_view line) {
  const std::size_t first = line.find_first_not_of(" \t\r");
  return first == std::string_view::npos || line[first] == '#';
}

/// A point of a body whose place a row tells or an earlier step has found.
struct Anchor {
  std::size_t x = kNone;  // columns
  std::size_t y = kNone;
  PointRef known;  // else: this point, of a body placed before
  Vec2 local;      // the point in the body's own frame
};

struct BodyColumns {
  std::size_t angle = kNone, rate = kNone, vx = kNone, vy = kNone;
  Anchor anchor;
};

class LogReader {
 public:
  LogReader(const std::string& path, const Scene& scene)
      : path_(path), scene_(scene), file_(path), track_(scene.bodies.size(), scene.drives.size()) {
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
    const bool has_rates = std::all_of(bodies_.begin() + 1, bodies_.end(), [](const BodyColumns& body) {
      return body.rate != kNone && body.vx != kNone && body.vy != kNone;
    });
    if (!has_rates) track_.derive_rates();
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

  std::size_t column(const std::string& name) const {
    const auto found = columns_.find(name);
    return found == columns_.end() ? kNone : found->second;
  }

  void read_header() {
    std::string line;
    if (!next(line)) throw SceneError(path_ + ": is empty");
    const auto words = split(line);
    for (std::size_t i = 0; i < words.size(); ++i) columns_.emplace(words[i], i);
    width_ = words.size();
    time_ = column("t");
    if (time_ == kNone) refuse("is no log (it has no column 't')");
    for (const SceneDrive& drive : scene_.drives) drives_.push_back(column(drive.name));
    find_angles();
    find_anchors();
  }

  void find_angles() {
    bodies_.resize(scene_.bodies.size());
    std::vector<std::string> missing;
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      const std::string& name = scene_.bodies[b].name;
      bodies_[b].angle = column(name + ".angle");
      bodies_[b].rate = column(name + ".rate");
      bodies_[b].vx = column(name + ".origin.vx");
      bodies_[b].vy = column(name + ".origin.vy");
      if (bodies_[b].angle == kNone) missing.push_back(name + ".angle");
    }
    if (missing.empty()) return;
    refuse(fmt::format("is no log of the machine '{}' (it has no column {})", scene_.name,
                       fmt::join(missing, ", ")));
  }

  /// Origins first, then outputs, then pins of bodies that are placed, until nothing is added.
  void find_anchors() {
    std::vector<bool> is_placed(bodies_.size(), false);
    is_placed[0] = true;
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      const std::string& name = scene_.bodies[b].name;
      place(b, {column(name + ".origin.x"), column(name + ".origin.y"), {}, {}}, is_placed);
    }
    for (const SceneOutput& output : scene_.outputs) {
      place(output.at.body,
            {column(output.name + ".x"), column(output.name + ".y"), {}, scene_.local(output.at)}, is_placed);
    }
    while (place_by_pins(is_placed)) {
    }
    for (std::size_t b = 1; b < bodies_.size(); ++b) {
      if (is_placed[b]) continue;
      refuse(
          fmt::format("does not tell where body '{}' is: write the log with 'rodeo simulate --columns all'",
                      scene_.bodies[b].name));
    }
  }

  void place(std::size_t body, const Anchor& anchor, std::vector<bool>& is_placed) {
    if (is_placed[body] || anchor.x == kNone || anchor.y == kNone) return;
    bodies_[body].anchor = anchor;
    order_.push_back(body);
    is_placed[body] = true;
  }

  bool place_by_pins(std::vector<bool>& is_placed) {
    for (const SceneJoint& joint : scene_.joints) {
      if (joint.kind != JointKind::revolute) continue;
      const bool first = is_placed[joint.first.body];
      if (first == is_placed[joint.second.body]) continue;
      const PointRef known = first ? joint.first : joint.second;
      const PointRef other = first ? joint.second : joint.first;
      bodies_[other.body].anchor = {kNone, kNone, known, scene_.local(other)};
      order_.push_back(other.body);
      return is_placed[other.body] = true;
    }
    return false;
  }

  void read_values(const std::string& line) {
    const auto words = split(line);
    if (words.size() != width_) refuse(fmt::format("has {} values, the header has {}", words.size(), width_));
    values_.resize(words.size());
    for (std::size_t i = 0; i < words.size(); ++i) {
      const char* end = words[i].data() + words[i].size();
      const auto result = std::from_chars(words[i].data(), end, values_[i]);
      if (result.ec != std::errc() || result.ptr != end || !std::isfinite(values_[i]))
        refuse(fmt::format("'{}' is no number", words[i]));
    }
  }

  double value(std::size_t at, double otherwise) const { return at == kNone ? otherwise : values_[at]; }

  void fill(Sample& sample) {
    sample.time = values_[time_];
    sample.tick = static_cast<std::int64_t>(track_.count());
    sample.residual = value(column("residual"), kUnknown);
    sample.margin = value(column("margin"), kUnknown);
    sample.status = static_cast<std::uint32_t>(value(column("status"), 0));
    for (std::size_t d = 0; d < drives_.size(); ++d) {
      sample.drives[d] = {value(drives_[d], kUnknown),
                          value(column(scene_.drives[d].name + ".rate"), kUnknown)};
    }
    for (const std::size_t body : order_) fill_body(bodies_[body], sample, sample.bodies[body]);
  }

  /// p_WB = p_WQ - R(angle) p_BQ, of a point Q that is known.
  void fill_body(const BodyColumns& columns, const Sample& sample, BodyState& body) const {
    body.pose = {0, 0, values_[columns.angle]};
    const Anchor& anchor = columns.anchor;
    const Vec2 known = anchor.x == kNone ? calc_point(scene_, sample, anchor.known)
                                         : Vec2{values_[anchor.x], values_[anchor.y]};
    const Vec2 arm = body.pose.calc_world(anchor.local);
    body.pose.x = known.x - arm.x;
    body.pose.y = known.y - arm.y;
    body.rate = value(columns.rate, 0);
    body.vx = value(columns.vx, 0);
    body.vy = value(columns.vy, 0);
  }

  const std::string& path_;
  const Scene& scene_;
  std::ifstream file_;
  std::size_t line_number_ = 0;
  std::map<std::string, std::size_t, std::less<>> columns_;
  std::size_t width_ = 0;
  std::size_t time_ = kNone;
  std::vector<std::size_t> drives_;
  std::vector<BodyColumns> bodies_;
  std::vector<std::size_t> order_;  // bodies in the order in which they can be placed
  std::vector<double> values_;
  Track track_;
};

}  // namespace

Track build_track_from_log(const std::string& path, const Scene& scene) {
  return LogReader(path, scene).build();
}

}  // namespace rodeo::viz
