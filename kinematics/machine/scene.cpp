// SPDX-License-Identifier: MIT
// scene.json.
#include "kinematics/machine/scene.h"

#include <array>
#include <nlohmann/json.hpp>

#include "kinematics/machine/marks.h"
#include "kinematics/machine/scene_forces.h"

namespace rodeo::machine {
namespace {

using nlohmann::ordered_json;

ordered_json ref_json(const Machine& machine, PointRef ref) {
  return {machine.bodies[static_cast<std::size_t>(ref.body)].name, machine.point(ref).name};
}

ordered_json number_or_null(const std::optional<Quantity>& quantity) {
  return quantity ? ordered_json(quantity->value) : ordered_json(nullptr);
}

ordered_json body_json(const Machine& machine, const Assembly& start, std::size_t b,
                       const std::string& mesh) {
  const Body& body = machine.bodies[b];
  ordered_json points = ordered_json::object();
  for (const Point& point : body.points) points[point.name] = {point.x.value, point.y.value};
  const BodyPose& pose = start.pose.bodies[b];
  ordered_json all = {{"name", body.name},
                      {"colour", colour_of(machine, static_cast<int>(b)).fill},
                      {"points", points},
                      {"start", {pose.x, pose.y, pose.angle}}};
  if (!mesh.empty()) all["mesh"] = mesh;
  return all;
}

ordered_json joint_json(const Machine& machine, const Joint& joint) {
  constexpr std::array kKinds{"revolute", "slider", "prismatic"};
  ordered_json all = {{"kind", kKinds[static_cast<std::size_t>(joint.kind)]},
                      {"name", joint.name},
                      {"first", ref_json(machine, joint.first)},
                      {"second", ref_json(machine, joint.second)}};
  if (joint.kind != JointKind::revolute)
    all["direction"] = {joint.direction_x.value, joint.direction_y.value};
  return all;
}

ordered_json drive_json(const Machine& machine, const Drive& drive) {
  constexpr std::array kKinds{"angle", "relative_angle", "cylinder", "slide"};
  const bool by_points = drive.kind == DriveKind::cylinder || drive.kind == DriveKind::slide;
  ordered_json all = {{"name", drive.name},
                      {"kind", kKinds[static_cast<std::size_t>(drive.kind)]},
                      {"unit", by_points ? "m" : "rad"},
                      {"lower", number_or_null(drive.lower)},
                      {"upper", number_or_null(drive.upper)}};
  if (by_points) all["first"] = ref_json(machine, drive.first);
  if (by_points) all["second"] = ref_json(machine, drive.second);
  if (drive.radius) all["radius"] = *drive.radius;
  if (!drive.across.empty()) all["across"] = drive.across;
  return all;
}

}  // namespace

std::string scene_json(const Machine& machine, const Assembly& start,
                       const std::vector<std::string>& meshes) {
  ordered_json bodies = ordered_json::array(), joints = bodies, drives = bodies, outputs = bodies;
  for (std::size_t b = 0; b < machine.bodies.size(); ++b) {
    bodies.push_back(body_json(machine, start, b, meshes[b]));
  }
  for (const Joint& joint : machine.joints) joints.push_back(joint_json(machine, joint));
  for (const Drive& drive : machine.drives) drives.push_back(drive_json(machine, drive));
  for (const Output& output : machine.outputs) {
    outputs.push_back({{"name", output.name},
                       {"body", machine.bodies[static_cast<std::size_t>(output.point.body)].name},
                       {"point", machine.point(output.point).name}});
  }
  ordered_json all = {{"name", machine.name},
                      {"bodies", bodies},
                      {"joints", joints},
                      {"drives", drives},
                      {"outputs", outputs}};
  if (const ordered_json forces = forces_json(machine); !forces.is_null()) all["forces"] = forces;
  if (const ordered_json measures = measures_json(machine, start.pose); !measures.is_null())
    all["measures"] = measures;
  return all.dump(1) + "\n";
}

}  // namespace rodeo::machine
