// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_freedom.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <set>

#include "kinematics/machine/closure.h"
#include "kinematics/machine/rank.h"

namespace rodeo::tools {
namespace {

using machine::Machine;
using machine::PointRef;

/// Which bodies joints and drives connect: the number of a body of the same group, the ground's is 0.
class Groups {
 public:
  template <class AnyMachine>
  explicit Groups(const AnyMachine& m) : group_(m.bodies.size()) {
    std::iota(group_.begin(), group_.end(), 0);
    for (const auto& joint : m.joints) connect(joint.first.body, joint.second.body);
    for (const auto& drive : m.drives) connect(drive.first_body, drive.second_body);
  }

  [[nodiscard]] int find(int body) const {
    while (group_[static_cast<std::size_t>(body)] != body) body = group_[static_cast<std::size_t>(body)];
    return body;
  }

 private:
  void connect(int a, int b) {
    const int first = find(a), second = find(b);
    group_[static_cast<std::size_t>(std::max(first, second))] = std::min(first, second);
  }

  std::vector<int> group_;
};

std::string describe_loose(const std::vector<std::string>& names) {
  if (names.size() == 1)
    return fmt::format(
        "body '{}' is loose: no joint connects it with anything; add a joint, or remove the body", names[0]);
  return fmt::format(
      "bodies {} are loose: joints connect them with each other and not with the ground; add a joint",
      text::join_names(names));
}

template <class AnyMachine>
void add_loose(const AnyMachine& m, text::Faults& faults) {
  const Groups groups(m);
  std::map<int, std::vector<std::string>> loose;
  for (int b = 1; b < static_cast<int>(m.bodies.size()); ++b) {
    const int group = groups.find(b);
    if (group != 0) loose[group].push_back(m.bodies[static_cast<std::size_t>(b)].name);
  }
  for (const auto& [first, names] : loose)
    faults.add(m.bodies[static_cast<std::size_t>(first)].where, describe_loose(names));
}

using PointKey = std::pair<int, int>;

/// Points that joints, drives, forces or outputs stand on.
std::set<PointKey> find_used(const Machine& m) {
  std::set<PointKey> used;
  const auto add = [&](PointRef ref) { used.emplace(ref.body, ref.point); };
  for (const machine::Joint& joint : m.joints) add(joint.first), add(joint.second);
  for (const machine::Drive& drive : m.drives) {
    if (drive.kind != machine::DriveKind::cylinder) continue;
    add(drive.first), add(drive.second);
  }
  for (const machine::Force& force : m.forces) add(force.first), add(force.second);
  for (const machine::Output& output : m.outputs) add(output.point);
  for (const machine::Measure& measure : m.measures) {
    if (measure.kind == machine::MeasureKind::length) add(measure.first), add(measure.second);
  }
  return used;
}

}  // namespace

void check_loose(const Machine& m, text::Faults& faults) { add_loose(m, faults); }
void check_loose(const spatial::Machine& m, text::Faults& faults) { add_loose(m, faults); }

std::vector<std::string> find_free_bodies(const LoadedMachine& loaded) {
  constexpr double kStill = 1e-6;  // dimensionless
  const Machine& m = loaded.machine;
  const machine::Closure all(m, machine::build_rows(m, true), loaded.assembly.drive_values);
  const Eigen::MatrixXd moves = machine::RowRank(all.calc_jacobian(loaded.assembly.pose)).build_free_moves();
  std::vector<std::string> names;
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    if (moves.middleRows(static_cast<Eigen::Index>(3 * (b - 1)), 3).norm() > kStill)
      names.push_back(m.bodies[b].name);
  }
  return names;
}

std::string describe_open_points(const Machine& m) {
  const std::set<PointKey> used = find_used(m);
  std::vector<std::string> open;
  std::set<int> bodies;
  for (int b = 0; b < static_cast<int>(m.bodies.size()); ++b) {
    for (int p = 0; p < static_cast<int>(m.bodies[static_cast<std::size_t>(b)].points.size()); ++p) {
      if (used.contains({b, p})) continue;
      open.push_back(m.point_name({b, p}));
      bodies.insert(b);
    }
  }
  if (bodies.size() < 2) return "";
  return fmt::format(" (is a joint missing? Points without one: {})", text::join_names(open));
}

}  // namespace rodeo::tools
