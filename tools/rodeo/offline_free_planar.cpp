// SPDX-License-Identifier: MIT
// Logs and comparisons of planar machines that move by their forces.
#include <cmath>

#include "kinematics/dynamics/stop_law.h"
#include "kinematics/machine/force_names.h"
#include "kinematics/machine/measures.h"
#include "tools/rodeo/offline_free.h"

namespace rodeo::tools {
namespace {

const dynamics::PlanarSystem& system_of(const dynamics::System& system) {
  return dynamic_cast<const dynamics::PlanarSystem&>(system);
}

/// As the loads of imposed motion are named.
std::string load_name(const machine::Machine& machine, const machine::Row& row) {
  if (row.drive >= 0) {
    const machine::Drive& drive = machine.drives[row.drive];
    const bool turns =
        drive.kind == machine::DriveKind::angle || drive.kind == machine::DriveKind::relative_angle;
    return drive.name + (turns ? ".torque" : ".force");
  }
  const machine::Joint& joint = machine.joints[row.joint];
  if (joint.kind == machine::JointKind::revolute) return joint.name + (row.component == 0 ? ".fx" : ".fy");
  return joint.name + (row.component == 0 ? ".force" : ".torque");
}

class PlanarView : public FreeView {
 public:
  explicit PlanarView(machine::Machine machine) : machine_(std::move(machine)) {}

  std::vector<std::string> build_names(const dynamics::System& system, bool all) override {
    std::vector<std::string> names{"t"};
    // A drive that is a body's angle has that body's name, as in the log of imposed motion.
    for (const machine::Drive& drive : machine_.drives) names.push_back(drive.name);
    add_bodies(names, {".angle"});
    add_bodies(names, {".rate"});
    for (const machine::Output& output : machine_.outputs) {
      names.push_back(output.name + ".x");
      names.push_back(output.name + ".y");
    }
    add_measures(names, 0);
    names.insert(names.end(), {"energy", "energy_error", "residual"});
    if (!all) return names;
    add_bodies(names, {".origin.x", ".origin.y"});
    names.insert(names.end(), {"energy.kinetic", "energy.potential", "work"});
    const dynamics::PlanarSystem& s = system_of(system);
    for (const machine::Row& row : s.rows()) names.push_back(load_name(s.machine(), row));
    for (const std::string& column : machine::list_strut_columns(machine_)) names.push_back(column);
    add_measures(names, 1);
    return names;
  }

  void gather(const dynamics::System& system, const dynamics::Sample& sample, bool all,
              std::vector<double>& row) override {
    const machine::Pose pose = system_of(system).build_pose(sample.state.q);
    row.push_back(sample.t);
    for (const machine::Drive& drive : machine_.drives)
      row.push_back(calc_drive_value(machine_, pose, drive));
    for (std::size_t b = 1; b < pose.bodies.size(); ++b) row.push_back(pose.bodies[b].angle);
    for (Eigen::Index i = 2; i < sample.state.v.size(); i += 3) row.push_back(sample.state.v[i]);
    for (const machine::Output& output : machine_.outputs) {
      const machine::Vec2 p = machine::calc_position(machine_, pose, output.point);
      row.insert(row.end(), {p.x, p.y});
    }
    for (const machine::Measure& measure : machine_.measures) {
      if (measure.drive < 0) row.push_back(calc_measure(machine_, pose, measure));
    }
    row.insert(row.end(), {sample.energy.total(), sample.energy_error, sample.residual});
    if (!all) return;
    for (std::size_t b = 1; b < pose.bodies.size(); ++b)
      row.insert(row.end(), {pose.bodies[b].x, pose.bodies[b].y});
    row.insert(row.end(), {sample.energy.kinetic, sample.energy.potential, sample.state.work});
    for (const double lambda : sample.state.lambda) row.push_back(-lambda);  // M v̇ = f − Jᵀλ
    for (const machine::Force& force : machine_.forces) {
      if (machine::is_logged(force)) add_strut(pose, sample, force, row);
    }
    for (const machine::Measure& measure : machine_.measures) {
      for (const auto& column : build_columns(machine_, measure)) {
        if (column.derivative == 1) row.push_back(calc_rate(pose, sample, measure));
      }
    }
  }

  std::vector<TrackColumn> build_track() override {
    std::vector<TrackColumn> track;
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b)
      track.push_back({machine_.bodies[b].name + ".angle", TrackKind::angle});
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b)
      track.push_back({machine_.bodies[b].name + ".rate", TrackKind::rate});
    for (const machine::Output& output : machine_.outputs) {
      for (const char* part : {".x", ".y"}) track.push_back({output.name + part, TrackKind::place});
      for (const char* part : {".rate.x", ".rate.y"}) track.push_back({output.name + part, TrackKind::other});
    }
    for (const machine::Measure& measure : machine_.measures) {
      const bool is_angle = measure.kind == machine::MeasureKind::angle;
      track.push_back({measure.name, is_angle ? TrackKind::angle : TrackKind::place});
      track.push_back({measure.name + ".rate", is_angle ? TrackKind::rate : TrackKind::other});
    }
    return track;
  }

  void gather_track(const dynamics::System& system, const dynamics::Sample& sample,
                    std::vector<double>& row) override {
    const Eigen::VectorXd &q = sample.state.q, &v = sample.state.v;
    for (Eigen::Index i = 2; i < q.size(); i += 3) row.push_back(q[i]);
    for (Eigen::Index i = 2; i < q.size(); i += 3) row.push_back(v[i]);
    const machine::Pose pose = system_of(system).build_pose(q);
    for (const machine::Output& output : machine_.outputs) {
      const machine::Vec2 p = machine::calc_position(machine_, pose, output.point);
      const machine::Vec2 rate = calc_velocity(p, output.point.body, sample);
      row.insert(row.end(), {p.x, p.y, rate.x, rate.y});
    }
    for (const machine::Measure& measure : machine_.measures)
      row.insert(row.end(), {calc_measure(machine_, pose, measure), calc_rate(pose, sample, measure)});
  }

 private:
  /// Of the point of a body that is at p; coordinates are those of the centres of mass.
  [[nodiscard]] static machine::Vec2 calc_velocity(const machine::Vec2& p, int body,
                                                   const dynamics::Sample& sample) {
    if (body == 0) return {};
    const Eigen::VectorXd &q = sample.state.q, &v = sample.state.v;
    const Eigen::Index i = 3 * (body - 1);
    return {v[i] - v[i + 2] * (p.y - q[i + 1]), v[i + 1] + v[i + 2] * (p.x - q[i])};
  }

  /// How fast the distance of two points grows; nil where they meet.
  [[nodiscard]] double calc_length_rate(const machine::Pose& pose, const dynamics::Sample& sample,
                                        machine::PointRef first, machine::PointRef second) const {
    const machine::Vec2 a = machine::calc_position(machine_, pose, first);
    const machine::Vec2 b = machine::calc_position(machine_, pose, second);
    const machine::Vec2 va = calc_velocity(a, first.body, sample);
    const machine::Vec2 vb = calc_velocity(b, second.body, sample);
    const double length = machine::calc_distance(machine_, pose, first, second);
    return length > 0 ? ((b.x - a.x) * (vb.x - va.x) + (b.y - a.y) * (vb.y - va.y)) / length : 0.0;
  }

  [[nodiscard]] double calc_rate(const machine::Pose& pose, const dynamics::Sample& sample,
                                 const machine::Measure& measure) const {
    if (measure.kind == machine::MeasureKind::angle) return sample.state.v[3 * measure.of - 1];
    return calc_length_rate(pose, sample, measure.first, measure.second);
  }

  /// As list_strut_columns names them.
  void add_strut(const machine::Pose& pose, const dynamics::Sample& sample, const machine::Force& force,
                 std::vector<double>& row) const {
    if (force.kind == machine::ForceKind::contact) {
      const machine::Vec2 p = machine::calc_position(machine_, pose, force.first);
      const double gap = p.y - force.lower->value, rate = calc_velocity(p, force.first.body, sample).y;
      row.insert(row.end(),
                 {gap, rate, dynamics::calc_push(force.stiffness.value, force.damping.value, -gap, -rate)});
      return;
    }
    const double length = machine::calc_distance(machine_, pose, force.first, force.second);
    const double rate = calc_length_rate(pose, sample, force.first, force.second);
    const double pull =
        force.kind == machine::ForceKind::stop
            ? dynamics::calc_stop_pull(force, length, rate)
            : force.stiffness.value * (length - force.rest_length.value) + force.damping.value * rate;
    row.insert(row.end(), {length, rate, pull});
  }

  /// Those of one derivative.
  void add_measures(std::vector<std::string>& names, std::size_t derivative) const {
    for (const machine::Measure& measure : machine_.measures) {
      for (const auto& column : build_columns(machine_, measure)) {
        if (column.derivative == derivative) names.push_back(column.name);
      }
    }
  }

  void add_bodies(std::vector<std::string>& names, const std::vector<std::string>& parts) const {
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) {
      for (const std::string& part : parts) names.push_back(machine_.bodies[b].name + part);
    }
  }

  machine::Machine machine_;
};

}  // namespace

std::unique_ptr<FreeView> build_planar_view(machine::Machine machine) {
  return std::make_unique<PlanarView>(std::move(machine));
}

}  // namespace rodeo::tools
