// SPDX-License-Identifier: MIT
#include "viz/app/pictures.h"

#include <GL/gl.h>
#include <osg/Stats>
#include <osgViewer/Viewer>

#include <chrono>

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

DrawTimes Studio::draw_timed(const HudState& state, const Track* track) {
  using Clock = std::chrono::steady_clock;
  const auto ms = [](Clock::time_point from, Clock::time_point to) {
    return std::chrono::duration<double, std::milli>(to - from).count();
  };
  osg::Stats* stats = viewer_->getCamera()->getStats();
  stats->collectStats("rendering", true);
  const Clock::time_point start = Clock::now();
  stage_.show(state, track, *viewer_->getCamera(), width_, height_);
  const Clock::time_point updated = Clock::now();
  viewer_->frame();
  const Clock::time_point drawn = Clock::now();
  glFinish();
  const unsigned number = viewer_->getFrameStamp()->getFrameNumber();
  double cull = 0, draw = 0;  // s
  stats->getAttribute(number, "Cull traversal time taken", cull);
  stats->getAttribute(number, "Draw traversal time taken", draw);
  cull *= 1e3, draw *= 1e3;
  // What frame() does besides culling and drawing is updating.
  return {ms(start, updated) + ms(updated, drawn) - cull - draw, cull, draw, ms(drawn, Clock::now())};
}

Picture Studio::take(const HudState& state, const Track* track) {
  draw(state, track);
  return surface_.read();
}

}  // namespace rodeo::viz
