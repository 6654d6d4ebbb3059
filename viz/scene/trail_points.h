// SPDX-License-Identifier: MIT
// The points that a trail is drawn through.
#pragma once
#include <algorithm>
#include <cmath>
#include <vector>

#include "viz/feed/scene_file.h"

namespace rodeo::viz {

/// The points of a trail without those that are nearer to each other than `apart`: OpenGL draws lines of a part of a pixel with
/// gaps. Where the way turns back the outermost stays.
class TrailPoints {
 public:
  explicit TrailPoints(double apart) : apart_(apart) {}

  void add(Vec3 at, double value) {
    const double way = calc_way(at);
    if (way >= apart_) {
      if (skipped_.way > 0 && calc_detour(at) > apart_ / 4) keep(skipped_);
      return keep({at, value, 0});
    }
    if (way >= skipped_.way) {
      skipped_ = {at, value, way};
    } else if (skipped_.way - way > apart_ / 4) {
      keep(skipped_);
      skipped_ = {at, value, calc_way(at)};
    }
    last_ = {at, value, 0};
  }
  /// The last is where the tip is.
  void finish() {
    if (is_new() || last_.at.x != kept_.x || last_.at.y != kept_.y || last_.at.z != kept_.z) keep(last_);
  }
  /// What comes has no line from what was.
  void begin_anew() {
    finish();
    begins_.push_back(places_.size());
  }
  [[nodiscard]] bool is_begin(std::size_t place) const {
    return place == 0 || std::find(begins_.begin(), begins_.end(), place) != begins_.end();
  }
  [[nodiscard]] const std::vector<Vec3>& places() const { return places_; }
  /// Of each place, for its colour.
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  [[nodiscard]] static double calc_distance(Vec3 a, Vec3 b) {
    return std::hypot(std::hypot(a.x - b.x, a.y - b.y), a.z - b.z);
  }
  struct Step {
    Vec3 at;
    double value = 0;
    double way = 0;  // from the last that was kept
  };
  [[nodiscard]] double calc_way(Vec3 at) const { return is_new() ? INFINITY : calc_distance(at, kept_); }
  /// Nothing is kept yet since the last begin.
  [[nodiscard]] bool is_new() const { return values_.size() == (begins_.empty() ? 0 : begins_.back()); }
  /// How much longer the way is over the outermost.
  [[nodiscard]] double calc_detour(Vec3 at) const {
    return skipped_.way + calc_distance(at, skipped_.at) - calc_way(at);
  }
  void keep(const Step& step) {
    places_.push_back(step.at);
    values_.push_back(step.value);
    kept_ = step.at;
    last_ = step;
    skipped_ = {};
  }

  double apart_;
  std::vector<Vec3> places_;
  std::vector<double> values_;
  std::vector<std::size_t> begins_;  // places that no line leads to
  Vec3 kept_;
  Step skipped_;  // the outermost since
  Step last_;
};

}  // namespace rodeo::viz
