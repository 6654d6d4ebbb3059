// SPDX-License-Identifier: MIT
// States of a machine in order of time, and what it looked like at any time between: linear between two of them. A replay has all of
// them at once; a live track grows at its end and forgets its begin.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <vector>

#include "viz/feed/scene_file.h"

namespace rodeo::viz {

/// A body at one time. Speeds are of its origin, in world axes, m/s and rad/s.
struct BodyState {
  Pose pose;
  double vx = 0;
  double vy = 0;
  double rate = 0;
  double vz = 0;                 // in space
  std::array<double, 3> spin{};  // in space, in world axes
};

/// What a source does not tell: shown as such, never as a number that looks well.
inline constexpr double kUnknown = std::numeric_limits<double>::quiet_NaN();

struct DriveState {
  double position = kUnknown;
  double rate = kUnknown;
};

/// One machine at one time.
struct Sample {
  double time = 0;           // s
  std::int64_t tick = -1;    // -1: the source does not count ticks
  std::uint32_t status = 0;  // StatusBits and SessionBits of the engine
  std::uint64_t lost = 0;    // ticks that were jumped over, up to now
  double lag = 0;            // s that simulated time is behind the clock
  double margin = kUnknown;
  double residual = kUnknown;      // m
  std::vector<BodyState> bodies;   // those of the scene, the ground first
  std::vector<DriveState> drives;  // those of the scene
  std::vector<DriveState> measures;
};

/// What the scene shows before anything is known: its start pose at time 0, and the drives as far as that tells them.
[[nodiscard]] Sample build_start_sample(const Scene& scene);

/// The world point of a body's point.
[[nodiscard]] Vec2 calc_point(const Scene& scene, const Sample& sample, PointRef ref) noexcept;
/// Its velocity: v_P = v_O + ω ẑ×r.
[[nodiscard]] Vec2 calc_velocity(const Scene& scene, const Sample& sample, PointRef ref) noexcept;
/// The same with z, which is 0 in the plane; v_P = v_O + ω×r.
[[nodiscard]] Vec3 calc_place(const Scene& scene, const Sample& sample, PointRef ref) noexcept;
[[nodiscard]] Vec3 calc_speed(const Scene& scene, const Sample& sample, PointRef ref) noexcept;
/// Speeds of a body that was at `before` a time ago, by differences.
void set_speeds(const Pose& before, double span, BodyState& body) noexcept;

class Track {
 public:
  /// `size`: of the machine, m.
  Track(std::size_t bodies, std::size_t drives, bool is_spatial = false, double size = 1) noexcept
      : bodies_(bodies), drives_(drives), each_(is_spatial ? kSpatial : kPlanar), size_(size) {}
  explicit Track(const Scene& scene) noexcept
      : Track(scene.bodies.size(), scene.drives.size(), scene.is_spatial, scene.calc_size()) {
    measures_ = scene.measures.size();
  }

  /// `sample.time` is after that of the last one; if not, what is from there on is forgotten first.
  void add(const Sample& sample);
  /// Drops what is older than this.
  void forget_before(double time);
  void clear() noexcept;
  /// The speeds of bodies from their poses, by differences: for a source that does not tell them.
  void derive_rates() noexcept;

  [[nodiscard]] bool empty() const noexcept { return times_.empty(); }
  [[nodiscard]] std::size_t count() const noexcept { return times_.size(); }
  [[nodiscard]] double time(std::size_t row) const noexcept { return times_[row]; }
  [[nodiscard]] double begin_time() const noexcept { return times_.front(); }
  [[nodiscard]] double end_time() const noexcept { return times_.back(); }

  /// Did the machine get from the state before to this one by moving? False where it was put elsewhere, by a reset or the like: much
  /// farther, and much faster, than between the states around it. Of the first row true.
  [[nodiscard]] bool is_joined(std::size_t row) const noexcept { return is_joined_[row]; }

  /// Row of the last state at or before a time; 0 before the first. The track is not empty.
  [[nodiscard]] std::size_t find_row(double time) const noexcept;
  [[nodiscard]] Sample row(std::size_t row) const;
  /// At a time: before the first state the first, after the last the last; between, poses and rates are interpolated, ticks and
  /// status are those of the state before; before a state that is not joined all is. The track is not empty.
  [[nodiscard]] Sample sample(double time) const;

 private:
  [[nodiscard]] std::size_t width() const noexcept {
    return kHead + each_ * bodies_ + 2 * (drives_ + measures_);
  }
  void get(std::span<const double> from, Sample& to) const;
  [[nodiscard]] double calc_step(std::size_t row) const noexcept;
  [[nodiscard]] bool is_moved(std::size_t row) const noexcept;

  static constexpr std::size_t kHead = 6;  // tick, status, lost, lag, margin, residual
  static constexpr std::size_t kPlanar = 6, kSpatial = 15;
  std::size_t bodies_;
  std::size_t drives_;
  std::size_t measures_ = 0;
  std::size_t each_;  // numbers a body
  double size_;       // m
  std::vector<double> times_;
  std::vector<double> values_;   // width() a row
  std::vector<bool> is_joined_;  // a row each
};

}  // namespace rodeo::viz
