// SPDX-License-Identifier: MIT
// A machine that moves: bodies, pins, rails, and what stands between two points: cylinders, springs, dampers, stops. update() places all of it; nothing else does.
#pragma once
#include <osg/Group>
#include <osg/MatrixTransform>
#include <osg/ref_ptr>

#include <string>
#include <vector>

#include "viz/feed/track.h"
#include "viz/scene/body_node.h"
#include "viz/scene/strut.h"

namespace rodeo::viz {

class MachineNode {
 public:
  /// `scene` outlives it.
  explicit MachineNode(const Scene& scene);

  [[nodiscard]] osg::Group* root() const noexcept { return root_; }
  /// One sentence a mesh that could not be shown.
  [[nodiscard]] const std::vector<std::string>& troubles() const noexcept { return troubles_; }
  [[nodiscard]] const DrawnSizes& sizes() const noexcept { return sizes_; }
  /// Half the width of what is drawn, across the machine, m.
  [[nodiscard]] double half_width() const noexcept { return half_width_; }

  void update(const Sample& sample);

 private:
  struct Rail {
    const SceneJoint* joint = nullptr;
    osg::ref_ptr<osg::MatrixTransform> node;  // in the first body
    double low = 0, high = 0;  // what it spans at least, along the guide from its first point, m
  };

  void add_bodies();
  void add_joints();
  void add_pins();
  void add_rails();
  void add_slider(const SceneJoint& joint, double rail_z);
  [[nodiscard]] double calc_slide(const SceneJoint& joint, const Sample& sample) const;
  void place(const Rail& rail, const Sample& sample) const;
  [[nodiscard]] Rail build_rail(const SceneJoint& joint) const;
  void add_struts();
  void add_strut(Strut strut, const StrutShape& shape);
  [[nodiscard]] StrutShape build_shape(PointRef first, PointRef second) const;
  [[nodiscard]] StrutShape build_shape(const SceneDrive& drive) const;
  [[nodiscard]] bool is_over(std::size_t body, const StrutShape& shape) const;
  [[nodiscard]] double find_front(const StrutShape& shape) const;
  void add_strut_pin(PointRef at, const StrutShape& shape);

  const Scene& scene_;
  DrawnSizes sizes_;
  osg::ref_ptr<osg::Group> root_;
  std::vector<osg::ref_ptr<osg::MatrixTransform>> bodies_;
  std::vector<Rail> rails_;
  std::vector<Strut> struts_;
  std::vector<std::string> troubles_;
  double half_width_ = 0;
};

}  // namespace rodeo::viz
