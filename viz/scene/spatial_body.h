// SPDX-License-Identifier: MIT
// How a body of a machine in space looks without a mesh, in its own frame: round bars between its points, balls on them; and the joints
// on the bodies that they are fixed on.
#pragma once
#include <osg/Group>
#include <osg/Matrixd>
#include <osg/ref_ptr>

#include "viz/scene/body_node.h"

namespace rodeo::viz {

/// The bars are as short together as can be. The ground has a foot under every point that something is joined to.
[[nodiscard]] osg::ref_ptr<osg::Node> build_spatial_body(const Scene& scene, std::size_t body,
                                                         const DrawnSizes& sizes);

/// A sleeve along the axis of a joint that turns or slides, a ball, a cross; in the first body's frame.
[[nodiscard]] osg::ref_ptr<osg::Node> build_joint_look(const Scene& scene, const SceneJoint& joint,
                                                       const DrawnSizes& sizes);

/// Where a bar along x is put so that it runs from one place towards another.
[[nodiscard]] osg::Matrixd build_along(const osg::Vec3d& at, const osg::Vec3d& from, const osg::Vec3d& to);

}  // namespace rodeo::viz
