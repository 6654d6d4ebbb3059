// SPDX-License-Identifier: MIT
#include "viz/app/stage.h"

#include <fmt/format.h>
#include <osg/ComputeBoundsVisitor>
#include <osg/Group>

#include <algorithm>
#include <cmath>

#include "viz/app/camera.h"
#include "viz/app/hud.h"
#include "viz/scene/machine_node.h"
#include "viz/scene/overlay_node.h"
#include "viz/scene/world_node.h"

namespace rodeo::viz {
namespace {

constexpr std::size_t kBoundSamples = 200;

void extend(Box2& box, double x, double y) {
  box = {std::min(box.x0, x), std::min(box.y0, y), std::max(box.x1, x), std::max(box.y1, y)};
}

void extend(Box2& box, const Scene& scene, const Sample& sample) {
  for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
    for (const ScenePoint& point : scene.bodies[b].points) {
      const Vec3 at = sample.bodies[b].pose.calc_place(point.place());
      extend(box, at.x, at.y);
    }
  }
}

/// A machine that runs may go as far up and ahead as it reaches from its pins on the ground.
void extend_by_reach(Box2& box, const Scene& scene) {
  const Sample start = build_start_sample(scene);
  for (const SceneJoint& joint : scene.joints) {
    if (joint.kind != JointKind::revolute || (joint.first.body != 0 && joint.second.body != 0)) continue;
    const Vec3 pin = calc_place(scene, start, joint.first);
    double reach = 0;
    for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
      for (const ScenePoint& point : scene.bodies[b].points) {
        const Vec3 at = start.bodies[b].pose.calc_place(point.place());
        reach = std::max(reach, std::hypot(at.x - pin.x, at.y - pin.y));
      }
    }
    extend(box, pin.x + reach, pin.y + reach);
  }
}

/// Of the meshes at the start, and of every point over the replay.
Box2 calc_bounds(const Scene& scene, const Track* track, bool is_live, osg::Node& machine) {
  Box2 box{INFINITY, INFINITY, -INFINITY, -INFINITY};
  osg::ComputeBoundsVisitor visitor;
  machine.accept(visitor);
  const osg::BoundingBox bounds = visitor.getBoundingBox();
  if (bounds.valid()) box = {bounds.xMin(), bounds.yMin(), bounds.xMax(), bounds.yMax()};
  extend(box, scene, build_start_sample(scene));
  if (is_live && !scene.is_spatial) extend_by_reach(box, scene);
  if (track == nullptr || track->empty()) return box;
  const std::size_t stride = track->count() / kBoundSamples + 1;
  for (std::size_t r = 0; r < track->count(); r += stride) extend(box, scene, track->row(r));
  return box;
}

/// Nearest and farthest across, of every point over the replay.
std::pair<double, double> calc_depth(const Scene& scene, const Track* track) {
  std::pair<double, double> depth{INFINITY, -INFINITY};
  const auto add = [&](const Sample& sample) {
    for (std::size_t b = 0; b < scene.bodies.size(); ++b) {
      for (const ScenePoint& point : scene.bodies[b].points) {
        const double z = sample.bodies[b].pose.calc_place(point.place()).z;
        depth = {std::min(depth.first, z), std::max(depth.second, z)};
      }
    }
  };
  add(build_start_sample(scene));
  if (track == nullptr || track->empty()) return depth;
  for (std::size_t r = 0; r < track->count(); r += track->count() / kBoundSamples + 1) add(track->row(r));
  return depth;
}

/// y = 0 is the ground, unless the machine hangs below it at its start: then it stands lower.
double find_ground(const Scene& scene, double given_size) {
  Box2 box{INFINITY, INFINITY, -INFINITY, -INFINITY};
  extend(box, scene, build_start_sample(scene));
  const bool has_mesh = std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                    [](const SceneBody& body) { return !body.mesh.empty(); });
  if (has_mesh || box.y0 > 0.02 * given_size) return 0;
  return box.y0 - 0.15 * given_size;
}

/// Behind and above the first pin of the ground, as a driver sits.
osg::Vec3d find_cab(const Scene& scene, double size) {
  const auto& points = scene.bodies[0].points;
  const Vec3 pin = points.empty() ? Vec3{} : scene.bodies[0].start.calc_place(points[0].place());
  return {pin.x - 0.22 * size, pin.y + 0.18 * size, pin.z};
}

std::vector<std::size_t> find_trails(const Scene& scene, const std::vector<std::string>& wanted) {
  std::vector<std::size_t> trails;
  if (wanted.empty() && !scene.outputs.empty()) trails.push_back(0);
  for (const std::string& name : wanted) {
    if (name == "none") continue;
    const auto found = std::find_if(scene.outputs.begin(), scene.outputs.end(),
                                    [&](const SceneOutput& output) { return output.name == name; });
    if (found == scene.outputs.end()) {
      std::vector<std::string> names;
      for (const SceneOutput& output : scene.outputs) names.push_back(output.name);
      throw SceneError(fmt::format("--trail: '{}' is no output of '{}' (there is {})", name, scene.name,
                                   names.empty() ? "none" : fmt::format("{}", fmt::join(names, ", "))));
    }
    trails.push_back(static_cast<std::size_t>(found - scene.outputs.begin()));
  }
  return trails;
}

OverlayOptions build_overlay_options(const Scene& scene, const ViewOptions& options) {
  OverlayOptions result;
  result.trails = find_trails(scene, options.trails);
  result.by_speed = options.trail_colour == "speed";
  result.marks_pins = options.marks_pins;
  result.shows_names = options.shows_names;
  result.shows_frames = options.shows_frames;
  result.shows_arrows = options.shows_arrows;
  return result;
}

double calc_world_size(const Scene& scene, const Box2& bounds) {
  return std::max(scene.calc_size(), std::hypot(bounds.x1 - bounds.x0, bounds.y1 - bounds.y0) / 2);
}

CameraHome build_home(const Scene& scene, const ViewOptions& options, const Track* track,
                      const MachineNode& machine) {
  CameraHome home;
  home.bounds = calc_bounds(scene, track, !options.follow.empty(), *machine.root());
  home.half_width = machine.half_width();
  if (scene.is_spatial) {
    const auto [near, far] = calc_depth(scene, track);
    home.middle = (near + far) / 2;
    home.elevation = 0.42;  // depth shows from above
    home.half_width = (far - near) / 2 + 0.05 * scene.calc_size();
  }
  home.cab = find_cab(scene, scene.calc_size());
  home.world = calc_world_radius(calc_world_size(scene, home.bounds));
  return home;
}

WorldOptions build_world_options(const Scene& scene, const ViewOptions& options, const Box2& bounds) {
  WorldOptions world;
  world.size = calc_world_size(scene, bounds);
  world.ground = options.ground.value_or(find_ground(scene, scene.calc_size()));
  world.centre_x = (bounds.x0 + bounds.x1) / 2;
  world.has_shadow = options.has_shadow;
  return world;
}

}  // namespace

struct Stage::Parts {
  Parts(const Scene& given, const ViewOptions& options, const Track* track)
      : scene(given),
        machine(given),
        overlay(given, build_overlay_options(given, options)),
        hud(given, options),
        home(build_home(given, options, track, machine)),
        camera(options, home),
        world(build_world_options(given, options, home.bounds), machine.root()),
        root(new osg::Group) {
    world.root()->addChild(machine.root());
    root->addChild(world.root());
    root->addChild(overlay.root());
    root->addChild(hud.root());
  }

  const Scene& scene;
  MachineNode machine;
  OverlayNode overlay;
  Hud hud;
  CameraHome home;
  CameraRig camera;
  WorldNode world;
  osg::ref_ptr<osg::Group> root;
};

Stage::Stage(const Scene& scene, const ViewOptions& options, const Track* track)
    : parts_(std::make_unique<Parts>(scene, options, track)) {}
Stage::~Stage() = default;

osg::Group* Stage::root() const noexcept { return parts_->root; }
CameraRig& Stage::camera() noexcept { return parts_->camera; }
OverlayNode& Stage::overlay() noexcept { return parts_->overlay; }
WorldNode& Stage::world() noexcept { return parts_->world; }
Hud& Stage::hud() noexcept { return parts_->hud; }
const std::vector<std::string>& Stage::troubles() const noexcept { return parts_->machine.troubles(); }

void Stage::show(const HudState& state, const Track* track, osg::Camera& camera, int width, int height) {
  const Scene& scene = parts_->scene;
  const Sample& sample = state.sample;
  parts_->machine.update(sample);
  const double scale = scene.is_spatial ? parts_->camera.calc_scale_there(width, height)
                                        : parts_->camera.calc_scale(width, height);
  const Pose& last = sample.bodies.back().pose;
  const Vec3 target =
      scene.outputs.empty() ? Vec3{last.x, last.y, last.z} : calc_place(scene, sample, scene.outputs[0].at);
  parts_->world.show_from_side(parts_->camera.kind() == CameraKind::side);
  parts_->camera.apply(camera, width, height, target);
  parts_->hud.update(state, track, width, height);
  parts_->overlay.update(sample, track, scale, height);
  parts_->overlay.place_names(sample, camera.getViewMatrix() * camera.getProjectionMatrix(), width, height,
                              parts_->hud.panels());
}

}  // namespace rodeo::viz
