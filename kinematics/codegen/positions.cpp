// SPDX-License-Identifier: MIT
// Placing bodies, THEORY K1-K6.
#include "kinematics/codegen/positions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "kinematics/codegen/intersections.h"
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

class Placer {
 public:
  Placer(const Machine& machine, const machine::Assembly& start, const std::vector<std::vector<int>>& groups)
      : machine_(machine),
        start_(start),
        groups_(groups),
        frame_(machine.bodies.size()),
        base_(machine.bodies.size()),
        angle_(machine.bodies.size()) {
    join_points();
    index_neighbours();
    frame_[0] = Frame{};
    base_[0] = Base{};
    angle_[0] = Expr(0.0);
  }

  Positions build() {
    while (true) {
      while (advance()) {
      }
      if (all_placed()) break;
      open_group();
    }
    for (int b = 0; b < static_cast<int>(base_.size()); ++b)
      result_.bodies.push_back({*frame_[at(b)], on_body(b, {0.0, 0.0}), angle_[at(b)]});
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
  [[nodiscard]] bool is_placed(int body) const { return frame_[at(body)] && base_[at(body)]; }
  [[nodiscard]] bool all_placed() const {
    for (int b = 0; b < static_cast<int>(base_.size()); ++b) {
      if (!is_placed(b)) return false;
    }
    return true;
  }
  [[nodiscard]] const std::string& name(int body) const { return machine_.bodies[at(body)].name; }

  /// A vector of a body of known direction, on the page.
  [[nodiscard]] Vec carried(int body, const Vec& r) const { return carry(*frame_[at(body)], r); }
  /// Where the point r of a placed body is.
  [[nodiscard]] Vec on_body(int body, const Vec& r) const {
    const Base& base = *base_[at(body)];
    return base.place + carried(body, r - base.local);
  }

  /// Where a pin is, if anything that carries it is placed.
  std::optional<Vec> place_of(PointRef ref) {
    const int group = pin(ref);
    const auto found = place_.find(group);
    if (found != place_.end()) return found->second;
    for (const PointRef& member : members_[group]) {
      if (!is_placed(member.body)) continue;
      return place_[group] = on_body(member.body, local(member));
    }
    return std::nullopt;
  }

  /// From one known pin to another: by the link that closed a loop, or within one body, else by their places.
  Vec between(PointRef from, PointRef to) {
    const int a = pin(from), b = pin(to);
    if (const auto found = arms_.find({a, b}); found != arms_.end()) return found->second;
    if (const auto found = arms_.find({b, a}); found != arms_.end()) return -found->second;
    for (const PointRef& m : members_[a]) {
      for (const PointRef& n : members_[b]) {
        if (m.body == n.body && frame_[at(m.body)]) return carried(m.body, local(n) - local(m));
      }
    }
    return *place_of(to) - *place_of(from);
  }

  void set_frame(int body, const Frame& frame, std::optional<Expr> angle = std::nullopt) {
    frame_[at(body)] = frame;
    angle_[at(body)] = angle;
    touch_body(body);
  }

  // ---- one step of progress: what a change may have made possible waits in lists, smallest number first

  struct Waiting {
    std::set<int> drives, joints, bodies, groups;
  };

  void index_neighbours() {
    drives_of_.resize(machine_.bodies.size());
    joints_of_.resize(machine_.bodies.size());
    for (int d = 0; d < static_cast<int>(machine_.drives.size()); ++d) {
      const Drive& drive = machine_.drives[at(d)];
      const bool by_points = drive.kind == DriveKind::cylinder || drive.kind == DriveKind::slide;
      for (const int b : {by_points ? drive.first.body : drive.first_body,
                          by_points ? drive.second.body : drive.second_body}) {
        drives_of_[at(b)].push_back(d);
      }
      waiting_.drives.insert(d);
    }
    for (int j = 0; j < static_cast<int>(machine_.joints.size()); ++j) {
      joints_of_[at(machine_.joints[at(j)].first.body)].push_back(j);
      joints_of_[at(machine_.joints[at(j)].second.body)].push_back(j);
      waiting_.joints.insert(j);
    }
    for (int b = 1; b < static_cast<int>(base_.size()); ++b) waiting_.bodies.insert(b);
    for (const auto& [group, members] : members_) waiting_.groups.insert(group);
  }

  /// A body has got its direction or its place: it, its pins, its joints and drives, and what they lead to may go on.
  void touch_body(int b) {
    waiting_.bodies.insert(b);
    waiting_.drives.insert(drives_of_[at(b)].begin(), drives_of_[at(b)].end());
    for (const int j : joints_of_[at(b)]) {
      waiting_.joints.insert(j);
      waiting_.bodies.insert({machine_.joints[at(j)].first.body, machine_.joints[at(j)].second.body});
      waiting_.groups.insert({pin(machine_.joints[at(j)].first), pin(machine_.joints[at(j)].second)});
    }
    for (int p = 0; p < static_cast<int>(machine_.bodies[at(b)].points.size()); ++p) {
      waiting_.groups.insert(pin({b, p}));
      if (is_placed(b)) touch_pin(pin({b, p}));
    }
  }

  /// A pin has got its place: the bodies that carry it and their other pins may go on, and the ends of its cylinders.
  void touch_pin(int group) {
    for (const PointRef& member : members_[group]) {
      if (member.body == 0) continue;
      waiting_.bodies.insert(member.body);
      waiting_.joints.insert(joints_of_[at(member.body)].begin(), joints_of_[at(member.body)].end());
      for (int p = 0; p < static_cast<int>(machine_.bodies[at(member.body)].points.size()); ++p)
        waiting_.groups.insert(pin({member.body, p}));
    }
    for (const PointRef& member : members_[group]) {
      for (const int d : drives_of_[at(member.body)]) {
        const Drive& drive = machine_.drives[at(d)];
        if (drive.kind != DriveKind::cylinder) continue;
        waiting_.groups.insert({pin(drive.first), pin(drive.second)});
      }
    }
  }

  void set_place(int group, const Vec& place) {
    place_[group] = place;
    touch_pin(group);
  }

  /// The point `local` of a body is at `place`.
  void set_base(int body, const Vec& local, const Vec& place) {
    base_[at(body)] = {local, place};
    touch_body(body);
  }

  /// Tries what waits until something happens; false when nothing waits any more.
  bool advance() {
    return try_each(waiting_.drives, [&](int d) { return try_drive(machine_.drives[at(d)]); }) ||
           try_each(
               waiting_.joints, [&](int j) { return try_prismatic(machine_.joints[at(j)]); }, true) ||
           try_each(waiting_.bodies, [&](int b) { return try_body(b); }) ||
           try_each(waiting_.groups, [&](int g) { return try_pin(g); }) ||
           try_each(waiting_.joints, [&](int j) { return try_guided(machine_.joints[at(j)]); });
  }

  template <typename Try>
  bool try_each(std::set<int>& list, const Try& attempt, bool keep = false) {
    for (auto it = list.begin(); it != list.end();) {
      const int item = *it;
      if (attempt(item)) return true;  // what it changed waits now; the item itself stays in line
      it = keep ? std::next(it) : list.erase(it);
    }
    return false;
  }

  bool try_drive(const Drive& drive) {
    if (drive.kind == DriveKind::slide) return try_slide(drive);
    if (drive.kind == DriveKind::cylinder) return false;
    const Expr q = drive_position(drive);
    return direct(drive.first_body, drive.second_body, q);
  }

  bool try_prismatic(const Joint& joint) {
    if (joint.kind != JointKind::prismatic) return false;
    return direct(joint.first.body, joint.second.body, joint.angle.expr);
  }

  /// second = first turned by `angle`: whichever is known gives the other.
  bool direct(int first, int second, Expr angle) {
    const bool forward = frame_[at(first)].has_value();
    if (forward == frame_[at(second)].has_value()) return false;
    const int from = forward ? first : second;
    const int to = forward ? second : first;
    const Vec by = forward ? direction(angle) : conjugate(direction(angle));
    std::optional<Expr> sum;
    if (angle_[at(from)]) sum = forward ? *angle_[at(from)] + angle : *angle_[at(from)] - angle;
    set_frame(to, {frame_[at(from)]->local, times(by, frame_[at(from)]->world)}, sum);
    return true;
  }

  /// A driven slide puts its second point on a placed guide.
  bool try_slide(const Drive& drive) {
    if (!is_placed(drive.first.body) || place_of(drive.second)) return false;
    const Joint& joint = machine_.joints[at(drive.joint)];
    set_place(pin(drive.second), *place_of(drive.first) + drive_position(drive) * guide(joint));
    return true;
  }

  [[nodiscard]] Vec guide(const Joint& joint) const {
    return carried(joint.first.body, {joint.direction_x.expr, joint.direction_y.expr});
  }

  bool try_body(int b) {
    return b != 0 && !is_placed(b) && (place_by_point(b) || place_by_two_points(b) || place_by_lines(b));
  }

  /// By its origin if that is known, else by the first point that is.
  bool place_by_point(int b) {
    if (!frame_[at(b)]) return false;
    std::optional<PointRef> found;
    for (int p = 0; p < static_cast<int>(machine_.bodies[at(b)].points.size()); ++p) {
      const bool is_origin = is_zero(local({b, p}));
      if ((!found || is_origin) && place_of({b, p})) found = {b, p};
    }
    if (!found) return false;
    set_base(b, local(*found), *place_of(*found));
    return true;
  }

  bool place_by_two_points(int b) {
    if (frame_[at(b)]) return false;
    std::vector<PointRef> known;
    for (int p = 0; p < static_cast<int>(machine_.bodies[at(b)].points.size()) && known.size() < 2; ++p) {
      if (place_of({b, p}) && (known.empty() || is_apart(known[0], {b, p}))) known.push_back({b, p});
    }
    if (known.size() < 2) return false;
    set_frame(b, {local(known[1]) - local(known[0]), between(known[0], known[1])});
    return place_by_point(b);
  }

  [[nodiscard]] bool is_apart(PointRef a, PointRef b) const {
    const auto& p = machine_.point(a);
    const auto& q = machine_.point(b);
    return p.x.value != q.x.value || p.y.value != q.y.value;
  }

  // ---- bodies of known direction held by lines

  std::vector<Line> lines_of(int b) {
    std::vector<Line> lines;
    for (const int j : joints_of_[at(b)]) {
      const Joint& joint = machine_.joints[at(j)];
      if (joint.kind == JointKind::revolute) continue;
      if (joint.second.body == b && is_placed(joint.first.body)) {
        const Vec n = turn(guide(joint));
        lines.push_back(
            {n, dot(n, *place_of(joint.first) - carried(b, local(joint.second))), normal_at_start(joint)});
      } else if (joint.first.body == b && place_of(joint.second)) {
        const Vec n = turn(guide(joint));
        lines.push_back(
            {n, dot(n, *place_of(joint.second) - carried(b, local(joint.first))), normal_at_start(joint)});
      }
    }
    return lines;
  }

  bool place_by_lines(int b) {
    if (!frame_[at(b)]) return false;
    const std::vector<Line> lines = lines_of(b);
    if (lines.size() < 2) return false;
    set_base(b, {0.0, 0.0}, take(intersect(lines[0], lines[1]), "lines", name(b)));
    return true;
  }

  /// Keeps the margin of an intersection and how it was found.
  Vec take(const Intersection& found, const std::string& how, const std::string& who) {
    result_.margins.push_back({found.margin, who});
    result_.solved.push_back(fmt::format("{}: {}", how, who));
    return found.place;
  }

  // ---- pins on two loci

  std::vector<Locus> loci_of(int group) {
    std::vector<Locus> loci;
    for (const PointRef& member : members_[group]) {
      if (const auto locus = locus_by_body(member)) loci.push_back(*locus);
    }
    std::set<int> joints, drives;
    for (const PointRef& member : members_[group]) {
      joints.insert(joints_of_[at(member.body)].begin(), joints_of_[at(member.body)].end());
      drives.insert(drives_of_[at(member.body)].begin(), drives_of_[at(member.body)].end());
    }
    for (const int j : joints) add_guide_locus(machine_.joints[at(j)], group, loci);
    for (const int d : drives) add_cylinder_locus(machine_.drives[at(d)], group, loci);
    return loci;
  }

  void add_guide_locus(const Joint& joint, int group, std::vector<Locus>& loci) {
    if (joint.kind == JointKind::revolute || pin(joint.second) != group || !is_placed(joint.first.body))
      return;
    if (frame_[at(joint.second.body)]) return;  // the body's own line says it already
    const Vec n = turn(guide(joint));
    loci.push_back(
        {Line{n, dot(n, *place_of(joint.first)), normal_at_start(joint)}, std::nullopt, joint.name});
  }

  void add_cylinder_locus(const Drive& drive, int group, std::vector<Locus>& loci) {
    if (drive.kind != DriveKind::cylinder) return;
    for (const bool forward : {true, false}) {
      const PointRef here = forward ? drive.second : drive.first;
      const PointRef there = forward ? drive.first : drive.second;
      if (pin(here) != group || !place_of(there)) continue;
      const Expr length = drive_position(drive);
      loci.push_back({std::nullopt,
                      Circle{*place_of(there), length, length * length, number_of(there), pin(there)},
                      drive.name});
    }
  }

  /// A body that turns about a known pin carries its other pins on circles; one of known direction, held by a line, on lines.
  std::optional<Locus> locus_by_body(PointRef member) {
    const int b = member.body;
    if (is_placed(b)) return std::nullopt;
    if (frame_[at(b)]) {
      const std::vector<Line> lines = lines_of(b);
      if (lines.empty()) return std::nullopt;
      const Vec arm = carried(b, local(member));
      return Locus{Line{lines[0].normal, lines[0].offset + dot(lines[0].normal, arm), lines[0].at_start},
                   std::nullopt, name(b)};
    }
    for (int p = 0; p < static_cast<int>(machine_.bodies[at(b)].points.size()); ++p) {
      const auto centre = place_of({b, p});
      if (!centre || !is_apart({b, p}, member)) continue;
      const Vec d = local(member) - local({b, p});
      const Expr square = dot(d, d);
      const Expr radius = d.y.is_number(0) ? expr::operation(expr::Op::abs, {d.x}) : expr::sqrt(square);
      return Locus{std::nullopt, Circle{*centre, radius, square, number_of({b, p}), pin({b, p})}, name(b)};
    }
    return std::nullopt;
  }

  bool try_pin(int group) {
    const std::vector<PointRef>& members = members_[group];
    if (place_of(members.front())) return false;
    const std::vector<Locus> loci = loci_of(group);
    if (loci.size() < 2) return false;
    const bool circles = loci[0].circle && loci[1].circle;
    const bool lines = loci[0].line && loci[1].line;
    const std::string how = fmt::format("{} at pin {}",
                                        circles ? "circles"
                                        : lines ? "lines"
                                                : "line and circle",
                                        machine_.point(members.front()).name);
    const Intersection found = meet(loci[0], loci[1], group);
    set_place(group, take(found, how, fmt::format("{}, {}", loci[0].owner, loci[1].owner)));
    return true;
  }

  Intersection meet(const Locus& a, const Locus& b, int group) {
    const Numbers here = number_of(members_[group].front());
    if (a.line && b.line) return intersect(*a.line, *b.line);
    if (a.circle && b.circle) return meet(*a.circle, *b.circle, group);
    return a.line ? intersect(*a.line, *b.circle, here) : intersect(*b.line, *a.circle, here);
  }

  /// Keeps the two links and their cross product: rates and accelerations need them again.
  Intersection meet(const Circle& a, const Circle& b, int group) {
    const Vec d = between(members_[a.pin].front(), members_[b.pin].front());
    const Dyad dyad = intersect(a, b, d, number_of(members_[group].front()));
    arms_.emplace(std::pair(a.pin, group), dyad.first);
    arms_.emplace(std::pair(b.pin, group), dyad.second);
    Identities& known = result_.known;
    known.crosses.emplace(cross(dyad.first, dyad.second).id(), dyad.cross);
    known.crosses.emplace(cross(dyad.second, dyad.first).id(), -dyad.cross);
    known.inverses.emplace(dyad.cross.id(), dyad.inverse_cross);
    known.inverses.emplace((-dyad.cross).id(), -dyad.inverse_cross);
    return dyad.meeting;
  }

  /// Direction of a guide in the start pose, turned by a quarter: n = ẑ×u.
  [[nodiscard]] Numbers normal_at_start(const Joint& joint) const {
    const double angle = start_.pose.bodies[at(joint.first.body)].angle;
    const double ux = joint.direction_x.value;
    const double uy = joint.direction_y.value;
    return {-(std::sin(angle) * ux + std::cos(angle) * uy), std::cos(angle) * ux - std::sin(angle) * uy};
  }

  // ---- a guide that turns about a known pin and passes through a known point (K5)

  bool try_guided(const Joint& joint) {
    const int b = joint.first.body;
    if (joint.kind == JointKind::revolute || frame_[at(b)] || !place_of(joint.second)) return false;
    for (int p = 0; p < static_cast<int>(machine_.bodies[at(b)].points.size()); ++p) {
      if (place_of({b, p})) return turn_guide(joint, {b, p});
    }
    return false;
  }

  /// r = Q - P has, in the body's frame, e across the guide and ±√(r² - e²) along it.
  bool turn_guide(const Joint& joint, PointRef pivot) {
    const int b = joint.first.body;
    const Vec r = between(pivot, joint.second);
    const Vec u = {joint.direction_x.expr, joint.direction_y.expr};
    const Vec n = turn(u);
    const Expr across = dot(n, local(joint.first) - local(pivot));
    const Expr square = dot(r, r);
    const Expr root = expr::sqrt(square - across * across);
    const Numbers from = number_of(pivot);
    const Numbers to = number_of(joint.second);
    const Numbers delta = {to.x - from.x, to.y - from.y};
    const Numbers across_start = normal_at_start(joint);
    const Numbers turned = {across_start.y, -across_start.x};
    const double sigma = branch_of(delta.x * turned.x + delta.y * turned.y);
    const Vec in_body = (sigma * root) * u + across * n;
    const Expr inverse_square = 1.0 / square;
    set_frame(b, {{1.0, 0.0}, {inverse_square * dot(in_body, r), inverse_square * cross(in_body, r)}});
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
        if (!frame_[at(body)]) block.bodies.push_back(body);
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
      set_frame(body, {{1.0, 0.0}, direction(unknown)}, unknown);
    }
    result_.solved.push_back(fmt::format("{} angles together", block.bodies.size()));
    const std::size_t index = result_.iterated.size();
    result_.iterated.push_back(block);
    while (place_along_joints()) {
    }
    close(result_.iterated[index]);
  }

  /// Only what follows without intersecting: directions of prismatic neighbours, and places by one point.
  bool place_along_joints() {
    for (const Joint& joint : machine_.joints) {
      if (try_prismatic(joint)) return true;
    }
    for (int b = 1; b < static_cast<int>(base_.size()); ++b) {
      if (!is_placed(b) && place_by_point(b)) return true;
    }
    return false;
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

  [[nodiscard]] Vec point(PointRef ref) const { return on_body(ref.body, local(ref)); }

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
      const bool is_cylinder = drive.kind == DriveKind::cylinder;
      result_.cylinders.push_back(is_cylinder ? between(drive.first, drive.second) : Vec{});
    }
  }

  void add_slides() {
    for (const Joint& joint : machine_.joints) {
      Expr along = 0.0;
      if (joint.kind != JointKind::revolute) along = dot(guide(joint), between(joint.first, joint.second));
      result_.slides.push_back(along);
    }
  }

  /// A point of a body and where it is.
  struct Base {
    Vec local, place;
  };

  const Machine& machine_;
  const machine::Assembly& start_;
  const std::vector<std::vector<int>>& groups_;
  std::vector<int> offsets_, parent_;
  std::map<int, std::vector<PointRef>> members_;
  std::map<int, Vec> place_;
  std::map<std::pair<int, int>, Vec> arms_;  // from pin to pin
  std::vector<std::optional<Frame>> frame_;
  std::vector<std::optional<Base>> base_;
  std::vector<std::optional<Expr>> angle_;
  std::vector<std::vector<int>> drives_of_, joints_of_;  // a body each
  Waiting waiting_;
  Positions result_;
};

}  // namespace

Expr drive_position(const machine::Drive& drive) { return expr::variable("q:" + drive.name); }

Positions build_positions(const machine::Machine& machine, const machine::Assembly& start,
                          const std::vector<std::vector<int>>& groups) {
  return Placer(machine, start, groups).build();
}

}  // namespace rodeo::codegen
