// SPDX-License-Identifier: MIT
#include "viz/scene/shapes.h"

#include <osg/LineWidth>
#include <osg/Math>

#include <algorithm>
#include <cmath>

#include "viz/scene/light.h"

namespace rodeo::viz {
namespace {

constexpr int kRound = 24;  // corners of a circle
/// Between neighbouring sides of an outline: less is drawn round, more as an edge.
constexpr double kSmooth = 0.6;  // rad

double cross(Vec2 o, Vec2 a, Vec2 b) { return (a.x - o.x) * (b.y - o.y) - (a.y - o.y) * (b.x - o.x); }

/// One side of the hull, left to right.
void add_chain(const std::vector<Vec2>& points, std::vector<Vec2>& hull) {
  const std::size_t base = hull.size();
  for (const Vec2 p : points) {
    while (hull.size() >= base + 2 && cross(hull[hull.size() - 2], hull.back(), p) <= 0) hull.pop_back();
    hull.push_back(p);
  }
  hull.pop_back();  // begins the other side
}

osg::Vec3f side_normal(Vec2 a, Vec2 b) {
  osg::Vec3f normal(static_cast<float>(b.y - a.y), static_cast<float>(a.x - b.x), 0);
  normal.normalize();
  return normal;
}

/// At a corner between two sides: their mean where the outline is round, else that of the side itself.
osg::Vec3f corner_normal(const osg::Vec3f& own, const osg::Vec3f& other) {
  if (own * other < std::cos(kSmooth)) return own;
  osg::Vec3f mean = own + other;
  mean.normalize();
  return mean;
}

osg::Vec3f at(Vec2 p, double z) {
  return {static_cast<float>(p.x), static_cast<float>(p.y), static_cast<float>(z)};
}

}  // namespace

std::vector<Vec2> build_hull(std::vector<Vec2> points) {
  std::sort(points.begin(), points.end(),
            [](Vec2 a, Vec2 b) { return a.x < b.x || (a.x == b.x && a.y < b.y); });
  if (points.size() < 3) return points;
  std::vector<Vec2> hull;
  add_chain(points, hull);
  std::reverse(points.begin(), points.end());
  add_chain(points, hull);
  return hull;
}

std::vector<Vec2> build_circle(Vec2 centre, double radius, int corners) {
  std::vector<Vec2> circle;
  for (int i = 0; i < corners; ++i) {
    const double angle = 2 * osg::PI * i / corners;
    circle.push_back({centre.x + radius * std::cos(angle), centre.y + radius * std::sin(angle)});
  }
  return circle;
}

std::vector<Vec2> build_rounded_hull(const std::vector<Vec2>& points, double radius) {
  std::vector<Vec2> all;
  for (const Vec2 p : points) {
    const auto circle = build_circle(p, radius, kRound);
    all.insert(all.end(), circle.begin(), circle.end());
  }
  return build_hull(std::move(all));
}

Solid::Solid() : vertices_(new osg::Vec3Array), normals_(new osg::Vec3Array) {}

void Solid::add_triangle(const osg::Vec3f& a, const osg::Vec3f& b, const osg::Vec3f& c,
                         const osg::Vec3f& normal_a, const osg::Vec3f& normal_b, const osg::Vec3f& normal_c) {
  for (const auto* v : {&a, &b, &c}) vertices_->push_back(*v);
  for (const auto* n : {&normal_a, &normal_b, &normal_c}) normals_->push_back(*n);
}

/// Corners 0 and 3 have the first normal, 1 and 2 the second.
void Solid::add_quad(const osg::Vec3f (&corners)[4], const osg::Vec3f& first, const osg::Vec3f& second) {
  add_triangle(corners[0], corners[1], corners[2], first, second, second);
  add_triangle(corners[0], corners[2], corners[3], first, second, first);
}

void Solid::add_prism(const std::vector<Vec2>& outline, double z_low, double z_high) {
  const std::size_t n = outline.size();
  if (n < 3) return;
  const osg::Vec3f up(0, 0, 1), down(0, 0, -1);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    add_triangle(at(outline[0], z_high), at(outline[i], z_high), at(outline[i + 1], z_high), up, up, up);
    add_triangle(at(outline[0], z_low), at(outline[i + 1], z_low), at(outline[i], z_low), down, down, down);
  }
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 before = outline[(i + n - 1) % n], a = outline[i], b = outline[(i + 1) % n],
               after = outline[(i + 2) % n];
    const osg::Vec3f own = side_normal(a, b);
    const osg::Vec3f corners[4]{at(a, z_low), at(b, z_low), at(b, z_high), at(a, z_high)};
    add_quad(corners, corner_normal(own, side_normal(before, a)), corner_normal(own, side_normal(b, after)));
  }
}

void Solid::add_bar(double x_low, double x_high, double radius, double z) {
  const auto ring = build_circle({0, 0}, 1, kRound);
  const auto r = static_cast<float>(radius);
  const osg::Vec3f forward(1, 0, 0), back(-1, 0, 0);
  const osg::Vec3f low = at({x_low, 0}, z), high = at({x_high, 0}, z);
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 a = ring[i], b = ring[(i + 1) % ring.size()];
    const osg::Vec3f na(0, static_cast<float>(a.x), static_cast<float>(a.y));
    const osg::Vec3f nb(0, static_cast<float>(b.x), static_cast<float>(b.y));
    const osg::Vec3f corners[4]{low + na * r, low + nb * r, high + nb * r, high + na * r};
    add_quad(corners, na, nb);
    add_triangle(high, high + na * r, high + nb * r, forward, forward, forward);
    add_triangle(low, low + nb * r, low + na * r, back, back, back);
  }
}

void Solid::add_helix(double x_low, double x_high, double radius, double wire, double stretch, double z) {
  constexpr int kTurns = 8, kSteps = 20, kSides = 6;  // kSteps a turn; sides of the wire
  const auto rim = build_circle({0, 0}, 1, kSides);
  // Sections stand in planes through the axis: (x, outwards).
  const auto corner = [&](int step, std::size_t side, osg::Vec3f& normal) {
    const double round = 2 * osg::PI * step / kSteps, u = static_cast<double>(step) / (kSteps * kTurns);
    const Vec2 rim_at = rim[side % rim.size()];
    const double out = radius + wire * rim_at.y;
    normal = osg::Vec3f(static_cast<float>(rim_at.x), static_cast<float>(rim_at.y * std::cos(round)),
                        static_cast<float>(rim_at.y * std::sin(round)));
    return osg::Vec3f(static_cast<float>(x_low + (x_high - x_low) * u + wire / stretch * rim_at.x),
                      static_cast<float>(out * std::cos(round)),
                      static_cast<float>(z + out * std::sin(round)));
  };
  for (int step = 0; step < kSteps * kTurns; ++step) {
    for (std::size_t side = 0; side < rim.size(); ++side) {
      osg::Vec3f n[4];
      const osg::Vec3f a = corner(step, side, n[0]), b = corner(step, side + 1, n[1]),
                       c = corner(step + 1, side + 1, n[2]), d = corner(step + 1, side, n[3]);
      add_triangle(a, b, c, n[0], n[1], n[2]);
      add_triangle(a, c, d, n[0], n[2], n[3]);
    }
  }
}

osg::ref_ptr<osg::Geometry> Solid::build(const osg::Vec4f& colour) const {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(vertices_);
  geometry->setNormalArray(normals_, osg::Array::BIND_PER_VERTEX);
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array(1, &colour);
  geometry->setColorArray(colours, osg::Array::BIND_OVERALL);
  geometry->addPrimitiveSet(new osg::DrawArrays(GL_TRIANGLES, 0, static_cast<GLsizei>(vertices_->size())));
  geometry->setUseVertexBufferObjects(true);
  geometry->setUseDisplayList(false);
  draw_from_outside(*geometry->getOrCreateStateSet());
  draw_in_order(*geometry->getOrCreateStateSet());
  return geometry;
}

osg::ref_ptr<osg::Geometry> build_lines(osg::Vec3Array* vertices, osg::Vec4Array* colours, GLenum mode,
                                        float width) {
  osg::ref_ptr<osg::Geometry> geometry = new osg::Geometry;
  geometry->setVertexArray(vertices);
  geometry->setColorArray(colours,
                          colours->size() == 1 ? osg::Array::BIND_OVERALL : osg::Array::BIND_PER_VERTEX);
  geometry->addPrimitiveSet(new osg::DrawArrays(mode, 0, static_cast<GLsizei>(vertices->size())));
  osg::StateSet* state = geometry->getOrCreateStateSet();
  state->setMode(GL_LIGHTING, osg::StateAttribute::OFF | osg::StateAttribute::PROTECTED);
  state->setAttributeAndModes(new osg::LineWidth(width));
  geometry->setUseDisplayList(false);
  geometry->setUseVertexBufferObjects(true);
  return geometry;
}

}  // namespace rodeo::viz
