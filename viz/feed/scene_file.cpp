// SPDX-License-Identifier: MIT
// Reading scene.json. The folder may have been carried elsewhere or edited, so every name is looked up and every number checked.
#include "viz/feed/scene_file.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sstream>

#include "engine/files/checksums.h"
#include "viz/feed/interface_file.h"

namespace rodeo::viz {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using nlohmann::ordered_json;

constexpr const char* kSceneFile = "scene.json";
constexpr double kSmallestSize = 1e-3;  // m: a machine of one point still shows
constexpr double kFurthest =
    1e6;  // m or rad: beyond it a grid of metres fills the memory, and single precision ends
constexpr std::size_t kMostSceneBytes = std::size_t{64} << 20;

/// One reading of one file: what every check needs to say where it is.
class SceneReader {
 public:
  SceneReader(const ordered_json& root, std::string where) : root_(root), where_(std::move(where)) {}

  Scene build() {
    scene_.name = text(root_, "name", "the scene");
    read_space();
    for (const auto& body : list("bodies")) scene_.bodies.push_back(read_body(body));
    if (scene_.bodies.empty()) refuse("has no bodies");
    for (const auto& joint : list("joints")) scene_.joints.push_back(read_joint(joint));
    for (const auto& drive : list("drives")) scene_.drives.push_back(read_drive(drive));
    if (root_.contains("forces")) {  // folders of before have none
      for (const auto& force : list("forces")) scene_.forces.push_back(read_force(force));
    }
    for (const auto& output : list("outputs")) scene_.outputs.push_back(read_output(output));
    if (root_.contains("measures")) {
      for (const auto& measure : list("measures")) scene_.measures.push_back(read_measure(measure));
    }
    return std::move(scene_);
  }

 private:
  [[noreturn]] void refuse(const std::string& why) const {
    throw SceneError(fmt::format("{}: {}: build the folder again with 'rodeo build'", where_, why));
  }

  const ordered_json& list(const char* key) const {
    const auto it = root_.find(key);
    if (it == root_.end() || !it->is_array()) refuse(fmt::format("has no list '{}'", key));
    for (const auto& item : *it) {
      if (!item.is_object()) refuse(fmt::format("'{}' holds something that is no object", key));
    }
    return *it;
  }

  std::string text(const ordered_json& object, const char* key, const std::string& what) const {
    const auto it = object.find(key);
    if (it == object.end() || !it->is_string()) refuse(fmt::format("{} has no text '{}'", what, key));
    return it->get<std::string>();
  }

  double number(const ordered_json& value, const std::string& what) const {
    if (!value.is_number() || !std::isfinite(value.get<double>())) {
      refuse(fmt::format("{} is {}, not a number", what, value.dump()));
    }
    return value.get<double>();
  }

  std::vector<double> numbers(const ordered_json& value, std::size_t count, const std::string& what) const {
    if (!value.is_array() || value.size() != count) refuse(fmt::format("{} is not {} numbers", what, count));
    std::vector<double> all;
    for (const auto& item : value) {
      all.push_back(number(item, what));
      if (std::abs(all.back()) > kFurthest)
        refuse(fmt::format("{} is {}, and at most {} is shown", what, item.dump(), kFurthest));
    }
    return all;
  }

  std::array<float, 3> read_colour(const std::string& colour, const std::string& what) const {
    const bool is_well =
        colour.size() == 7 && colour[0] == '#' &&
        std::all_of(colour.begin() + 1, colour.end(), [](unsigned char c) { return std::isxdigit(c) != 0; });
    if (!is_well) refuse(fmt::format("{} has the colour '{}', not #rrggbb", what, colour));
    std::array<float, 3> result{};
    for (std::size_t i = 0; i < 3; ++i) {
      result[i] = static_cast<float>(std::stoi(colour.substr(1 + 2 * i, 2), nullptr, 16)) / 255.0F;
    }
    return result;
  }

  /// y is up in the viewer: (x, y, z) of a machine whose z is up becomes (x, z, -y).
  void read_space() {
    if (!root_.contains("space")) return;
    scene_.is_spatial = true;
    const std::string up = text(root_, "up", "the scene");
    if (up != "y" && up != "z") refuse(fmt::format("has the up axis '{}', not y or z", up));
    if (up == "z") scene_.to_view = {std::sqrt(0.5), -std::sqrt(0.5), 0, 0};
  }

  /// x, y, z, then w, x, y, z of a quaternion.
  Pose read_spatial_start(const ordered_json& object, const std::string& what) const {
    const auto v = numbers(object.value("start", ordered_json()), 7, what + ", start");
    const Vec3 at = calc_turned(scene_.to_view, {v[0], v[1], v[2]});
    return {at.x, at.y, 0, at.z, calc_product(scene_.to_view, {v[3], v[4], v[5], v[6]})};
  }

  Vec3 read_axis(const ordered_json& object, const char* key, const std::string& what) const {
    const auto xyz = numbers(object.value(key, ordered_json()), 3, fmt::format("{}, {}", what, key));
    return {xyz[0], xyz[1], xyz[2]};
  }

  SceneBody read_body(const ordered_json& object) const {
    SceneBody body;
    body.name = text(object, "name", "a body");
    const std::string what = fmt::format("body '{}'", body.name);
    body.colour = read_colour(text(object, "colour", what), what);
    if (object.contains("mesh")) body.mesh = read_mesh(text(object, "mesh", what), what);
    const auto points = object.find("points");
    if (points == object.end() || !points->is_object()) refuse(what + " has no points");
    for (const auto& [name, at] : points->items()) {
      const auto xyz = numbers(at, scene_.is_spatial ? 3 : 2, fmt::format("{}, point '{}'", what, name));
      body.points.push_back({name, {xyz[0], xyz[1]}, scene_.is_spatial ? xyz[2] : 0});
    }
    if (scene_.is_spatial) {
      body.start = read_spatial_start(object, what);
      return body;
    }
    const auto start = numbers(object.value("start", ordered_json()), 3, what + ", start");
    body.start = {start[0], start[1], start[2]};
    return body;
  }

  /// A folder from somebody else must not make the viewer open files beside it.
  std::string read_mesh(const std::string& mesh, const std::string& what) const {
    const fs::path path(mesh);
    const bool is_inside = path.is_relative() && std::find(path.begin(), path.end(), "..") == path.end();
    if (!is_inside) refuse(fmt::format("{} has the mesh '{}', which is not in the folder", what, mesh));
    return mesh;
  }

  PointRef read_ref(const ordered_json& object, const char* key, const std::string& what) const {
    const ordered_json ref = object.value(key, ordered_json());
    if (!ref.is_array() || ref.size() != 2 || !ref[0].is_string() || !ref[1].is_string()) {
      refuse(fmt::format("{} has no point '{}'", what, key));
    }
    return find_point(ref[0].get<std::string>(), ref[1].get<std::string>(), what);
  }

  PointRef find_point(const std::string& body, const std::string& point, const std::string& what) const {
    const auto b = scene_.find_body(body);
    if (!b) refuse(fmt::format("{} names the body '{}', which is not there", what, body));
    const auto& points = scene_.bodies[*b].points;
    const auto found =
        std::find_if(points.begin(), points.end(), [&](const ScenePoint& p) { return p.name == point; });
    if (found == points.end()) refuse(fmt::format("{}: body '{}' has no point '{}'", what, body, point));
    return {*b, static_cast<std::size_t>(found - points.begin())};
  }

  template <std::size_t count>
  std::size_t read_kind(const ordered_json& object, const std::array<const char*, count>& kinds,
                        const std::string& what) const {
    const std::string kind = text(object, "kind", what);
    const auto found = std::find(kinds.begin(), kinds.end(), kind);
    if (found == kinds.end())
      refuse(fmt::format("{} is of the kind '{}' (known: {})", what, kind, fmt::join(kinds, ", ")));
    return static_cast<std::size_t>(found - kinds.begin());
  }

  SceneJoint read_joint(const ordered_json& object) const {
    SceneJoint joint;
    joint.name = text(object, "name", "a joint");
    const std::string what = fmt::format("joint '{}'", joint.name);
    constexpr std::array kPlanar{"revolute", "slider", "prismatic"};
    constexpr std::array kSpatial{"revolute",       "slider",        "prismatic", "cylindrical",
                                  "screw",          "spherical",     "universal", "planar",
                                  "point_on_plane", "point_on_line", "fixed"};
    joint.kind = static_cast<JointKind>(scene_.is_spatial ? read_kind(object, kSpatial, what)
                                                          : read_kind(object, kPlanar, what));
    joint.first = read_ref(object, "first", what);
    joint.second = read_ref(object, "second", what);
    if (scene_.is_spatial) {
      joint.axis = read_axis(object, "axis", what);
      joint.second_axis = read_axis(object, "second_axis", what);
      return joint;
    }
    if (joint.kind == JointKind::revolute) return joint;
    const auto xy = numbers(object.value("direction", ordered_json()), 2, what + ", direction");
    joint.direction = {xy[0], xy[1]};
    return joint;
  }

  std::optional<double> read_limit(const ordered_json& object, const char* key,
                                   const std::string& what) const {
    const auto it = object.find(key);
    if (it == object.end() || it->is_null()) return std::nullopt;
    return number(*it, fmt::format("{}, {}", what, key));
  }

  SceneDrive read_drive(const ordered_json& object) const {
    SceneDrive drive;
    drive.name = text(object, "name", "a drive");
    const std::string what = fmt::format("drive '{}'", drive.name);
    constexpr std::array kKinds{"angle", "relative_angle", "cylinder", "slide"};
    drive.kind = static_cast<DriveKind>(read_kind(object, kKinds, what));
    drive.unit = text(object, "unit", what);
    drive.lower = read_limit(object, "lower", what);
    drive.upper = read_limit(object, "upper", what);
    if (drive.kind == DriveKind::cylinder || drive.kind == DriveKind::slide) {
      drive.first = read_ref(object, "first", what);
      drive.second = read_ref(object, "second", what);
    }
    drive.radius = read_limit(object, "radius", what);
    for (const auto& z : object.value("across", ordered_json::array()))
      drive.across.push_back(number(z, what + ", across"));
    return drive;
  }

  SceneForce read_force(const ordered_json& object) const {
    SceneForce force;
    force.name = text(object, "name", "a force");
    const std::string what = fmt::format("force '{}'", force.name);
    constexpr std::array kKinds{"spring", "damper", "stop"};
    force.kind = static_cast<ForceKind>(read_kind(object, kKinds, what));
    force.first = read_ref(object, "first", what);
    force.second = read_ref(object, "second", what);
    const auto damped = object.find("damped");
    force.is_damped = damped != object.end() && damped->is_boolean() && damped->get<bool>();
    force.lower = read_limit(object, "lower", what);
    force.upper = read_limit(object, "upper", what);
    return force;
  }

  SceneOutput read_output(const ordered_json& object) const {
    const std::string name = text(object, "name", "an output");
    const std::string what = fmt::format("output '{}'", name);
    return {name, find_point(text(object, "body", what), text(object, "point", what), what)};
  }

  SceneMeasure read_measure(const ordered_json& object) const {
    const std::string name = text(object, "name", "a measure");
    const std::string what = fmt::format("measure '{}'", name);
    return {name, text(object, "unit", what),
            number(object.value("start", ordered_json()), what + ", start")};
  }

  const ordered_json& root_;
  std::string where_;
  Scene scene_;
};

/// A scene shows without interface.json, too: only the figures of its drives are not known then.
void add_starts(Scene& scene) {
  std::error_code ignored;
  if (!fs::exists(scene.folder / "interface.json", ignored)) return;
  const Interface interface = build_interface(scene.folder);
  for (SceneDrive& drive : scene.drives) {
    for (std::size_t i = 0; i < interface.drives.size(); ++i) {
      if (interface.drives[i].name == drive.name) drive.start = interface.starts[i];
    }
  }
}

}  // namespace

Turn calc_product(const Turn& a, const Turn& b) noexcept {
  return {a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
          a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
          a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
          a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0]};
}

// v + 2w(u×v) + 2u×(u×v), u the vector part.
Vec3 calc_turned(const Turn& q, Vec3 v) noexcept {
  const Vec3 t{2 * (q[2] * v.z - q[3] * v.y), 2 * (q[3] * v.x - q[1] * v.z), 2 * (q[1] * v.y - q[2] * v.x)};
  return {v.x + q[0] * t.x + q[2] * t.z - q[3] * t.y, v.y + q[0] * t.y + q[3] * t.x - q[1] * t.z,
          v.z + q[0] * t.z + q[1] * t.y - q[2] * t.x};
}

Vec3 Pose::calc_place(Vec3 local) const noexcept {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  const Vec3 r = calc_turned(turn, {c * local.x - s * local.y, s * local.x + c * local.y, local.z});
  return {x + r.x, y + r.y, z + r.z};
}

Vec2 Pose::calc_world(Vec2 local) const noexcept {
  const double c = std::cos(angle);
  const double s = std::sin(angle);
  return {x + c * local.x - s * local.y, y + s * local.x + c * local.y};
}

std::optional<std::size_t> Scene::find_body(const std::string& body) const noexcept {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    if (bodies[b].name == body) return b;
  }
  return std::nullopt;
}

double Scene::calc_size() const noexcept {
  double left = INFINITY, right = -INFINITY, low = INFINITY, high = -INFINITY, near = 0, far = 0;
  for (const SceneBody& body : bodies) {
    for (const ScenePoint& point : body.points) {
      const Vec3 at = body.start.calc_place(point.place());
      left = std::min(left, at.x), right = std::max(right, at.x);
      low = std::min(low, at.y), high = std::max(high, at.y);
      near = std::min(near, at.z), far = std::max(far, at.z);
    }
  }
  return right < left ? 1
                      : std::max(std::hypot(std::hypot(right - left, high - low), far - near), kSmallestSize);
}

Scene build_scene_from_text(const std::string& text, const std::string& where) {
  const ordered_json root = ordered_json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (!root.is_object())
    throw SceneError(where + ": is cut off or no JSON: build the folder again with 'rodeo build'");
  return SceneReader(root, where).build();
}

Scene build_scene(const fs::path& folder) {
  const fs::path path = folder / kSceneFile;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    throw SceneError(fmt::format("{}: there is no such folder (the viewer shows what 'rodeo build' made)",
                                 folder.string()));
  }
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw SceneError(
        fmt::format("{}: has no scene.json: build the folder again with 'rodeo build'", folder.string()));
  }
  if (fs::file_size(path, ignored) > kMostSceneBytes) {
    throw SceneError(fmt::format("{}: is larger than {} MB: build the folder again with 'rodeo build'",
                                 path.string(), kMostSceneBytes >> 20));
  }
  const auto damage = engine::find_damage(folder.string(), {kSceneFile});
  if (!damage.empty()) throw SceneError(damage.front());
  std::ostringstream text;
  text << file.rdbuf();
  Scene scene = build_scene_from_text(text.str(), path.string());
  scene.folder = folder;
  add_starts(scene);
  return scene;
}

}  // namespace rodeo::viz
