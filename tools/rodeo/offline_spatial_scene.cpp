// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_spatial_scene.h"

#include <array>
#include <cmath>
#include <nlohmann/json.hpp>

#include "kinematics/machine/marks.h"
#include "kinematics/machine/scene_forces.h"

namespace rodeo::tools {
namespace {

using nlohmann::ordered_json;
using spatial::Drive;
using spatial::DriveKind;
using spatial::Machine;
using spatial::Vector3;

ordered_json triple(const Vector3& v) { return {v.x(), v.y(), v.z()}; }

ordered_json ref_json(const Machine& machine, spatial::PointRef ref) {
  return {machine.bodies[static_cast<std::size_t>(ref.body)].name, machine.point(ref).name};
}

ordered_json or_null(const std::optional<spatial::Quantity>& quantity) {
  return quantity ? ordered_json(quantity->value) : ordered_json(nullptr);
}

ordered_json body_json(const Machine& machine, const spatial::Assembly& start, std::size_t b,
                       const std::string& mesh) {
  const spatial::Body& body = machine.bodies[b];
  ordered_json points = ordered_json::object();
  for (const spatial::Point& point : body.points) points[point.name] = triple(point.at.value());
  const spatial::BodyPose& pose = start.pose.bodies[b];
  ordered_json all = {
      {"name", body.name},
      {"colour", machine::colour_of(machine, static_cast<int>(b)).fill},
      {"points", points},
      {"start",
       {pose.origin.x(), pose.origin.y(), pose.origin.z(), pose.q.w(), pose.q.x(), pose.q.y(), pose.q.z()}}};
  if (!mesh.empty()) all["mesh"] = mesh;
  return all;
}

ordered_json drive_json(const Machine& machine, const Drive& drive) {
  constexpr std::array kKinds{"angle", "cylinder", "slide"};
  const bool by_points = drive.kind != DriveKind::angle;
  ordered_json all = {{"name", drive.name},
                      {"kind", kKinds[static_cast<std::size_t>(drive.kind)]},
                      {"unit", by_points ? "m" : "rad"},
                      {"lower", or_null(drive.lower)},
                      {"upper", or_null(drive.upper)}};
  if (by_points) all["first"] = ref_json(machine, drive.first);
  if (by_points) all["second"] = ref_json(machine, drive.second);
  if (drive.radius) all["radius"] = *drive.radius;
  return all;
}

/// y points up where gravity says so, or without it in a drawing of a plane; else z does.
bool is_flat(const Machine& machine) {
  const Vector3 g = machine.gravity ? machine.gravity->value() : Vector3(Vector3::Zero());
  if (!g.isZero(0.0)) return std::abs(g.y()) > std::abs(g.z());
  for (const spatial::Body& body : machine.bodies) {
    for (const spatial::Point& point : body.points) {
      if (point.at.value().z() != 0) return false;
    }
  }
  return true;
}

}  // namespace

std::string spatial_scene_json(const Machine& machine, const spatial::Assembly& start,
                               const std::vector<std::string>& meshes) {
  ordered_json bodies = ordered_json::array(), joints = bodies, drives = bodies, outputs = bodies;
  for (std::size_t b = 0; b < machine.bodies.size(); ++b)
    bodies.push_back(body_json(machine, start, b, meshes[b]));
  for (const spatial::Joint& joint : machine.joints) {
    joints.push_back({{"kind", spatial::kind_text(joint.kind)},
                      {"name", joint.name},
                      {"first", ref_json(machine, joint.first)},
                      {"second", ref_json(machine, joint.second)},
                      {"axis", triple(joint.axis_first.value())},
                      {"second_axis", triple(joint.axis_second.value())}});
  }
  for (const Drive& drive : machine.drives) drives.push_back(drive_json(machine, drive));
  for (const spatial::Output& output : machine.outputs) {
    const ordered_json ref = ref_json(machine, output.point);
    outputs.push_back({{"name", output.name}, {"body", ref[0]}, {"point", ref[1]}});
  }
  ordered_json all = {{"name", machine.name}, {"space", 3},       {"up", is_flat(machine) ? "y" : "z"},
                      {"bodies", bodies},     {"joints", joints}, {"drives", drives},
                      {"outputs", outputs}};
  if (const ordered_json forces = machine::forces_json(machine); !forces.is_null()) all["forces"] = forces;
  if (const ordered_json measures = machine::measures_json(machine, start.pose); !measures.is_null())
    all["measures"] = measures;
  return all.dump(1) + "\n";
}

}  // namespace rodeo::tools
