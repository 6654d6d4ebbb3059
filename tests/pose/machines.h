// SPDX-License-Identifier: MIT
// Machines for tests, built without the reader: a small builder, and the mechanisms that several tests share.
#pragma once
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "kinematics/machine/machine.h"

namespace rodeo::machine::testing {

inline constexpr double kDegree = std::numbers::pi / 180;

inline Quantity number(double value) { return {Expr(value), value}; }

/// `Builder("four_bar").ground({{"O", 0, 0}}).body("crank", {{"O", 0, 0}, {"B", 0.5, 0}}).pin("ground.O", "crank.O")`
class Builder {
 public:
  struct Place {
    std::string name;
    double x, y;
  };

  explicit Builder(std::string name) {
    machine_.name = std::move(name);
    machine_.file = machine_.name + ".yaml";
    machine_.where = text::build_where(machine_.file);
    body("ground", {});
    machine_.start_angles[0] = 0.0;
  }

  Builder& ground(const std::vector<Place>& points) {
    for (const Place& p : points)
      machine_.bodies[0].points.push_back({p.name, number(p.x), number(p.y), next()});
    return *this;
  }

  Builder& body(const std::string& name, const std::vector<Place>& points) {
    Body body;
    body.name = name;
    body.where = next();
    for (const Place& p : points) body.points.push_back({p.name, number(p.x), number(p.y), body.where});
    machine_.bodies.push_back(std::move(body));
    machine_.start_angles.emplace_back();
    return *this;
  }

  Builder& pin(const std::string& first, const std::string& second) {
    return joint(JointKind::revolute, first, second, 0, 0);
  }
  Builder& slider(const std::string& first, const std::string& second, double direction) {
    return joint(JointKind::slider, first, second, direction, 0);
  }
  Builder& prismatic(const std::string& first, const std::string& second, double direction,
                     double angle = 0) {
    return joint(JointKind::prismatic, first, second, direction, angle);
  }

  Builder& drive_angle(const std::string& name, const std::string& body) {
    Drive drive = build_drive(DriveKind::angle, name);
    drive.second_body = find_body(body);
    return add(drive);
  }
  Builder& drive_relative(const std::string& name, const std::string& first, const std::string& second) {
    Drive drive = build_drive(DriveKind::relative_angle, name);
    drive.first_body = find_body(first);
    drive.second_body = find_body(second);
    return add(drive);
  }
  Builder& drive_cylinder(const std::string& name, const std::string& first, const std::string& second) {
    return add(build_point_drive(DriveKind::cylinder, name, first, second));
  }
  /// Along the last joint that was added.
  Builder& drive_slide(const std::string& name, const std::string& first, const std::string& second) {
    Drive drive = build_point_drive(DriveKind::slide, name, first, second);
    drive.joint = static_cast<int>(machine_.joints.size()) - 1;
    return add(drive);
  }

  Builder& start_angle(const std::string& body, double value) {
    machine_.start_angles[find_body(body)] = value;
    return *this;
  }
  Builder& start_drive(const std::string& name, double value) {
    for (std::size_t d = 0; d < machine_.drives.size(); ++d) {
      if (machine_.drives[d].name == name) machine_.start_drives[d] = value;
    }
    return *this;
  }
  Builder& output(const std::string& name, const std::string& point) {
    machine_.outputs.push_back({name, find_point(point), next()});
    return *this;
  }

  [[nodiscard]] Machine build() const { return machine_; }

 private:
  Where next() { return text::build_where(machine_.file, ++line_); }

  [[nodiscard]] int find_body(const std::string& name) const {
    for (std::size_t b = 0; b < machine_.bodies.size(); ++b) {
      if (machine_.bodies[b].name == name) return static_cast<int>(b);
    }
    throw std::out_of_range("no body " + name);
  }
  [[nodiscard]] PointRef find_point(const std::string& name) const {
    const auto dot = name.find('.');
    const int body = find_body(name.substr(0, dot));
    const auto& points = machine_.bodies[body].points;
    for (std::size_t p = 0; p < points.size(); ++p) {
      if (points[p].name == name.substr(dot + 1)) return {body, static_cast<int>(p)};
    }
    throw std::out_of_range("no point " + name);
  }

  Builder& joint(JointKind kind, const std::string& first, const std::string& second, double direction,
                 double angle) {
    Joint joint;
    joint.kind = kind;
    joint.name = first + "-" + second;
    joint.first = find_point(first);
    joint.second = find_point(second);
    joint.direction_x = number(std::cos(direction));
    joint.direction_y = number(std::sin(direction));
    joint.angle = number(angle);
    joint.where = next();
    machine_.joints.push_back(std::move(joint));
    return *this;
  }

  Drive build_drive(DriveKind kind, const std::string& name) {
    Drive drive;
    drive.kind = kind;
    drive.name = name;
    drive.where = next();
    return drive;
  }
  Drive build_point_drive(DriveKind kind, const std::string& name, const std::string& first,
                          const std::string& second) {
    Drive drive = build_drive(kind, name);
    drive.first = find_point(first);
    drive.second = find_point(second);
    drive.first_body = drive.first.body;
    drive.second_body = drive.second.body;
    return drive;
  }
  Builder& add(const Drive& drive) {
    machine_.drives.push_back(drive);
    machine_.start_drives.emplace_back();
    return *this;
  }

  Machine machine_;
  int line_ = 0;
};

struct FourBar {
  double ground = 1.4, crank = 0.5, coupler = 1.2, rocker = 1.0;
};

/// Bodies 1 crank, 2 coupler, 3 rocker; no drive, no start.
inline Builder four_bar(const FourBar& l = {}) {
  Builder b("four_bar");
  b.ground({{"O", 0, 0}, {"Q", l.ground, 0}});
  b.body("crank", {{"O", 0, 0}, {"B", l.crank, 0}});
  b.body("coupler", {{"B", 0, 0}, {"C", l.coupler, 0}, {"tracer", 0.4, 0.3}});
  b.body("rocker", {{"Q", 0, 0}, {"C", l.rocker, 0}});
  b.pin("ground.O", "crank.O")
      .pin("crank.B", "coupler.B")
      .pin("coupler.C", "rocker.C")
      .pin("ground.Q", "rocker.Q");
  return b;
}

/// Crank 0.3, rod 0.8; the rod's end on the x axis. Bodies 1 crank, 2 rod.
inline Builder crank_slider() {
  Builder b("crank_slider");
  b.ground({{"O", 0, 0}});
  b.body("crank", {{"O", 0, 0}, {"B", 0.3, 0}}).body("rod", {{"B", 0, 0}, {"C", 0.8, 0}});
  b.pin("ground.O", "crank.O").pin("crank.B", "rod.B").slider("ground.O", "rod.C", 0);
  return b;
}

/// Three parallel cranks on one coupler; the third may be longer. All at `angle`, coupler level.
inline Builder three_cranks(double angle, double third = 1.0) {
  Builder b("three_cranks");
  b.ground({{"P", 0, 0}, {"Q", 1, 0}, {"R", 2, 0}});
  b.body("a", {{"P", 0, 0}, {"A", 1, 0}})
      .body("b", {{"Q", 0, 0}, {"B", 1, 0}})
      .body("c", {{"R", 0, 0}, {"C", third, 0}});
  b.body("coupler", {{"A", 0, 0}, {"B", 1, 0}, {"C", 2, 0}});
  b.pin("ground.P", "a.P").pin("ground.Q", "b.Q").pin("ground.R", "c.R");
  b.pin("a.A", "coupler.A").pin("b.B", "coupler.B").pin("c.C", "coupler.C");
  b.start_angle("a", angle).start_angle("b", angle).start_angle("c", angle).start_angle("coupler", 0);
  return b;
}

/// N windows: N + 1 rods of 1 m on ground pins 1 m apart, N couplers between their tips.
inline Machine windows(int n, double angle) {
  Builder b("windows");
  std::vector<Builder::Place> feet;
  for (int i = 0; i <= n; ++i) feet.push_back({"P" + std::to_string(i), static_cast<double>(i), 0});
  b.ground(feet);
  const auto rod = [](int i) { return "rod" + std::to_string(i); };
  const auto link = [](int i) { return "link" + std::to_string(i); };
  for (int i = 0; i <= n; ++i) {
    b.body(rod(i), {{"foot", 0, 0}, {"tip", 1, 0}}).start_angle(rod(i), angle);
    b.pin("ground.P" + std::to_string(i), rod(i) + ".foot");
    if (i == 0) continue;
    b.body(link(i), {{"left", 0, 0}, {"right", 1, 0}}).start_angle(link(i), 0);
    b.pin(rod(i - 1) + ".tip", link(i) + ".left").pin(link(i) + ".right", rod(i) + ".tip");
  }
  b.drive_angle("input", rod(0));
  return b.build();
}

}  // namespace rodeo::machine::testing
