// SPDX-License-Identifier: MIT
// Logs and comparisons of machines in space that move by their forces.
#include <fmt/format.h>

#include "kinematics/dynamics/stop_law.h"
#include "kinematics/machine/force_names.h"
#include "kinematics/machine/measures.h"
#include "kinematics/spatial/problem.h"
#include "kinematics/spatial/settle.h"
#include "tools/rodeo/offline_free.h"
#include "tools/rodeo/offline_notes.h"
#include "tools/rodeo/offline_spatial.h"
#include "tools/rodeo/offline_spatial_columns.h"

namespace rodeo::tools {
namespace {

using spatial::ComponentKind;

const spatial::System& system_of(const dynamics::System& system) {
  return dynamic_cast<const spatial::System&>(system);
}

/// `guide.fy`: a force along, `guide.ty`: a moment about an axis of the joint's frame.
std::string load_name(const spatial::Machine& machine, const spatial::Row& row) {
  if (row.drive >= 0) {
    const spatial::Drive& drive = machine.drives[row.drive];
    return drive.name + (drive.kind == spatial::DriveKind::angle ? ".torque" : ".force");
  }
  const spatial::Joint& joint = machine.joints[row.joint];
  const spatial::Component component = build_components(joint)[row.component];
  switch (component.kind) {
    case ComponentKind::place: return fmt::format("{}.f{}", joint.name, "xyz"[component.axis]);
    case ComponentKind::turn: return fmt::format("{}.t{}", joint.name, "xyz"[component.axis]);
    case ComponentKind::twist: return joint.name + ".torque";
    case ComponentKind::screw: return joint.name + ".force";
  }
  return joint.name;
}

class SpatialView : public FreeView {
 public:
  explicit SpatialView(spatial::Machine machine) : machine_(std::move(machine)) {}

  std::vector<std::string> build_names(const dynamics::System& system, bool all) override {
    columns_ = std::make_unique<SpatialColumns>(machine_);
    std::vector<std::string> names{"t"};
    const auto add = [&](const std::vector<std::string>& more) {
      names.insert(names.end(), more.begin(), more.end());
    };
    add(columns_->build_names());
    add({"energy", "energy_error", "residual"});
    add(columns_->build_body_names());  // what the viewer shows
    if (!all) return names;
    add({"energy.kinetic", "energy.potential", "work"});
    const spatial::System& s = system_of(system);
    for (const spatial::Row& row : s.rows()) names.push_back(load_name(s.machine(), row));
    add(machine::list_strut_columns(machine_));
    for (const spatial::Measure& measure : machine_.measures) add({measure.name + ".rate"});
    return names;
  }

  void gather(const dynamics::System& system, const dynamics::Sample& sample, bool all,
              std::vector<double>& row) override {
    const spatial::System& s = system_of(system);
    const spatial::Pose pose = s.build_pose(sample.state.q);
    row.push_back(sample.t);
    columns_->gather(pose, row);
    row.insert(row.end(), {sample.energy.total(), sample.energy_error, sample.residual});
    columns_->gather_bodies(pose, build_spins(s, sample), row);
    if (!all) return;
    row.insert(row.end(), {sample.energy.kinetic, sample.energy.potential, sample.state.work});
    for (const double lambda : sample.state.lambda) row.push_back(-lambda);  // M v̇ = f − Jᵀλ
    const spatial::BodyStates states = s.build_states(sample.state.q, sample.state.v);
    for (const spatial::Force& force : machine_.forces) {
      if (machine::is_logged(force)) add_strut(s, states, sample, force, row);
    }
    for (const spatial::Measure& measure : machine_.measures)
      row.push_back(calc_rate(s, states, sample, measure));
  }

  std::vector<TrackColumn> build_track() override {
    columns_ = std::make_unique<SpatialColumns>(machine_);
    std::vector<TrackColumn> track;
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) {
      const std::string& name = machine_.bodies[b].name;
      for (const char* part : {".origin.x", ".origin.y", ".origin.z"})
        track.push_back({name + part, TrackKind::other});
      // Half an angle each: twice the difference is the angle between two orientations.
      for (const char* part : {".qw", ".qx", ".qy", ".qz"})
        track.push_back({name + part, TrackKind::half_angle});
      for (const char* part : {".wx", ".wy", ".wz"}) track.push_back({name + part, TrackKind::rate});
    }
    for (const spatial::Output& output : machine_.outputs) {
      for (const char* part : {".x", ".y", ".z"}) track.push_back({output.name + part, TrackKind::place});
      for (const char* part : {".rate.x", ".rate.y", ".rate.z"})
        track.push_back({output.name + part, TrackKind::other});
    }
    for (const spatial::Measure& measure : machine_.measures) {
      const bool is_angle = measure.kind == spatial::MeasureKind::angle;
      track.push_back({measure.name, is_angle ? TrackKind::angle : TrackKind::place});
      track.push_back({measure.name + ".rate", is_angle ? TrackKind::rate : TrackKind::other});
    }
    return track;
  }

  void gather_track(const dynamics::System& system, const dynamics::Sample& sample,
                    std::vector<double>& row) override {
    const spatial::System& s = system_of(system);
    const spatial::Pose pose = s.build_pose(sample.state.q);
    columns_->gather_bodies(pose, build_spins(s, sample), row);
    const spatial::BodyStates states = s.build_states(sample.state.q, sample.state.v);
    for (const spatial::Output& output : machine_.outputs) {
      const spatial::Vector3 p = machine_.point(output.point).at.value();
      const spatial::Vector3 at = pose.bodies[output.point.body].place(p);
      const spatial::Vector3 rate =
          states[output.point.body].velocity_of(s.frames()[output.point.body].point(p));
      row.insert(row.end(), {at.x(), at.y(), at.z(), rate.x(), rate.y(), rate.z()});
    }
    std::vector<double> followed;
    if (!machine_.measures.empty()) columns_->gather(pose, followed);
    for (const spatial::Measure& measure : machine_.measures)
      row.insert(row.end(), {columns_->calc_measure(measure, pose), calc_rate(s, states, sample, measure)});
  }

 private:
  /// J v of the row that the measure is.
  [[nodiscard]] double calc_rate(const spatial::System& system, const spatial::BodyStates& states,
                                 const dynamics::Sample& sample, const spatial::Measure& measure) const {
    spatial::RowTerms terms;
    static_cast<void>(calc_row(build_measure_data(machine_, measure, system.frames()), states, terms));
    return dynamics::calc_product(terms, sample.state.v);
  }

  /// As list_strut_columns names them.
  void add_strut(const spatial::System& system, const spatial::BodyStates& states,
                 const dynamics::Sample& sample, const spatial::Force& force,
                 std::vector<double>& row) const {
    if (force.kind == spatial::ForceKind::contact) return add_contact(system, states, force, row);
    spatial::RowTerms terms;
    const double length =
        calc_row(build_distance_data(machine_, force.first, force.second, system.frames()), states, terms)
            .residual;
    const double rate = length > 0 ? dynamics::calc_product(terms, sample.state.v) : 0.0;
    const double pull =
        force.kind == spatial::ForceKind::stop
            ? dynamics::calc_stop_pull(force, length, rate)
            : force.stiffness.value * (length - force.rest_length.value) + force.damping.value * rate;
    row.insert(row.end(), {length, rate, length > 0 ? pull : 0.0});
  }

  void add_contact(const spatial::System& system, const spatial::BodyStates& states,
                   const spatial::Force& force, std::vector<double>& row) const {
    const spatial::Vector3 normal = force.normal.value();
    const spatial::Vector3 p =
        system.frames()[force.first.body].point(machine_.point(force.first).at.value());
    const spatial::BodyState& body = states[force.first.body];
    const double gap = normal.dot(body.place(p)) - force.lower->value, rate = normal.dot(body.velocity_of(p));
    row.insert(row.end(),
               {gap, rate, dynamics::calc_push(force.stiffness.value, force.damping.value, -gap, -rate)});
  }

  std::vector<spatial::Vector3> build_spins(const spatial::System& system,
                                            const dynamics::Sample& sample) const {
    std::vector<spatial::Vector3> spins(machine_.bodies.size(), spatial::Vector3::Zero());
    for (int b = 1; b < static_cast<int>(spins.size()); ++b) spins[b] = system.calc_spin(sample.state.v, b);
    return spins;
  }

  spatial::Machine machine_;  // as written, with all its drives
  std::unique_ptr<SpatialColumns> columns_;
};

}  // namespace

std::optional<FreeMachine> load_spatial_free(const ModelOptions& model, const FreeOptions& options,
                                             Progress& progress) {
  std::optional<LoadedSpatial> loaded = load_spatial(model, progress);
  if (!loaded) return std::nullopt;
  text::Faults faults;
  check_start(*loaded, faults);
  faults.throw_if_any();
  dynamics::Problem problem = spatial::build_problem(loaded->machine, loaded->assembly, {options.released});
  std::vector<std::string> notes = build_file_notes(model.path, model.overrides);
  const std::vector<std::string>& missed = loaded->assembly.missed_starts;
  notes.insert(notes.end(), missed.begin(), missed.end());
  if (options.settle)
    notes.push_back(build_settled_note(spatial::settle_start(problem, loaded->machine, loaded->assembly)));
  FreeNames names = build_free_names(loaded->machine);
  return FreeMachine{std::move(names), std::move(problem),
                     std::make_unique<SpatialView>(std::move(loaded->machine)), std::move(notes)};
}

}  // namespace rodeo::tools
