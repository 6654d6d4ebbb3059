// SPDX-License-Identifier: MIT
// The points that a trail is drawn through.
#pragma once
#include <cmath>
#include <vector>

#include "viz/feed/scene_file.h"

namespace rodeo::viz {

/// The points of a trail without those that are nearer to each other than `apart`: OpenGL draws lines of a part of a pixel with
/// gaps. Where the way turns back the outermost stays.
class TrailPoints {
 public:
  explicit TrailPoints(double apart) : apart_(apart) {}

  void add(Vec2 at, double value) {
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
    if (values_.empty() || last_.at.x != kept_.x || last_.at.y != kept_.y) keep(last_);
  }
  [[nodiscard]] const std::vector<Vec2>& places() const { return places_; }
  /// Of each place, for its colour.
  [[nodiscard]] const std::vector<double>& values() const { return values_; }

 private:
  struct Step {
    Vec2 at;
    double value = 0;
    double way = 0;  // from the last that was kept
  };
  [[nodiscard]] double calc_way(Vec2 at) const {
    return values_.empty() ? INFINITY : std::hypot(at.x - kept_.x, at.y - kept_.y);
  }
  /// How much longer the way is over the outermost.
  [[nodiscard]] double calc_detour(Vec2 at) const {
    return skipped_.way + std::hypot(at.x - skipped_.at.x, at.y - skipped_.at.y) - calc_way(at);
  }
  void keep(const Step& step) {
    places_.push_back(step.at);
    values_.push_back(step.value);
    kept_ = step.at;
    last_ = step;
    skipped_ = {};
  }

  double apart_;
  std::vector<Vec2> places_;
  std::vector<double> values_;
  Vec2 kept_;
  Step skipped_;  // the outermost since
  Step last_;
};

}  // namespace rodeo::viz
