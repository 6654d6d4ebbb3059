// SPDX-License-Identifier: MIT
// What a window and an off-screen picture have in common: one thread, our own light, near and far planes that stay.
#pragma once
#include <osgViewer/Viewer>

namespace rodeo::viz {

inline void set_up(osgViewer::Viewer& viewer, osg::Node& scene) {
  viewer.setLightingMode(osg::View::NO_LIGHT);
  viewer.setKeyEventSetsDone(0);
  viewer.setQuitEventSetsDone(true);
  osg::Camera* camera = viewer.getCamera();
  camera->setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
  camera->setCullingMode(osg::CullSettings::VIEW_FRUSTUM_CULLING);
  camera->setClearColor(osg::Vec4f(0.86F, 0.90F, 0.94F, 1));
  camera->setClearMask(GL_COLOR_BUFFER_BIT | GL_DEPTH_BUFFER_BIT | GL_STENCIL_BUFFER_BIT);
  viewer.setSceneData(&scene);
}

}  // namespace rodeo::viz
