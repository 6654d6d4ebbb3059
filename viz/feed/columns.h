// SPDX-License-Identifier: MIT
// Names of numbers (`boom.angle`, `tip.x`, `lift`) as the columns of a log or the signals of a packet have them, and how a row of them
// becomes a sample. A body whose origin is not among them is placed by its angle and a point that is known: an output, or a pin on
// a body that is placed already. Decided once, from the names.
// In space a body's place and turn are all there: `crank.origin.x`, `crank.qw`, ...
#pragma once
#include <array>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "viz/feed/track.h"

namespace rodeo::viz {

class StateColumns {
 public:
  /// `scene` outlives it.
  StateColumns(const Scene& scene, const std::vector<std::string>& names);

  /// Angles of bodies that are not there: `boom.angle`. The columns are of another machine then.
  [[nodiscard]] const std::vector<std::string>& missing() const noexcept { return missing_; }
  /// A body that cannot be placed, by its name.
  [[nodiscard]] const std::optional<std::string>& unplaced() const noexcept { return unplaced_; }
  /// Whether the speeds of all bodies are there.
  [[nodiscard]] bool has_rates() const noexcept { return has_rates_; }

  /// Bodies, drives and measures of `sample`, which has as many as the scene; one value a name. Nothing is missing or unplaced.
  void fill(std::span<const double> row, Sample& sample) const;

 private:
  static constexpr std::size_t kNone = static_cast<std::size_t>(-1);
  /// A point of a body whose place a row tells or an earlier step has found.
  struct Anchor {
    std::size_t x = kNone;  // columns
    std::size_t y = kNone;
    PointRef known;  // else: this point, of a body placed before
    Vec2 local;      // the point in the body's own frame
  };
  struct Body {
    std::size_t angle = kNone, rate = kNone, vx = kNone, vy = kNone;
    Anchor anchor;
    std::array<std::size_t, 7> pose{};   // in space: x, y, z, then w, x, y, z
    std::array<std::size_t, 6> speed{};  // in space: of the origin, and the spin in the body's axes
  };
  struct Drive {
    std::size_t position = kNone, rate = kNone;
  };
  class Finder;

  void fill_body(std::span<const double> row, const Body& columns, const Sample& sample,
                 BodyState& body) const;
  void fill_spatial(std::span<const double> row, const Body& columns, BodyState& body) const;

  const Scene& scene_;
  std::vector<Body> bodies_;
  std::vector<Drive> drives_, measures_;
  std::vector<std::size_t> order_;  // bodies in the order in which they can be placed
  std::vector<std::string> missing_;
  std::optional<std::string> unplaced_;
  bool has_rates_ = true;
};

}  // namespace rodeo::viz
