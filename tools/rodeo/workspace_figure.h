// SPDX-License-Identifier: MIT
// What a reach amounts to: area, bounds, the pose nearest to a singular one; and its picture, with the machine at its start pose.
#pragma once
#include <array>
#include <optional>
#include <string>

#include "tools/rodeo/workspace_reach.h"
#include "viz/feed/scene_file.h"
#include "viz/plot/region.h"

namespace rodeo::tools {

/// The reach seen along an axis: of x, y, z those that the picture has across and up.
struct Projection {
  std::size_t across = 0, up = 1;
  std::optional<plot::Region> region;  // none where it is a line
  plot::Drawing outline;
  double area = 0;           // m²
  double area_accuracy = 0;  // m²: half a cell and the bulge of arcs over chords, along the outline
};

struct Workspace {
  std::string output;
  Reach reach;
  std::array<plot::Range, 3> bounds;  // of x, y, z, m
  std::size_t reached = 0;            // poses of the grid
  double largest_margin = 0;
  std::vector<Projection> projections;  // of a machine in the plane the one; in space top, front and side
  double length = 0;                    // m, of a path: what one drive moves

  [[nodiscard]] bool is_path() const { return reach.axes.size() == 1; }
};

[[nodiscard]] Workspace build_workspace(Reach reach, const std::string& output);

/// `scene`: none if the machine is not to be drawn.
[[nodiscard]] plot::Figure build_workspace_figure(const Workspace& workspace, const viz::Scene* scene);

[[nodiscard]] std::string build_workspace_json(const Workspace& workspace, const std::string& machine);

}  // namespace rodeo::tools
