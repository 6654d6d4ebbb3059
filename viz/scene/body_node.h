// SPDX-License-Identifier: MIT
// How one body looks, in its own frame: its mesh or, without one, rounded plates over its points.
#pragma once
#include <osg/Node>
#include <osg/ref_ptr>

#include <string>
#include <vector>

#include "viz/feed/scene_file.h"

namespace rodeo::viz {

/// Sizes of what is drawn from points, m.
struct DrawnSizes {
  double bar = 0.06;    // half the width of a bar
  double layer = 0.05;  // thickness of a plate
  explicit DrawnSizes(const Scene& scene);
};

/// Across the machine: plates of different bodies lie in layers beside each other, so that all of them are seen.
[[nodiscard]] double calc_layer(const Scene& scene, std::size_t body, const DrawnSizes& sizes);

struct BodyLook {
  osg::ref_ptr<osg::Node> node;
  std::string trouble;  // a sentence about a mesh that could not be shown; empty if all is well
};

/// The mesh of a body, or its points where there is none or it cannot be read.
[[nodiscard]] BodyLook build_body(const Scene& scene, std::size_t body, const DrawnSizes& sizes);

}  // namespace rodeo::viz
