// SPDX-License-Identifier: MIT
#include "kinematics/codegen/charts.h"

#include <algorithm>
#include <cmath>

#include "kinematics/codegen/block_rows.h"
#include "kinematics/codegen/emit.h"
#include "kinematics/codegen/tape_run.h"
#include "kinematics/machine/motion_samples.h"
#include "kinematics/text/fault.h"

namespace rodeo::codegen {
namespace {

constexpr double kStopMargin = 0.01;
constexpr double kSamePose = 1e-6;  // rad or m: far below a branch, far above rounding

constexpr int kMostInVain = 16;  // poses, flat ones, where no chart was better

/// One chart, run offline.
class Chart {
 public:
  Chart(const machine::Machine& machine, const machine::Assembly& start, const machine::Mobility& mobility,
        const machine::FreeCoordinates& free)
      : free_(free),
        start_(start),
        whole_(machine::build_with_coordinates(machine, free)),
        model_(build_chart_model(machine, start, mobility, free)),
        tapes_(build_kernel_text(model_).tapes) {
    for (const expr::Parameter& parameter : model_.parameters) arrays_.parameters.push_back(parameter.number);
    arrays_.derived.resize(tapes_.derived_count);
    arrays_.outputs.resize(model_.outputs.size());
    arrays_.drives.resize(3 * model_.drives.size());
    arrays_.states = model_.start_states;
    is_ready_ = TapeRunner(tapes_.prepare).run(arrays_, kStopMargin);
  }

  [[nodiscard]] const machine::FreeCoordinates& free() const noexcept { return free_; }
  [[nodiscard]] const machine::Assembly& start() const noexcept { return start_; }
  [[nodiscard]] KernelModel& model() noexcept { return model_; }
  [[nodiscard]] bool can_go_bad() const {
    return !model_.step.margins.empty() || !model_.step.iterated.empty();
  }

  /// Margin at a pose of the machine; 0 where this chart does not lead to it.
  [[nodiscard]] double calc_margin(const machine::Pose& pose) {
    if (!is_ready_) return 0;
    for (std::size_t d = 0; d < whole_.drives.size(); ++d)
      arrays_.drives[3 * d] = machine::calc_drive_value(whole_, pose, whole_.drives[d]);
    const std::vector<double> there = calc_angles(pose);
    for (std::size_t s = 0; s < there.size(); ++s) {
      if (!std::isnan(there[s])) arrays_.states[s] = there[s];
    }
    set_slides(pose);
    TapeRunner step(tapes_.step);
    if (!step.run(arrays_, kStopMargin)) return 0;
    for (std::size_t s = 0; s < there.size(); ++s) {
      if (std::abs(arrays_.states[s] - there[s]) > kSamePose) return 0;
    }
    return step.margin();
  }

 private:
  /// What the states are there, as far as they are bodies' angles; these tell the branch.
  [[nodiscard]] std::vector<double> calc_angles(const machine::Pose& pose) const {
    std::vector<double> angles(model_.states.size(), NAN);
    for (std::size_t b = 1; b < whole_.bodies.size(); ++b) {
      for (std::size_t s = 0; s < angles.size(); ++s) {
        if (model_.states[s].name == whole_.bodies[b].name + ".angle") angles[s] = pose.bodies[b].angle;
      }
    }
    return angles;
  }

  /// Positions along guides, where iterated blocks begin; named by their joint or its drive.
  void set_slides(const machine::Pose& pose) {
    for (std::size_t j = 0; j < whole_.joints.size(); ++j) {
      if (whole_.joints[j].kind == machine::JointKind::revolute) continue;
      const double slide = calc_slide(whole_, pose, static_cast<int>(j));
      set_state(whole_.joints[j].name + ".slide", slide);
      for (const machine::Drive& drive : whole_.drives) {
        if (drive.kind == machine::DriveKind::slide && drive.joint == static_cast<int>(j))
          set_state(drive.name + ".slide", slide);
      }
    }
  }

  void set_state(const std::string& name, double value) {
    for (std::size_t s = 0; s < model_.states.size(); ++s) {
      if (model_.states[s].name == name) arrays_.states[s] = value;
    }
  }

  machine::FreeCoordinates free_;
  machine::Assembly start_;
  machine::Machine whole_;
  KernelModel model_;
  KernelTapes tapes_;
  TapeArrays arrays_;
  bool is_ready_ = false;
};

class Cover {
 public:
  Cover(const machine::Machine& machine, const machine::Assembly& start, const machine::Mobility& mobility,
        const machine::FreeCoordinates& free)
      : machine_(machine), mobility_(mobility) {
    charts_.emplace_back(machine, start, mobility, free);
    if (!charts_[0].can_go_bad() || machine.bodies.size() > kMostChartBodies + 1) return;
    for (const machine::Pose& pose : machine::sample_motion(machine, start, mobility)) add(pose);
  }

  KernelModel build() {
    if (charts_.size() == 1) return std::move(charts_[0].model());
    const SharedChannels shared = build_shared();
    std::vector<KernelModel> models;
    for (Chart& chart : charts_) {
      models.push_back(build_chart_model(machine_, chart.start(), mobility_, chart.free(), shared));
    }
    KernelModel first = std::move(models.front());
    models.erase(models.begin());
    first.charts = std::move(models);
    return first;
  }

 private:
  /// One more chart, if none is good at this pose and one chosen there is better.
  void add(const machine::Pose& pose) {
    double best = 0;
    for (Chart& chart : charts_) best = std::max(best, chart.calc_margin(pose));
    if (best >= kSwitchMargin || charts_.size() == kMostCharts || in_vain_ == kMostInVain) return;
    machine::Assembly here;
    here.assembled = true;
    here.pose = pose;
    for (const machine::Drive& drive : machine_.drives)
      here.drive_values.push_back(machine::calc_drive_value(machine_, pose, drive));
    const auto free = machine::choose_coordinates(machine_, here, mobility_);
    if (free.coordinates.size() != charts_[0].free().coordinates.size()) return;  // a pose of lower rank
    try {
      Chart chart(machine_, here, mobility_, free);
      if (chart.calc_margin(pose) > kBetterMargin * best) return charts_.push_back(std::move(chart));
    } catch (const text::ModelError&) {
      // These coordinates cannot be compiled: the pose stays without a chart.
    }
    ++in_vain_;
  }

  [[nodiscard]] SharedChannels build_shared() {
    SharedChannels shared;
    for (Chart& chart : charts_) {
      for (const Channel& state : chart.model().states) {
        const bool is_there = std::any_of(shared.states.begin(), shared.states.end(),
                                          [&](const Channel& other) { return other.name == state.name; });
        if (!is_there) shared.states.push_back(state);
      }
      const auto& coordinates = chart.free().coordinates;
      shared.measured.insert(shared.measured.end(), coordinates.begin(), coordinates.end());
    }
    return shared;
  }

  const machine::Machine& machine_;
  const machine::Mobility& mobility_;
  std::vector<Chart> charts_;
  int in_vain_ = 0;
};

}  // namespace

KernelModel build_kernel_model(const machine::Machine& machine, const machine::Assembly& start,
                               const machine::Mobility& mobility) {
  const machine::FreeCoordinates free = mobility.free_motions > 0
                                            ? machine::choose_coordinates(machine, start, mobility)
                                            : machine::FreeCoordinates{};
  if (free.coordinates.empty() && mobility.free_motions > 0) {
    throw text::ModelError(
        machine.where,
        "not every freedom of this machine is a body's angle or a position along a guide, and "
        "method minimal compiles no other coordinates: choose --method lagrange");
  }
  if (free.coordinates.empty()) return build_chart_model(machine, start, mobility, free);
  return Cover(machine, start, mobility, free).build();
}

}  // namespace rodeo::codegen
