// SPDX-License-Identifier: MIT
// Bodies by the coordinates of their centres of mass, and constraint rows between them, as expressions: Φ, the six numbers of J
// that are not nil, Φ̇ and what Φ̈ has without accelerations. THEORY D2, L8.
#pragma once
#include <array>
#include <functional>
#include <vector>

#include "kinematics/codegen/load_points.h"

namespace rodeo::codegen {

/// Names of a body's coordinates: centre of mass and angle.
[[nodiscard]] std::array<Channel, 3> coordinate_channels(const machine::Body& body);

/// Everything about the bodies, ground first, at symbols of positions, rates (v:) and accelerations (a:) of their coordinates.
struct CentredBodies {
  std::vector<Placed> placed;
  std::vector<BodyMotion> motions;  // of the origins
  std::vector<Expr> angles;
  std::vector<Vec> centres;      // of mass, on the page
  std::vector<Vec> from_origin;  // to the centre, on the page
};
/// `position`: the symbol of a coordinate by its name. Without accelerations: those of the centres and angles are nil.
[[nodiscard]] CentredBodies build_centred_bodies(const machine::Machine& machine,
                                                 const std::function<Expr(const std::string&)>& position,
                                                 bool accelerations);

struct RowExprs {
  std::array<Expr, 6> terms;  // of the first body, of the second
  Expr residual, rate, bias;  // Φ, Φ̇, Φ̈ without accelerations; a drive's less the drive's own
};
/// `bodies` without accelerations.
[[nodiscard]] RowExprs build_row(const machine::Machine& machine, const CentredBodies& bodies,
                                 const machine::Row& row);
/// A cylinder's length, speed and acceleration as the bodies have them.
[[nodiscard]] std::array<Expr, 3> build_length(const machine::Machine& machine, const CentredBodies& bodies,
                                               const machine::Drive& cylinder);

}  // namespace rodeo::codegen
