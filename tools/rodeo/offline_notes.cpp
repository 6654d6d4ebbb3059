// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/io/printable.h"
#include "kinematics/dynamics/stop_law.h"
#include "kinematics/machine/angle_units.h"
#include "kinematics/machine/force_names.h"
#include "kinematics/text/yaml.h"

namespace rodeo::tools {
namespace {

constexpr double kTouch = 1e-9;  // m

template <class List>
auto find_named(const List& list, const std::string& name) {
  return std::find_if(list.begin(), list.end(), [&](const auto& item) { return item.name == name; });
}

machine::AngularNames names_of(const machine::Machine& m) {
  const auto turns = [](const machine::Drive& drive) {
    return drive.kind == machine::DriveKind::angle || drive.kind == machine::DriveKind::relative_angle;
  };
  const auto drive = [&m, turns](const std::string& name) {
    const auto found = find_named(m.drives, name);
    return found != m.drives.end() && turns(*found);
  };
  const auto start = [&m, drive](const std::string& name) {
    const bool is_drive = find_named(m.drives, name) != m.drives.end();
    return is_drive ? drive(name) : find_named(m.bodies, name) != m.bodies.end();
  };
  return {start, drive};
}

machine::AngularNames names_of(const spatial::Machine& m) {
  const auto drive = [&m](const std::string& name) {
    const auto found = find_named(m.drives, name);
    return found != m.drives.end() && found->kind == spatial::DriveKind::angle;
  };
  const auto start = [&m, drive](const std::string& name) {
    if (find_named(m.drives, name) != m.drives.end()) return drive(name);
    if (find_named(m.bodies, name) != m.bodies.end()) return true;
    const auto joint = find_named(m.joints, name);
    return joint != m.joints.end() && has_turn(joint->kind);
  };
  return {start, drive};
}

/// Points of a body that are pins, each once, in the order of its list.
std::vector<int> list_pins(const machine::Machine& m, int body) {
  std::vector<int> pins;
  for (const machine::Joint& joint : m.joints) {
    if (joint.kind != machine::JointKind::revolute) continue;
    for (const machine::PointRef& ref : {joint.first, joint.second}) {
      if (ref.body == body) pins.push_back(ref.point);
    }
  }
  std::sort(pins.begin(), pins.end());
  pins.erase(std::unique(pins.begin(), pins.end()), pins.end());
  return pins;
}

/// Two pins of a body in one place may be meant; more often a point was copied and not moved.
std::vector<std::string> find_same_pins(const machine::Machine& m) {
  std::vector<std::string> notes;
  for (int b = 1; b < static_cast<int>(m.bodies.size()); ++b) {
    const machine::Body& body = m.bodies[b];
    const std::vector<int> pins = list_pins(m, b);
    for (std::size_t i = 0; i < pins.size(); ++i) {
      for (std::size_t j = i + 1; j < pins.size(); ++j) {
        const machine::Point &one = body.points[pins[i]], &other = body.points[pins[j]];
        if (one.x.value != other.x.value || one.y.value != other.y.value) continue;
        notes.push_back(fmt::format(
            "body '{}': its pins {} and {} are in one place, ({:g}, {:g}): if that is not meant, move one",
            body.name, one.name, other.name, one.x.value, one.y.value));
      }
    }
  }
  return notes;
}

template <class Machine>
std::vector<std::string> find_notes(const text::Node& root, const std::vector<std::string>& overrides,
                                    const Machine& m) {
  return machine::find_bare_angles(root, m.parameters, overrides, names_of(m));
}

double find_length(const machine::Machine& m, const machine::Pose& pose, const machine::Force& force) {
  return calc_distance(m, pose, force.first, force.second);
}

double find_length(const spatial::Machine& m, const spatial::Pose& pose, const spatial::Force& force) {
  return (calc_position(m, pose, force.second) - calc_position(m, pose, force.first)).norm();
}

template <class Machine, class Pose>
std::vector<std::string> find_pressed(const Machine& m, const Pose& pose) {
  std::vector<std::string> notes;
  const std::vector<std::string> names = machine::name_struts(m);
  for (std::size_t f = 0; f < m.forces.size(); ++f) {
    const auto& stop = m.forces[f];
    if (stop.kind != decltype(stop.kind)::stop) continue;
    const double length = find_length(m, pose, stop);
    const double depth = std::max(stop.lower ? stop.lower->value - length : 0.0,
                                  stop.upper ? length - stop.upper->value : 0.0);
    if (depth <= kTouch) continue;
    notes.push_back(fmt::format("stop '{}' is pressed in by {:.3g} m at the start: its spring holds {:.3g} J",
                                names[f], depth, dynamics::calc_stored(stop.stiffness.value, depth)));
  }
  return notes;
}

}  // namespace

std::vector<std::string> build_start_notes(const machine::Machine& m, const machine::Pose& pose) {
  return find_pressed(m, pose);
}

std::vector<std::string> build_start_notes(const spatial::Machine& m, const spatial::Pose& pose) {
  return find_pressed(m, pose);
}

std::vector<std::string> build_file_notes(const std::string& path,
                                          const std::vector<std::string>& overrides) {
  const text::Node root = text::build_yaml_from_file(path);
  if (!machine::is_machine(root)) return {};
  if (spatial::is_spatial(root))
    return find_notes(root, overrides, spatial::build_machine(root, path, overrides));
  const machine::Machine planar = machine::build_machine(root, path, overrides);
  std::vector<std::string> notes = find_notes(root, overrides, planar);
  for (std::string& note : find_same_pins(planar)) notes.push_back(std::move(note));
  return notes;
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) engine::print_sentence("note: {}", note);
}

}  // namespace rodeo::tools
