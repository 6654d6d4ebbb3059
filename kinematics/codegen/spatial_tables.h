// SPDX-License-Identifier: MIT
// The numbers of a machine in space, as its kernel takes them: rows, masses, what pushes, where it starts. THEORY S4, K11.
#pragma once
#include <string>
#include <vector>

#include "kinematics/codegen/kernel_model.h"
#include "kinematics/spatial/pose.h"

namespace rodeo::codegen {

/// A spring, a stop, a contact, or what acts in a joint's free coordinate. A contact has the ground's normal as `at.u`, its height as
/// `rest` and its viscous drag as `at.value`.
struct SpatialElement {
  const char* kind;  // SPRING, SPIN, FREEDOM, SHORTEST, LONGEST, CONTACT
  spatial::RowData at;
  double stiffness = 0, rest = 0, damping = 0;
};

/// The angle about a joint's axis or the distance along it, as a row of value nil.
struct SpatialCoordinate {
  std::string name;
  spatial::RowData at;
  double start = 0;  // an angle is within half a turn of it
};

/// An output of length or angle, as a row of value nil.
struct SpatialMeasure {
  spatial::RowData at;
  int coordinate = -1;              // of an angle: where it is followed
  std::array<bool, 3> told{false};  // value, rate, acceleration
};

/// Where a force or torque acts, the value of which is three expressions.
struct SpatialPush {
  int body = 0, against = 0, axis_body = 0;
  bool is_torque = false;
  spatial::Vector3 p = spatial::Vector3::Zero();
  spatial::Matrix3 R = spatial::Matrix3::Identity();
  std::array<expr::Expr, 3> value;
};

struct SpatialNumbers {
  spatial::Machine machine;  // payloads in their bodies' masses
  spatial::BodyFrames frames;
  std::vector<spatial::Row> rows;  // independent ones, `kept` of them, then those that are redundant
  std::vector<spatial::RowData> data;
  std::size_t kept = 0;
  std::vector<SpatialCoordinate> coordinates;
  std::vector<SpatialMeasure> measures;
  bool is_free = false;  // forces move it
  bool has_masses = false;
  double size = 1.0;
  spatial::Vector mass, weight;  // six a body
  spatial::Vector q, v;          // at the start: seven and six a body
  std::vector<SpatialElement> elements;
  std::vector<SpatialPush> pushes;
  std::vector<std::string> notes;
};

/// Throws ModelError for what a kernel cannot be made of.
[[nodiscard]] SpatialNumbers build_spatial_numbers(const spatial::Machine& machine,
                                                   const spatial::Assembly& start,
                                                   const spatial::Mobility& mobility);

/// C tables of all that, and the sizes that the fixed text needs.
[[nodiscard]] std::string spatial_tables_text(const SpatialNumbers& numbers);

}  // namespace rodeo::codegen
