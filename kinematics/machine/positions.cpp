// SPDX-License-Identifier: MIT
#include "kinematics/machine/positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>

#include "kinematics/expr/eval.h"
#include "kinematics/machine/rods_graph.h"

namespace rodeo::machine {
namespace {

using bondgraph::displacement_of;

constexpr int kDeepest = 4;  // joints from the ground or the last pin with a name: then a pin is named

std::size_t at(int index) { return static_cast<std::size_t>(index); }

Expr2 operator+(const Expr2& a, const Expr2& b) { return {a.x + b.x, a.y + b.y}; }
Expr2 operator-(const Expr2& a, const Expr2& b) { return {a.x - b.x, a.y - b.y}; }
Expr2 operator*(Expr s, const Expr2& a) { return {s * a.x, s * a.y}; }

class PositionWriter {
 public:
  PositionWriter(const Machine& machine, const RodOptions& options)
      : machine_(machine),
        options_(options),
        kept_(find_kept(machine, options)),
        centres_(find_centres(machine, options)),
        origins_(machine.bodies.size()),
        depths_(machine.bodies.size()) {
    origins_[0] = Expr2{0.0, 0.0};
    for (const KeptSlide& slide : kept_.slides) slides_[slide.joint] = slide.name;
  }

  std::vector<PositionEquation> build() {
    place_bodies();
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      if (!placing_.contains(j)) close(machine_.joints[j], static_cast<int>(j));
      hold_angle(machine_.joints[j]);
    }
    for (const KeptLine& line : kept_.lines) add_line(line);
    if (options_.form == RodForm::traditional) add_centres();
    for (const KeptPoint& point : kept_.points) add_point(point);
    for (const Output& output : machine_.outputs) add_output(output);
    for (const Measure& measure : machine_.measures) add_measure(measure);
    return std::move(equations_);
  }

 private:
  [[nodiscard]] Expr angle(int body) const {
    return body == 0 ? Expr(0.0) : displacement_of(machine_.bodies[at(body)].name + ".J");
  }
  [[nodiscard]] Expr2 turned(int body, const Expr2& v) const {
    return body == 0 ? v : rotate(angle(body), v);
  }
  [[nodiscard]] Expr2 arm(PointRef ref) const {
    const Point& point = machine_.point(ref);
    return turned(ref.body, {point.x.expr, point.y.expr});
  }
  [[nodiscard]] Expr2 position(PointRef ref) const { return *origins_[at(ref.body)] + arm(ref); }
  [[nodiscard]] Expr2 direction(const Joint& joint) const {
    return turned(joint.first.body, {joint.direction_x.expr, joint.direction_y.expr});
  }

  // ---- bodies from the ground

  void place_bodies() {
    while (true) {
      if (place_next(true) || place_next(false)) continue;
      const auto open = std::find_if(origins_.begin(), origins_.end(), [](const auto& o) { return !o; });
      if (open == origins_.end()) return;
      place_by_centre(static_cast<int>(open - origins_.begin()));
    }
  }

  /// The first joint that leads from a placed body to another: pins before guides.
  bool place_next(bool by_pin) {
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) {
      const Joint& joint = machine_.joints[j];
      const bool is_pin = joint.kind == JointKind::revolute;
      const bool has_first = origins_[at(joint.first.body)].has_value();
      if (is_pin != by_pin || has_first == origins_[at(joint.second.body)].has_value()) continue;
      if (!is_pin && !slides_.contains(static_cast<int>(j))) continue;
      const PointRef from = has_first ? joint.first : joint.second,
                     to = has_first ? joint.second : joint.first;
      Expr2 meeting = position(from);
      if (!is_pin) {
        const Expr2 slid = displacement_of(slides_.at(static_cast<int>(j)) + ".s") * direction(joint);
        meeting = has_first ? meeting + slid : meeting - slid;
      }
      place(to, meeting, depths_[at(from.body)] + 1);
      placing_.insert(j);
      return true;
    }
    return false;
  }

  void place(PointRef ref, Expr2 meeting, int depth) {
    if (depth > kDeepest) {
      const std::string name = machine_.point_name(ref);
      const Expr2 named{expr::variable("x_" + name), expr::variable("y_" + name)};
      equate(named, meeting);
      meeting = named;
      depth = 1;
    }
    origins_[at(ref.body)] = meeting - arm(ref);
    depths_[at(ref.body)] = depth;
  }

  void place_by_centre(int body) {
    const std::string& name = machine_.bodies[at(body)].name;
    const Expr2 centre = options_.form == RodForm::traditional
                             ? Expr2{displacement_of(name + ".Ix"), displacement_of(name + ".Iy")}
                             : Expr2{expr::variable("x_" + name), expr::variable("y_" + name)};
    origins_[at(body)] = centre - turned(body, {centres_[at(body)].x, centres_[at(body)].y});
    is_free_.insert(body);
  }

  // ---- equations

  void equate(const Expr2& left, const Expr2& right) {
    equations_.push_back({left.x, right.x});
    equations_.push_back({left.y, right.y});
  }

  void close(const Joint& joint, int j) {
    const Expr2 first = position(joint.first), second = position(joint.second);
    if (joint.kind == JointKind::revolute) return equate(first, second);
    const Expr2 u = direction(joint);
    const auto slide = slides_.find(j);
    if (slide != slides_.end()) return equate(first + displacement_of(slide->second + ".s") * u, second);
    const Expr2 n{-u.y, u.x};
    equations_.push_back({n.x * first.x + n.y * first.y, n.x * second.x + n.y * second.y});
  }

  void hold_angle(const Joint& joint) {
    if (joint.kind != JointKind::prismatic) return;
    equations_.push_back({angle(joint.second.body), angle(joint.first.body) + joint.angle.expr, "rad"});
  }

  void add_line(const KeptLine& line) {
    const Expr length = displacement_of(line.name + ".length"), turn = displacement_of(line.name + ".angle");
    equate({length * expr::cos(turn), length * expr::sin(turn)},
           position(line.second) - position(line.first));
  }

  void add_centres() {
    for (int b = 1; b < static_cast<int>(machine_.bodies.size()); ++b) {
      if (is_free_.contains(b)) continue;
      const std::string& name = machine_.bodies[at(b)].name;
      equate({displacement_of(name + ".Ix"), displacement_of(name + ".Iy")},
             *origins_[at(b)] + turned(b, {centres_[at(b)].x, centres_[at(b)].y}));
    }
  }

  void add_point(const KeptPoint& point) {
    const Expr2 p = position(point.point);
    if (point.has_place) equations_.push_back({displacement_of(point.name + ".place"), p.x});
    equations_.push_back({displacement_of(point.name + ".height"), p.y});
  }

  /// `x_tip`, `y_tip`; of a body's or a contact's name, that of the point.
  void add_output(const Output& output) {
    const auto is_taken = [&](const auto& named) { return named.name == output.name; };
    const bool is_body = std::any_of(machine_.bodies.begin(), machine_.bodies.end(), is_taken);
    const bool is_kept = std::any_of(kept_.points.begin(), kept_.points.end(),
                                     [&](const KeptPoint& point) { return point.label == output.name; });
    const std::string name = is_body || is_kept ? machine_.point_name(output.point) : output.name;
    equate({expr::variable("x_" + name), expr::variable("y_" + name)}, position(output.point));
  }

  /// `l_reach`, `X_level`, unless a drive imposes it and so has its symbol, or a body's angle is called so already.
  void add_measure(const Measure& measure) {
    if (measure.drive >= 0) return;
    if (measure.kind == MeasureKind::length) {
      const Expr2 d = position(measure.second) - position(measure.first);
      const bool is_taken = std::any_of(kept_.lines.begin(), kept_.lines.end(),
                                        [&](const KeptLine& line) { return line.name == measure.name; });
      const std::string name = "l_" + measure.name + (is_taken ? ".output" : "");
      equations_.push_back({expr::variable(name), expr::sqrt(d.x * d.x + d.y * d.y)});
    } else if (machine_.bodies[at(measure.of)].name != measure.name) {
      equations_.push_back({expr::variable("X_" + measure.name), angle(measure.of), "rad"});
    }
  }

  const Machine& machine_;
  const RodOptions& options_;
  Kept kept_;
  std::vector<RodCentre> centres_;
  std::map<int, std::string> slides_;  // by joint
  std::vector<std::optional<Expr2>> origins_;
  std::vector<int> depths_;
  std::set<std::size_t> placing_;  // joints
  std::set<int> is_free_;
  std::vector<PositionEquation> equations_;
};

Vec2 calc_centre(const Pose& pose, int body, const Machine& machine, const RodCentre& centre) {
  expr::Values values;
  for (const expr::Parameter& parameter : machine.parameters) values[parameter.name] = parameter.number;
  const double x = expr::calc_value(centre.x, values), y = expr::calc_value(centre.y, values);
  const BodyPose& b = pose.bodies[at(body)];
  return {b.x + x * std::cos(b.angle) - y * std::sin(b.angle),
          b.y + x * std::sin(b.angle) + y * std::cos(b.angle)};
}

}  // namespace

std::vector<PositionEquation> build_positions(const Machine& machine, const RodOptions& options) {
  return PositionWriter(machine, options).build();
}

std::vector<StateStart> calc_state_starts(const Machine& machine, const RodOptions& options,
                                          const Pose& pose) {
  std::vector<StateStart> starts;
  const auto add = [&](const std::string& name, double value) {
    starts.push_back({displacement_of(name)->name, value});
  };
  const std::vector<RodCentre> centres = find_centres(machine, options);
  for (int b = 1; b < static_cast<int>(machine.bodies.size()); ++b) {
    const std::string& name = machine.bodies[at(b)].name;
    const Vec2 centre = calc_centre(pose, b, machine, centres[at(b)]);
    add(name + ".J", pose.bodies[at(b)].angle);
    add(name + ".Ix", centre.x);
    add(name + ".Iy", centre.y);
  }
  const Kept kept = find_kept(machine, options);
  for (const KeptLine& line : kept.lines) {
    const Vec2 a = calc_position(machine, pose, line.first), b = calc_position(machine, pose, line.second);
    add(line.name + ".length", std::hypot(b.x - a.x, b.y - a.y));
    add(line.name + ".angle", std::atan2(b.y - a.y, b.x - a.x));
  }
  for (const KeptPoint& point : kept.points) {
    const Vec2 p = calc_position(machine, pose, point.point);
    add(point.name + ".height", p.y);
    add(point.name + ".place", p.x);
  }
  for (const KeptSlide& slide : kept.slides) {
    const Joint& joint = machine.joints[at(slide.joint)];
    const Vec2 a = calc_position(machine, pose, joint.first), b = calc_position(machine, pose, joint.second);
    const double turn = pose.bodies[at(joint.first.body)].angle;
    const double ux = joint.direction_x.value, uy = joint.direction_y.value;
    add(slide.name + ".s", (b.x - a.x) * (ux * std::cos(turn) - uy * std::sin(turn)) +
                               (b.y - a.y) * (ux * std::sin(turn) + uy * std::cos(turn)));
  }
  return starts;
}

}  // namespace rodeo::machine
