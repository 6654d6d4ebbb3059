// SPDX-License-Identifier: MIT
// Placing bodies, THEORY K1-K6.
#include "kinematics/codegen/positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "kinematics/expr/eval.h"
#include "kinematics/text/fault.h"

namespace rodeo::codegen {
namespace {

using machine::Drive;
using machine::DriveKind;
using machine::Joint;
using machine::JointKind;
using machine::Machine;
using machine::PointRef;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// n·X = k, n of length 1.
struct Line {
  Vec normal;
  Expr offset;
};
struct Circle {
  Vec centre;
  Expr radius, square;
};

/// Where a pin may be: on a line or on a circle.
struct Locus {
  std::optional<Line> line;
  std::optional<Circle> circle;
  std::string owner;
};

struct Numbers {
  double x = 0.0, y = 0.0;
};
double cross_of(const Numbers& a, const Numbers& b) { return a.x * b.y - a.y * b.x; }

class Placer {
 public:
  Placer(const Machine& machine, const machine::Assembly& start, const std::vector<std::vector<int>>& groups)
      : machine_(machine),
        start_(start),
        groups_(groups),
        direction_(machine.bodies.size()),
        origin_(machine.bodies.size()),
        angle_(machine.bodies.size()) {
    join_points();
    direction_[0] = Rotation{};
    origin_[0] = Vec{};
    angle_[0] = Expr(0.0);
  }

  Positions build() {
    while (true) {
      while (advance()) {
      }
      if (all_placed()) break;
      open_group();
    }
    for (std::size_t b = 0; b < origin_.size(); ++b)
      result_.bodies.push_back({*direction_[b], *origin_[b], angle_[b]});
    add_cylinders();
    add_slides();
    return std::move(result_);
  }

 private:
  // ---- points that share a pin

  void join_points() {
    for (const machine::Body& body : machine_.bodies) {
      offsets_.push_back(static_cast<int>(parent_.size()));
      for (std::size_t p = 0; p < body.points.size(); ++p)
        parent_.push_back(static_cast<int>(parent_.size()));
    }
    for (const Joint& joint : machine_.joints) {
      if (joint.kind == JointKind::revolute) parent_[at(pin(joint.first))] = pin(joint.second);
    }
    for (int b = 0; b < static_cast<int>(machine_.bodies.size()); ++b) {
      for (int p = 0; p < static_cast<int>(machine_.bodies[at(b)].points.size()); ++p)
        members_[pin({b, p})].push_back({b, p});
    }
  }

  int pin(PointRef ref) {
    int i = offsets_[at(ref.body)] + ref.point;
    while (parent_[at(i)] != i) i = parent_[at(i)] = parent_[at(parent_[at(i)])];
    return i;
  }

  [[nodiscard]] Vec local(PointRef ref) const {
    return {machine_.point(ref).x.expr, machine_.point(ref).y.expr};
  }
  [[nodiscard]] Numbers number_of(PointRef ref) const {
    const machine::Vec2 p = machine::calc_position(machine_, start_.pose, ref);
    return {p.x, p.y};
  }
  [[nodiscard]] bool is_placed(int body) const { return direction_[at(body)] && origin_[at(body)]; }
  [[nodiscard]] bool all_placed() const {
    for (int b = 0; b < static_cast<int>(origin_.size()); ++b) {
      if (!is_placed(b)) return false;
    }
    return true;
  }
  [[nodiscard]] const std::string& name(int body) const { return machine_.bodies[at(body)].name; }

  /// Where a pin is, if anything that carries it is placed.
  std::optional<Vec> place_of(PointRef ref) {
    const int group = pin(ref);
    const auto found = place_.find(group);
    if (found != place_.end()) return found->second;
    for (const PointRef& member : members_[group]) {
      if (!is_placed(member.body)) continue;
      return place_[group] = *origin_[at(member.body)] + rotate(*direction_[at(member.body)], local(member));
    }
    return std::nullopt;
  }

  void set_direction(int body, const Rotation& direction, std::optional<Expr> angle = std::nullopt) {
    direction_[at(body)] = direction;
    angle_[at(body)] = angle;
  }

  // ---- one step of progress

  bool advance() {
    return advance_drives() || advance_prismatic() || advance_slides() || advance_bodies() ||
           advance_pins() || advance_guided();
  }

  bool advance_drives() {
    for (const Drive& drive : machine_.drives) {
      if (drive.kind != DriveKind::angle && drive.kind != DriveKind::relative_angle) continue;
      const Expr q = drive_position(drive);
      if (direct(drive.first_body, drive.second_body, {expr::cos(q), expr::sin(q)}, q)) return true;
    }
    return false;
  }

  bool advance_prismatic() {
    for (const Joint& joint : machine_.joints) {
      if (joint.kind != JointKind::prismatic) continue;
      const Expr held = joint.angle.expr;
      if (direct(joint.first.body, joint.second.body, {expr::cos(held), expr::sin(held)}, held)) return true;
    }
    return false;
  }

  /// second = first turned by `by`: whichever is known gives the other.
  bool direct(int first, int second, const Rotation& by, Expr angle) {
    const auto& a = direction_[at(first)];
    const auto& b = direction_[at(second)];
    if (a.has_value() == b.has_value()) return false;
    const int from = a ? first : second;
    const int to = a ? second : first;
    std::optional<Expr> sum;
    if (angle_[at(from)]) sum = a ? *angle_[at(from)] + angle : *angle_[at(from)] - angle;
    set_direction(to, a ? *a * by : *b * inverse(by), sum);
    return true;
  }

  /// A driven slide puts its second point on a placed guide.
  bool advance_slides() {
    for (const Drive& drive : machine_.drives) {
      if (drive.kind != DriveKind::slide || !is_placed(drive.first.body) || place_of(drive.second)) continue;
      const Joint& joint = machine_.joints[at(drive.joint)];
      place_[pin(drive.second)] = *place_of(drive.first) + drive_position(drive) * guide(joint);
      return true;
    }
    return false;
  }

  [[nodiscard]] Vec guide(const Joint& joint) const {
    return rotate(*direction_[at(joint.first.body)], {joint.direction_x.expr, joint.direction_y.expr});
  }

  bool advance_bodies() {
    for (int b = 1; b < static_cast<int>(origin_.size()); ++b) {
      if (!is_placed(b) && (place_by_point(b) || place_by_two_points(b) || place_by_lines(b))) return true;
    }
    return false;
  }

  bool place_by_point(int b) {
    if (!direction_[at(b)]) return false;
    for (int p = 0; p < static_cast<int>(machine_.bodies[at(b)].points.size()); ++p) {
      const auto place = place_of({b, p});
      if (!place) continue;
      origin_[at(b)] = *place - rotate(*direction_[at(b)], local({b, p}));
      return true;
    }
    return false;
  }

  /// R d = Δ: c = d·Δ/d², s = d×Δ/d².
  bool place_by_two_points(int b) {
    if (direction_[at(b)]) return false;
    std::vector<PointRef> known;
    for (int p = 0; p < static_cast<int>(machine_.bodies[at(b)].points.size()) && known.size() < 2; ++p) {
      if (place_of({b, p}) && (known.empty() || is_apart(known[0], {b, p}))) known.push_back({b, p});
    }
    if (known.size() < 2) return false;
    const Vec d = local(known[1]) - local(known[0]);
    set_direction(b, aligned(d, *place_of(known[1]) - *place_of(known[0])));
    return place_by_point(b);
  }

  [[nodiscard]] bool is_apart(PointRef a, PointRef b) const {
    const auto& p = machine_.point(a);
    const auto& q = machine_.point(b);
    return p.x.value != q.x.value || p.y.value != q.y.value;
  }

  static Rotation aligned(const Vec& d, const Vec& delta) {
    const Expr square = dot(d, d);
    const Expr kx = d.x / square;
    const Expr ky = d.y / square;
    return {kx * delta.x + ky * delta.y, kx * delta.y - ky * delta.x};
  }

  // ---- bodies of known direction held by lines

  std::vector<Line> lines_of(int b) {
    std::vector<Line> lines;
    const Rotation& direction = *direction_[at(b)];
    for (const Joint& joint : machine_.joints) {
      if (joint.kind == JointKind::revolute) continue;
      if (joint.second.body == b && is_placed(joint.first.body)) {
        const Vec n = turn(guide(joint));
        lines.push_back({n, dot(n, *place_of(joint.first) - rotate(direction, local(joint.second)))});
      } else if (joint.first.body == b && place_of(joint.second)) {
        const Vec n = turn(guide(joint));
        lines.push_back({n, dot(n, *place_of(joint.second) - rotate(direction, local(joint.first)))});
      }
    }
    return lines;
  }

  bool place_by_lines(int b) {
    if (!direction_[at(b)]) return false;
    const std::vector<Line> lines = lines_of(b);
    if (lines.size() < 2) return false;
    origin_[at(b)] = intersect(lines[0], lines[1], name(b));
    return true;
  }

  Vec intersect(const Line& a, const Line& b, const std::string& who) {
    const Expr det = cross(a.normal, b.normal);
    const Expr inverse_det = 1.0 / det;
    result_.margins.push_back({expr::operation(expr::Op::abs, {det}), who});
    result_.solved.push_back(fmt::format("lines: {}", who));
    return {inverse_det * (a.offset * b.normal.y - b.offset * a.normal.y),
            inverse_det * (b.offset * a.normal.x - a.offset * b.normal.x)};
  }

  // ---- pins on two loci

  std::vector<Locus> loci_of(int group) {
    std::vector<Locus> loci;
    for (const PointRef& member : members_[group]) {
      if (const auto locus = locus_by_body(member)) loci.push_back(*locus);
    }
    for (const Joint& joint : machine_.joints) {
      if (joint.kind == JointKind::revolute || pin(joint.second) != group || !is_placed(joint.first.body))
        continue;
      if (direction_[at(joint.second.body)]) continue;  // the body's own line says it already
      const Vec n = turn(guide(joint));
      loci.push_back({Line{n, dot(n, *place_of(joint.first))}, std::nullopt, joint.name});
    }
    for (const Drive& drive : machine_.drives) {
      if (drive.kind != DriveKind::cylinder) continue;
      for (const bool forward : {true, false}) {
        const PointRef here = forward ? drive.second : drive.first;
        const PointRef there = forward ? drive.first : drive.second;
        if (pin(here) != group || !place_of(there)) continue;
        const Expr length = drive_position(drive);
        loci.push_back({std::nullopt, Circle{*place_of(there), length, length * length}, drive.name});
      }
    }
    return loci;
  }

  /// A body that turns about a known pin carries its other pins on circles; one of known direction, held by a line, on lines.
  std::optional<Locus> locus_by_body(PointRef member) {
    const int b = member.body;
    if (is_placed(b)) return std::nullopt;
    if (direction_[at(b)]) {
      const std::vector<Line> lines = lines_of(b);
      if (lines.empty()) return std::nullopt;
      const Vec arm = rotate(*direction_[at(b)], local(member));
      return Locus{Line{lines[0].normal, lines[0].offset + dot(lines[0].normal, arm)}, std::nullopt, name(b)};
    }
    for (int p = 0; p < static_cast<int>(machine_.bodies[at(b)].points.size()); ++p) {
      const auto centre = place_of({b, p});
      if (!centre || !is_apart({b, p}, member)) continue;
      const Vec d = local(member) - local({b, p});
      const Expr square = dot(d, d);
      const Expr radius = d.y.is_number(0) ? expr::operation(expr::Op::abs, {d.x}) : expr::sqrt(square);
      return Locus{std::nullopt, Circle{*centre, radius, square}, name(b)};
    }
    return std::nullopt;
  }

  bool advance_pins() {
    for (const auto& [group, members] : members_) {
      if (place_.contains(group) || place_of(members.front())) continue;
      const std::vector<Locus> loci = loci_of(group);
      if (loci.size() < 2) continue;
      place_[group] =
          intersect(loci[0], loci[1], number_of(members.front()), machine_.point(members.front()).name);
      return true;
    }
    return false;
  }

  Vec intersect(const Locus& a, const Locus& b, const Numbers& here, const std::string& point) {
    const std::string who = fmt::format("{}, {}", a.owner, b.owner);
    if (a.line && b.line) return intersect(*a.line, *b.line, who);
    result_.solved.push_back(
        fmt::format("{} at pin {}: {}", a.circle && b.circle ? "circles" : "line and circle", point, who));
    if (a.circle && b.circle) return intersect(*a.circle, *b.circle, here, who);
    return a.line ? intersect(*a.line, *b.circle, here, who) : intersect(*b.line, *a.circle, here, who);
  }

  /// The branch: +1 or -1, whichever the start pose has.
  [[nodiscard]] double branch_of(double value) const { return value < 0 ? -1.0 : 1.0; }

  [[nodiscard]] Numbers evaluate(const Vec& v) const { return {value_at_start(v.x), value_at_start(v.y)}; }

  [[nodiscard]] double value_at_start(Expr e) const {
    expr::Values values;
    for (const auto& parameter : machine_.parameters) values[parameter.name] = parameter.number;
    for (std::size_t d = 0; d < machine_.drives.size(); ++d)
      values[drive_position(machine_.drives[d])->name] = start_.drive_values[d];
    for (const IteratedBlock& block : result_.iterated) {
      for (std::size_t u = 0; u < block.unknowns.size(); ++u) {
        values[block.unknowns[u]->name] = start_.pose.bodies[at(block.bodies[u])].angle;
      }
    }
    return expr::calc_value(e, values);
  }

  /// K3: e = (k d + σ h ẑ×d)/d², k = (d² + r₁² - r₂²)/2, h = √(r₁² d² - k²); the links' cross product is σ h.
  Vec intersect(const Circle& a, const Circle& b, const Numbers& here, const std::string& who) {
    const Vec d = b.centre - a.centre;
    const Expr square = dot(d, d);
    const Expr k = 0.5 * (square + (a.square - b.square));
    const Expr root = expr::sqrt(a.square * square - k * k);
    const Numbers from = evaluate(a.centre);
    const Numbers delta = evaluate(d);
    const double sigma = branch_of(cross_of(delta, {here.x - from.x, here.y - from.y}));
    const Expr inverse_square = 1.0 / square;
    const Expr signed_root = sigma * root;
    result_.margins.push_back({root * (1.0 / (a.radius * b.radius)), who});
    const Vec arm = {inverse_square * (k * d.x - signed_root * d.y),
                     inverse_square * (k * d.y + signed_root * d.x)};
    return a.centre + arm;
  }

  /// K4: X = c + f n + σ h u, f = offset - n·c, h = √(r² - f²), u along the line.
  Vec intersect(const Line& line, const Circle& circle, const Numbers& here, const std::string& who) {
    const Expr f = line.offset - dot(line.normal, circle.centre);
    const Expr root = expr::sqrt(circle.square - f * f);
    const Vec u = -turn(line.normal);
    const Numbers centre = evaluate(circle.centre);
    const Numbers along = evaluate(u);
    const double sigma = branch_of((here.x - centre.x) * along.x + (here.y - centre.y) * along.y);
    result_.margins.push_back({root * (1.0 / circle.radius), who});
    return circle.centre + f * line.normal + (sigma * root) * u;
  }

  // ---- a guide that turns about a known pin and passes through a known point (K5)

  bool advance_guided() {
    for (const Joint& joint : machine_.joints) {
      const int b = joint.first.body;
      if (joint.kind == JointKind::revolute || direction_[at(b)] || !place_of(joint.second)) continue;
      for (int p = 0; p < static_cast<int>(machine_.bodies[at(b)].points.size()); ++p) {
        if (place_of({b, p})) return turn_guide(joint, {b, p});
      }
    }
    return false;
  }

  /// r = Q - P has, in the body's frame, e across the guide and ±√(r² - e²) along it.
  bool turn_guide(const Joint& joint, PointRef pivot) {
    const int b = joint.first.body;
    const Vec r = *place_of(joint.second) - *place_of(pivot);
    const Vec u = {joint.direction_x.expr, joint.direction_y.expr};
    const Vec n = turn(u);
    const Expr across = dot(n, local(joint.first) - local(pivot));
    const Expr square = dot(r, r);
    const Expr root = expr::sqrt(square - across * across);
    const double angle = start_.pose.bodies[at(b)].angle;
    const Numbers delta = evaluate(r);
    const Numbers along = {value_at_start(u.x), value_at_start(u.y)};
    const Numbers turned = {std::cos(angle) * along.x - std::sin(angle) * along.y,
                            std::sin(angle) * along.x + std::cos(angle) * along.y};
    const double sigma = branch_of(delta.x * turned.x + delta.y * turned.y);
    const Vec in_body = (sigma * root) * u + across * n;
    const Expr inverse_square = 1.0 / square;
    set_direction(b, {inverse_square * dot(in_body, r), inverse_square * cross(in_body, r)});
    result_.margins.push_back({root / expr::sqrt(square), name(b)});
    result_.solved.push_back(fmt::format("guide through a point: {}", name(b)));
    return true;
  }

  // ---- iterated blocks (K6)

  /// Takes the angles of the next group as unknowns, places its bodies, and keeps the joints that are left as residuals.
  void open_group() {
    IteratedBlock block;
    for (const std::vector<int>& group : groups_) {
      for (const int body : group) {
        if (!direction_[at(body)]) block.bodies.push_back(body);
      }
      if (!block.bodies.empty()) break;
    }
    if (block.bodies.empty()) {
      throw text::ModelError(
          machine_.where,
          "the positions of this machine's bodies do not follow from its drives: check the joints");
    }
    for (const int body : block.bodies) {
      const Expr unknown = expr::variable("z:" + name(body));
      block.unknowns.push_back(unknown);
      set_direction(body, {expr::cos(unknown), expr::sin(unknown)}, unknown);
    }
    result_.solved.push_back(fmt::format("{} angles together", block.bodies.size()));
    const std::size_t index = result_.iterated.size();
    result_.iterated.push_back(block);
    while (advance_prismatic() || advance_slides() || advance_bodies()) {
    }
    close(result_.iterated[index]);
  }

  void close(IteratedBlock& block) {
    for (std::size_t j = 0; j < machine_.joints.size(); ++j) add_residuals(machine_.joints[j], block);
    for (const Drive& drive : machine_.drives) add_residual(drive, block);
    if (block.residuals.size() != block.unknowns.size()) {
      throw text::ModelError(
          machine_.where,
          fmt::format("a block of {} unknown angles has {} closing equations: this structure is "
                      "not supported by the kernel yet",
                      block.unknowns.size(), block.residuals.size()));
    }
    for (const Expr residual : block.residuals) {
      std::vector<Expr> row;
      for (const Expr unknown : block.unknowns) row.push_back(expr::differentiate(residual, unknown));
      block.jacobian.push_back(std::move(row));
    }
  }

  [[nodiscard]] bool depends(Expr e, const IteratedBlock& block) const {
    for (const Expr symbol : expr::symbols_of({e})) {
      if (std::find(block.unknowns.begin(), block.unknowns.end(), symbol) != block.unknowns.end())
        return true;
    }
    return false;
  }

  void keep(Expr residual, IteratedBlock& block) {
    if (depends(residual, block)) block.residuals.push_back(residual);
  }

  [[nodiscard]] Vec point(PointRef ref) const {
    return *origin_[at(ref.body)] + rotate(*direction_[at(ref.body)], local(ref));
  }

  void add_residuals(const Joint& joint, IteratedBlock& block) {
    if (!is_placed(joint.first.body) || !is_placed(joint.second.body)) return;
    const Vec gap = point(joint.second) - point(joint.first);
    if (joint.kind != JointKind::revolute) return keep(dot(turn(guide(joint)), gap), block);
    keep(gap.x, block);
    keep(gap.y, block);
  }

  void add_residual(const Drive& drive, IteratedBlock& block) {
    if (drive.kind != DriveKind::cylinder || !is_placed(drive.first.body) || !is_placed(drive.second.body))
      return;
    const Vec gap = point(drive.second) - point(drive.first);
    keep(expr::sqrt(dot(gap, gap)) - drive_position(drive), block);
  }

  // ---- what follows

  void add_cylinders() {
    for (const Drive& drive : machine_.drives) {
      Rotation direction;
      if (drive.kind == DriveKind::cylinder) {
        const Vec gap = *place_of(drive.second) - *place_of(drive.first);
        const Expr inverse_length = 1.0 / drive_position(drive);
        direction = {inverse_length * gap.x, inverse_length * gap.y};
      }
      result_.cylinders.push_back(direction);
    }
  }

  void add_slides() {
    for (const Joint& joint : machine_.joints) {
      Expr along = 0.0;
      if (joint.kind != JointKind::revolute)
        along = dot(guide(joint), *place_of(joint.second) - *place_of(joint.first));
      result_.slides.push_back(along);
    }
  }

  const Machine& machine_;
  const machine::Assembly& start_;
  const std::vector<std::vector<int>>& groups_;
  std::vector<int> offsets_, parent_;
  std::map<int, std::vector<PointRef>> members_;
  std::map<int, Vec> place_;
  std::vector<std::optional<Rotation>> direction_;
  std::vector<std::optional<Vec>> origin_;
  std::vector<std::optional<Expr>> angle_;
  Positions result_;
};

}  // namespace

Expr drive_position(const machine::Drive& drive) { return expr::variable("q:" + drive.name); }

Positions build_positions(const machine::Machine& machine, const machine::Assembly& start,
                          const std::vector<std::vector<int>>& groups) {
  return Placer(machine, start, groups).build();
}

}  // namespace rodeo::codegen
