// SPDX-License-Identifier: MIT
// What a reach amounts to: area, bounds, the pose nearest to a singular one; and its picture, with the machine at its start pose.
#pragma once
#include <optional>
#include <string>

#include "tools/rodeo/workspace_reach.h"
#include "viz/feed/scene_file.h"
#include "viz/plot/region.h"

namespace rodeo::tools {

struct Workspace {
  std::string output;
  Reach reach;
  plot::Range x, y;           // m
  std::size_t reached = 0;    // poses of the grid
  std::size_t narrowest = 0;  // the node with the smallest margin
  double largest_margin = 0;
  std::optional<plot::Region> region;  // none of one drive: a path
  plot::Drawing outline;
  double area = 0;           // m²
  double area_accuracy = 0;  // m²: half a cell and the bulge of arcs over chords, along the outline
  double length = 0;         // m, of a path

  /// The position of a drive at a node.
  [[nodiscard]] double position(std::size_t node, std::size_t axis) const {
    return reach.axes[axis].position(reach.index(node, axis));
  }
};

[[nodiscard]] Workspace build_workspace(Reach reach, const std::string& output);

/// `scene`: none if the machine is not to be drawn.
[[nodiscard]] plot::Figure build_workspace_figure(const Workspace& workspace, const viz::Scene* scene);

[[nodiscard]] std::string build_workspace_json(const Workspace& workspace, const std::string& machine);

}  // namespace rodeo::tools
