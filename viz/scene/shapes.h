// SPDX-License-Identifier: MIT
// Solids that a machine without meshes is drawn from: prisms over rounded hulls, round bars, discs. Triangles with normals, gathered
// into one geometry a colour.
#pragma once
#include <osg/Array>
#include <osg/Geometry>
#include <osg/ref_ptr>

#include <vector>

#include "viz/feed/scene_file.h"

namespace rodeo::viz {

/// The convex hull, counter-clockwise.
[[nodiscard]] std::vector<Vec2> build_hull(std::vector<Vec2> points);
/// The hull of circles around the points.
[[nodiscard]] std::vector<Vec2> build_rounded_hull(const std::vector<Vec2>& points, double radius);
[[nodiscard]] std::vector<Vec2> build_circle(Vec2 centre, double radius, int corners);

/// Grows by solids, becomes a geometry.
class Solid {
 public:
  Solid();

  /// `outline` is convex and counter-clockwise, seen from +z.
  void add_prism(const std::vector<Vec2>& outline, double z_low, double z_high);
  /// A round bar along x, from x_low to x_high, at y = 0 and this z.
  void add_bar(double x_low, double x_high, double radius, double z = 0);
  /// A wire that winds about the line y = 0 at this z, from x_low to x_high; round where x is stretched so many times.
  void add_helix(double x_low, double x_high, double radius, double wire, double stretch, double z = 0);

  [[nodiscard]] osg::ref_ptr<osg::Geometry> build(const osg::Vec4f& colour) const;

 private:
  void add_triangle(const osg::Vec3f& a, const osg::Vec3f& b, const osg::Vec3f& c, const osg::Vec3f& normal_a,
                    const osg::Vec3f& normal_b, const osg::Vec3f& normal_c);
  void add_quad(const osg::Vec3f (&corners)[4], const osg::Vec3f& first, const osg::Vec3f& second);

  osg::ref_ptr<osg::Vec3Array> vertices_;
  osg::ref_ptr<osg::Vec3Array> normals_;
};

/// Lines of one colour, or of a colour a vertex; not lit.
[[nodiscard]] osg::ref_ptr<osg::Geometry> build_lines(osg::Vec3Array* vertices, osg::Vec4Array* colours,
                                                      GLenum mode, float width);

}  // namespace rodeo::viz
