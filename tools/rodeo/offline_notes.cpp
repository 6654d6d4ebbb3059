// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_notes.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/io/printable.h"
#include "kinematics/machine/angle_units.h"
#include "kinematics/spatial/machine.h"
#include "kinematics/text/yaml.h"

namespace rodeo::tools {
namespace {

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

template <class Machine>
std::vector<std::string> find_notes(const text::Node& root, const std::vector<std::string>& overrides,
                                    const Machine& m) {
  return machine::find_bare_angles(root, m.parameters, overrides, names_of(m));
}

}  // namespace

std::vector<std::string> build_file_notes(const std::string& path,
                                          const std::vector<std::string>& overrides) {
  const text::Node root = text::build_yaml_from_file(path);
  if (!machine::is_machine(root)) return {};
  if (spatial::is_spatial(root))
    return find_notes(root, overrides, spatial::build_machine(root, path, overrides));
  return find_notes(root, overrides, machine::build_machine(root, path, overrides));
}

void print_notes(const std::vector<std::string>& notes) {
  for (const std::string& note : notes) engine::print_sentence("note: {}", note);
}

}  // namespace rodeo::tools
