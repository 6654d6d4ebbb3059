// SPDX-License-Identifier: MIT
// What stands between two points and follows them: cylinders, springs, dampers, end stops. Parts hang in two frames whose x axis
// points from the first point to the second; one is at the first point, one at the second.
#pragma once
#include <osg/Group>
#include <osg/MatrixTransform>
#include <osg/ref_ptr>

#include <optional>
#include <vector>

#include "viz/feed/track.h"

namespace rodeo::viz {

/// What a strut's size comes from.
struct StrutShape {
  PointRef first, second;
  double length = 0;              // at the start, m
  double radius = 0;              // m
  std::vector<double> across{0};  // where it is drawn, z, m; several: side by side
};

struct Strut {
  PointRef first, second;
  double barrel = 0;  // m: from the first point on, where the shaft is hidden
  osg::ref_ptr<osg::MatrixTransform> foot = new osg::MatrixTransform;  // at the first point
  osg::ref_ptr<osg::MatrixTransform> head = new osg::MatrixTransform;  // at the second
  osg::ref_ptr<osg::MatrixTransform> coil;   // in foot: a unit long, stretched to the length
  osg::ref_ptr<osg::MatrixTransform> shaft;  // in head: a unit long, reaches back into the barrel

  void place(const Scene& scene, const Sample& sample) const;
};

/// A barrel on the first point, a rod that slides out of it. `drawn_in`: the least length, where it is known, m.
[[nodiscard]] Strut build_cylinder(const StrutShape& shape, std::optional<double> drawn_in);
[[nodiscard]] Strut build_spring(const StrutShape& shape);
/// As a cylinder, but slim, and its pot shows how far the piston is.
[[nodiscard]] Strut build_damper(const StrutShape& shape);
/// A disc at each end of the range, m from the first point, and one that moves between them.
[[nodiscard]] Strut build_stop(const StrutShape& shape, std::optional<double> lower,
                               std::optional<double> upper);

}  // namespace rodeo::viz
