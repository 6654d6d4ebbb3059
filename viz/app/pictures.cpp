// SPDX-License-Identifier: MIT
#include "viz/app/pictures.h"

#include <osgViewer/Viewer>

#include "viz/app/setup.h"

namespace rodeo::viz {

Studio::Studio(Stage& stage, int width, int height, int samples)
    : stage_(stage),
      width_(width),
      height_(height),
      surface_(width, height, samples),
      viewer_(std::make_unique<osgViewer::Viewer>()) {
  viewer_->setThreadingModel(osgViewer::Viewer::SingleThreaded);
  viewer_->setUpViewerAsEmbeddedInWindow(0, 0, width, height);
  set_up(*viewer_, *stage.root());
  viewer_->realize();
}

Studio::~Studio() = default;

void Studio::draw(const HudState& state, const Track* track) {
  stage_.show(state, track, *viewer_->getCamera(), width_, height_);
  viewer_->frame();
}

Picture Studio::take(const HudState& state, const Track* track) {
  draw(state, track);
  return surface_.read();
}

}  // namespace rodeo::viz
