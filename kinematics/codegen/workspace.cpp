// SPDX-License-Identifier: MIT
// Sampling of the workspace. Every point is approached from the last pose that closed, in small steps where the kernel
// iterates: its corrections start from the state before.
#include "kinematics/codegen/workspace.h"

#include <algorithm>
#include <cmath>

#include "kinematics/codegen/tape_run.h"

namespace rodeo::codegen {
namespace {

constexpr double kStopMargin = 0.01;
constexpr int kApproach = 32;           // steps to a point, where the kernel iterates
constexpr double kLargestEffort = 2e7;  // instructions in all
constexpr std::uint64_t kSeed = 0x9e3779b97f4a7c15ULL;

/// splitmix64 in [0, 1): the same points on every run.
double scatter(std::uint64_t& state) {
  std::uint64_t z = state += kSeed;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1.0p-53;
}

class Sampler {
 public:
  Sampler(const KernelModel& model, const KernelTapes& tapes)
      : model_(model), step_(tapes.step), closure_(tapes.closure) {
    for (const expr::Parameter& parameter : model.parameters) arrays_.parameters.push_back(parameter.number);
    arrays_.derived.resize(tapes.derived_count);
    arrays_.states = model.start_states;
    arrays_.branches = model.start_branches;
    arrays_.drives.resize(3 * model.drives.size());
    arrays_.outputs.resize(
        std::max(model.outputs.size() + model.measured_count, model.closure.results.size()));
    for (const DriveChannel& drive : model.drives) here_.push_back(drive.start);
    approach_ = model.step.iterated.empty() ? 1 : kApproach;
    const double instructions = static_cast<double>(tapes.step.instructions.size() + 1) * approach_;
    points_ = std::clamp(static_cast<int>(kLargestEffort / instructions), 8, kWorkspacePoints);
    ready_ = TapeRunner(tapes.prepare).run(arrays_, kStopMargin) && try_move(here_);
  }

  Workspace run() {
    const double drives = static_cast<double>(std::max<std::size_t>(model_.drives.size(), 1));
    const int a_drive = static_cast<int>(std::pow(points_ + 0.5, 1.0 / drives));
    if (a_drive >= 2) {
      run_grid(a_drive);
    } else {
      run_scattered();
    }
    return workspace_;
  }

 private:
  /// To and fro along each drive, so that the next point is near.
  void run_grid(int a_drive) {
    std::vector<int> index(model_.drives.size(), 0), sense(model_.drives.size(), 1);
    while (true) {
      std::vector<double> there;
      for (std::size_t d = 0; d < index.size(); ++d)
        there.push_back(position(d, static_cast<double>(index[d]) / (a_drive - 1)));
      sample(there);
      std::size_t d = 0;
      while (d < index.size() && (index[d] + sense[d] < 0 || index[d] + sense[d] >= a_drive))
        sense[d] = -sense[d], ++d;
      if (d == index.size()) return;
      index[d] += sense[d];
    }
  }

  void run_scattered() {
    std::uint64_t state = kSeed;
    for (int i = 0; i < points_; ++i) {
      std::vector<double> there;
      for (std::size_t d = 0; d < model_.drives.size(); ++d) there.push_back(position(d, scatter(state)));
      sample(there);
    }
  }

  [[nodiscard]] double position(std::size_t d, double part) const {
    const DriveChannel& drive = model_.drives[d];
    const double lower = drive.lower.value_or(drive.start - 0.5);
    const double upper = drive.upper.value_or(drive.start + 0.5);
    return lower + (upper - lower) * part;
  }

  /// One step of the kernel, drives at rest.
  [[nodiscard]] bool try_move(const std::vector<double>& there) {
    for (std::size_t d = 0; d < there.size(); ++d) arrays_.drives[3 * d] = there[d];
    return step_.run(arrays_, kStopMargin);
  }

  [[nodiscard]] bool try_approach(const std::vector<double>& there) {
    const std::vector<double> from = here_;
    std::vector<double> next = from;
    for (int i = 1; i <= approach_; ++i) {
      for (std::size_t d = 0; d < next.size(); ++d)
        next[d] = i == approach_ ? there[d] : from[d] + (there[d] - from[d]) * i / approach_;
      if (!try_move(next)) return false;
      here_ = next;
    }
    return true;
  }

  void sample(const std::vector<double>& there) {
    ++workspace_.sampled;
    if (!ready_ || !try_approach(there)) return;
    ++workspace_.closed;
    workspace_.smallest_margin = std::min(workspace_.smallest_margin, step_.margin());
    if (!closure_.run(arrays_, kStopMargin)) return;
    for (std::size_t i = 0; i < model_.closure.results.size(); ++i)
      workspace_.largest_residual = std::max(workspace_.largest_residual, std::fabs(arrays_.outputs[i]));
  }

  const KernelModel& model_;
  TapeRunner step_, closure_;
  TapeArrays arrays_;
  std::vector<double> here_;  // positions of the drives at the last pose that closed
  int approach_ = 1, points_ = 0;
  bool ready_ = false;
  Workspace workspace_;
};

}  // namespace

Workspace sample_workspace(const KernelModel& model, const KernelTapes& tapes) {
  return Sampler(model, tapes).run();
}

}  // namespace rodeo::codegen
