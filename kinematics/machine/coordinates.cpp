// SPDX-License-Identifier: MIT
#include "kinematics/machine/coordinates.h"

#include <fmt/format.h>

#include <Eigen/QR>
#include <algorithm>
#include <cmath>

#include "kinematics/machine/closure.h"
#include "kinematics/machine/rank.h"
#include "kinematics/machine/start_speeds.h"

namespace rodeo::machine {
namespace {

constexpr double kSameRate = 1e-9;  // relative: below it a rate counts as got

std::size_t at(int index) { return static_cast<std::size_t>(index); }

std::vector<Drive> list_candidates(const Machine& machine) {
  std::vector<Drive> candidates;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    Drive drive;
    drive.kind = DriveKind::angle;
    drive.name = machine.bodies[b].name;
    drive.second_body = static_cast<int>(b);
    drive.where = machine.bodies[b].where;
    candidates.push_back(drive);
  }
  for (std::size_t j = 0; j < machine.joints.size(); ++j) {
    if (machine.joints[j].kind != JointKind::revolute) candidates.push_back(build_slide(machine, j));
  }
  std::erase_if(candidates, [&](const Drive& candidate) {  // what is driven already
    return std::any_of(machine.drives.begin(), machine.drives.end(), [&](const Drive& drive) {
      return drive.name == candidate.name ||
             (drive.kind == DriveKind::slide && candidate.kind == DriveKind::slide &&
              drive.joint == candidate.joint);
    });
  });
  return candidates;
}

/// Rows of drives in the moves that joints and drives leave free: candidates by degrees of freedom.
Eigen::MatrixXd calc_effects(Machine machine, const Pose& pose, const std::vector<Drive>& drives,
                             const Eigen::MatrixXd& moves) {
  machine.drives = drives;
  std::vector<Row> rows;
  for (std::size_t d = 0; d < drives.size(); ++d) rows.push_back({-1, static_cast<int>(d), 0});
  return calc_jacobian(machine, pose, rows) * moves;
}

/// Columns: velocities of (x, y, angle) of every body that leave all rows as they are.
Eigen::MatrixXd calc_free_moves(const Machine& machine, const Pose& pose, const Mobility& mobility) {
  std::vector<Row> rows = build_rows(machine, true);
  std::erase_if(rows, [&](const Row& row) {
    return std::any_of(mobility.redundant.begin(), mobility.redundant.end(), [&](const Row& r) {
      return row.joint >= 0 && r.joint == row.joint && r.component == row.component;
    });
  });
  return RowRank(calc_jacobian(machine, pose, rows)).build_free_moves();
}

std::vector<Drive> pick(const std::vector<Drive>& candidates, const Eigen::MatrixXd& effects) {
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(effects.transpose());
  if (effects.rows() < effects.cols() || qr.rank() < effects.cols()) return {};
  std::vector<int> picked;
  for (Eigen::Index i = 0; i < effects.cols(); ++i) picked.push_back(qr.colsPermutation().indices()[i]);
  std::sort(picked.begin(), picked.end());
  std::vector<Drive> drives;
  for (const int index : picked) drives.push_back(candidates[at(index)]);
  return drives;
}

/// What start.rates name, as drives of the machine.
std::vector<Drive> list_rated(const Machine& machine) {
  std::vector<Drive> rated;
  for (const StartValue& rate : machine.start_rates) {
    const auto drive = std::find_if(machine.drives.begin(), machine.drives.end(),
                                    [&](const Drive& d) { return d.name == rate.name; });
    if (drive != machine.drives.end()) {
      rated.push_back(*drive);
      continue;
    }
    const auto body = std::find_if(machine.bodies.begin(), machine.bodies.end(),
                                   [&](const Body& b) { return b.name == rate.name; });
    if (body == machine.bodies.end()) {
      rated.push_back(*find_slide(machine, rate.name));
      continue;
    }
    Drive angle;
    angle.kind = DriveKind::angle;
    angle.second_body = static_cast<int>(body - machine.bodies.begin());
    rated.push_back(angle);
  }
  return rated;
}

Vec2 calc_com(const Body& body) {
  if (body.com_x && body.com_y) return {body.com_x->value, body.com_y->value};
  Vec2 sum;
  for (const Point& p : body.points) sum = {sum.x + p.x.value, sum.y + p.y.value};
  const auto n = static_cast<double>(std::max<std::size_t>(body.points.size(), 1));
  return {sum.x / n, sum.y / n};
}

/// Rows whose squares add up to twice the kinetic energy of the free moves. A body that has no inertia gets that of its mass at the
/// machine's size: it must not spin for nothing.
Eigen::MatrixXd calc_energy_rows(const Machine& machine, const Pose& pose, const Eigen::MatrixXd& moves) {
  const double size = calc_size(machine);
  Eigen::MatrixXd rows(moves.rows(), moves.cols());
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const Body& body = machine.bodies[b];
    const Vec2 com = calc_com(body);
    const double c = std::cos(pose.bodies[b].angle), s = std::sin(pose.bodies[b].angle);
    const Vec2 r{c * com.x - s * com.y, s * com.x + c * com.y};
    const double mass = body.mass ? body.mass->value : 1e-6;
    const double least = 1e-9 * mass * size * size;
    const double given = body.inertia ? body.inertia->value : 0.0;
    const auto i = static_cast<Eigen::Index>(3 * (b - 1));
    rows.row(i) = std::sqrt(mass) * (moves.row(i) - r.y * moves.row(i + 2));
    rows.row(i + 1) = std::sqrt(mass) * (moves.row(i + 1) + r.x * moves.row(i + 2));
    rows.row(i + 2) = std::sqrt(given > least ? given : mass * size * size) * moves.row(i + 2);
  }
  return rows;
}

/// A body's angle or a guide's position that start.rates do not name; lengths in units of the machine's size.
Eigen::MatrixXd calc_others(const Machine& machine, const Pose& pose, std::vector<Drive> candidates,
                            const Eigen::MatrixXd& moves) {
  std::erase_if(candidates, [&](const Drive& candidate) {
    return std::any_of(machine.start_rates.begin(), machine.start_rates.end(),
                       [&](const StartValue& rate) { return rate.name == candidate.name; });
  });
  Eigen::MatrixXd others = calc_effects(machine, pose, candidates, moves);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    if (candidates[i].kind == DriveKind::slide)
      others.row(static_cast<Eigen::Index>(i)) /= calc_size(machine);
  }
  return others;
}

}  // namespace

Drive build_slide(const Machine& machine, std::size_t joint) {
  const Joint& from = machine.joints[joint];
  Drive drive;
  drive.kind = DriveKind::slide;
  drive.name = from.name;
  drive.first = from.first;
  drive.second = from.second;
  drive.joint = static_cast<int>(joint);
  drive.where = from.where;
  return drive;
}

std::optional<Drive> find_slide(const Machine& machine, const std::string& name) {
  for (std::size_t j = 0; j < machine.joints.size(); ++j) {
    const Joint& joint = machine.joints[j];
    if (joint.name == name && joint.kind != JointKind::revolute) return build_slide(machine, j);
  }
  return {};
}

std::string describe(const ChangedRate& change) {
  return fmt::format("start rate '{}' does not fit the joints: {:.6g} became {:.6g}", change.name,
                     change.asked, change.got);
}

FreeCoordinates choose_coordinates(const Machine& machine, const Assembly& start, const Mobility& mobility) {
  FreeCoordinates free;
  const Eigen::MatrixXd moves = calc_free_moves(machine, start.pose, mobility);
  if (moves.cols() == 0) return free;
  const std::vector<Drive> candidates = list_candidates(machine);
  free.coordinates = pick(candidates, calc_effects(machine, start.pose, candidates, moves));
  free.rates.assign(free.coordinates.size(), 0.0);
  if (machine.start_rates.empty()) return free;
  Eigen::VectorXd wanted(static_cast<Eigen::Index>(machine.start_rates.size()));
  for (std::size_t i = 0; i < machine.start_rates.size(); ++i)
    wanted[static_cast<Eigen::Index>(i)] = machine.start_rates[i].value;
  const Eigen::MatrixXd effects = calc_effects(machine, start.pose, list_rated(machine), moves);
  const Eigen::VectorXd speeds =
      calc_start_speeds({effects, wanted, calc_others(machine, start.pose, candidates, moves),
                         calc_energy_rows(machine, start.pose, moves)});
  const Eigen::VectorXd got = effects * speeds, velocities = moves * speeds;
  for (std::size_t i = 0; i < machine.start_rates.size(); ++i) {
    const double asked = machine.start_rates[i].value, is = got[static_cast<Eigen::Index>(i)];
    if (std::abs(is - asked) > kSameRate * std::max(1.0, std::abs(asked)))
      free.changes.push_back({machine.start_rates[i].name, asked, is});
  }
  const Eigen::VectorXd rates = calc_effects(machine, start.pose, free.coordinates, moves) * speeds;
  free.rates.assign(rates.data(), rates.data() + rates.size());
  const Eigen::VectorXd all = calc_effects(machine, start.pose, candidates, moves) * speeds;
  for (std::size_t i = 0; i < candidates.size(); ++i)
    free.all_rates.emplace_back(candidates[i].name, all[static_cast<Eigen::Index>(i)]);
  free.velocities.assign(velocities.data(), velocities.data() + velocities.size());
  return free;
}

Machine build_with_coordinates(Machine machine, const FreeCoordinates& free) {
  machine.drives.insert(machine.drives.end(), free.coordinates.begin(), free.coordinates.end());
  machine.start_drives.resize(machine.drives.size());
  return machine;
}

Assembly build_with_coordinates(Assembly start, const Machine& machine, const FreeCoordinates& free) {
  for (const Drive& coordinate : free.coordinates)
    start.drive_values.push_back(calc_drive_value(machine, start.pose, coordinate));
  return start;
}

}  // namespace rodeo::machine
