// SPDX-License-Identifier: MIT
#include "viz/feed/track.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace rodeo::viz {
namespace {

void put(const Sample& sample, bool is_spatial, std::vector<double>& to) {
  const double head[]{static_cast<double>(sample.tick),
                      static_cast<double>(sample.status),
                      static_cast<double>(sample.lost),
                      sample.lag,
                      sample.margin,
                      sample.residual};
  to.insert(to.end(), std::begin(head), std::end(head));
  for (const BodyState& body : sample.bodies) {
    const double values[]{body.pose.x, body.pose.y, body.pose.angle, body.vx, body.vy, body.rate};
    to.insert(to.end(), std::begin(values), std::end(values));
    if (!is_spatial) continue;
    to.insert(to.end(), {body.pose.z, body.vz});
    to.insert(to.end(), body.pose.turn.begin(), body.pose.turn.end());
    to.insert(to.end(), body.spin.begin(), body.spin.end());
  }
  for (const auto* list : {&sample.drives, &sample.measures}) {
    for (const DriveState& state : *list) to.insert(to.end(), {state.position, state.rate});
  }
}

/// Between two states a turn is a little short of a unit one.
void get_spatial(const double* value, BodyState& body) {
  body.pose.z = value[0];
  body.vz = value[1];
  double square = 0;
  for (std::size_t i = 0; i < 4; ++i) square += value[2 + i] * value[2 + i];
  for (std::size_t i = 0; i < 4; ++i) body.pose.turn[i] = value[2 + i] / std::sqrt(square);
  for (std::size_t i = 0; i < 3; ++i) body.spin[i] = value[6 + i];
}

double calc_slide(const Scene& scene, const Sample& sample, const SceneDrive& drive) {
  const auto is_same = [](PointRef a, PointRef b) { return a.body == b.body && a.point == b.point; };
  for (const SceneJoint& joint : scene.joints) {
    if (!is_same(joint.first, drive.first) || !is_same(joint.second, drive.second)) continue;
    const Vec2 from = calc_point(scene, sample, drive.first), to = calc_point(scene, sample, drive.second);
    const double angle = sample.bodies[drive.first.body].pose.angle;
    const Vec2 along = Pose{0, 0, angle}.calc_world(joint.direction);
    return ((to.x - from.x) * along.x + (to.y - from.y) * along.y) / std::hypot(along.x, along.y);
  }
  return kUnknown;
}

double calc_start_position(const Scene& scene, const Sample& sample, const SceneDrive& drive) {
  if (scene.is_spatial) return kUnknown;  // interface.json tells it
  if (drive.kind == DriveKind::slide) return calc_slide(scene, sample, drive);
  if (drive.kind == DriveKind::cylinder) {
    const Vec2 from = calc_point(scene, sample, drive.first), to = calc_point(scene, sample, drive.second);
    return std::hypot(to.x - from.x, to.y - from.y);
  }
  // A drive that has a body's name is that body's angle.
  const auto body = scene.find_body(drive.name);
  return drive.kind == DriveKind::angle && body ? sample.bodies[*body].pose.angle : kUnknown;
}

}  // namespace

Sample build_start_sample(const Scene& scene) {
  Sample sample;
  for (const SceneBody& body : scene.bodies) sample.bodies.push_back({body.start});
  for (const SceneDrive& drive : scene.drives)
    sample.drives.push_back({drive.start.value_or(calc_start_position(scene, sample, drive)), kUnknown});
  for (const SceneMeasure& measure : scene.measures) sample.measures.push_back({measure.start, kUnknown});
  return sample;
}

Vec2 calc_point(const Scene& scene, const Sample& sample, PointRef ref) noexcept {
  return sample.bodies[ref.body].pose.calc_world(scene.local(ref));
}

Vec2 calc_velocity(const Scene& scene, const Sample& sample, PointRef ref) noexcept {
  const BodyState& body = sample.bodies[ref.body];
  const Vec2 at = calc_point(scene, sample, ref);
  return {body.vx - body.rate * (at.y - body.pose.y), body.vy + body.rate * (at.x - body.pose.x)};
}

Vec3 calc_place(const Scene& scene, const Sample& sample, PointRef ref) noexcept {
  return sample.bodies[ref.body].pose.calc_place(scene.place(ref));
}

Vec3 calc_speed(const Scene& scene, const Sample& sample, PointRef ref) noexcept {
  const BodyState& body = sample.bodies[ref.body];
  const Vec3 at = calc_place(scene, sample, ref);
  const Vec3 r{at.x - body.pose.x, at.y - body.pose.y, at.z - body.pose.z};
  const double wx = body.spin[0], wy = body.spin[1], wz = body.spin[2] + body.rate;
  return {body.vx + wy * r.z - wz * r.y, body.vy + wz * r.x - wx * r.z, body.vz + wx * r.y - wy * r.x};
}

// ω = 2 q̇ q*.
void set_speeds(const Pose& before, double span, BodyState& body) noexcept {
  const Pose& now = body.pose;
  body.vx = (now.x - before.x) / span;
  body.vy = (now.y - before.y) / span;
  body.vz = (now.z - before.z) / span;
  body.rate = (now.angle - before.angle) / span;
  Turn change{};
  for (std::size_t i = 0; i < 4; ++i) change[i] = 2 * (now.turn[i] - before.turn[i]) / span;
  const Turn spin = calc_product(change, {now.turn[0], -now.turn[1], -now.turn[2], -now.turn[3]});
  body.spin = {spin[1], spin[2], spin[3]};
}

void Track::add(const Sample& sample) {
  assert(sample.bodies.size() == bodies_ && sample.drives.size() == drives_ &&
         sample.measures.size() == measures_);
  while (!times_.empty() && times_.back() >= sample.time) {
    times_.pop_back();
    values_.resize(values_.size() - width());
    is_joined_.pop_back();
  }
  times_.push_back(sample.time);
  put(sample, each_ == kSpatial, values_);
  is_joined_.push_back(true);
  const std::size_t last = count() - 1;  // the one before it knows now what came after
  if (last > 0) is_joined_[last - 1] = is_moved(last - 1);
  is_joined_[last] = is_moved(last);
}

/// How far the machine is from where it was a state before: the farthest body, of the machine's size, or the largest turn, rad.
double Track::calc_step(std::size_t row) const noexcept {
  double most = 0;
  for (std::size_t b = 0; b < bodies_; ++b) {
    const double* now = &values_[row * width() + kHead + each_ * b];
    const double* before = now - width();
    const auto change = [&](std::size_t i) { return now[i] - before[i]; };
    const bool is_spatial = each_ == kSpatial;
    const double way = std::hypot(change(0), change(1), is_spatial ? change(6) : 0) / std::max(size_, 1e-9);
    double turn = std::abs(change(2));
    for (std::size_t i = 8; is_spatial && i < 12; ++i) turn = std::max(turn, 2 * std::abs(change(i)));
    most = std::max({most, way, turn});
  }
  return most;
}

bool Track::is_moved(std::size_t row) const noexcept {
  constexpr double kSeen = 0.02, kFaster = 8;
  constexpr double kSparse = 0.2;  // s: states farther apart tell nothing of what was between
  if (row == 0 || times_[row] - times_[row - 1] > kSparse) return true;
  const auto speed = [&](std::size_t r) { return calc_step(r) / (times_[r] - times_[r - 1]); };
  const double step = calc_step(row);
  if (step <= kSeen || count() == 2) return true;
  const double before = row >= 2 ? speed(row - 1) : 0;
  const double after = row + 1 < count() ? speed(row + 1) : 0;
  return step <= kSeen + kFaster * std::max(before, after) * (times_[row] - times_[row - 1]);
}

void Track::forget_before(double time) {
  const auto keep = std::lower_bound(times_.begin(), times_.end(), time) - times_.begin();
  times_.erase(times_.begin(), times_.begin() + keep);
  is_joined_.erase(is_joined_.begin(), is_joined_.begin() + keep);
  values_.erase(values_.begin(), values_.begin() + keep * static_cast<std::ptrdiff_t>(width()));
}

void Track::clear() noexcept {
  times_.clear();
  values_.clear();
  is_joined_.clear();
}

void Track::derive_rates() noexcept {
  for (std::size_t r = 0; r < count(); ++r) {
    const std::size_t before = r == 0 ? 0 : r - 1;
    const std::size_t after = std::min(r + 1, count() - 1);
    const double span = times_[after] - times_[before];
    if (span <= 0) continue;
    for (std::size_t b = 0; b < bodies_; ++b) {
      const std::size_t at = kHead + each_ * b;
      if (each_ == kSpatial) {
        BodyState body = row(after).bodies[b];
        set_speeds(row(before).bodies[b].pose, span, body);
        const double speeds[]{body.vx, body.vy, body.rate};
        std::copy(std::begin(speeds), std::end(speeds),
                  values_.begin() + static_cast<std::ptrdiff_t>(r * width() + at + 3));
        values_[r * width() + at + 7] = body.vz;
        std::copy(body.spin.begin(), body.spin.end(),
                  values_.begin() + static_cast<std::ptrdiff_t>(r * width() + at + 12));
        continue;
      }
      for (std::size_t i = 0; i < 3; ++i) {
        const double change = values_[after * width() + at + i] - values_[before * width() + at + i];
        values_[r * width() + at + 3 + i] = change / span;
      }
    }
  }
}

std::size_t Track::find_row(double time) const noexcept {
  const auto after = std::upper_bound(times_.begin(), times_.end(), time);
  return after == times_.begin() ? 0 : static_cast<std::size_t>(after - times_.begin()) - 1;
}

void Track::get(std::span<const double> from, Sample& to) const {
  to.tick = static_cast<std::int64_t>(from[0]);
  to.status = static_cast<std::uint32_t>(from[1]);
  to.lost = static_cast<std::uint64_t>(from[2]);
  to.lag = from[3];
  to.margin = from[4];
  to.residual = from[5];
  const double* value = from.data() + kHead;
  to.bodies.resize(bodies_);
  for (BodyState& body : to.bodies) {
    body = {{value[0], value[1], value[2]}, value[3], value[4], value[5]};
    if (each_ == kSpatial) get_spatial(value + 6, body);
    value += each_;
  }
  to.drives.resize(drives_);
  to.measures.resize(measures_);
  for (auto* list : {&to.drives, &to.measures}) {
    for (DriveState& state : *list) {
      state = {value[0], value[1]};
      value += 2;
    }
  }
}

Sample Track::row(std::size_t row) const {
  Sample result;
  result.time = times_[row];
  get({values_.data() + row * width(), width()}, result);
  return result;
}

Sample Track::sample(double time) const {
  const std::size_t first = find_row(time);
  Sample result = row(first);
  if (first + 1 >= count() || time <= times_[first]) return result;
  if (!is_joined(first + 1)) {
    result.time = time;
    return result;
  }
  const double u = (time - times_[first]) / (times_[first + 1] - times_[first]);
  const double* from = values_.data() + first * width();
  std::vector<double> between(from, from + width());
  // tick, status, lost and lag stay those of the state before
  for (std::size_t i = 4; i < width(); ++i) between[i] += u * (from[width() + i] - from[i]);
  get(between, result);
  result.time = time;
  return result;
}

}  // namespace rodeo::viz
