// SPDX-License-Identifier: MIT
#include "viz/scene/strut.h"

#include <algorithm>
#include <cmath>

#include "viz/scene/convert.h"
#include "viz/scene/shapes.h"
#include "viz/scene/spatial_body.h"

namespace rodeo::viz {
namespace {

const osg::Vec4f kChrome(0.78F, 0.79F, 0.81F, 1);
const osg::Vec4f kBarrel(0.20F, 0.22F, 0.25F, 1);
const osg::Vec4f kSpringSteel(0.30F, 0.45F, 0.38F, 1);
const osg::Vec4f kStopRed(0.69F, 0.13F, 0.16F, 1);

osg::ref_ptr<osg::MatrixTransform> build_part(const Solid& solid, const osg::Vec4f& colour) {
  osg::ref_ptr<osg::MatrixTransform> part = new osg::MatrixTransform;
  part->addChild(solid.build(colour));
  return part;
}

double calc_length(Vec3 from, Vec3 to) {
  return std::hypot(std::hypot(to.x - from.x, to.y - from.y), to.z - from.z);
}

Strut build_strut(const StrutShape& shape) {
  Strut strut;
  strut.first = shape.first;
  strut.second = shape.second;
  return strut;
}

/// The rod, from the second point back, stretched to where the barrel hides it.
void add_shaft(Strut& strut, const StrutShape& shape, double radius) {
  Solid shaft;
  for (const double z : shape.across) shaft.add_bar(-1, 0, radius, z);
  strut.shaft = build_part(shaft, kChrome);
  strut.head->addChild(strut.shaft);
}

}  // namespace

void Strut::place(const Scene& scene, const Sample& sample) const {
  const Vec3 from = calc_place(scene, sample, first), to = calc_place(scene, sample, second);
  const double length = calc_length(from, to);
  if (scene.is_spatial) {
    foot->setMatrix(build_along(build_vec(from), build_vec(from), build_vec(to)));
    head->setMatrix(build_along(build_vec(to), build_vec(from), build_vec(to)));
  } else {
    const double angle = std::atan2(to.y - from.y, to.x - from.x);
    foot->setMatrix(build_matrix({from.x, from.y, angle}));
    head->setMatrix(build_matrix({to.x, to.y, angle}));
  }
  if (coil) coil->setMatrix(osg::Matrixd::scale(std::max(length, 1e-9), 1, 1));
  // To the middle of the barrel: it never sticks out behind.
  if (shaft) shaft->setMatrix(osg::Matrixd::scale(std::max(length - barrel / 2, 0.1 * length), 1, 1));
}

/// The barrel is as long as leaves the rod a little to show when it is drawn in.
Strut build_cylinder(const StrutShape& shape, std::optional<double> drawn_in) {
  Strut strut = build_strut(shape);
  strut.barrel = 0.93 * drawn_in.value_or(0.65 * shape.length);
  const double r = shape.radius;
  Solid tube, eye;
  for (const double z : shape.across) {
    tube.add_bar(0, strut.barrel, r, z);
    tube.add_bar(-0.9 * r, 0.9 * r, 1.05 * r, z);
    tube.add_bar(strut.barrel - 0.6 * r, strut.barrel, 1.12 * r, z);
    eye.add_bar(-0.8 * r, 0.8 * r, 0.8 * r, z);
  }
  strut.foot->addChild(tube.build(kBarrel));
  strut.head->addChild(eye.build(kChrome));
  add_shaft(strut, shape, 0.5 * r);
  return strut;
}

Strut build_spring(const StrutShape& shape) {
  Strut strut = build_strut(shape);
  const double r = shape.radius, wire = 0.13 * r;
  Solid coil, seats;
  for (const double z : shape.across) coil.add_helix(0.04, 0.96, r, wire, shape.length, z);
  strut.coil = build_part(coil, kSpringSteel);
  strut.foot->addChild(strut.coil);
  for (const double z : shape.across) seats.add_bar(-wire, wire, 0.9 * r, z);
  for (const auto& end : {strut.foot, strut.head}) end->addChild(seats.build(kSpringSteel));
  return strut;
}

Strut build_damper(const StrutShape& shape) {
  Strut strut = build_strut(shape);
  strut.barrel = 0.5 * shape.length;
  const double r = 0.55 * shape.radius;
  Solid pot;
  for (const double z : shape.across) pot.add_bar(0, strut.barrel, r, z);
  strut.foot->addChild(pot.build(kBarrel));
  add_shaft(strut, shape, 0.35 * r);
  return strut;
}

Strut build_stop(const StrutShape& shape, std::optional<double> lower, std::optional<double> upper) {
  Strut strut = build_strut(shape);
  const double r = shape.radius, thin = 0.12 * r;
  Solid ends, runner;
  for (const double z : shape.across) {
    for (const auto& end : {lower, upper}) {
      if (end) ends.add_bar(*end - thin, *end + thin, 1.35 * r, z);
    }
    runner.add_bar(-thin, thin, 1.1 * r, z);
  }
  strut.foot->addChild(ends.build(kStopRed));
  strut.head->addChild(runner.build(kChrome));
  return strut;
}

}  // namespace rodeo::viz
