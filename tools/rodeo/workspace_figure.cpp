// SPDX-License-Identifier: MIT
// The image of a box of k drive positions in the plane. A small cell of the grid is nearly a parallelepiped there, and the image of a
// parallelepiped is that of its faces alone; so the faces of all cells, two drives varying and the others held, are the whole of it,
// for any k. In space the same holds for each of three projections.
#include "tools/rodeo/workspace_figure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace rodeo::tools {
namespace {

constexpr std::size_t kCells = 600;  // along the longer side of the picture
constexpr double kFlat = 1e-9;       // of the largest extent: no extent at all
constexpr char kAxes[] = {'x', 'y', 'z'};
constexpr double kGap = std::numeric_limits<double>::quiet_NaN();

plot::Corner corner(const Projection& p, const Place& place) {
  return {place.at[p.across], place.at[p.up], place.margin};
}

/// Two triangles of a face; one where one of its corners is not reached.
void add_face(Projection& projection, const Reach& reach, const std::array<std::size_t, 4>& nodes) {
  std::vector<plot::Corner> corners;  // in the order around the face
  for (const std::size_t node : nodes) {
    if (reach.is_reached(node)) corners.push_back(corner(projection, reach.places[node]));
  }
  for (std::size_t i = 2; i < corners.size(); ++i)
    projection.region->add({corners[0], corners[i - 1], corners[i]});
}

void add_faces(Projection& projection, const Reach& reach, std::size_t a, std::size_t b) {
  const std::size_t da = reach.stride(a), db = reach.stride(b);
  for (std::size_t node = 0; node < reach.places.size(); ++node) {
    if (reach.index(node, a) + 1 == reach.axes[a].count || reach.index(node, b) + 1 == reach.axes[b].count)
      continue;
    add_face(projection, reach, {node, node + da, node + da + db, node + db});
  }
}

void measure(Workspace& w) {
  std::array<std::vector<double>, 3> values;
  for (std::size_t node = 0; node < w.reach.places.size(); ++node) {
    if (!w.reach.is_reached(node)) continue;
    const Place& place = w.reach.places[node];
    for (std::size_t k = 0; k < 3; ++k) values[k].push_back(place.at[k]);
    w.largest_margin = std::max(w.largest_margin, place.margin);
  }
  w.reached = values[0].size();
  for (std::size_t k = 0; k < 3; ++k) w.bounds[k] = plot::calc_range(values[k]);
}

/// How far the way between two nodes bulges from its chord, at most and for all drives together: an eighth of the second
/// difference of each.
double calc_bulge(const Reach& reach, const Projection& view) {
  double sum = 0;
  for (std::size_t a = 0; a < reach.axes.size(); ++a) {
    const std::size_t step = reach.stride(a);
    double most = 0;
    for (std::size_t node = 0; node + 2 * step < reach.places.size(); ++node) {
      if (reach.index(node, a) + 2 >= reach.axes[a].count) continue;
      const auto bend = [&](std::size_t k) {
        return reach.places[node].at[k] - 2 * reach.places[node + step].at[k] +
               reach.places[node + 2 * step].at[k];
      };
      most = std::fmax(most, std::hypot(bend(view.across), bend(view.up)) / 8);  // nan: not reached
    }
    sum += most;
  }
  return sum;
}

plot::Series build_path(const Workspace& w, const Projection& view) {
  plot::Series path;
  for (const Place& place : w.reach.places) {
    path.x.push_back(place.at[view.across]);
    path.y.push_back(place.at[view.up]);
    path.shade.push_back(place.margin);
  }
  return path;
}

double calc_path_length(const Reach& reach) {
  double sum = 0;
  for (std::size_t i = 1; i < reach.places.size(); ++i) {
    if (!reach.is_reached(i - 1) || !reach.is_reached(i)) continue;
    const auto &a = reach.places[i - 1].at, &b = reach.places[i].at;
    sum += std::hypot(b[0] - a[0], b[1] - a[1], b[2] - a[2]);
  }
  return sum;
}

/// What moves in a plane is a line from its edge.
bool is_line(const Workspace& w, const Projection& view) {
  const auto extent = [&](std::size_t k) { return w.bounds[k].high - w.bounds[k].low; };
  const double a = extent(view.across), b = extent(view.up);
  return w.is_path() || std::min(a, b) < kFlat * std::max({extent(0), extent(1), extent(2)});
}

Projection build_projection(const Workspace& w, std::size_t across, std::size_t up) {
  Projection view{across, up, {}, {}, 0, 0};
  if (is_line(w, view)) return view;
  view.region.emplace(w.bounds[across], w.bounds[up], kCells);
  for (std::size_t b = 1; b < w.reach.axes.size(); ++b) {
    for (std::size_t a = 0; a < b; ++a) add_faces(view, w.reach, a, b);
  }
  view.outline = view.region->build_outline();
  view.area = view.region->calc_area();
  view.area_accuracy =
      plot::calc_length(view.outline) * (view.region->cell() / 2 + calc_bulge(w.reach, view));
  return view;
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

/// A point at the start in the machine's own axes: a scene in space is turned for the viewer.
std::array<double, 3> calc_start(const viz::Scene& scene, const viz::SceneBody& body,
                                 const viz::ScenePoint& point) {
  if (!scene.is_spatial) {
    const viz::Vec2 p = body.start.calc_world(point.at);
    return {p.x, p.y, 0};
  }
  const auto& [w, x, y, z] = scene.to_view;
  const viz::Vec3 p = calc_turned({w, -x, -y, -z}, body.start.calc_place(point.place()));
  return {p.x, p.y, p.z};
}

/// Bodies, and cylinders from pin to pin. Body 0 is the ground: its pins show on the bodies.
plot::Drawing draw_machine(const viz::Scene& scene, const Projection& view) {
  plot::Drawing drawing{{}, {}, 1.6, true};
  const auto see = [&](const viz::SceneBody& body, const viz::ScenePoint& point) {
    const std::array<double, 3> p = calc_start(scene, body, point);
    return viz::Vec2{p[view.across], p[view.up]};
  };
  const auto see_pin = [&](const viz::PointRef& ref) {
    return see(scene.bodies[ref.body], scene.bodies[ref.body].points[ref.point]);
  };
  for (std::size_t b = 1; b < scene.bodies.size(); ++b) {
    std::vector<viz::Vec2> points;
    for (const viz::ScenePoint& point : scene.bodies[b].points) points.push_back(see(scene.bodies[b], point));
    if (!points.empty()) add_line(drawing, build_hull(points));
  }
  for (const viz::SceneDrive& drive : scene.drives) {
    if (drive.kind == viz::DriveKind::cylinder)
      add_line(drawing, {see_pin(drive.first), see_pin(drive.second)});
  }
  return drawing;
}

plot::Panel build_panel(const Workspace& w, const Projection& view, const viz::Scene* scene) {
  plot::Panel panel;
  panel.x_label = fmt::format("{}.{} (m)", w.output, kAxes[view.across]);
  panel.y_label = fmt::format("{}.{} (m)", w.output, kAxes[view.up]);
  panel.is_equal = panel.is_path = true;
  panel.shade = {0, std::clamp(std::ceil(10 * w.largest_margin) / 10, 0.1, 1.0)};
  panel.shade_label = w.is_path() ? "singularity margin" : "smallest singularity margin there";
  if (view.region) {
    panel.field = view.region->field();
    panel.drawings.push_back(view.outline);
  } else {
    panel.series.push_back(build_path(w, view));
  }
  if (scene != nullptr) panel.drawings.push_back(draw_machine(*scene, view));
  return panel;
}

}  // namespace

Workspace build_workspace(Reach reach, const std::string& output) {
  Workspace w;
  w.output = output;
  w.reach = std::move(reach);
  measure(w);
  if (w.is_path()) w.length = calc_path_length(w.reach);
  w.projections.push_back(build_projection(w, 0, 1));
  if (!w.reach.is_spatial) return w;
  w.projections.push_back(build_projection(w, 0, 2));
  w.projections.push_back(build_projection(w, 1, 2));
  return w;
}

plot::Figure build_workspace_figure(const Workspace& w, const viz::Scene* scene) {
  plot::Figure figure;
  for (const Projection& view : w.projections) figure.panels.push_back(build_panel(w, view, scene));
  return figure;
}

namespace {

/// `xy`, `xz`, `yz`.
std::string name_of(const Projection& view) {
  return fmt::format("{}{}", kAxes[view.across], kAxes[view.up]);
}

void add_areas(const Workspace& w, nlohmann::ordered_json& report) {
  if (!w.reach.is_spatial) {
    report["area"] = w.projections[0].area;
    report["area_accuracy"] = w.projections[0].area_accuracy;
    return;
  }
  for (const Projection& view : w.projections)
    report["areas"][name_of(view)] = {{"area", view.area}, {"area_accuracy", view.area_accuracy}};
}

}  // namespace

std::string build_workspace_json(const Workspace& w, const std::string& machine) {
  nlohmann::ordered_json report{{"machine", machine}, {"output", w.output}};
  nlohmann::ordered_json drives = nlohmann::ordered_json::array(), at;
  for (std::size_t a = 0; a < w.reach.axes.size(); ++a) {
    const Axis& axis = w.reach.axes[a];
    drives.push_back({{"name", axis.name},
                      {"unit", axis.unit},
                      {"low", axis.low},
                      {"high", axis.high},
                      {"positions", axis.count},
                      {"spacing", (axis.high - axis.low) / static_cast<double>(axis.count - 1)}});
  }
  const Narrowest& narrowest = w.reach.narrowest;
  for (const auto* group : {&w.reach.axes, &w.reach.others}) {
    for (const Axis& axis : *group) at[axis.name] = narrowest.positions[axis.drive];
  }
  report["drives"] = drives;
  report["poses"] = w.reach.places.size();
  report["poses_reached"] = w.reached;
  const std::size_t dimensions = w.reach.is_spatial ? 3 : 2;
  for (std::size_t k = 0; k < dimensions; ++k)
    report["bounds"][std::string(1, kAxes[k])] = {w.bounds[k].low, w.bounds[k].high};
  add_areas(w, report);
  if (w.is_path()) report["length"] = w.length;
  const Place& place = narrowest.place;
  report["smallest_margin"]["margin"] = place.margin;
  report["smallest_margin"]["on_grid"] = narrowest.on_grid;
  report["smallest_margin"]["descents"] = narrowest.descents;
  for (std::size_t k = 0; k < dimensions; ++k)
    report["smallest_margin"][std::string(1, kAxes[k])] = place.at[k];
  report["smallest_margin"]["drives"] = at;
  return report.dump(2);
}

}  // namespace rodeo::tools
