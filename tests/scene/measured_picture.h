// SPDX-License-Identifier: MIT
// A picture of a stage in pixels, and what can be measured in it.
#pragma once
#include <array>
#include <optional>

#include "tests/scene/kernel_truth.h"
#include "viz/app/pictures.h"

namespace rodeo::viz::testing_support {

using Rgb = std::array<std::uint8_t, 3>;

inline Rgb pixel(const Picture& picture, int x, int y) {
  const std::size_t at = static_cast<std::size_t>(3 * (y * picture.width + x));
  return {picture.rgb[at], picture.rgb[at + 1], picture.rgb[at + 2]};
}

/// The middle of all pixels of this very colour.
struct Spot {
  int pixels = 0;
  Point centre;
};
inline Spot find_spot(const Picture& picture, const Rgb& colour) {
  Spot spot;
  for (int y = 0; y < picture.height; ++y) {
    for (int x = 0; x < picture.width; ++x) {
      if (pixel(picture, x, y) != colour) continue;
      ++spot.pixels;
      spot.centre.x += x + 0.5;
      spot.centre.y += y + 0.5;
    }
  }
  spot.centre = {spot.centre.x / spot.pixels, spot.centre.y / spot.pixels};
  return spot;
}

/// Places of the pixels, their middles, in which two pictures differ.
inline std::vector<Point> find_difference(const Picture& a, const Picture& b) {
  std::vector<Point> places;
  for (int y = 0; y < a.height; ++y) {
    for (int x = 0; x < a.width; ++x) {
      if (pixel(a, x, y) != pixel(b, x, y)) places.push_back({x + 0.5, y + 0.5});
    }
  }
  return places;
}

/// What --view means: x0 at the left edge, y1 at the top, in a picture of the same proportions.
struct Frame {
  double x0 = 0, y0 = 0, x1 = 1, y1 = 1;  // m
  int width = 960, height = 540;

  /// All of these points, with room around.
  static Frame around(const std::vector<Point>& points) {
    Frame frame{1e9, 1e9, -1e9, -1e9};
    for (const Point p : points) {
      frame.x0 = std::min(frame.x0, p.x), frame.x1 = std::max(frame.x1, p.x);
      frame.y0 = std::min(frame.y0, p.y), frame.y1 = std::max(frame.y1, p.y);
    }
    const double x = (frame.x0 + frame.x1) / 2, y = (frame.y0 + frame.y1) / 2;
    const double half = 0.6 * std::max(frame.y1 - frame.y0, (frame.x1 - frame.x0) * 9 / 16) + 0.01;
    return {x - half * 16 / 9, y - half, x + half * 16 / 9, y + half};
  }
  [[nodiscard]] Point pixel(Point p) const {
    return {(p.x - x0) / (x1 - x0) * width, (y1 - p.y) / (y1 - y0) * height};
  }
};

/// Orthographic, nothing but the machine.
inline ViewOptions build_options(const Frame& frame) {
  ViewOptions options;
  options.camera = CameraKind::side;
  options.view = {frame.x0, frame.y0, frame.x1, frame.y1};
  options.width = frame.width;
  options.height = frame.height;
  options.trails = {"none"};
  options.has_hud = false;
  options.samples = 0;
  return options;
}

/// A scene and a track of it, drawn with some options.
class Shooting {
 public:
  Shooting(const Scene& scene, const Track& track, const ViewOptions& options)
      : track_(track),
        stage_(scene, options, &track),
        studio_(stage_, options.width, options.height, options.samples) {}

  [[nodiscard]] Picture take(const Sample& sample) {
    HudState state;
    state.sample = sample;
    return studio_.take(state, &track_);
  }
  [[nodiscard]] Picture take(std::size_t row) { return take(track_.row(row)); }
  [[nodiscard]] Stage& stage() { return stage_; }

 private:
  const Track& track_;
  Stage stage_;
  Studio studio_;
};

}  // namespace rodeo::viz::testing_support
