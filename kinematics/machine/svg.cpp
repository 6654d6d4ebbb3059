// SPDX-License-Identifier: MIT
// Plain SVG 1.1 shapes; three decimals of a pixel.
#include "kinematics/machine/svg.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rodeo::machine {
namespace {

std::string at(Vec2 p) { return fmt::format("{:.3f} {:.3f}", p.x + 0.0, p.y + 0.0); }

double cross(Vec2 o, Vec2 a, Vec2 b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

/// One chain of the hull (Andrew's monotone chain), its last point left out.
void append_chain(const std::vector<Vec2>& sorted, std::vector<Vec2>& hull) {
  const std::size_t begin = hull.size();
  for (const Vec2 p : sorted) {
    while (hull.size() >= begin + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 1e-6) hull.pop_back();
    hull.push_back(p);
  }
  hull.pop_back();
}

}  // namespace

void Box::include(Vec2 p, double margin) {
  left = std::min(left, p.x - margin);
  right = std::max(right, p.x + margin);
  top = std::min(top, p.y - margin);
  bottom = std::max(bottom, p.y + margin);
}

std::string escape_xml(std::string_view text) {
  std::string out;
  for (const char c : text) {
    switch (c) {
      case '&': out += "&amp;"; break;
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&apos;"; break;
      default: out += static_cast<unsigned char>(c) < 0x20 ? '?' : c;
    }
  }
  return out;
}

double calc_text_width(std::string_view text, double font_size) {
  const auto starts = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; };
  return 0.58 * font_size * static_cast<double>(std::count_if(text.begin(), text.end(), starts));
}

std::vector<Vec2> build_hull(std::vector<Vec2> points) {
  const auto less = [](Vec2 a, Vec2 b) { return a.x != b.x ? a.x < b.x : a.y < b.y; };
  const auto same = [](Vec2 a, Vec2 b) { return std::hypot(a.x - b.x, a.y - b.y) < 1e-6; };
  std::sort(points.begin(), points.end(), less);
  points.erase(std::unique(points.begin(), points.end(), same), points.end());
  if (points.size() < 2) return points;
  std::vector<Vec2> hull;
  append_chain(points, hull);
  std::reverse(points.begin(), points.end());
  append_chain(points, hull);
  return hull;
}

void Canvas::line(Vec2 a, Vec2 b, std::string_view style) {
  box_.include(a);
  box_.include(b);
  body_ += fmt::format("<line x1=\"{:.3f}\" y1=\"{:.3f}\" x2=\"{:.3f}\" y2=\"{:.3f}\" {}/>\n", a.x, a.y, b.x,
                       b.y, style);
}

void Canvas::circle(Vec2 c, double radius, std::string_view style) {
  box_.include(c, radius);
  body_ += fmt::format("<circle cx=\"{:.3f}\" cy=\"{:.3f}\" r=\"{:.3f}\" {}/>\n", c.x, c.y, radius, style);
}

std::string Canvas::list(const std::vector<Vec2>& points) {
  std::string list;
  for (const Vec2 p : points) {
    box_.include(p);
    list += fmt::format("{:.3f},{:.3f} ", p.x, p.y);
  }
  return list;
}

void Canvas::polygon(const std::vector<Vec2>& points, std::string_view style) {
  body_ += fmt::format("<polygon points=\"{}\" {}/>\n", list(points), style);
}

void Canvas::polyline(const std::vector<Vec2>& points, std::string_view style) {
  body_ += fmt::format("<polyline points=\"{}\" fill=\"none\" {}/>\n", list(points), style);
}

void Canvas::polyline_arrow(std::vector<Vec2> points, std::string_view colour) {
  if (points.size() < 2) return;
  const Vec2 tip = points.back(), before = points[points.size() - 2];
  const double angle = std::atan2(tip.y - before.y, tip.x - before.x);
  points.back() = {tip.x - 5 * std::cos(angle), tip.y - 5 * std::sin(angle)};
  polyline(points, fmt::format(R"(stroke="{}" stroke-width="1.8")", colour));
  head(tip, angle, colour);
}

void Canvas::place(const Canvas& part, Vec2 at, std::string_view name) {
  const Box& box = part.box_;
  if (box.width() >= 0) {
    box_.include({at.x + box.left, at.y + box.top});
    box_.include({at.x + box.right, at.y + box.bottom});
  }
  body_ += fmt::format("<g class=\"{}\" transform=\"translate({:.3f} {:.3f})\">\n{}</g>\n", escape_xml(name),
                       at.x, at.y, part.body_);
}

void Canvas::rounded(const std::vector<Vec2>& hull, double radius, std::string_view style) {
  if (hull.size() < 2) return hull.empty() ? void() : circle(hull[0], radius, style);
  std::string path;
  for (std::size_t i = 0; i < hull.size(); ++i) {
    const Vec2 a = hull[i], b = hull[(i + 1) % hull.size()];
    const double length = std::hypot(b.x - a.x, b.y - a.y);
    const Vec2 out{radius * (b.y - a.y) / length, -radius * (b.x - a.x) / length};
    const Vec2 a_out{a.x + out.x, a.y + out.y}, b_out{b.x + out.x, b.y + out.y};
    path += i == 0 ? "M" + at(a_out) : fmt::format("A{0:.3f} {0:.3f} 0 0 1 {1}", radius, at(a_out));
    path += "L" + at(b_out);
    box_.include(a, radius);
  }
  const Vec2 a = hull[0], b = hull[1];
  const double length = std::hypot(b.x - a.x, b.y - a.y);
  path += fmt::format("A{0:.3f} {0:.3f} 0 0 1 {1}Z", radius,
                      at({a.x + radius * (b.y - a.y) / length, a.y - radius * (b.x - a.x) / length}));
  body_ += fmt::format("<path d=\"{}\" {}/>\n", path, style);
}

void Canvas::head(Vec2 tip, double angle, std::string_view colour) {
  const auto back = [&](double turn) {
    return Vec2{tip.x - 9 * std::cos(angle + turn), tip.y - 9 * std::sin(angle + turn)};
  };
  polygon({tip, back(0.38), back(-0.38)}, fmt::format(R"(fill="{}")", colour));
}

void Canvas::arc_arrow(Vec2 centre, double radius, double from, double to, std::string_view colour) {
  const auto on_arc = [&](double angle) {
    return Vec2{centre.x + radius * std::cos(angle), centre.y - radius * std::sin(angle)};
  };
  const double sign = to > from ? 1 : -1;
  const double end = to - sign * std::min(std::abs(to - from) / 2, 7 / radius);  // the head covers the rest
  body_ += fmt::format(
      "<path d=\"M{} A{:.3f} {:.3f} 0 {} {} {}\" fill=\"none\" stroke=\"{}\" stroke-width=\"1.8\"/>\n",
      at(on_arc(from)), radius, radius, std::abs(end - from) > std::numbers::pi ? 1 : 0, sign > 0 ? 0 : 1,
      at(on_arc(end)), colour);
  const double middle = (end + to) / 2;
  head(on_arc(to), std::atan2(-sign * std::cos(middle), -sign * std::sin(middle)), colour);
  for (int i = 0; i <= 8; ++i) box_.include(on_arc(from + (to - from) * i / 8), 2);
}

void Canvas::arrow(Vec2 from, Vec2 to, std::string_view colour) {
  const double angle = std::atan2(to.y - from.y, to.x - from.x);
  line(from, {to.x - 7 * std::cos(angle), to.y - 7 * std::sin(angle)},
       fmt::format(R"(stroke="{}" stroke-width="1.8")", colour));
  head(to, angle, colour);
}

void Canvas::text(Vec2 p, double font_size, std::string_view text, std::string_view style) {
  box_.include({p.x, p.y - font_size});
  box_.include({p.x + calc_text_width(text, font_size), p.y + 0.3 * font_size});
  body_ += fmt::format(R"(<text x="{:.3f}" y="{:.3f}" font-size="{:.3g}" stroke="#fff" stroke-width="3" )"
                       "stroke-linejoin=\"round\" paint-order=\"stroke\" {}>{}</text>\n",
                       p.x, p.y, font_size, style, escape_xml(text));
}

std::string Canvas::build(std::string_view title, double margin) const {
  const double left = box_.left - margin, top = box_.top - margin;
  const double width = box_.width() + 2 * margin, height = box_.height() + 2 * margin;
  return fmt::format(
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
      R"(<svg xmlns="http://www.w3.org/2000/svg" width="{2:.0f}" height="{3:.0f}" )"
      "viewBox=\"{0:.3f} {1:.3f} {2:.3f} {3:.3f}\" font-family=\"sans-serif\">\n"
      "<title>{4}</title>\n"
      "<rect x=\"{0:.3f}\" y=\"{1:.3f}\" width=\"{2:.3f}\" height=\"{3:.3f}\" fill=\"#fff\"/>\n{5}</svg>\n",
      left, top, width, height, escape_xml(title), body_);
}

}  // namespace rodeo::machine
