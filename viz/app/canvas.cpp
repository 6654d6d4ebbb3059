// SPDX-License-Identifier: MIT
#include "viz/app/canvas.h"

#include <osg/LineWidth>

#include <algorithm>
#include <cmath>

#include "viz/scene/fonts.h"
#include "viz/scene/shapes.h"

namespace rodeo::viz {
namespace {

osg::ref_ptr<osg::Geometry> build_layer(osg::Vec3Array* vertices, osg::Vec4Array* colours, GLenum mode) {
  osg::ref_ptr<osg::Geometry> layer = build_lines(vertices, colours, mode, 1.5F);
  layer->setColorBinding(osg::Geometry::BIND_PER_VERTEX);
  layer->setDataVariance(osg::Object::DYNAMIC);
  return layer;
}

void refresh(osg::Geometry& layer) {
  auto* draw = static_cast<osg::DrawArrays*>(layer.getPrimitiveSet(0));
  draw->setCount(static_cast<GLsizei>(layer.getVertexArray()->getNumElements()));
  draw->dirty();
  layer.getVertexArray()->dirty();
  layer.getColorArray()->dirty();
  layer.dirtyBound();
}

osg::Vec3f flip(double x, double y) {
  return {static_cast<float>(x), static_cast<float>(kCanvasHeight - y), 0};
}

}  // namespace

Canvas::Canvas()
    : camera_(new osg::Camera),
      vertices_(new osg::Vec3Array),
      colours_(new osg::Vec4Array),
      line_vertices_(new osg::Vec3Array),
      line_colours_(new osg::Vec4Array) {
  camera_->setReferenceFrame(osg::Transform::ABSOLUTE_RF);
  camera_->setRenderOrder(osg::Camera::POST_RENDER);
  camera_->setClearMask(0);
  camera_->setAllowEventFocus(false);
  camera_->setViewMatrix(osg::Matrixd::identity());
  camera_->setComputeNearFarMode(osg::CullSettings::DO_NOT_COMPUTE_NEAR_FAR);
  camera_->setCullingActive(false);
  osg::StateSet* state = camera_->getOrCreateStateSet();
  state->setMode(GL_LIGHTING, osg::StateAttribute::OFF | osg::StateAttribute::PROTECTED);
  state->setMode(GL_DEPTH_TEST, osg::StateAttribute::OFF);
  state->setMode(GL_BLEND, osg::StateAttribute::ON);
  shapes_ = build_layer(vertices_, colours_, GL_TRIANGLES);
  shapes_->getOrCreateStateSet()->setRenderBinDetails(0, "RenderBin");
  lines_ = build_layer(line_vertices_, line_colours_, GL_LINES);
  lines_->getOrCreateStateSet()->setRenderBinDetails(1, "RenderBin");
  camera_->addChild(shapes_);
  camera_->addChild(lines_);
}

void Canvas::begin(int width, int height) {
  scale_ = height / kCanvasHeight;
  width_ = width / scale_;
  camera_->setViewport(0, 0, width, height);
  camera_->setProjectionMatrixAsOrtho2D(0, width_, 0, kCanvasHeight);
  vertices_->clear(), colours_->clear(), line_vertices_->clear(), line_colours_->clear();
  used_ = 0;
  static_cast<osg::LineWidth*>(lines_->getStateSet()->getAttribute(osg::StateAttribute::LINEWIDTH))
      ->setWidth(static_cast<float>(std::max(1.0, 1.5 * scale_)));
}

void Canvas::rectangle(double x, double y, double width, double height, const osg::Vec4f& colour) {
  const osg::Vec3f a = flip(x, y), b = flip(x + width, y), c = flip(x + width, y + height),
                   d = flip(x, y + height);
  for (const osg::Vec3f& corner : {a, d, c, a, c, b}) {
    vertices_->push_back(corner);
    colours_->push_back(colour);
  }
}

void Canvas::line(const std::vector<osg::Vec2d>& points, const osg::Vec4f& colour) {
  for (std::size_t i = 1; i < points.size(); ++i) {
    for (const osg::Vec2d& p : {points[i - 1], points[i]}) {
      line_vertices_->push_back(flip(p.x(), p.y()));
      line_colours_->push_back(colour);
    }
  }
}

void Canvas::text(double x, double y, double size, const std::string& text, const osg::Vec4f& colour,
                  Align align) {
  if (used_ == texts_.size()) {
    osg::ref_ptr<osgText::Text> fresh = new osgText::Text;
    if (const auto font = find_font()) fresh->setFont(font);
    fresh->setDataVariance(osg::Object::DYNAMIC);
    fresh->getOrCreateStateSet()->setRenderBinDetails(2, "RenderBin");
    camera_->addChild(fresh);
    texts_.push_back(fresh);
    shown_.emplace_back();
  }
  osgText::Text& label = *texts_[used_];
  label.setNodeMask(~0U);
  const auto resolution = static_cast<unsigned>(std::clamp(std::lround(size * scale_), 8L, 96L));
  label.setFontResolution(resolution, resolution);
  label.setCharacterSize(static_cast<float>(size));
  label.setColor(colour);
  label.setAlignment(align == Align::left    ? osgText::Text::LEFT_BASE_LINE
                     : align == Align::right ? osgText::Text::RIGHT_BASE_LINE
                                             : osgText::Text::CENTER_BASE_LINE);
  label.setPosition(flip(x, y));
  if (shown_[used_] != text) {
    label.setText(text, osgText::String::ENCODING_UTF8);
    shown_[used_] = text;
  }
  ++used_;
}

void Canvas::end() {
  for (std::size_t i = used_; i < texts_.size(); ++i) texts_[i]->setNodeMask(0);
  refresh(*shapes_);
  refresh(*lines_);
}

}  // namespace rodeo::viz
