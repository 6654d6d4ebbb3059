// SPDX-License-Identifier: MIT
// The parts of the machine file reader. Each reads one key of the file into Reader::machine and adds what is wrong to
// Reader::faults; nothing throws before the end, so that one run reports every fault.
//
// A quantity that is at fault has the value NaN, which no later check (`value <= 0`) calls wrong a second time. It never
// leaves the reader: a file with a fault gives no machine.
#pragma once
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "kinematics/machine/machine.h"
#include "kinematics/text/yaml.h"

namespace rodeo::machine {

/// A point of a drawing and the bodies whose lists hold it, ground first.
struct Pin {
  std::string point;
  std::vector<PointRef> refs;
};

struct Reader {
  Machine machine;
  text::Faults faults;
  expr::Scope scope;  // the parameters
  bool is_drawing = false;
  std::vector<Pin> pins;  // drawing only
  std::unordered_map<std::string, int> body_index;
  std::unordered_map<std::string, int> joint_index;
};

struct QuantityPair {
  Quantity x, y;
};
using TwoPoints = std::pair<PointRef, PointRef>;

// read_values.cpp; `what` opens every message: "body 'rocker': mass"
[[nodiscard]] Quantity read_quantity(Reader& reader, const text::Node& node, const std::string& what);
[[nodiscard]] Quantity read_positive(Reader& reader, const text::Node& node, const std::string& what);
[[nodiscard]] Quantity read_not_negative(Reader& reader, const text::Node& node, const std::string& what);
/// `[x, y]`; `shape` shows the form in messages.
[[nodiscard]] QuantityPair read_pair(Reader& reader, const text::Node& node, const std::string& what,
                                     std::string_view shape = "[x, y]");
[[nodiscard]] bool is_pair(Reader& reader, const text::Node& node, const std::string& what,
                           std::string_view shape);
/// Faults a length, of a point say, that no machine has: beyond it a pose has no digits left.
void check_length(Reader& reader, double value, const Where& where, const std::string& what);
/// Faults a name that is none, or that is taken by the file format.
void check_name(Reader& reader, const std::string& name, const Where& where, const std::string& what);
/// The one of `kinds` that is a key of the map; `options` are the keys that may stand beside it.
[[nodiscard]] std::optional<std::size_t> read_kind(Reader& reader, const text::Node& node,
                                                   const std::string& what,
                                                   std::span<const std::string_view> kinds,
                                                   std::span<const std::string_view> options);

// read_references.cpp
[[nodiscard]] std::optional<int> read_body(Reader& reader, const text::Node& node, const std::string& what);
/// `body.point`, or in a drawing the point alone.
[[nodiscard]] std::optional<PointRef> read_point(Reader& reader, const text::Node& node,
                                                 const std::string& what);
/// `[body.point, body.point]` of two bodies.
[[nodiscard]] std::optional<TwoPoints> read_two_points(Reader& reader, const text::Node& node,
                                                       const std::string& what);
/// Whether the node is a list of two; a fault if not.
[[nodiscard]] bool is_list_of_two(Reader& reader, const text::Node& node, const std::string& what,
                                  std::string_view shape);

// one a key of the file; nullptr = absent
/// The fault of a file without `bodies` and `drawing`, with the typo that is the reason.
void fault_no_shape(const text::Node& root, text::Faults& faults);
void read_bodies(Reader& reader, const text::Node* ground, const text::Node& bodies);
void read_mass_data(Reader& reader, text::MapReader& map, Body& body);
void read_look(Reader& reader, text::MapReader& map, Body& body);
void add_body(Reader& reader, Body body);
void read_drawing(Reader& reader, const text::Node& drawing);
/// After read_joints: a pin for every point in several lists, before the joints that the file lists.
void add_pins(Reader& reader);
void read_joints(Reader& reader, const text::Node* joints);
/// After the last joint: one name a joint.
void index_joints(Reader& reader);
void read_drives(Reader& reader, const text::Node* drives);
/// `range` or `retracted` and `stroke`, `speed`, `acceleration`; how a cylinder looks.
void read_limits(Reader& reader, text::MapReader& map, const std::string& what, Drive& drive);
void read_forces(Reader& reader, const text::Node* forces);
/// An expression of `t` too. Without `t` the value is known now, and must be finite.
[[nodiscard]] Expr read_value_of_time(Reader& reader, const text::Node& node, const std::string& what);
struct Named {
  std::string name;
  Where where;
};
/// `dig.x`: what comes from outside under this name.
[[nodiscard]] Expr add_input(Reader& reader, const Named& force, const std::string& what, const char* ending,
                             const char* unit);
void read_start(Reader& reader, const text::Node* start);
void read_outputs(Reader& reader, const text::Node* outputs);
/// What an output's angle is of, a body or in space a joint, with a fault if there is none.
using AngleReader = std::function<std::optional<int>(const text::Node& node, const std::string& what)>;
void read_outputs(Reader& reader, const text::Node* outputs, const AngleReader& read_angle_of);
/// After the forces: outputs whose columns another has.
void check_measures(Reader& reader);
/// Last: no parameter has the name of a symbol of the equations, as w_crank is the rate of drive `crank`.
void check_symbols(Reader& reader);

}  // namespace rodeo::machine
