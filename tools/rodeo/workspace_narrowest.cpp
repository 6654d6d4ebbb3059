// SPDX-License-Identifier: MIT
// Next to a singular pose the margin goes like the root of the distance: a grid of twenty nodes a stroke sees 0.2 where 0.01 is
// reached a millimetre on. So: descents in the drives' positions by a pattern search (along each drive, and along
// directions drawn at random with a fixed seed, as the margin is the smallest of several and has edges), from the best nodes of the
// grid that lie apart, its step halved down to 1e-9 of a stroke. The kernel refuses what lies below its stop margin, and so ends it.
#include "tools/rodeo/workspace_narrowest.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <optional>
#include <random>
#include <utility>

namespace rodeo::tools {
namespace {

constexpr std::size_t kMostDescents = 48;
constexpr int kMostSteps = 4000;  // of the kernel, a descent
constexpr double kFinest = 1e-9;  // step of a drive, of its stroke
/// The kernel steps nowhere below its stop margin: what is so near to it is at it.
constexpr double kAtStop = 0.01 * (1 + 1e-6);

class Descent {
 public:
  Descent(Walker& walker, const std::vector<const Axis*>& axes, Narrowest& best)
      : walker_(walker), axes_(axes), best_(best) {}

  /// From where the walker stands, at these positions.
  void run(std::vector<double> positions) {
    positions_ = std::move(positions);
    saved_ = walker_.save();
    margin_ = walker_.place().margin;
    take();
    double step = 1;  // of the first one
    for (int done = 0; step * kFirst > kFinest && done < kMostSteps && margin_ > kAtStop;) {
      bool is_better = false;
      for (std::size_t i = 0; i < 4 * axes_.size(); ++i, ++done) is_better |= try_way(i, step);
      if (!is_better) step /= 2;
    }
    ++best_.descents;
  }

 private:
  /// Of a stroke: about one node of a grid over four drives.
  static constexpr double kFirst = 1.0 / 16;

  /// Along a drive, there and back; then anywhere.
  std::vector<double> build_target(std::size_t way, double step) {
    std::vector<double> target = positions_;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const Axis& axis = *axes_[a];
      double part = way / 2 == a ? (way % 2 == 0 ? 1.0 : -1.0) : 0.0;
      if (way >= 2 * axes_.size()) part = std::uniform_real_distribution<double>(-1, 1)(random_);
      const double to = target[axis.drive] + part * step * kFirst * (axis.high - axis.low);
      target[axis.drive] = std::clamp(to, axis.low, axis.high);
    }
    return target;
  }

  bool try_way(std::size_t way, double step) {
    const std::vector<double> target = build_target(way, step);
    walker_.restore(saved_);
    if (target == positions_ || !walker_.go(target)) return false;
    const double margin = walker_.place().margin;
    if (!(margin < margin_)) return false;
    margin_ = margin;
    positions_ = target;
    saved_ = walker_.save();
    take();
    return true;
  }

  void take() {
    if (!best_.positions.empty() && !(margin_ < best_.place.margin)) return;
    best_.place = walker_.place();
    best_.positions = positions_;
  }

  Walker& walker_;
  const std::vector<const Axis*>& axes_;
  Narrowest& best_;
  std::mt19937_64 random_{1};
  std::vector<double> positions_;
  Walker::Saved saved_;
  double margin_ = 1;
};

/// What a node is worth as a begin: its margin, less 1 where the way ends at a neighbour, which may be singular; none if the margin
/// is smaller at a neighbour.
std::optional<double> calc_worth(const Reach& reach, std::size_t node) {
  const double margin = reach.places[node].margin;
  bool is_least = true;
  for (std::size_t a = 0; a < reach.axes.size(); ++a) {
    const std::size_t index = reach.index(node, a), stride = reach.stride(a);
    for (const bool up : {false, true}) {
      if (up ? index + 1 == reach.axes[a].count : index == 0) continue;
      const std::size_t next = up ? node + stride : node - stride;
      if (!reach.is_reached(next)) return margin - 1;
      is_least = is_least && margin <= reach.places[next].margin;
    }
  }
  return is_least ? std::optional(margin) : std::nullopt;
}

/// A quarter of the grid or more, along some axis.
bool is_apart(const Reach& reach, std::size_t a, std::size_t b) {
  for (std::size_t k = 0; k < reach.axes.size(); ++k) {
    const std::size_t i = reach.index(a, k), j = reach.index(b, k);
    if ((i > j ? i - j : j - i) > reach.axes[k].count / 4) return true;
  }
  return false;
}

/// The best first; those where a way ends stand apart from each other, and so do the others.
std::vector<std::size_t> find_candidates(const Reach& reach) {
  std::vector<std::pair<double, std::size_t>> all;
  for (std::size_t node = 0; node < reach.places.size(); ++node) {
    if (!reach.is_reached(node)) continue;
    if (const auto worth = calc_worth(reach, node)) all.emplace_back(*worth, node);
  }
  std::sort(all.begin(), all.end());
  std::array<std::vector<std::size_t>, 2> chosen;
  for (const auto& [worth, node] : all) {
    auto& group = chosen[worth < 0 ? 0 : 1];
    const auto is_new = [&reach, node = node](std::size_t other) { return is_apart(reach, node, other); };
    if (group.size() < kMostDescents / 2 && std::all_of(group.begin(), group.end(), is_new))
      group.push_back(node);
  }
  chosen[0].insert(chosen[0].end(), chosen[1].begin(), chosen[1].end());
  return chosen[0];
}

/// The walker from the start to a node as the flood went.
bool go_to(Walker& walker, std::size_t node, const std::vector<double>& start, const Reach& reach,
           const std::vector<std::size_t>& before) {
  std::vector<std::size_t> way;
  for (; node < before.size(); node = before[node]) way.push_back(node);
  return std::all_of(way.rbegin(), way.rend(),
                     [&](std::size_t each) { return walker.go(reach.calc_positions(each, start)); });
}

/// The walker to the smallest margin along one drive alone, between the start and either of its ends; the positions there.
std::vector<double> go_to_least(Walker& walker, const std::vector<double>& start, const Axis& axis) {
  const Walker::Saved at_start = walker.save();
  Walker::Saved least = at_start;
  std::vector<double> there = start;
  double margin = walker.place().margin;
  for (const double end : {axis.low, axis.high}) {
    walker.restore(at_start);
    std::vector<double> target = start;
    for (std::size_t i = 1; i <= axis.count; ++i) {
      const double part = static_cast<double>(i) / static_cast<double>(axis.count);
      target[axis.drive] = std::lerp(start[axis.drive], end, part);
      if (!walker.go(target)) break;
      if (!(walker.place().margin < margin)) continue;
      margin = walker.place().margin;
      least = walker.save();
      there = target;
    }
  }
  walker.restore(least);
  return there;
}

double calc_least_on_grid(const Reach& reach) {
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t node = 0; node < reach.places.size(); ++node) {
    if (reach.is_reached(node)) least = std::min(least, reach.places[node].margin);
  }
  return least;
}

}  // namespace

Narrowest find_narrowest(Walker& walker, const std::vector<double>& start, const Reach& reach,
                         const std::vector<std::size_t>& before) {
  Narrowest best;
  best.on_grid = calc_least_on_grid(reach);
  std::vector<const Axis*> axes;
  for (const auto* group : {&reach.axes, &reach.others}) {
    for (const Axis& axis : *group) axes.push_back(&axis);
  }
  const Walker::Saved at_start = walker.save();
  Descent descent(walker, axes, best);
  for (const std::size_t node : find_candidates(reach)) {
    walker.restore(at_start);
    if (best.descents > 0 && best.place.margin <= kAtStop) break;
    if (go_to(walker, node, start, reach, before)) descent.run(reach.calc_positions(node, start));
  }
  for (const Axis& axis : reach.others) {
    walker.restore(at_start);
    const std::vector<double> there = go_to_least(walker, start, axis);
    descent.run(there);
  }
  walker.restore(at_start);
  return best;
}

}  // namespace rodeo::tools
