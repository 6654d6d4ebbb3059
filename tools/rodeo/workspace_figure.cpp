// SPDX-License-Identifier: MIT
// The image of a box of k drive positions in the plane. A small cell of the grid is nearly a parallelepiped there, and the image of a
// parallelepiped is that of its faces alone; so the faces of all cells, two drives varying and the others held, are the whole of it,
// for any k.
#include "tools/rodeo/workspace_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace rodeo::tools {
namespace {

constexpr std::size_t kCells = 600;  // along the longer side of the picture
constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

plot::Corner corner(const Reach& reach, std::size_t node) {
  const Place& place = reach.places[node];
  return {place.x, place.y, place.margin};
}

/// Two triangles of a face; one where one of its corners is not reached.
void add_face(plot::Region& region, const Reach& reach, const std::array<std::size_t, 4>& nodes) {
  std::vector<plot::Corner> corners;  // in the order around the face
  for (const std::size_t node : nodes) {
    if (reach.is_reached(node)) corners.push_back(corner(reach, node));
  }
  for (std::size_t i = 2; i < corners.size(); ++i) region.add({corners[0], corners[i - 1], corners[i]});
}

void add_faces(plot::Region& region, const Reach& reach, std::size_t a, std::size_t b) {
  const std::size_t da = reach.stride(a), db = reach.stride(b);
  for (std::size_t node = 0; node < reach.places.size(); ++node) {
    if (reach.index(node, a) + 1 == reach.axes[a].count || reach.index(node, b) + 1 == reach.axes[b].count)
      continue;
    add_face(region, reach, {node, node + da, node + da + db, node + db});
  }
}

void measure(Workspace& w) {
  std::vector<double> xs, ys;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t node = 0; node < w.reach.places.size(); ++node) {
    if (!w.reach.is_reached(node)) continue;
    const Place& place = w.reach.places[node];
    xs.push_back(place.x);
    ys.push_back(place.y);
    w.largest_margin = std::max(w.largest_margin, place.margin);
    if (place.margin < least) least = place.margin, w.narrowest = node;
  }
  w.reached = xs.size();
  w.x = plot::calc_range(xs);
  w.y = plot::calc_range(ys);
}

/// How far the way between two nodes bulges from its chord, at most and for all drives together: an eighth of the second
/// difference of each.
double calc_bulge(const Reach& reach) {
  double sum = 0;
  for (std::size_t a = 0; a < reach.axes.size(); ++a) {
    const std::size_t step = reach.stride(a);
    double most = 0;
    for (std::size_t node = 0; node + 2 * step < reach.places.size(); ++node) {
      if (reach.index(node, a) + 2 >= reach.axes[a].count) continue;
      const Place &p = reach.places[node], &q = reach.places[node + step], &r = reach.places[node + 2 * step];
      most = std::fmax(most, std::hypot(p.x - 2 * q.x + r.x, p.y - 2 * q.y + r.y) / 8);  // nan: not reached
    }
    sum += most;
  }
  return sum;
}

plot::Series build_path(const Workspace& w) {
  plot::Series path;
  for (const Place& place : w.reach.places) {
    path.x.push_back(place.x);
    path.y.push_back(place.y);
    path.shade.push_back(place.margin);
  }
  return path;
}

double calc_cross(const viz::Vec2& a, const viz::Vec2& b, const viz::Vec2& c) {
  return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

/// The points of a body from the outside (Andrew's monotone chain), closed; two points are a line.
std::vector<viz::Vec2> build_hull(std::vector<viz::Vec2> points) {
  std::sort(points.begin(), points.end(),
            [](const auto& a, const auto& b) { return std::pair(a.x, a.y) < std::pair(b.x, b.y); });
  if (points.size() < 3) return points;
  std::vector<viz::Vec2> hull;
  const auto add = [&](const viz::Vec2& point, std::size_t least) {
    while (hull.size() >= least && calc_cross(hull[hull.size() - 2], hull.back(), point) <= 0)
      hull.pop_back();
    hull.push_back(point);
  };
  for (const auto& point : points) add(point, 2);
  const std::size_t lower = hull.size() + 1;
  for (auto it = points.rbegin() + 1; it != points.rend(); ++it) add(*it, lower);
  return hull;
}

void add_line(plot::Drawing& drawing, const std::vector<viz::Vec2>& points) {
  for (const viz::Vec2& point : points) {
    drawing.x.push_back(point.x);
    drawing.y.push_back(point.y);
  }
  drawing.x.push_back(kGap);
  drawing.y.push_back(kGap);
}

viz::Vec2 calc_start(const viz::Scene& scene, const viz::PointRef& ref) {
  return scene.bodies[ref.body].start.calc_world(scene.local(ref));
}

/// Bodies, and cylinders from pin to pin. Body 0 is the ground: its pins show on the bodies.
plot::Drawing draw_machine(const viz::Scene& scene) {
  plot::Drawing drawing{{}, {}, 1.6, true};
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    std::vector<viz::Vec2> points;
    for (const viz::ScenePoint& point : scene.bodies[b].points) {
      points.push_back(scene.bodies[b].start.calc_world(point.at));
    }
    if (!points.empty()) add_line(drawing, build_hull(points));
  }
  for (const viz::SceneDrive& drive : scene.drives) {
    if (drive.kind != viz::DriveKind::cylinder) continue;
    add_line(drawing, {calc_start(scene, drive.first), calc_start(scene, drive.second)});
  }
  return drawing;
}

}  // namespace

Workspace build_workspace(Reach reach, const std::string& output) {
  Workspace w;
  w.output = output;
  w.reach = std::move(reach);
  measure(w);
  if (w.reach.axes.size() == 1) {
    const plot::Series path = build_path(w);
    w.length = plot::calc_length({path.x, path.y});
    return w;
  }
  w.region.emplace(w.x, w.y, kCells);
  for (std::size_t b = 1; b < w.reach.axes.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) add_faces(*w.region, w.reach, a, b);
  }
  w.outline = w.region->build_outline();
  w.area = w.region->calc_area();
  w.area_accuracy = plot::calc_length(w.outline) * (w.region->cell() / 2 + calc_bulge(w.reach));
  return w;
}

plot::Figure build_workspace_figure(const Workspace& w, const viz::Scene* scene) {
  plot::Panel panel;
  panel.x_label = w.output + ".x (m)";
  panel.y_label = w.output + ".y (m)";
  panel.is_equal = panel.is_path = true;
  panel.shade = {0, std::clamp(std::ceil(10 * w.largest_margin) / 10, 0.1, 1.0)};
  panel.shade_label = w.reach.axes.size() < 2 ? "singularity margin" : "smallest singularity margin there";
  if (w.region) {
    panel.field = w.region->field();
    panel.drawings.push_back(w.outline);
  } else {
    panel.series.push_back(build_path(w));
  }
  if (scene != nullptr) panel.drawings.push_back(draw_machine(*scene));
  return {"", {panel}};
}

std::string build_workspace_json(const Workspace& w, const std::string& machine) {
  nlohmann::ordered_json report{{"machine", machine}, {"output", w.output}};
  nlohmann::ordered_json drives = nlohmann::ordered_json::array(), at;
  for (std::size_t a = 0; a < w.reach.axes.size(); ++a) {
    const Axis& axis = w.reach.axes[a];
    drives.push_back({{"name", axis.name},
                      {"unit", axis.unit},
                      {"low", axis.low},
                      {"high", axis.high},
                      {"positions", axis.count}});
    at[axis.name] = w.position(w.narrowest, a);
  }
  report["drives"] = drives;
  report["poses"] = w.reach.places.size();
  report["poses_reached"] = w.reached;
  report["bounds"] = {{"x", {w.x.low, w.x.high}}, {"y", {w.y.low, w.y.high}}};
  report["area"] = w.area;
  report["area_accuracy"] = w.area_accuracy;
  if (!w.region) report["length"] = w.length;
  const Place& place = w.reach.places[w.narrowest];
  report["smallest_margin"] = {{"margin", place.margin}, {"x", place.x}, {"y", place.y}, {"drives", at}};
  return report.dump(2);
}

}  // namespace rodeo::tools
