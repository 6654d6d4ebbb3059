// SPDX-License-Identifier: MIT
// Placing bodies, THEORY K1-K6.
#include "kinematics/codegen/positions.h"

#include <fmt/format.h>

#include "kinematics/codegen/agenda.h"
#include "kinematics/codegen/iterated_block.h"
#include "kinematics/codegen/loci.h"
#include "kinematics/text/fault.h"

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
  Placer(const Machine& machine, const machine::Assembly& start, const std::vector<std::vector<int>>& groups)
      : groups_(groups), linkage_(machine), known_(linkage_, start), agenda_(known_) {}

  Positions build() {
    while (true) {
      while (advance()) {
      }
      if (known_.all_placed()) break;
      open_group();
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
    const bool forward = known_.has_direction(first);
    if (forward == known_.has_direction(second)) return false;
    const int from = forward ? first : second;
    const int to = forward ? second : first;
    const Vec by = forward ? direction(angle) : conjugate(direction(angle));
    std::optional<Expr> sum;
    if (known_.angle(from)) sum = forward ? *known_.angle(from) + angle : *known_.angle(from) - angle;
    set_frame(to, {known_.frame(from).local, times(by, known_.frame(from).world)}, sum);
    return true;
  }

  /// A driven slide puts its second point on a placed guide.
  bool try_slide(const Drive& drive) {
    if (!known_.is_placed(drive.first.body) || known_.place_of(drive.second)) return false;
    const Joint& joint = linkage_.joint(drive.joint);
    set_place(linkage_.pin(drive.second),
              *known_.place_of(drive.first) + drive_position(drive) * known_.guide(joint));
    return true;
  }

  bool try_body(int b) {
    return b != 0 && !known_.is_placed(b) &&
           (place_by_point(b) || place_by_two_points(b) || place_by_lines(b));
  }

  /// By its origin if that is known, else by the first point that is.
  bool place_by_point(int b) {
    if (!known_.has_direction(b)) return false;
    std::optional<PointRef> found;
    for (int p = 0; p < linkage_.point_count(b); ++p) {
      const bool is_origin = is_zero(linkage_.local({b, p}));
      if ((!found || is_origin) && known_.place_of({b, p})) found = {b, p};
    }
    if (!found) return false;
    set_base(b, linkage_.local(*found), *known_.place_of(*found));
    return true;
  }

  bool place_by_two_points(int b) {
    if (known_.has_direction(b)) return false;
    std::vector<PointRef> known;
    for (int p = 0; p < linkage_.point_count(b) && known.size() < 2; ++p) {
      if (known_.place_of({b, p}) && (known.empty() || linkage_.is_apart(known[0], {b, p})))
        known.push_back({b, p});
    }
    if (known.size() < 2) return false;
    set_frame(b, {linkage_.local(known[1]) - linkage_.local(known[0]), known_.between(known[0], known[1])});
    return place_by_point(b);
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
    const Numbers here = known_.at_start(linkage_.members(pin).front());
    if (a.line && b.line) return intersect(*a.line, *b.line);
    if (a.circle && b.circle) return meet(*a.circle, *b.circle, pin);
    return a.line ? intersect(*a.line, *b.circle, here) : intersect(*b.line, *a.circle, here);
  }

  /// Keeps the two links and their cross product: rates and accelerations need them again.
  Intersection meet(const Circle& a, const Circle& b, int pin) {
    const Vec d = known_.between(linkage_.members(a.pin).front(), linkage_.members(b.pin).front());
    const Dyad dyad = intersect(a, b, d, known_.at_start(linkage_.members(pin).front()));
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
    if (joint.kind == JointKind::revolute || known_.has_direction(b) || !known_.place_of(joint.second))
      return false;
    for (int p = 0; p < linkage_.point_count(b); ++p) {
      if (known_.place_of({b, p})) return turn_guide(joint, {b, p});
    }
    return false;
  }

  bool turn_guide(const Joint& joint, PointRef pivot) {
    const int b = joint.first.body;
    const Vec r = known_.between(pivot, joint.second);
    const Vec u = {joint.direction_x.expr, joint.direction_y.expr};
    const Expr across = dot(turn(u), linkage_.local(joint.first) - linkage_.local(pivot));
    const Numbers from = known_.at_start(pivot);
    const Numbers to = known_.at_start(joint.second);
    const Numbers n = known_.normal_at_start(joint);
    const double along_start = (to.x - from.x) * n.y - (to.y - from.y) * n.x;
    const GuideThroughPoint found = turn_through(r, u, across, branch_of(along_start));
    set_frame(b, found.frame);
    result_.margins.push_back({found.margin, linkage_.name(b)});
    result_.solved.push_back(fmt::format("guide through a point: {}", linkage_.name(b)));
    return true;
  }

  // ---- iterated blocks (K6)

  /// Takes the angles of the next group as unknowns, places its bodies, and keeps the joints that are left as residuals.
  void open_group() {
    IteratedBlock block;
    for (const std::vector<int>& group : groups_) {
      for (const int body : group) {
        if (!known_.has_direction(body)) block.bodies.push_back(body);
      }
      if (!block.bodies.empty()) break;
    }
    if (block.bodies.empty()) {
      throw text::ModelError(
          linkage_.machine().where,
          "the positions of this machine's bodies do not follow from its drives: check the joints");
    }
    for (const int body : block.bodies) {
      const Expr unknown = expr::variable("z:" + linkage_.name(body));
      block.unknowns.push_back(unknown);
      set_frame(body, {{1.0, 0.0}, direction(unknown)}, unknown);
    }
    result_.solved.push_back(fmt::format("{} angles together", block.bodies.size()));
    const std::size_t index = result_.iterated.size();
    result_.iterated.push_back(block);
    while (place_along_joints()) {
    }
    close_block(known_, result_.iterated[index]);
  }

  /// Only what follows without intersecting: directions of prismatic neighbours, and places by one point.
  bool place_along_joints() {
    for (const Joint& joint : linkage_.machine().joints) {
      if (try_prismatic(joint)) return true;
    }
    for (int b = 1; b < linkage_.body_count(); ++b) {
      if (!known_.is_placed(b) && place_by_point(b)) return true;
    }
    return false;
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

  const std::vector<std::vector<int>>& groups_;
  Linkage linkage_;
  Placement known_;
  Agenda agenda_;
  Positions result_;
};

}  // namespace

Expr drive_position(const machine::Drive& drive) { return expr::variable("q:" + drive.name); }

Positions build_positions(const machine::Machine& machine, const machine::Assembly& start,
                          const std::vector<std::vector<int>>& groups) {
  return Placer(machine, start, groups).build();
}

}  // namespace rodeo::codegen
