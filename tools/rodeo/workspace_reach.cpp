// SPDX-License-Identifier: MIT
// A flood over the grid from the node next to the start. A node keeps its kernel's state until its neighbours are visited: the wave's
// front, not the whole grid, is in memory.
#include "tools/rodeo/workspace_reach.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <deque>
#include <limits>
#include <numbers>

#include "tools/rodeo/workspace_narrowest.h"
#include "tools/rodeo/workspace_walker.h"

namespace rodeo::tools {
namespace {

using engine::KernelError;

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kTurn = 2 * std::numbers::pi;
/// Of the machine's motion: what is rounding.
constexpr double kStill = 1e-9;

/// Nodes along an axis: fine where there are few axes, and never more than a quarter of a million in all.
std::size_t calc_count(std::size_t axes) {
  constexpr double kNodes = 250'000;
  if (axes == 1) return 2001;
  if (axes == 2) return 401;
  return std::max<std::size_t>(5,
                               static_cast<std::size_t>(std::pow(kNodes, 1.0 / static_cast<double>(axes))));
}

/// More than a turn of an angle comes to the same places again: the turn around the start, within the range.
void cut_to_turn(Axis& axis, double start) {
  if (axis.unit != "rad" || axis.high - axis.low <= kTurn) return;
  axis.low = std::clamp(start - kTurn / 2, axis.low, axis.high - kTurn);
  axis.high = axis.low + kTurn;
}

Axis build_axis(const engine::ModelFolder& model, const std::string& where, std::size_t drive) {
  const engine::DriveLimits& limits = model.limits[drive];
  const auto& channel = model.kernel.drives()[drive];
  Axis axis{drive, channel.name, channel.unit, 0, 0, 0};
  if ((!limits.lower || !limits.upper) && axis.unit != "rad") {
    throw KernelError(fmt::format(
        "{}: drive '{}' has no range: give it 'range: [low, high]' in the machine file", where, axis.name));
  }
  const double start = model.start[drive];
  if (limits.lower)
    axis.low = *limits.lower;
  else
    axis.low = limits.upper ? *limits.upper - kTurn : start - kTurn / 2;
  axis.high = limits.upper ? *limits.upper : axis.low + kTurn;
  cut_to_turn(axis, start);
  return axis;
}

double calc_distance(const Place& a, const Place& b) {
  return std::hypot(a.at[0] - b.at[0], a.at[1] - b.at[1], a.at[2] - b.at[2]);
}

/// Does the output move when this drive alone goes a little way from the start?
bool is_moving(Walker& walker, const engine::ModelFolder& model, const Axis& axis) {
  constexpr int kSteps = 50;
  const Walker::Saved start = walker.save();
  const Place before = walker.place();
  double most = 0;
  for (const double end : {axis.low, axis.high}) {
    std::vector<double> target = model.start;
    for (int i = 1; i <= kSteps; ++i) {
      target[axis.drive] = model.start[axis.drive] + (end - model.start[axis.drive]) * i / kSteps;
      if (!walker.go(target)) break;
      most = std::max(most, calc_distance(walker.place(), before));
    }
    walker.restore(start);
    (void)walker.go(model.start);
  }
  return most > kStill;
}

void find_axes(Reach& reach, Walker& walker, const engine::ModelFolder& model, const std::string& where,
               const std::string& output) {
  for (std::size_t d = 0; d < model.kernel.drive_count(); ++d) {
    Axis axis = build_axis(model, where, d);
    if (!(axis.high > axis.low)) continue;
    (is_moving(walker, model, axis) ? reach.axes : reach.others).push_back(axis);
  }
  if (reach.axes.empty()) {
    throw KernelError(fmt::format("{}: no drive moves the output '{}': it has no workspace", where, output));
  }
  for (Axis& axis : reach.axes) axis.count = calc_count(reach.axes.size());
  for (Axis& axis : reach.others) axis.count = calc_count(2);
}

class Flood {
 public:
  Flood(const engine::ModelFolder& model, Walker& walker, Reach& reach,
        const std::function<void(double)>& progress)
      : model_(model),
        walker_(walker),
        reach_(reach),
        progress_(progress),
        before_(reach.places.size(), reach.places.size()) {}

  /// Of each node the one that it was reached from; the number of nodes where that is the start.
  [[nodiscard]] std::vector<std::size_t> run() {
    const Walker::Saved start = walker_.save();
    for (const std::size_t node : find_nodes_at_start()) {
      walker_.restore(start);
      if (!reach_.is_reached(node)) visit(node);
    }
    while (!front_.empty()) {
      const Waiting waiting = std::move(front_.front());
      front_.pop_front();
      visit_neighbours(waiting);
    }
    return std::move(before_);
  }

 private:
  struct Waiting {
    std::size_t node;
    Walker::Saved saved;
  };

  /// The corners of the cell that the start is in.
  std::vector<std::size_t> find_nodes_at_start() const {
    std::vector<std::size_t> nodes{0};
    for (std::size_t a = 0; a < reach_.axes.size(); ++a) {
      const Axis& axis = reach_.axes[a];
      const double part = (model_.start[axis.drive] - axis.low) / (axis.high - axis.low);
      const double at = std::clamp(part, 0.0, 1.0) * static_cast<double>(axis.count - 1);
      std::vector<std::size_t> next;
      for (const std::size_t node : nodes) {
        next.push_back(node + reach_.stride(a) * static_cast<std::size_t>(std::floor(at)));
        next.push_back(node + reach_.stride(a) * static_cast<std::size_t>(std::ceil(at)));
      }
      nodes = std::move(next);
    }
    return nodes;
  }

  bool visit(std::size_t node) {
    if (!walker_.go(reach_.calc_positions(node, model_.start))) return false;
    reach_.places[node] = walker_.place();
    front_.push_back({node, walker_.save()});
    if (++visited_ % 1000 == 0) {
      progress_(static_cast<double>(visited_) / static_cast<double>(reach_.places.size()));
    }
    return true;
  }

  void visit_neighbours(const Waiting& from) {
    for (std::size_t a = 0; a < reach_.axes.size(); ++a) {
      const std::size_t index = reach_.index(from.node, a), stride = reach_.stride(a);
      if (index > 0) visit_from(from, from.node - stride);
      if (index + 1 < reach_.axes[a].count) visit_from(from, from.node + stride);
    }
  }

  void visit_from(const Waiting& from, std::size_t node) {
    if (reach_.is_reached(node)) return;
    walker_.restore(from.saved);
    if (visit(node)) before_[node] = from.node;
  }

  const engine::ModelFolder& model_;
  Walker& walker_;
  Reach& reach_;
  const std::function<void(double)>& progress_;
  std::deque<Waiting> front_;
  std::vector<std::size_t> before_;
  std::size_t visited_ = 0;
};

}  // namespace

std::size_t Reach::stride(std::size_t axis) const noexcept {
  std::size_t product = 1;
  for (std::size_t a = 0; a < axis; ++a) product *= axes[a].count;
  return product;
}

std::size_t Reach::index(std::size_t node, std::size_t axis) const noexcept {
  return node / stride(axis) % axes[axis].count;
}

std::vector<double> Reach::calc_positions(std::size_t node, std::vector<double> start) const {
  for (std::size_t a = 0; a < axes.size(); ++a) start[axes[a].drive] = axes[a].position(index(node, a));
  return start;
}

bool Reach::is_reached(std::size_t node) const noexcept { return !std::isnan(places[node].at[0]); }

Reach find_reach(const engine::ModelFolder& model, const std::string& where, const std::string& output,
                 const std::function<void(double)>& on_progress) {
  Walker walker(model, where, output);
  Reach reach;
  find_axes(reach, walker, model, where, output);
  std::size_t nodes = 1;
  for (const Axis& axis : reach.axes) nodes *= axis.count;
  reach.places.assign(nodes, {{kNan, kNan, kNan}, kNan});
  reach.is_spatial = walker.is_spatial();
  const Walker::Saved start = walker.save();
  const std::vector<std::size_t> before = Flood(model, walker, reach, on_progress).run();
  walker.restore(start);
  reach.narrowest = find_narrowest(walker, model.start, reach, before);
  return reach;
}

}  // namespace rodeo::tools
