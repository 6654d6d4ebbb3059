// SPDX-License-Identifier: MIT
// A machine that moves: bodies, pins, rails, and cylinders whose rods slide in and out. update() places all of it; nothing else does.
#pragma once
#include <osg/Group>
#include <osg/MatrixTransform>
#include <osg/ref_ptr>

#include <string>
#include <vector>

#include "viz/feed/track.h"
#include "viz/scene/body_node.h"

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
  struct Cylinder {
    PointRef first;
    PointRef second;
    double barrel = 0;  // its length, m
    double radius = 0;  // of the barrel, m
    osg::ref_ptr<osg::MatrixTransform> barrel_node;
    osg::ref_ptr<osg::MatrixTransform> rod_node;    // at the second pin
    osg::ref_ptr<osg::MatrixTransform> shaft_node;  // in rod_node
  };

  struct Rail {
    const SceneJoint* joint = nullptr;
    osg::ref_ptr<osg::MatrixTransform> node;  // in the first body
    double start = 0;                         // of the slide, m
  };

  void add_bodies();
  void add_joints();
  void add_pins();
  void add_rails();
  void add_slider(const SceneJoint& joint, double rail_z);
  [[nodiscard]] double calc_slide(const SceneJoint& joint, const Sample& sample) const;
  void place(const Rail& rail, const Sample& sample) const;
  void add_cylinders();
  [[nodiscard]] std::vector<double> find_across(const SceneDrive& drive, double radius) const;
  void add_cylinder_pin(PointRef at, const std::vector<double>& across, double radius);
  [[nodiscard]] Cylinder build_cylinder(const SceneDrive& drive) const;
  void place(const Cylinder& cylinder, Vec3 from, Vec3 to);

  const Scene& scene_;
  DrawnSizes sizes_;
  osg::ref_ptr<osg::Group> root_;
  std::vector<osg::ref_ptr<osg::MatrixTransform>> bodies_;
  std::vector<Rail> rails_;
  std::vector<Cylinder> cylinders_;
  std::vector<std::string> troubles_;
  double half_width_ = 0;
};

}  // namespace rodeo::viz
