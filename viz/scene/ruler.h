// SPDX-License-Identifier: MIT
// The grid of the ground and of the sheet behind the side view, and the metres written on it.
#pragma once
#include <osg/Node>
#include <osg/Vec3f>
#include <osg/ref_ptr>

namespace rodeo::viz {

struct WorldOptions;

/// From one line to the next, m: 1 or 2 times a power of ten that fits a machine of this size; a metre from 3 to 13 m.
[[nodiscard]] double calc_grid_step(double size);

/// Lines along x and along `across`, stronger every fifth.
[[nodiscard]] osg::ref_ptr<osg::Node> build_grid(const WorldOptions& options, const osg::Vec3f& across,
                                                 float alpha);
/// Along x on the ground, beside the machine, to be read from its right.
[[nodiscard]] osg::ref_ptr<osg::Node> build_ground_labels(const WorldOptions& options);
/// Along x below the ground's line, and heights at every fifth upright line.
[[nodiscard]] osg::ref_ptr<osg::Node> build_sheet_labels(const WorldOptions& options);

}  // namespace rodeo::viz
