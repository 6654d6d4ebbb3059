// SPDX-License-Identifier: MIT
// Every view in layers, from back to front: axes and guides, supports, bodies, cylinders, springs, joints, points, drives, forces,
// names. Then the page: views as third-angle projection lays them out, and the legend beside them.
#include "kinematics/spatial/draw.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "kinematics/spatial/joint_symbols.h"

namespace rodeo::spatial {
namespace {

using machine::Box;
using machine::Canvas;
using machine::colour_of;
using machine::count_text;
using machine::kInk;
using machine::stroke;

constexpr double kGap = 44;  // between views, pixels

std::vector<Vec2> build_outline(const View& view, int body) {
  std::vector<Vec2> points;
  for (const Vector3& p : build_corners(view.machine, view.pose, body)) points.push_back(view.place_of(p));
  return machine::build_hull(std::move(points));
}

/// Bodies from the farthest to the nearest, by the middles of their points.
std::vector<int> sort_bodies(const View& view) {
  std::vector<std::pair<double, int>> depths;
  for (int b = 1; b < static_cast<int>(view.machine.bodies.size()); ++b) {
    double sum = 0;
    const std::vector<Vector3> corners = build_corners(view.machine, view.pose, b);
    for (const Vector3& p : corners) sum += view.projection.toward.dot(p);
    depths.emplace_back(std::round(1e6 * sum / static_cast<double>(corners.size())), b);
  }
  std::sort(depths.begin(), depths.end());
  std::vector<int> bodies;
  for (const auto& [depth, body] : depths) bodies.push_back(body);
  return bodies;
}

/// Under the ground's joints, cylinders and springs, one for each place.
void draw_supports(View& view) {
  std::set<int> points;
  for (const Joint& joint : view.machine.joints) {
    if (joint.first.body == 0) points.insert(joint.first.point);
    if (joint.second.body == 0) points.insert(joint.second.point);
  }
  for (const Drive& drive : view.machine.drives) {
    if (drive.kind != DriveKind::cylinder) continue;
    if (drive.first.body == 0) points.insert(drive.first.point);
    if (drive.second.body == 0) points.insert(drive.second.point);
  }
  for (const Force& force : view.machine.forces) {
    if (!is_strut(force.kind)) continue;
    if (force.first.body == 0) points.insert(force.first.point);
    if (force.second.body == 0) points.insert(force.second.point);
  }
  for (const int point : points) draw_support(view, view.place({0, point}));
}

void draw_points(View& view) {
  for (const PointRef ref : all_points(view.machine)) {
    const Vec2 p = view.place(ref);
    view.canvas.circle(p, 2.4, fmt::format(R"(class="point" fill="{}")", kInk));
    view.labels.avoid(p, 4, 4);
  }
}

bool is_output(const View& view, const std::string& name, Vec2 p) {
  return std::any_of(view.machine.outputs.begin(), view.machine.outputs.end(), [&](const Output& output) {
    return output.name == name && length_of(view.place(output.point) - p) < 1;
  });
}

void write_point_names(View& view) {
  std::vector<machine::NamedPlace> places;
  for (const PointRef ref : all_points(view.machine)) {
    const machine::NamedPlace place{view.place(ref), view.machine.point(ref).name};
    if (!is_output(view, place.name, place.at)) places.push_back(place);
  }
  write_names(
      view, places,
      {.font_size = 12, .clearance = view.link + 4, .style = fmt::format(R"(class="name" fill="{}")", kInk)});
}

/// A name that the file does not give is its points' names again: the legend has it.
bool has_own_name(const Machine& machine, const Joint& joint) {
  return joint.name != machine.point_name(joint.first) + "-" + machine.point_name(joint.second);
}

void write_joint_names(View& view) {
  std::vector<machine::NamedPlace> places;
  for (const Joint& joint : view.machine.joints) {
    if (has_own_name(view.machine, joint)) places.push_back({view.place(joint.second), joint.name});
  }
  write_names(
      view, places,
      {.font_size = 11, .clearance = 13, .style = R"(class="joint" fill="#555" font-style="italic")"});
}

void draw_end_on(Canvas& canvas, Vec2 p, bool toward) {
  canvas.circle(p, 4.5, R"(fill="#fff" )" + stroke(kInk, 1.2));
  if (toward) return canvas.circle(p, 1.5, fmt::format(R"(fill="{}")", kInk));
  for (const double side : {-3.0, 3.0}) canvas.line(p - Vec2{3, side}, p + Vec2{3, side}, stroke(kInk, 1.2));
}

/// Arrows along x, y and z; an axis that points at who looks is a dot in a circle, one that points away a cross.
void draw_triad(Canvas& canvas, const Projection& projection, Vec2 origin) {
  const auto is_end_on = [&](int k) { return length_of(projection.flat(Vector3::Unit(k))) < 0.2; };
  for (int k = 0; k < 3; ++k) {
    const Vec2 along = projection.flat(Vector3::Unit(k));
    if (!is_end_on(k)) canvas.arrow(origin, origin + 32 * along, kInk);
    const Vec2 at = origin + (is_end_on(k) ? Vec2{-11, 8} : 40 * along) + Vec2{-3, 4};
    canvas.text(at, 12, std::string(1, "xyz"[k]), fmt::format(R"(fill="{}" font-style="italic")", kInk));
  }
  for (int k = 0; k < 3; ++k) {
    if (is_end_on(k)) draw_end_on(canvas, origin, projection.toward[k] > 0);
  }
}

/// What it is above, which way it looks below.
void draw_frame(View& view) {
  Box box = view.canvas.box();
  if (!(box.width() >= 0)) box.include(Vec2{0, 0});
  const double down = view.projection.toward.z() > 0 && view.projection.toward.x() > 0 ? 46 : 52;
  draw_triad(view.canvas, view.projection, {box.left + 10, box.bottom + down});
  view.canvas.text({box.left, box.top - 14}, 13, view.projection.title, R"(fill="#555" font-weight="bold")");
}

Canvas build_canvas(const Machine& machine, const Pose& pose, const Projection& projection, double scale) {
  View view = build_view(machine, pose, projection, scale);
  const std::vector<int> bodies = sort_bodies(view);
  for (const Joint& joint : machine.joints) draw_guide(view, joint);
  draw_contacts(view);
  draw_supports(view);
  for (const int b : bodies) draw_outline(view, build_outline(view, b), colour_of(machine, b), view.link);
  for (const Drive& drive : machine.drives) draw_cylinder(view, drive);
  std::vector<machine::NamedPlace> force_names = draw_struts_of(view);
  for (const Joint& joint : machine.joints) draw_joint(view, joint);
  draw_points(view);
  for (const Drive& drive : machine.drives) draw_drive(view, drive);
  for (const Force& force : machine.forces) draw_force(view, force, force_names);
  for (const Output& output : machine.outputs) draw_output_mark(view, view.place(output.point), output.name);
  for (const Measure& measure : machine.measures) draw_measure(view, measure);
  write_force_names(view, force_names);
  for (const int b : bodies)
    write_body_name(view, build_outline(view, b), machine.bodies[b].name, colour_of(machine, b), view.link);
  write_point_names(view);
  write_joint_names(view);
  draw_frame(view);
  return std::move(view.canvas);
}

/// Lines of the legend, from the top down.
class Legend {
 public:
  void write_title(const std::string& text) {
    y_ += 10;
    page_.canvas.text({0, y_}, 13, text, fmt::format(R"(fill="{}" font-weight="bold")", kInk));
    y_ += 24;
  }
  void write_body(const std::string& name, const machine::Colour& colour) {
    page_.canvas.rounded(
        {{-2, y_ - 4}, {22, y_ - 4}}, 6,
        fmt::format(R"(fill="{0}" fill-opacity="0.22" {1})", colour.fill, stroke(colour.fill, 1.8)));
    write(name, fmt::format(R"(fill="{}" font-weight="bold")", colour.dark), 24);
  }
  void write_joint(const Machine& machine, const Joint& joint) {
    const Symbol symbol{joint.kind,
                        {10, y_ - 4},
                        Vector3::UnitY(),
                        Vector3::UnitX(),
                        colour_of(machine, joint.second.body).fill};
    draw_symbol(page_.canvas, isometric_view(), symbol);
    write(fmt::format("{}: {}, {} – {}", joint.name, kind_name_of(joint.kind),
                      machine.bodies[joint.first.body].name, machine.bodies[joint.second.body].name),
          fmt::format(R"(fill="{}")", kInk), 38);
  }
  void write_drive(const std::string& text) {
    page_.canvas.arrow({-4, y_ - 4}, {26, y_ - 4}, machine::kDriveColour);
    write(text, fmt::format(R"(fill="{}" font-style="italic")", machine::kDriveColour), 24);
  }
  void write_force(const Machine& machine, const Force& force) {
    const bool tall =
        force.kind == ForceKind::torque || (force.kind == ForceKind::spring && force.damping.value > 0);
    if (tall) y_ += 10;
    draw_force_sample(page_, {-4, y_ - 4}, {34, y_ - 4}, force);
    write(force_text(machine, force), fmt::format(R"(fill="{}")", machine::kForceColour), tall ? 38 : 28);
  }
  [[nodiscard]] const Canvas& canvas() const { return page_.canvas; }

 private:
  static std::string kind_name_of(JointKind kind) {
    std::string text = kind_text(kind);
    std::replace(text.begin(), text.end(), '_', ' ');
    return text;
  }
  void write(const std::string& text, const std::string& style, double height) {
    page_.canvas.text({46, y_}, 12, text, style);
    y_ += height;
  }

  machine::Page page_;
  double y_ = 0;
};

Canvas build_legend(const Machine& machine, const Pose& pose) {
  Legend legend;
  legend.write_title("Bodies");
  for (int b = 1; b < static_cast<int>(machine.bodies.size()); ++b)
    legend.write_body(machine.bodies[b].name, colour_of(machine, b));
  if (!machine.joints.empty()) legend.write_title("Joints");
  for (const Joint& joint : machine.joints) legend.write_joint(machine, joint);
  if (!machine.drives.empty()) legend.write_title("Drives");
  for (const Drive& drive : machine.drives) legend.write_drive(value_text(machine, pose, drive));
  if (!machine.forces.empty()) legend.write_title("Forces");
  for (const Force& force : machine.forces) legend.write_force(machine, force);
  return legend.canvas();
}

/// A cone seen from its small end, which in third-angle projection stands on that end's side.
void draw_third_angle(Canvas& canvas, Vec2 p) {
  const std::string style = R"(fill="none" )" + stroke(kInk, 1.2);
  canvas.circle(p, 8, style);
  canvas.circle(p, 4, style);
  canvas.polygon({p + Vec2{16, -4}, p + Vec2{34, -8}, p + Vec2{34, 8}, p + Vec2{16, 4}}, style);
  canvas.line(p - Vec2{11, 0}, p + Vec2{37, 0}, stroke(kInk, 0.8) + R"( stroke-dasharray="6 2 1 2")");
}

void draw_title(Canvas& page, const Machine& machine) {
  const Box box = page.box();
  std::string facts = fmt::format("{}, {}, {}", count_text(machine.bodies.size() - 1, "body", "bodies"),
                                  count_text(machine.joints.size(), "joint", "joints"),
                                  count_text(machine.drives.size(), "drive", "drives"));
  if (!machine.forces.empty()) facts += ", " + count_text(machine.forces.size(), "force", "forces");
  facts += "; views in third-angle projection, to one scale";
  page.text({box.left, box.top - 40}, 20, machine.name, fmt::format(R"(fill="{}" font-weight="bold")", kInk));
  page.text({box.left, box.top - 20}, 12, facts, R"(fill="#555")");
}

void draw_scale(Canvas& page, double scale) {
  const Box box = page.box();
  draw_third_angle(page, {box.left + 12, box.bottom + 36});
  draw_scale_bar(page, {box.left + 76, box.bottom + 36}, 220, scale);
}

}  // namespace

std::string build_drawing(const Machine& machine, const Pose& pose) {
  const double scale = find_scale(machine, pose);
  const auto draw = [&](const Projection& projection) {
    return build_canvas(machine, pose, projection, scale);
  };
  const Canvas front = draw(front_view()), side = draw(side_view()), top = draw(top_view());
  const Canvas isometric = draw(isometric_view()), legend = build_legend(machine, pose);
  const double right = std::max(front.box().right, top.box().right) + kGap;
  const double up = std::min(front.box().top, side.box().top) - kGap;
  const double width = std::max(side.box().width(), isometric.box().width());
  const auto centre = [&](const Canvas& part) {
    return right + (width - part.box().width()) / 2 - part.box().left;
  };
  const Vec2 at_top{0, up - top.box().bottom}, at_side{centre(side), 0};
  const Vec2 at_isometric{centre(isometric), up - isometric.box().bottom};
  Canvas page;
  page.place(front, {0, 0}, "front");
  page.place(side, at_side, "side");
  page.place(top, at_top, "top");
  page.place(isometric, at_isometric, "isometric");
  const Vec2 at_legend{right + width + kGap, page.box().top + 24};
  draw_scale(page, scale);
  page.place(legend, at_legend, "legend");
  draw_title(page, machine);
  return page.build(machine.name, 24);
}

}  // namespace rodeo::spatial
