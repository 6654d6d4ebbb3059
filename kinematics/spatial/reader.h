// SPDX-License-Identifier: MIT
// The parts of the reader of spatial machine files. Names, numbers and faults are those of the planar reader: its machine
// holds every body, point and joint by name, and the parameters; what they are in space goes into Reader::machine.
#pragma once
#include <optional>
#include <string>
#include <string_view>

#include "kinematics/machine/reader.h"
#include "kinematics/spatial/machine.h"

namespace rodeo::spatial {

struct Reader {
  Machine machine;
  machine::Reader base;
};

// read_values.cpp; `what` opens every message
/// `[x, y, z]`, or `[x, y]` with z = 0.
[[nodiscard]] Triple read_triple(Reader& reader, const text::Node& node, const std::string& what);
/// The same, made a unit vector.
[[nodiscard]] Triple read_direction(Reader& reader, const text::Node& node, const std::string& what);
/// `[0, 0, 1]`: the axis of what does not say.
[[nodiscard]] Triple default_axis();
/// One axis in two bodies' frames: a vector, with the same components in both, or a pair of named axes `[ground.z, crank.pin]`.
struct AxisPair {
  Triple first, second;
};
[[nodiscard]] AxisPair read_axis_pair(Reader& reader, const text::Node& node, const std::string& what,
                                      int first_body, int second_body);
/// R(z, angle)ᵀ d: the direction of a first body in a second one that is turned by the angle.
[[nodiscard]] Triple build_turned_back(const Triple& d, const Quantity& angle);
struct AxisRef {
  int body = 0;
  int axis = 0;
};
/// `crank.pin`.
[[nodiscard]] std::optional<AxisRef> read_axis(Reader& reader, const text::Node& node,
                                               const std::string& what);

void read_bodies(Reader& reader, const text::Node* ground, const text::Node& bodies);
void read_joints(Reader& reader, const text::Node* joints);
/// `drawing:` and the joints beside it, which are planar, lifted.
void read_drawing(Reader& reader, const text::Node& drawing);
void read_drawn_joints(Reader& reader, const text::Node* joints);
void read_drives(Reader& reader, const text::Node* drives);
void read_start(Reader& reader, const text::Node* start);
void read_outputs(Reader& reader, const text::Node* outputs);
/// After the forces: outputs whose columns another has.
void check_measures(Reader& reader);
void read_forces(Reader& reader, const text::Node* forces);

/// The joint of this name, with a fault that lists them if there is none.
[[nodiscard]] std::optional<int> read_joint_name(Reader& reader, const text::Node& node,
                                                 const std::string& what);

}  // namespace rodeo::spatial
