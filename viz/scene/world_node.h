// SPDX-License-Identifier: MIT
// What is around a machine: sky, sun, ground with a grid of metres, and the machine's shadow on it. Seen from the side, orthographic,
// the ground is a line: there a sheet with the same grid stands behind the machine.
#pragma once
#include <osg/Group>
#include <osg/Switch>
#include <osg/ref_ptr>

namespace rodeo::viz {

struct WorldOptions {
  double ground = 0;  // height of the ground, m
  double size = 5;    // of the machine, m
  double centre_x = 0;
  bool has_shadow = true;
};

class WorldNode {
 public:
  /// `machine` casts the shadow; it is not made a child of root().
  WorldNode(const WorldOptions& options, osg::Node* machine);

  [[nodiscard]] osg::Group* root() const noexcept { return root_; }
  void show_shadow(bool on);
  /// The sheet instead of the ground.
  void show_from_side(bool on);

 private:
  osg::ref_ptr<osg::Group> root_;
  osg::ref_ptr<osg::Switch> shadow_;
  osg::ref_ptr<osg::Switch> ground_;
  osg::ref_ptr<osg::Switch> sheet_;
};

/// Everything that is drawn lies within this of a machine of this size, m.
[[nodiscard]] constexpr double calc_world_radius(double size) { return size > 10 ? 40 * size : 400; }

}  // namespace rodeo::viz
