// SPDX-License-Identifier: MIT
// Placing bodies, THEORY K1-K6.
#include "kinematics/codegen/positions.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinematics/codegen/agenda.h"
#include "kinematics/codegen/coupled_bodies.h"
#include "kinematics/codegen/iterated_block.h"
#include "kinematics/codegen/loci.h"
#include "kinematics/codegen/placing.h"

namespace rodeo::codegen {
namespace {

using machine::Drive;
using machine::DriveKind;
using machine::Joint;
using machine::JointKind;
using machine::Machine;
using machine::PointRef;

class Placer {
 public:
  Placer(const Machine& machine, const machine::Assembly& start, const std::vector<machine::Row>& redundant,
         bool carried)
      : start_(start),
        redundant_(redundant),
        carried_(carried),
        linkage_(machine),
        known_(linkage_, start),
        agenda_(known_) {}

  Positions build() {
    while (true) {
      while (advance()) {
      }
      if (known_.all_placed()) break;
      add_block();
    }
    for (int b = 0; b < linkage_.body_count(); ++b)
      result_.bodies.push_back({known_.frame(b), known_.on_body(b, {0.0, 0.0}), known_.angle(b)});
    add_cylinders();
    add_slides();
    return std::move(result_);
  }

 private:
  // ---- what becomes known

  void set_frame(int body, const Frame& frame, std::optional<Expr> angle = std::nullopt) {
    known_.set_frame(body, frame, angle);
    agenda_.touch_body(body);
  }

  void set_base(int body, const Vec& local, const Vec& place) {
    known_.set_base(body, local, place);
    agenda_.touch_body(body);
  }

  void set_place(int pin, const Vec& place) {
    known_.set_place(pin, place);
    agenda_.touch_pin(pin);
  }

  /// Keeps the margin of an intersection and how it was found.
  Vec take(const Intersection& found, const std::string& how, const std::string& who) {
    result_.margins.push_back({found.margin, who});
    result_.solved.push_back(fmt::format("{}: {}", how, who));
    return found.place;
  }

  /// σ of one more intersection.
  Expr carry_branch(const Branch& branch) {
    if (!carried_) return branch.at_start;
    result_.branches.push_back(branch);
    return branch_symbol(result_.branches.size() - 1);
  }

  [[nodiscard]] PointRef point_at(int pin) const { return linkage_.members(pin).front(); }

  // ---- one step of progress

  bool advance() {
    const auto body = [&](int b) { return try_body(b); };
    const auto drive = [&](int d) { return try_drive(linkage_.drive(d)); };
    const auto prismatic = [&](int j) { return try_prismatic(linkage_.joint(j)); };
    const auto guided = [&](int j) { return try_guided(linkage_.joint(j)); };
    const auto pin = [&](int p) { return try_pin(p); };
    return try_each(agenda_.drives, drive) || try_each(agenda_.joints, prismatic, true) ||
           try_each(agenda_.bodies, body) || try_each(agenda_.pins, pin) || try_each(agenda_.joints, guided);
  }

  bool try_drive(const Drive& drive) {
    if (drive.kind == DriveKind::slide) return try_slide(drive);
    return touched(try_direct(known_, drive));
  }

  bool try_prismatic(const Joint& joint) { return touched(try_direct(known_, joint)); }

  /// Whether a body has got something; what it may lead to waits then.
  bool touched(int body) {
    if (body >= 0) agenda_.touch_body(body);
    return body >= 0;
  }

  /// A driven slide puts its second point on a placed guide, or a guide of known direction under its second point.
  bool try_slide(const Drive& drive) {
    const Joint& joint = linkage_.joint(drive.joint);
    const int guide = drive.first.body;
    if (!known_.has_direction(guide)) return false;
    const auto point = known_.place_of(drive.second);
    if (known_.is_placed(guide) == point.has_value()) return false;
    const Vec way = drive_position(drive) * known_.guide(joint);
    if (point) {
      set_base(guide, linkage_.local(drive.first), *point - way);
    } else {
      set_place(linkage_.pin(drive.second), *known_.place_of(drive.first) + way);
    }
    return true;
  }

  bool try_body(int b) {
    return b != 0 && !known_.is_placed(b) &&
           (place_by_point(b) || place_by_two_points(b) || place_by_lines(b));
  }

  bool place_by_point(int b) { return touched(try_place_by_point(known_, b) ? b : -1); }

  bool place_by_two_points(int b) {
    if (known_.has_direction(b)) return false;
    std::vector<PointRef> known;
    for (int p = 0; p < linkage_.point_count(b) && known.size() < 2; ++p) {
      if (known_.place_of({b, p}) && (known.empty() || linkage_.is_apart(known[0], {b, p})))
        known.push_back({b, p});
    }
    if (known.size() == 1) return place_by_held_point(b, known[0]);
    if (known.size() < 2) return false;
    set_frame(b, {linkage_.local(known[1]) - linkage_.local(known[0]), known_.between(known[0], known[1])});
    return place_by_point(b);
  }

  /// One point of its own, and one of a body that a driven slide holds to it: its direction is (R - P)/(r - p).
  bool place_by_held_point(int b, PointRef here) {
    for (const int other : linkage_.held_with(b)) {
      for (int p = 0; other != b && p < linkage_.point_count(other); ++p) {
        if (!known_.place_of({other, p}) || linkage_.pin({other, p}) == linkage_.pin(here)) continue;
        const Vec local = linkage_.local_in(b, {other, p}) - linkage_.local(here);
        const Vec world = times(known_.between(here, {other, p}), conjugate(local));
        set_frame(b, {{1.0, 0.0}, (1.0 / dot(local, local)) * world});
        return place_by_point(b);
      }
    }
    return false;
  }

  bool place_by_lines(int b) {
    if (!known_.has_direction(b)) return false;
    const std::vector<Line> lines = find_lines(known_, b);
    if (lines.size() < 2) return false;
    set_base(b, {0.0, 0.0}, take(intersect(lines[0], lines[1]), "lines", linkage_.name(b)));
    return true;
  }

  // ---- pins on two loci

  bool try_pin(int pin) {
    const std::vector<PointRef>& members = linkage_.members(pin);
    if (known_.place_of(members.front())) return false;
    const std::vector<Locus> loci = find_loci(known_, pin);
    if (loci.size() < 2) return false;
    const std::string how = fmt::format("{} at pin {}", kinds_of(loci[0], loci[1]),
                                        linkage_.machine().point(members.front()).name);
    const Intersection found = meet(loci[0], loci[1], pin);
    set_place(pin, take(found, how, fmt::format("{}, {}", loci[0].owner, loci[1].owner)));
    return true;
  }

  static const char* kinds_of(const Locus& a, const Locus& b) {
    if (a.circle && b.circle) return "circles";
    return a.line && b.line ? "lines" : "line and circle";
  }

  Intersection meet(const Locus& a, const Locus& b, int pin) {
    if (a.line && b.line) return intersect(*a.line, *b.line);
    if (a.circle && b.circle) return meet(*a.circle, *b.circle, pin);
    return a.line ? meet(*a.line, *b.circle, pin) : meet(*b.line, *a.circle, pin);
  }

  Intersection meet(const Line& line, const Circle& circle, int pin) {
    const double at_start = branch_of(line, circle, known_.at_start(point_at(pin)));
    return intersect(line, circle,
                     carry_branch({at_start, point_at(circle.pin), point_at(pin), {}, line.guide}));
  }

  /// Keeps the two links and their cross product: rates and accelerations need them again.
  Intersection meet(const Circle& a, const Circle& b, int pin) {
    const Vec d = known_.between(point_at(a.pin), point_at(b.pin));
    const double at_start = branch_of(a, b, known_.at_start(point_at(pin)));
    const Dyad dyad =
        intersect(a, b, d, carry_branch({at_start, point_at(a.pin), point_at(pin), point_at(b.pin)}));
    known_.add_link(a.pin, pin, dyad.first);
    known_.add_link(b.pin, pin, dyad.second);
    Identities& known = result_.known;
    known.crosses.emplace(cross(dyad.first, dyad.second).id(), dyad.cross);
    known.crosses.emplace(cross(dyad.second, dyad.first).id(), -dyad.cross);
    known.inverses.emplace(dyad.cross.id(), dyad.inverse_cross);
    known.inverses.emplace((-dyad.cross).id(), -dyad.inverse_cross);
    return dyad.meeting;
  }

  // ---- a guide that turns about a known pin and passes through a known point (K5)

  bool try_guided(const Joint& joint) {
    const int b = joint.first.body;
    if (joint.kind == JointKind::revolute || known_.has_direction(b)) return false;
    const auto through = find_guided_point(joint);
    for (int p = 0; through && p < linkage_.point_count(b); ++p) {
      if (known_.place_of({b, p}) && linkage_.pin({b, p}) != linkage_.pin(*through))
        return turn_guide(joint, {b, p}, *through);
    }
    return false;
  }

  /// The point that a slider guides, if its place is known; a prismatic joint guides all points of its second body.
  [[nodiscard]] std::optional<PointRef> find_guided_point(const Joint& joint) {
    if (known_.place_of(joint.second)) return joint.second;
    const int body = joint.second.body;
    for (int p = 0; joint.kind == JointKind::prismatic && p < linkage_.point_count(body); ++p) {
      if (known_.place_of({body, p})) return PointRef{body, p};
    }
    return std::nullopt;
  }

  bool turn_guide(const Joint& joint, PointRef pivot, PointRef through) {
    const int b = joint.first.body;
    const Vec r = known_.between(pivot, through);
    const Vec u = {joint.direction_x.expr, joint.direction_y.expr};
    const Vec beside =
        times(direction(joint.angle.expr), linkage_.local(through) - linkage_.local(joint.second));
    const Expr across = dot(turn(u), linkage_.local(joint.first) + beside - linkage_.local(pivot));
    const Numbers from = known_.at_start(pivot);
    const Numbers to = known_.at_start(through);
    const Numbers n = known_.normal_at_start(joint);
    const double along_start = (to.x - from.x) * n.y - (to.y - from.y) * n.x;
    const Expr sigma = carry_branch({branch_of(along_start), pivot, through, {}, &joint});
    const GuideThroughPoint found = turn_through(r, u, across, sigma);
    set_frame(b, found.frame);
    result_.margins.push_back({found.margin, linkage_.name(b)});
    result_.solved.push_back(fmt::format("guide through a point: {}", linkage_.name(b)));
    return true;
  }

  // ---- iterated blocks (K6)

  /// The fewest bodies that can be found together.
  void add_block() {
    const std::vector<int> bodies = find_coupled_bodies(known_, start_, redundant_);
    IteratedBlock block = open_block(known_, start_, bodies, redundant_, result_);
    if (!block.unknowns.empty()) {
      result_.solved.push_back(describe(block));
      result_.iterated.push_back(std::move(block));
    }
    for (const int body : bodies) agenda_.touch_body(body);
  }

  /// `3 angles and 1 slide together`
  static std::string describe(const IteratedBlock& block) {
    const auto slides = std::count_if(block.what.begin(), block.what.end(), [](const BlockUnknown& what) {
      return what.kind == BlockUnknown::Kind::slide;
    });
    const auto angles = static_cast<std::ptrdiff_t>(block.what.size()) - slides;
    const auto count = [](std::ptrdiff_t n, const char* what) {
      return n == 0 ? std::string() : fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
    };
    const char* both = angles > 0 && slides > 0 ? " and " : "";
    return count(angles, "angle") + both + count(slides, "slide") + " together";
  }

  // ---- what follows

  void add_cylinders() {
    for (const Drive& drive : linkage_.machine().drives) {
      const bool is_cylinder = drive.kind == DriveKind::cylinder;
      result_.cylinders.push_back(is_cylinder ? known_.between(drive.first, drive.second) : Vec{});
    }
  }

  void add_slides() {
    for (const Joint& joint : linkage_.machine().joints) {
      Expr along = 0.0;
      if (joint.kind != JointKind::revolute)
        along = dot(known_.guide(joint), known_.between(joint.first, joint.second));
      result_.slides.push_back(along);
    }
  }

  const machine::Assembly& start_;
  const std::vector<machine::Row>& redundant_;
  const bool carried_;
  Linkage linkage_;
  Placement known_;
  Agenda agenda_;
  Positions result_;
};

}  // namespace

Expr branch_symbol(std::size_t number) { return expr::variable(fmt::format("s:{}", number)); }

Expr drive_position(const machine::Drive& drive) { return expr::variable("q:" + drive.name); }

Positions build_positions(const machine::Machine& machine, const machine::Assembly& start,
                          const std::vector<machine::Row>& redundant, bool carried) {
  return Placer(machine, start, redundant, carried).build();
}

}  // namespace rodeo::codegen
