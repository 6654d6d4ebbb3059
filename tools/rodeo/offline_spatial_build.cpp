// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_spatial_build.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "kinematics/text/yaml.h"
#include "tools/rodeo/progress.h"

namespace rodeo::tools {
namespace {

using spatial::Body;
using spatial::Drive;

void check_assembly(const SpatialModel& model, text::Faults& faults) {
  if (model.assembly.assembled) return;
  const text::Where& where = model.assembly.where.file ? model.assembly.where : model.machine.where;
  faults.add(where, fmt::format("{}: the start pose cannot be assembled, {:.3g} m are left open; check the "
                                "lengths and the values under 'start'",
                                model.assembly.worst, model.assembly.residual));
}

void check_drives(const SpatialModel& model, text::Faults& faults) {
  for (const spatial::Row& row : model.mobility.conflicting_drives) {
    const Drive& drive = model.machine.drives[static_cast<std::size_t>(row.drive)];
    faults.add(drive.where,
               fmt::format("drive '{}' is one too many: the machine has mobility {} and the other drives and "
                           "the joints fix it already; remove one drive",
                           drive.name, model.mobility.mobility));
  }
  const bool massive = std::all_of(model.machine.bodies.begin() + 1, model.machine.bodies.end(),
                                   [](const Body& body) { return body.mass && body.inertia; });
  if (model.mobility.free_motions <= 0 || massive) return;
  const std::size_t count = model.machine.drives.size();
  faults.add(
      model.machine.drives_where,
      fmt::format("{} drive{} for mobility {}: add {} under 'drives', one for each degree of freedom, or "
                  "give every body its mass and inertia, so that it moves by its forces",
                  count, count == 1 ? "" : "s", model.mobility.mobility, model.mobility.free_motions));
}

/// What the engine would refuse later on, with the line of the file.
void check_ranges(const SpatialModel& model, text::Faults& faults) {
  constexpr double kRounding = 1e-9;  // as the engine's
  for (std::size_t d = 0; d < model.machine.drives.size(); ++d) {
    const Drive& drive = model.machine.drives[d];
    const double start = model.assembly.drive_values[d], room = kRounding * (1 + std::abs(start));
    const double lower = drive.lower ? drive.lower->value : -INFINITY;
    const double upper = drive.upper ? drive.upper->value : INFINITY;
    if (start >= lower - room && start <= upper + room) continue;
    faults.add(drive.where, fmt::format("drive '{}' starts at {:.6g}, outside its range ({} to {}): change "
                                        "'start' or the range",
                                        drive.name, start, lower, upper));
  }
}

}  // namespace

std::optional<SpatialModel> try_spatial_model(const std::string& path,
                                              const std::vector<std::string>& overrides) {
  const text::Node root = text::build_yaml_from_file(path);
  if (!machine::is_machine(root) || !spatial::is_spatial(root)) return std::nullopt;
  Progress progress;
  progress.begin(Progress::reading);
  SpatialModel model;
  model.machine = spatial::build_machine(root, path, overrides);
  progress.begin(Progress::assembling);
  model.assembly = spatial::build_start_pose(model.machine);
  progress.begin(Progress::mobility);
  model.mobility = spatial::calc_mobility(model.machine, model.assembly);
  text::Faults faults;
  check_assembly(model, faults);
  if (model.assembly.assembled) {
    check_drives(model, faults);
    check_ranges(model, faults);
  }
  faults.throw_if_any();
  return model;
}

}  // namespace rodeo::tools
