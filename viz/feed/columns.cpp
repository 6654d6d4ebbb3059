// SPDX-License-Identifier: MIT
#include "viz/feed/columns.h"

#include <cmath>
#include <map>

namespace rodeo::viz {

/// The search, which is over when the names are known.
class StateColumns::Finder {
 public:
  Finder(StateColumns& columns, const std::vector<std::string>& names)
      : columns_(columns), scene_(columns.scene_), is_placed_(scene_.bodies.size(), false) {
    for (std::size_t i = 0; i < names.size(); ++i) at_.emplace(names[i], i);
  }

  void find() {
    find_drives();
    if (scene_.is_spatial) return find_spatial();
    find_angles();
    find_origins();
    while (place_by_pins()) {
    }
    for (std::size_t b = 0; b < is_placed_.size(); ++b) {
      if (!is_placed_[b] && !columns_.unplaced_) columns_.unplaced_ = scene_.bodies[b].name;
    }
  }

 private:
  [[nodiscard]] std::size_t column(const std::string& name) const {
    const auto found = at_.find(name);
    return found == at_.end() ? kNone : found->second;
  }

  /// The rate of a cylinder is the output `lift.speed`, where there is no `lift.rate`.
  void find_drives() {
    for (const SceneDrive& drive : scene_.drives) {
      const std::size_t rate = column(drive.name + ".rate");
      columns_.drives_.push_back({column(drive.name), rate != kNone ? rate : column(drive.name + ".speed")});
    }
    for (const SceneMeasure& measure : scene_.measures)
      columns_.measures_.push_back({column(measure.name), column(measure.name + ".rate")});
  }

  void find_spatial() {
    columns_.bodies_.resize(scene_.bodies.size());
    for (std::size_t b = 1; b < scene_.bodies.size(); ++b) {
      const std::string& name = scene_.bodies[b].name;
      Body& body = columns_.bodies_[b];
      const auto find = [&](const char* const* parts, auto& list) {
        for (std::size_t i = 0; i < list.size(); ++i) list[i] = column(name + parts[i]);
      };
      static constexpr const char* kPose[]{".origin.x", ".origin.y", ".origin.z", ".qw", ".qx", ".qy", ".qz"};
      static constexpr const char* kSpeed[]{".origin.vx", ".origin.vy", ".origin.vz", ".wx", ".wy", ".wz"};
      find(kPose, body.pose);
      find(kSpeed, body.speed);
      for (std::size_t i = 0; i < body.pose.size(); ++i) {
        if (body.pose[i] == kNone) columns_.missing_.push_back(name + kPose[i]);
      }
      for (const std::size_t i : body.speed) columns_.has_rates_ = columns_.has_rates_ && i != kNone;
      columns_.order_.push_back(b);
    }
  }

  void find_angles() {
    columns_.bodies_.resize(scene_.bodies.size());
    for (std::size_t b = 1; b < scene_.bodies.size(); ++b) {
      const std::string& name = scene_.bodies[b].name;
      Body& body = columns_.bodies_[b];
      body.angle = column(name + ".angle");
      body.rate = column(name + ".rate");
      body.vx = column(name + ".origin.vx");
      body.vy = column(name + ".origin.vy");
      if (body.angle == kNone) columns_.missing_.push_back(name + ".angle");
      if (body.rate == kNone || body.vx == kNone || body.vy == kNone) columns_.has_rates_ = false;
    }
  }

  void find_origins() {
    is_placed_[0] = true;
    for (std::size_t b = 1; b < scene_.bodies.size(); ++b) {
      const std::string& name = scene_.bodies[b].name;
      place(b, {column(name + ".origin.x"), column(name + ".origin.y"), {}, {}});
    }
    for (const SceneOutput& output : scene_.outputs) {
      place(output.at.body,
            {column(output.name + ".x"), column(output.name + ".y"), {}, scene_.local(output.at)});
    }
  }

  void place(std::size_t body, const Anchor& anchor) {
    if (is_placed_[body] || anchor.x == kNone || anchor.y == kNone) return;
    columns_.bodies_[body].anchor = anchor;
    columns_.order_.push_back(body);
    is_placed_[body] = true;
  }

  bool place_by_pins() {
    for (const SceneJoint& joint : scene_.joints) {
      if (joint.kind != JointKind::revolute) continue;
      const bool first = is_placed_[joint.first.body];
      if (first == is_placed_[joint.second.body]) continue;
      const PointRef known = first ? joint.first : joint.second;
      const PointRef other = first ? joint.second : joint.first;
      columns_.bodies_[other.body].anchor = {kNone, kNone, known, scene_.local(other)};
      columns_.order_.push_back(other.body);
      return is_placed_[other.body] = true;
    }
    return false;
  }

  StateColumns& columns_;
  const Scene& scene_;
  std::map<std::string, std::size_t> at_;
  std::vector<bool> is_placed_;
};

StateColumns::StateColumns(const Scene& scene, const std::vector<std::string>& names) : scene_(scene) {
  Finder(*this, names).find();
}

void StateColumns::fill(std::span<const double> row, Sample& sample) const {
  const auto value = [&](std::size_t column) { return column == kNone ? kUnknown : row[column]; };
  const auto fill_states = [&](const std::vector<Drive>& columns, std::vector<DriveState>& states) {
    for (std::size_t d = 0; d < columns.size(); ++d)
      states[d] = {value(columns[d].position), value(columns[d].rate)};
  };
  fill_states(drives_, sample.drives);
  fill_states(measures_, sample.measures);
  for (const std::size_t body : order_) {
    if (scene_.is_spatial) {
      fill_spatial(row, bodies_[body], sample.bodies[body]);
    } else {
      fill_body(row, bodies_[body], sample, sample.bodies[body]);
    }
  }
}

/// From the machine's axes to the viewer's. A row that tells no quaternion of length 1 shows none that is bent.
void StateColumns::fill_spatial(std::span<const double> row, const Body& columns, BodyState& body) const {
  const auto& p = columns.pose;
  Turn q{row[p[3]], row[p[4]], row[p[5]], row[p[6]]};
  const double length = std::sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (double& part : q) part = length > 0 ? part / length : 0.5;
  const Vec3 at = calc_turned(scene_.to_view, {row[p[0]], row[p[1]], row[p[2]]});
  body.pose = {at.x, at.y, 0, at.z, calc_product(scene_.to_view, q)};
  if (!has_rates_) return;
  const auto& s = columns.speed;
  const Vec3 v = calc_turned(scene_.to_view, {row[s[0]], row[s[1]], row[s[2]]});
  const Vec3 w = calc_turned(body.pose.turn, {row[s[3]], row[s[4]], row[s[5]]});
  body.vx = v.x, body.vy = v.y, body.vz = v.z;
  body.spin = {w.x, w.y, w.z};
}

/// p_WB = p_WQ - R(angle) p_BQ, of a point Q that is known.
void StateColumns::fill_body(std::span<const double> row, const Body& columns, const Sample& sample,
                             BodyState& body) const {
  body.pose = {0, 0, row[columns.angle]};
  const Anchor& anchor = columns.anchor;
  const Vec2 known =
      anchor.x == kNone ? calc_point(scene_, sample, anchor.known) : Vec2{row[anchor.x], row[anchor.y]};
  const Vec2 arm = body.pose.calc_world(anchor.local);
  body.pose.x = known.x - arm.x;
  body.pose.y = known.y - arm.y;
  body.rate = columns.rate == kNone ? 0 : row[columns.rate];
  body.vx = columns.vx == kNone ? 0 : row[columns.vx];
  body.vy = columns.vy == kNone ? 0 : row[columns.vy];
}

}  // namespace rodeo::viz
