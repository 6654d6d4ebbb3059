// SPDX-License-Identifier: MIT
// Joints in a view: each kind a small solid about its axis, projected as everything else is, and the axis as a dash-dot line.
#pragma once
#include "kinematics/spatial/view.h"

namespace rodeo::spatial {

/// A symbol where it stands: axes in the ground's frame, of length 1.
struct Symbol {
  JointKind kind = JointKind::revolute;
  Vec2 at{0, 0};
  Vector3 axis = Vector3::UnitZ();    // of the first body
  Vector3 second = Vector3::UnitX();  // universal: of the second body
  std::string colour = "#999";        // of the second body
};
[[nodiscard]] Symbol build_symbol(const View& view, const Joint& joint);
/// Whether the joint has an axis to be drawn.
[[nodiscard]] bool has_axis(JointKind kind);

void draw_symbol(machine::Canvas& canvas, const Projection& projection, const Symbol& symbol);
/// Axes, and the rods that blocks slide on: behind the bodies.
void draw_guide(View& view, const Joint& joint);
void draw_joint(View& view, const Joint& joint);

}  // namespace rodeo::spatial
