// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_spatial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "kinematics/machine/measures.h"
#include "kinematics/spatial/problem.h"
#include "kinematics/spatial/rotation.h"
#include "kinematics/text/yaml.h"
#include "tools/rodeo/offline_freedom.h"
#include "tools/rodeo/offline_report.h"

namespace rodeo::tools {
namespace {

using nlohmann::ordered_json;
using spatial::Component;
using spatial::ComponentKind;
using spatial::Joint;
using spatial::JointKind;

constexpr double kDegrees = 180 / std::numbers::pi;

/// Independent loops of the joints: edges - nodes + connected parts.
int count_loops(const spatial::Machine& machine) {
  std::vector<int> part(machine.bodies.size());
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&](int b) {
    while (part[b] != b) b = part[b] = part[part[b]];
    return b;
  };
  int loops = 0;
  for (const Joint& joint : machine.joints) {
    const int a = root(joint.first.body), b = root(joint.second.body);
    if (a == b) ++loops;
    part[a] = b;
  }
  return loops;
}

std::vector<std::string> list_held(const Joint& joint) {
  std::vector<std::string> held;
  for (const Component& component : build_components(joint)) held.push_back(component_text(component));
  return held;
}

/// What a joint leaves free: of three places and three turns those that it does not hold.
std::vector<std::string> list_free(const Joint& joint) {
  std::vector<std::string> free;
  const std::vector<Component> held = build_components(joint);
  const auto is_held = [&](ComponentKind kind, int axis) {
    return std::any_of(held.begin(), held.end(),
                       [&](const Component& c) { return c.kind == kind && c.axis == axis; });
  };
  const int k = build_joint_frame(joint).k;
  const bool is_screw = joint.kind == JointKind::screw;
  for (int axis = 0; axis < 3; ++axis) {
    if (!is_held(ComponentKind::place, axis) && !(is_screw && axis == k))
      free.push_back(spatial::component_text({ComponentKind::place, axis}));
  }
  if (joint.kind == JointKind::universal) return {"rotation about axis 1", "rotation about axis 2"};
  for (int axis = 0; axis < 3; ++axis) {
    if (!is_held(ComponentKind::turn, axis))
      free.push_back(spatial::component_text({ComponentKind::turn, axis}));
  }
  return free;
}

std::vector<std::string> list_redundant(const LoadedSpatial& loaded) {
  std::vector<std::string> names;
  for (const spatial::Row& row : loaded.mobility.redundant) names.push_back(row_name(loaded.machine, row));
  return names;
}

/// As of planar machines: the start must be within the limits.
void check_ranges(const LoadedSpatial& loaded, text::Faults& faults) {
  constexpr double kRounding = 1e-9;
  for (std::size_t d = 0; d < loaded.machine.drives.size(); ++d) {
    const spatial::Drive& drive = loaded.machine.drives[d];
    const double start = loaded.assembly.drive_values[d], room = kRounding * (1 + std::abs(start));
    const bool below = drive.lower && start < drive.lower->value - room;
    const bool above = drive.upper && start > drive.upper->value + room;
    if (!below && !above) continue;
    faults.add(drive.where, fmt::format("drive '{}' starts at {:.6g}, outside its range ({} to {}): change "
                                        "'start' or the range",
                                        drive.name, start, drive.lower ? drive.lower->value : -INFINITY,
                                        drive.upper ? drive.upper->value : INFINITY));
  }
}

std::string line(const char* label, const std::string& value) {
  return fmt::format("  {:<26}{}\n", label, value);
}

std::string list_or_none(const std::vector<std::string>& items) {
  return items.empty() ? "none" : fmt::format("{}", fmt::join(items, ", "));
}

/// `x` for a place, `rx` for a rotation: short names for the table.
std::string shorten(const std::vector<std::string>& names) {
  static const std::string kRotation = "rotation about ";
  std::vector<std::string> short_names;
  for (const std::string& name : names) {
    const bool turns = name.starts_with(kRotation);
    const std::string rest = turns ? name.substr(kRotation.size()) : name;
    short_names.push_back(turns && rest.size() == 1 ? "r" + rest : turns ? "r(" + rest + ")" : rest);
  }
  return names.empty() ? "nothing" : fmt::format("{}", fmt::join(short_names, " "));
}

/// Components are counted in the joint's own frame: where its axis is oblique, which way that axis points.
std::string describe_frame(const Joint& joint) {
  const spatial::Vector3 axis = joint.axis_first.value();
  const int k = build_joint_frame(joint).k;
  const double sign = axis[k] < 0 ? -1.0 : 1.0;
  if (joint.kind == JointKind::spherical || (axis - sign * spatial::Vector3::Unit(k)).norm() < 1e-9)
    return "";
  const spatial::Vector3 u = (sign * axis).unaryExpr([](double x) { return std::abs(x) < 5e-7 ? 0.0 : x; });
  return fmt::format(", {} along [{:.6g}, {:.6g}, {:.6g}]", "xyz"[k], u.x(), u.y(), u.z());
}

/// A row of the paper's tables 2 and 3.
std::string describe_joint(const Joint& joint, std::size_t name_width) {
  return fmt::format("    {:<{}}  {:<14}  moves {:<18} holds {}{}\n", joint.name, name_width,
                     kind_text(joint.kind), shorten(list_free(joint)), shorten(list_held(joint)),
                     describe_frame(joint));
}

std::string describe_start(const LoadedSpatial& loaded, std::size_t d) {
  const spatial::Drive& drive = loaded.machine.drives[d];
  const double value = round_to_zero(loaded.assembly.drive_values[d]);
  if (drive.kind != spatial::DriveKind::angle) return fmt::format("{} = {:.6g} m", drive.name, value);
  return fmt::format("{} = {:.6g} rad ({:.6g} deg)", drive.name, value, value * kDegrees);
}

/// As `start` takes them, in degrees: rotations about x, y, z in turn.
spatial::Vector3 calc_angles(const LoadedSpatial& loaded, std::size_t body) {
  const spatial::Vector3 angles =
      spatial::calc_cardan_angles(loaded.assembly.pose.bodies[body].q.toRotationMatrix()) * kDegrees;
  return angles.unaryExpr([](double angle) { return std::abs(angle) < 5e-7 ? 0.0 : angle; });
}

std::vector<std::string> list_angles(const LoadedSpatial& loaded) {
  std::vector<std::string> list;
  for (std::size_t b = 1; b < loaded.machine.bodies.size(); ++b) {
    const spatial::Vector3 angles = calc_angles(loaded, b);
    list.push_back(fmt::format("{} [{:.6g}, {:.6g}, {:.6g}]", loaded.machine.bodies[b].name, angles.x(),
                               angles.y(), angles.z()));
  }
  return list;
}

/// Of a machine that moves by its forces; none where no rate is asked for, or where it cannot.
StartRates find_rates(const LoadedSpatial& loaded) {
  if (loaded.machine.start_rates.empty() || !loaded.assembly.assembled || loaded.mobility.free_motions <= 0)
    return {};
  try {
    return spatial::build_problem(loaded.machine, loaded.assembly).rates;
  } catch (const text::ModelError&) {
    return {};
  }
}

ordered_json build_angles(const LoadedSpatial& loaded) {
  ordered_json json = ordered_json::object();
  for (std::size_t b = 1; b < loaded.machine.bodies.size(); ++b) {
    const spatial::Vector3 angles = calc_angles(loaded, b);
    json[loaded.machine.bodies[b].name] = {angles.x(), angles.y(), angles.z()};
  }
  return json;
}

}  // namespace

bool has_masses(const spatial::Machine& machine) {
  return std::all_of(machine.bodies.begin() + 1, machine.bodies.end(),
                     [](const spatial::Body& body) { return body.mass.has_value(); });
}

bool is_spatial_file(const std::string& path) {
  try {
    const text::Node root = text::build_yaml_from_file(path);
    return root.is_map() && machine::is_machine(root) && spatial::is_spatial(root);
  } catch (const text::ModelError&) {
    return false;
  }
}

std::optional<LoadedSpatial> load_spatial(const ModelOptions& options, Progress& progress) {
  progress.begin(Progress::reading);
  const text::Node root = text::build_yaml_from_file(options.path);
  if (!machine::is_machine(root) || !spatial::is_spatial(root)) return std::nullopt;
  LoadedSpatial loaded;
  loaded.machine = spatial::build_machine(root, options.path, options.overrides);
  progress.begin(Progress::assembling);
  loaded.assembly = spatial::build_start_pose(loaded.machine);
  text::Faults faults;
  if (loaded.assembly.assembled)
    machine::check_lengths(loaded.machine, loaded.assembly.pose, calc_size(loaded.machine), faults);
  faults.throw_if_any();
  progress.begin(Progress::mobility);
  loaded.mobility = spatial::calc_mobility(loaded.machine, loaded.assembly);
  return loaded;
}

void check_start(const LoadedSpatial& loaded, text::Faults& faults) {
  if (loaded.assembly.assembled) return;
  if (!loaded.assembly.missed_starts.empty())
    return faults.add(loaded.machine.where, loaded.assembly.missed_starts.front());
  const text::Where& where = loaded.assembly.where.file ? loaded.assembly.where : loaded.machine.where;
  faults.add(
      where,
      fmt::format("{}: the start pose cannot be assembled, {:.3g} m are left open; check the lengths and the "
                  "values under 'start'",
                  loaded.assembly.worst, loaded.assembly.residual));
}

void check_drives(const LoadedSpatial& loaded, text::Faults& faults) {
  check_start(loaded, faults);
  check_ranges(loaded, faults);
  for (const spatial::Row& row : loaded.mobility.conflicting_drives) {
    const spatial::Drive& drive = loaded.machine.drives[row.drive];
    faults.add(
        drive.where,
        fmt::format("drive '{}' is one too many: the machine has mobility {} and the other drives and the "
                    "joints fix it already; remove one drive",
                    drive.name, loaded.mobility.mobility));
  }
  if (loaded.mobility.free_motions <= 0 || has_masses(loaded.machine)) return;
  const std::size_t before = faults.size();
  check_loose(loaded.machine, faults);
  if (faults.size() > before) return;
  faults.add(loaded.machine.drives_where,
             fmt::format(
                 "{} drive{} for mobility {}: add {} under 'drives', one for each degree of freedom, or give "
                 "every body a mass so that it moves by its forces",
                 loaded.machine.drives.size(), loaded.machine.drives.size() == 1 ? "" : "s",
                 loaded.mobility.mobility, loaded.mobility.free_motions));
}

std::string to_text(const LoadedSpatial& loaded) {
  const spatial::Machine& m = loaded.machine;
  std::string text;
  text += line("bodies", fmt::format("{}, in space", m.bodies.size() - 1));
  text += line("joints", fmt::format("{}", m.joints.size()));
  std::size_t width = 0;
  for (const Joint& joint : m.joints) width = std::max(width, joint.name.size());
  for (const Joint& joint : m.joints) text += describe_joint(joint, width);
  text += line("drives", describe_drives(m.drives.size(), loaded.mobility.free_motions));
  text += line("mobility",
               fmt::format("{} (Gruebler's count {})", loaded.mobility.mobility, loaded.mobility.gruebler));
  text += line("degree of hyperstaticity", fmt::format("{}", loaded.mobility.redundant.size()));
  text += line("redundant constraints", list_or_none(list_redundant(loaded)));
  text += line("loops", fmt::format("{}", count_loops(m)));
  text += line("start pose", describe_start_pose(loaded.assembly.assembled, loaded.assembly.residual));
  std::vector<std::string> start;
  for (std::size_t d = 0; d < m.drives.size(); ++d) start.push_back(describe_start(loaded, d));
  if (!start.empty()) text += line("drives at the start", list_or_none(start));
  text += to_text(build_start_outputs(m, loaded.assembly.pose));
  text += line("angles at the start, deg", text::join_names(list_angles(loaded)));
  text += describe_rates(find_rates(loaded));
  return text;
}

ordered_json to_json(const LoadedSpatial& loaded) {
  const spatial::Machine& m = loaded.machine;
  const std::size_t constraints = build_rows(m, false).size() - loaded.mobility.redundant.size();
  ordered_json table = ordered_json::array();
  for (const Joint& joint : m.joints) {
    table.push_back({{"name", joint.name},
                     {"kind", kind_text(joint.kind)},
                     {"free", list_free(joint)},
                     {"held", list_held(joint)}});
  }
  return {{"space", 3},
          {"bodies", m.bodies.size() - 1},
          {"joints", m.joints.size()},
          {"drives", m.drives.size()},
          {"gruebler", loaded.mobility.gruebler},
          {"mobility", loaded.mobility.mobility},
          {"redundant_constraints", loaded.mobility.redundant.size()},
          {"redundant", list_redundant(loaded)},
          {"loops", count_loops(m)},
          {"states", 12 * (m.bodies.size() - 1)},
          {"algebraic", constraints},
          {"assembled", loaded.assembly.assembled},
          {"residual", loaded.assembly.residual},
          {"start_angles_deg", build_angles(loaded)},
          {"start_rates", to_json(find_rates(loaded))},
          {"start_outputs", to_json(build_start_outputs(m, loaded.assembly.pose))},
          {"joint_table", table}};
}

}  // namespace rodeo::tools
