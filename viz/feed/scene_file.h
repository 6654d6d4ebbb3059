// SPDX-License-Identifier: MIT
// scene.json of a built folder, read and checked: bodies with their points, looks and start pose, joints, drives, forces between points, outputs. All that
// the viewer knows of a machine. Metres and radians; poses are those of the body in the plane of the machine: x forward, y up.
// A machine in space is turned, as it is read, so that y is up, whatever axis points up in its own file.
#pragma once
#include <array>
#include <cstddef>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace rodeo::viz {

/// What is wrong with a file that the viewer reads, as one sentence that begins with the file. Exit status 1.
class SceneError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct Vec2 {
  double x = 0;
  double y = 0;
};

struct Vec3 {
  double x = 0;
  double y = 0;
  double z = 0;
};

/// A turn: w, x, y, z of a unit quaternion.
using Turn = std::array<double, 4>;
[[nodiscard]] Turn calc_product(const Turn& a, const Turn& b) noexcept;
[[nodiscard]] Vec3 calc_turned(const Turn& turn, Vec3 v) noexcept;

/// In the plane an angle, in space a turn; the other is nil.
struct Pose {
  double x = 0;
  double y = 0;
  double angle = 0;
  double z = 0;
  Turn turn{1, 0, 0, 0};

  /// A point of the body's frame in the world: p_W = p_WB + R(angle) p_B.
  [[nodiscard]] Vec2 calc_world(Vec2 local) const noexcept;
  [[nodiscard]] Vec3 calc_place(Vec3 local) const noexcept;
};

struct ScenePoint {
  std::string name;
  Vec2 at;       // in the body's frame
  double z = 0;  // in space
  [[nodiscard]] Vec3 place() const noexcept { return {at.x, at.y, z}; }
};

struct SceneBody {
  std::string name;
  std::array<float, 3> colour{};  // red, green, blue, 0 to 1
  std::string mesh;               // file within the folder; empty: drawn from its points
  std::vector<ScenePoint> points;
  Pose start;
};

/// A point of a body, by their indexes.
struct PointRef {
  std::size_t body = 0;
  std::size_t point = 0;
};

/// Those from cylindrical on are of machines in space.
enum class JointKind {
  revolute,
  slider,
  prismatic,
  cylindrical,
  screw,
  spherical,
  universal,
  planar,
  point_on_plane,
  point_on_line,
  fixed
};

struct SceneJoint {
  JointKind kind = JointKind::revolute;
  std::string name;
  PointRef first;
  PointRef second;
  Vec2 direction;          // of a slider or prismatic joint, in the first body's frame
  Vec3 axis, second_axis;  // in space: in the first and in the second body's frame
};

enum class DriveKind { angle, relative_angle, cylinder, slide };

struct SceneDrive {
  std::string name;
  DriveKind kind = DriveKind::angle;
  std::string unit;  // rad or m
  std::optional<double> lower;
  std::optional<double> upper;
  std::optional<double> start;  // position at the start pose, from interface.json
  PointRef first;               // of a cylinder or slide
  PointRef second;
  std::optional<double> radius;  // of a cylinder's barrel, m
  std::vector<double> across;    // where cylinders lie beside each other, z, m; empty: the viewer's choice
};

enum class ForceKind { spring, damper, stop };

/// What acts between two points.
struct SceneForce {
  std::string name;  // may be empty
  ForceKind kind = ForceKind::spring;
  PointRef first;
  PointRef second;
  bool is_damped = false;       // a spring with a damper in it
  std::optional<double> lower;  // of a stop: least and largest distance, m
  std::optional<double> upper;
};

struct SceneOutput {
  std::string name;
  PointRef at;
};

/// An output of length or angle.
struct SceneMeasure {
  std::string name;
  std::string unit;  // rad or m
  double start = 0;
};

/// Constant. Body 0 is the ground.
struct Scene {
  std::filesystem::path folder;
  std::string name;
  bool is_spatial = false;
  Turn to_view{1, 0, 0, 0};  // from the axes of a machine in space to the viewer's, whose y is up
  std::vector<SceneBody> bodies;
  std::vector<SceneJoint> joints;
  std::vector<SceneDrive> drives;
  std::vector<SceneForce> forces;
  std::vector<SceneOutput> outputs;
  std::vector<SceneMeasure> measures;

  [[nodiscard]] Vec2 local(PointRef ref) const noexcept { return bodies[ref.body].points[ref.point].at; }
  [[nodiscard]] Vec3 place(PointRef ref) const noexcept { return bodies[ref.body].points[ref.point].place(); }
  /// Index of the body of this name.
  [[nodiscard]] std::optional<std::size_t> find_body(const std::string& body) const noexcept;
  /// The diagonal of the start pose, m: what sizes of drawn things are taken from.
  [[nodiscard]] double calc_size() const noexcept;
};

/// Throws SceneError.
[[nodiscard]] Scene build_scene(const std::filesystem::path& folder);
/// `where` is what errors begin with.
[[nodiscard]] Scene build_scene_from_text(const std::string& text, const std::string& where);

}  // namespace rodeo::viz
