// SPDX-License-Identifier: MIT
// `drawing:` of a machine file: one picture in global coordinates. Every body's frame is the world frame in the pose
// drawn, so a point has the same coordinates in each body that lists it, and a point in several lists is a pin.
#include <fmt/format.h>

#include <algorithm>

#include "kinematics/machine/reader.h"

namespace rodeo::machine {
namespace {

using text::MapReader;
using text::Node;

using DrawnPoints = std::vector<Point>;

DrawnPoints read_drawn_points(Reader& reader, const Node& node) {
  DrawnPoints points;
  if (!node.is_map()) {
    reader.faults.add(node.where,
                      fmt::format("drawing: points are a map NAME: [x, y], not {}", kind_name(node)));
  }
  for (const text::Entry& entry : node.entries) {
    const std::string what = fmt::format("point '{}'", entry.key);
    check_name(reader, entry.key, entry.where, what);
    const QuantityPair at = read_pair(reader, entry.value, what);
    for (const Quantity& part : {at.x, at.y}) check_length(reader, part.value, entry.where, what);
    points.push_back({entry.key, at.x, at.y, entry.where});
    reader.pins.push_back({entry.key, {}});
  }
  return points;
}

void add_drawn_point(Reader& reader, const DrawnPoints& drawn, const Node& item, Body& body) {
  const std::string what = fmt::format("body '{}'", body.name);
  const auto is_it = [&](const Point& point) { return point.name == item.scalar; };
  const auto found = std::find_if(drawn.begin(), drawn.end(), is_it);
  if (!item.is_scalar() || found == drawn.end()) {
    std::vector<std::string> names;
    for (const Point& point : drawn) names.push_back(point.name);
    reader.faults.add(item.where, fmt::format("{}: the drawing has no point '{}' (it has {})", what,
                                              item.scalar, names.empty() ? "none" : text::join_names(names)));
  } else if (std::any_of(body.points.begin(), body.points.end(), is_it)) {
    reader.faults.add(item.where, fmt::format("{}: point '{}' stands twice in its list", what, item.scalar));
  } else {
    const PointRef ref{static_cast<int>(reader.machine.bodies.size()), static_cast<int>(body.points.size())};
    reader.pins[static_cast<std::size_t>(found - drawn.begin())].refs.push_back(ref);
    body.points.push_back(*found);
  }
}

void read_point_list(Reader& reader, const DrawnPoints& drawn, const Node& list, Body& body) {
  if (!list.is_list() || list.items.empty()) {
    reader.faults.add(list.where,
                      fmt::format("body '{}': a list of at least one point of the drawing is needed, "
                                  "not {}",
                                  body.name, list.is_list() ? "an empty one" : kind_name(list)));
  }
  for (const Node& item : list.items) add_drawn_point(reader, drawn, item, body);
}

/// The pin names are the points', so two of them in one place are easily written, and nothing then says how the body lies.
void check_extent(Reader& reader, const Body& body) {
  if (body.points.size() < 2) return;
  const Point& first = body.points.front();
  const bool is_one_place = std::all_of(body.points.begin(), body.points.end(), [&](const Point& point) {
    return point.x.value == first.x.value && point.y.value == first.y.value;
  });
  if (!is_one_place) return;
  std::vector<std::string> names;
  for (const Point& point : body.points) names.push_back(point.name);
  reader.faults.add(body.where,
                    fmt::format("body '{}': its points {} are in one place, ({:g}, {:g}): move them "
                                "apart, or make one point of them",
                                body.name, text::join_names(names), first.x.value, first.y.value));
}

void read_drawn_body(Reader& reader, const DrawnPoints& drawn, const text::Entry& entry) {
  const std::string what = fmt::format("body '{}'", entry.key);
  check_name(reader, entry.key, entry.where, what);
  Body body;
  body.name = entry.key;
  body.where = entry.where;
  if (!entry.value.is_map()) {
    read_point_list(reader, drawn, entry.value, body);
  } else {
    MapReader map(entry.value, what, reader.faults);
    if (const Node* points = map.require("points")) read_point_list(reader, drawn, *points, body);
    read_mass_data(reader, map, body);
    read_look(reader, map, body);
    map.finish();
  }
  check_extent(reader, body);
  add_body(reader, std::move(body));
}

/// `[O, Q]`, or `{points: [O, Q], mesh: chassis.obj}`.
void read_drawn_ground(Reader& reader, const DrawnPoints& drawn, const Node& node, Body& ground) {
  if (!node.is_map()) return read_point_list(reader, drawn, node, ground);
  MapReader map(node, "ground", reader.faults);
  if (const Node* points = map.require("points")) read_point_list(reader, drawn, *points, ground);
  read_look(reader, map, ground);
  map.finish();
}

void read_drawn_bodies(Reader& reader, const DrawnPoints& drawn, const Node& bodies) {
  if (!bodies.is_map() || bodies.entries.empty()) {
    reader.faults.add(bodies.where,
                      fmt::format("drawing: bodies are a map NAME: [POINT, ...] of at least one, not {}",
                                  bodies.is_map() ? "an empty one" : kind_name(bodies)));
  }
  for (const text::Entry& entry : bodies.entries) read_drawn_body(reader, drawn, entry);
}

/// Whether a joint that the file lists stands in for this pin. In a pin of three or more bodies that would leave open
/// which of them it parts from which.
bool is_joined(Reader& reader, const Pin& pin) {
  const auto holds = [&](PointRef ref) {
    return std::any_of(pin.refs.begin(), pin.refs.end(),
                       [&](PointRef own) { return own.body == ref.body && own.point == ref.point; });
  };
  for (const Joint& joint : reader.machine.joints) {
    if (!holds(joint.first) || !holds(joint.second)) continue;
    if (pin.refs.size() == 2) return true;
    reader.faults.add(joint.where,
                      fmt::format("joint '{}': the drawing pins point '{}' of these and other bodies "
                                  "already: give the joint a point of its own",
                                  joint.name, pin.point));
  }
  return false;
}

/// The pin `B`; where more than two bodies meet, `B` joins the first two and `B.rocker` the rocker to the first.
Joint build_pin(const Reader& reader, const Pin& pin, std::size_t i) {
  Joint joint;
  joint.first = pin.refs[0];
  joint.second = pin.refs[i];
  const Body& body = reader.machine.bodies[static_cast<std::size_t>(joint.second.body)];
  joint.name = i == 1 ? pin.point : pin.point + "." + body.name;
  joint.where = body.points[static_cast<std::size_t>(joint.second.point)].where;
  return joint;
}

}  // namespace

void read_drawing(Reader& reader, const Node& drawing) {
  reader.is_drawing = true;
  MapReader map(drawing, "drawing", reader.faults);
  DrawnPoints drawn;
  if (const Node* points = map.require("points")) drawn = read_drawn_points(reader, *points);
  Body ground;
  ground.name = "ground";
  ground.where = drawing.where;
  if (const Node* node = map.find("ground")) read_drawn_ground(reader, drawn, *node, ground);
  add_body(reader, std::move(ground));
  if (const Node* bodies = map.require("bodies")) read_drawn_bodies(reader, drawn, *bodies);
  map.finish();
}

void add_pins(Reader& reader) {
  std::vector<Joint> joints;
  for (const Pin& pin : reader.pins) {
    if (pin.refs.size() < 2 || is_joined(reader, pin)) continue;
    for (std::size_t i = 1; i < pin.refs.size(); ++i) joints.push_back(build_pin(reader, pin, i));
  }
  std::vector<Joint>& all = reader.machine.joints;
  all.insert(all.begin(), joints.begin(), joints.end());
}

}  // namespace rodeo::machine
