// SPDX-License-Identifier: MIT
#include "kinematics/machine/rods_points.h"

#include <numeric>

#include "kinematics/machine/rods_forces.h"

namespace rodeo::machine {
namespace {

std::size_t at(int index) { return static_cast<std::size_t>(index); }

}  // namespace

RodPoints::RodPoints(const Machine& machine, const RodOptions& options)
    : machine_(machine), options_(options), jointed_(machine.bodies.size()), inner_(machine.bodies.size()) {
  for (const Joint& joint : machine.joints) {
    use_jointed(joint.first);
    use_jointed(joint.second);
  }
  for (const Drive& drive : machine.drives) {
    if (drive.kind != DriveKind::cylinder) continue;
    use_jointed(drive.first);
    use_jointed(drive.second);
  }
  if (options.forces) {
    for (const PointRef& ref : find_force_points(machine)) use(ref);
  }
  find_inner_points();
}

bool RodPoints::use(PointRef ref) {
  if (!seen_.insert({ref.body, ref.point}).second) return false;
  used_.push_back(ref);
  return true;
}

void RodPoints::use_jointed(PointRef ref) {
  if (use(ref)) jointed_[at(ref.body)].push_back(ref.point);
}

/// From the ground, joint by joint.
void RodPoints::find_inner_points() {
  std::vector<std::vector<const Joint*>> joints_of(machine_.bodies.size());
  for (const Joint& joint : machine_.joints) {
    for (const PointRef& ref : {joint.first, joint.second}) joints_of[at(ref.body)].push_back(&joint);
  }
  std::vector<int> reached{0};
  for (std::size_t i = 0; i < reached.size(); ++i) {
    for (const Joint* joint : joints_of[at(reached[i])]) {
      const PointRef other = joint->first.body == reached[i] ? joint->second : joint->first;
      if (other.body == 0 || inner_[at(other.body)]) continue;
      inner_[at(other.body)] = other.point;
      reached.push_back(other.body);
    }
  }
}

std::vector<int> RodPoints::points_about_centre(int body) const {
  std::vector<int> points = jointed_[at(body)];
  if (options_.reference == RodReference::inner_pin && !points.empty())
    return {inner_[at(body)].value_or(points.front())};
  if (points.size() < 2) {
    points.resize(machine_.bodies[at(body)].points.size());
    std::iota(points.begin(), points.end(), 0);
  } else {
    points.resize(2);
  }
  return points;
}

RodCentre RodPoints::find_centre(int b) const {
  const Body& body = machine_.bodies[at(b)];
  if (options_.form == RodForm::traditional && body.com_x && body.com_y)
    return {body.com_x->expr, body.com_y->expr};
  const std::vector<int> points = points_about_centre(b);
  if (points.empty()) return {};
  RodCentre sum;
  for (const int p : points) sum = {sum.x + body.points[at(p)].x.expr, sum.y + body.points[at(p)].y.expr};
  const auto count = static_cast<double>(points.size());
  return {sum.x / count, sum.y / count};
}

std::vector<RodCentre> find_centres(const Machine& machine, const RodOptions& options) {
  const RodPoints points(machine, options);
  std::vector<RodCentre> list(1);
  for (int b = 1; b < static_cast<int>(machine.bodies.size()); ++b) list.push_back(points.find_centre(b));
  return list;
}

}  // namespace rodeo::machine
