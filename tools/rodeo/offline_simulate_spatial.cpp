// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_simulate_spatial.h"

#include <fmt/format.h>

#include <cmath>
#include <csignal>

#include "engine/io/input.h"
#include "engine/step/limiter.h"
#include "kinematics/spatial/driven.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/csv_rows.h"
#include "tools/rodeo/fraction_bar.h"
#include "tools/rodeo/offline_spatial_columns.h"
#include "tools/rodeo/run_model.h"

namespace rodeo::tools {
namespace {

using engine::Command;
using engine::DriveState;
using spatial::DrivenStatus;

constexpr double kNano = 1e9;
constexpr int kPlacingSteps = 200;  // from the start to where an input begins

volatile std::sig_atomic_t interrupted = 0;

engine::DriveLimits build_limits(const spatial::Drive& drive) {
  const auto value = [](const std::optional<spatial::Quantity>& q) {
    return q ? std::optional(q->value) : std::nullopt;
  };
  return {value(drive.lower), value(drive.upper), value(drive.speed), value(drive.acceleration)};
}

/// Drives, limiters and the machine that follows them.
class Follower {
 public:
  Follower(const LoadedSpatial& loaded, double period)
      : machine_(loaded.machine), driven_(loaded.machine, loaded.assembly, loaded.mobility) {
    for (std::size_t d = 0; d < machine_.drives.size(); ++d) {
      limiters_.emplace_back(build_limits(machine_.drives[d]), period);
      drives_.push_back({loaded.assembly.drive_values[d], 0, 0});
    }
    move(drives_, 0.0);
  }

  /// A drive without speed or acceleration limit begins where its input does.
  void begin(const std::vector<Command>& commands) {
    std::vector<DriveState> target = drives_;
    for (std::size_t d = 0; d < target.size(); ++d) {
      const engine::DriveLimits& limits = limiters_[d].limits();
      if (limits.speed || limits.acceleration) continue;
      if (commands[d].kind == Command::Kind::rate) {
        target[d].rate = commands[d].rate;
      } else {
        target[d] = limiters_[d].calc_next(drives_[d], commands[d]).state;
      }
    }
    const std::vector<DriveState> from = drives_;
    for (int i = 1; i <= kPlacingSteps; ++i) {
      std::vector<DriveState> next = target;
      for (std::size_t d = 0; d < next.size(); ++d)
        next[d].position = from[d].position + (target[d].position - from[d].position) * i / kPlacingSteps;
      move(next, 0.0);
    }
  }

  void tick(const std::vector<Command>& commands, double t) {
    std::vector<DriveState> next;
    for (std::size_t d = 0; d < drives_.size(); ++d)
      next.push_back(limiters_[d].calc_next(drives_[d], commands[d]).state);
    move(next, t);
  }

  [[nodiscard]] const spatial::DrivenState& state() const { return driven_.state(); }

 private:
  void move(const std::vector<DriveState>& next, double t) {
    std::vector<double> values, rates, accelerations;
    for (const DriveState& drive : next) {
      values.push_back(drive.position);
      rates.push_back(drive.rate);
      accelerations.push_back(drive.acceleration);
    }
    const DrivenStatus status = driven_.step(values, rates, accelerations);
    if (status != DrivenStatus::ok) {
      fmt::print(stderr, "{}: at t = {:.4g} s {}\n", machine_.file, t,
                 status == DrivenStatus::singular ? "the machine comes to a singular pose: drive it around it"
                                                  : "the drives lead to where the joints cannot be closed");
      throw CLI::RuntimeError(fault);
    }
    drives_ = next;
  }

  const spatial::Machine& machine_;
  spatial::Driven driven_;
  std::vector<engine::DriveLimiter> limiters_;
  std::vector<DriveState> drives_;
};

std::vector<std::string> build_rate_names(const spatial::Machine& machine) {
  std::vector<std::string> names;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    for (const char* part : {".origin.vx", ".origin.vy", ".origin.vz", ".origin.ax", ".origin.ay",
                             ".origin.az", ".wx.rate", ".wy.rate", ".wz.rate"})
      names.push_back(machine.bodies[b].name + part);
  }
  return names;
}

void gather_rates(const spatial::DrivenState& state, std::vector<double>& row) {
  for (std::size_t b = 1; b < state.velocity.size(); ++b) {
    for (const spatial::Vector3& x : {state.velocity[b], state.acceleration[b], state.spin_rate[b]})
      row.insert(row.end(), {x.x(), x.y(), x.z()});
  }
}

/// The log of one run.
class Writer {
 public:
  Writer(const spatial::Machine& machine, const SimulateSpatialOptions& options)
      : columns_(machine), all_(options.all_columns), rows_(options.output, build_names(machine)) {}

  void write(double t, const spatial::DrivenState& state) {
    row_.assign(1, t);
    columns_.gather(state.pose, row_);
    row_.push_back(state.residual);
    if (all_) columns_.gather_bodies(state.pose, state.spin, row_);
    if (all_) gather_rates(state, row_);
    rows_.write(row_);
  }
  void finish() { rows_.finish(); }

 private:
  std::vector<std::string> build_names(const spatial::Machine& machine) const {
    std::vector<std::string> names{"t"};
    const auto add = [&](const std::vector<std::string>& more) {
      names.insert(names.end(), more.begin(), more.end());
    };
    add(columns_.build_names());
    add({"residual"});
    if (all_) add(columns_.build_body_names());
    if (all_) add(build_rate_names(machine));
    return names;
  }

  SpatialColumns columns_;
  bool all_;
  CsvRows rows_;
  std::vector<double> row_;
};

std::vector<std::string> list_drives(const spatial::Machine& machine) {
  std::vector<std::string> names;
  for (const spatial::Drive& drive : machine.drives) names.push_back(drive.name);
  return names;
}

}  // namespace

bool is_driven(const LoadedSpatial& loaded) {
  return !loaded.machine.drives.empty() && loaded.mobility.free_motions == 0;
}

void simulate_spatial(const SimulateSpatialOptions& options, const LoadedSpatial& loaded) {
  const spatial::Machine& machine = loaded.machine;
  std::unique_ptr<engine::Input> input;
  if (!options.input.empty()) input = load_input(options.input, list_drives(machine), {});
  const auto period = static_cast<std::int64_t>(std::llround(kNano / options.rate));
  const double duration =
      options.duration >= 0 ? options.duration * kNano : static_cast<double>(input->end());
  const auto ticks =
      static_cast<std::int64_t>(std::floor(duration / static_cast<double>(period) * (1 + 1e-8) + 1e-6));
  Follower follower(loaded, static_cast<double>(period) / kNano);
  std::vector<Command> commands;
  for (const double start : loaded.assembly.drive_values) commands.push_back(Command::at(start));
  if (input) input->sample(0, commands);
  if (input) follower.begin(commands);
  Writer log(machine, options);
  log.write(0.0, follower.state());
  FractionBar bar;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  for (std::int64_t i = 1; i <= ticks; ++i) {
    const double t = static_cast<double>(i * period) / kNano;
    if (input) input->sample(i * period, commands);
    follower.tick(commands, t);
    log.write(t, follower.state());
    if (i % 256 == 0) bar.show(static_cast<double>(i) / static_cast<double>(ticks));
    if (interrupted != 0) {
      fmt::print(stderr, "rodeo: stopped before the end, no log was written\n");
      throw CLI::RuntimeError(fault);
    }
  }
  log.finish();
}

}  // namespace rodeo::tools
