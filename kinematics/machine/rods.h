// SPDX-License-Identifier: MIT
// A machine as a bond graph of planar rods and joints, in both forms of romero-2006: the traditional rod with three
// inertial ports (figure 2) and the zero-compliance rod equivalent with one `K: 0` port (figure 7). THEORY R1-R8.
#pragma once
#include <string>
#include <vector>

#include "kinematics/bondgraph/graph.h"
#include "kinematics/machine/machine.h"
#include "kinematics/machine/pose.h"

namespace rodeo::machine {

enum class RodForm { equivalent, traditional };

/// What a body's velocities are referred to: its centre, as in the paper, or the jointed point by which it is nearest to the
/// ground, counted in joints, which gives the same reduced equations from a smaller graph (kernels are made from that one).
enum class RodReference { centre, inner_pin };

struct RodOptions {
  RodForm form = RodForm::equivalent;
  /// Whether drives are flow sources; without them the machine moves by its forces.
  bool driven = true;
  /// Constraint rows to leave out, from calc_mobility.
  std::vector<Row> redundant{};
  RodReference reference = RodReference::centre;
  /// Whether the machine's forces are in the graph; weights are wherever there is mass. Needs the traditional form.
  bool forces = false;
};

/// The point that a body's velocities `<body>.vx`, `<body>.vy` belong to, in its own frame.
struct RodCentre {
  Expr x, y;
};
[[nodiscard]] std::vector<RodCentre> find_centres(const Machine& machine, const RodOptions& options);

/// What the graph keeps the displacements of: `<name>.length` and `.angle` of a line between two points, `.height` and `.place` of a point,
/// `.s` of a guide.
struct KeptLine {
  std::string name;
  PointRef first, second;
};
struct KeptPoint {
  std::string name, label;  // y_tip of the point `tip`
  PointRef point;
  bool has_place = false;
};
struct KeptSlide {
  std::string name;
  int joint = -1;
};
struct Kept {
  std::vector<KeptLine> lines;
  std::vector<KeptPoint> points;
  std::vector<KeptSlide> slides;
};

[[nodiscard]] bondgraph::Graph build_rods(const Machine& machine, const RodOptions& options = {});
[[nodiscard]] Kept find_kept(const Machine& machine, const RodOptions& options);

}  // namespace rodeo::machine
