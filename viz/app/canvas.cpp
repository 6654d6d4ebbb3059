// SPDX-License-Identifier: MIT
#include "viz/app/canvas.h"

#include <algorithm>
#include <cmath>

#include "viz/scene/shapes.h"

namespace rodeo::viz {
namespace {

constexpr double kLineWidth = 1.6;  // in lines of the frame
constexpr double kTextLine = 16;

}  // namespace

Canvas::Canvas() : camera_(new osg::Camera), vertices_(new osg::Vec3Array), colours_(new osg::Vec4Array) {
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
  shapes_ = build_lines(vertices_, colours_, GL_TRIANGLES, 1);
  shapes_->setColorBinding(osg::Geometry::BIND_PER_VERTEX);
  shapes_->setDataVariance(osg::Object::DYNAMIC);
  shapes_->getOrCreateStateSet()->setRenderBinDetails(0, "RenderBin");
  letters_.geometry()->getOrCreateStateSet()->setRenderBinDetails(1, "RenderBin");
  camera_->addChild(shapes_);
  camera_->addChild(letters_.geometry());
}

/// In pixels: letters lie on them and stay sharp.
void Canvas::begin(int width, int height) {
  scale_ = height / kCanvasHeight;
  width_ = width / scale_;
  camera_->setViewport(0, 0, width, height);
  camera_->setProjectionMatrixAsOrtho2D(0, width, height, 0);
  vertices_->clear(), colours_->clear();
  letters_.clear();
  covered_.clear();
  height_ = height;
}

void Canvas::add_quad(const osg::Vec3f& a, const osg::Vec3f& b, const osg::Vec3f& c, const osg::Vec3f& d,
                      const osg::Vec4f& colour) {
  for (const osg::Vec3f& corner : {a, b, c, a, c, d}) {
    vertices_->push_back(corner);
    colours_->push_back(colour);
  }
}

void Canvas::rectangle(double x, double y, double width, double height, const osg::Vec4f& colour) {
  const auto left = static_cast<float>(x * scale_), right = static_cast<float>((x + width) * scale_);
  const auto top = static_cast<float>(y * scale_), low = static_cast<float>((y + height) * scale_);
  add_quad({left, top, 0}, {right, top, 0}, {right, low, 0}, {left, low, 0}, colour);
  if (height >= kTextLine) covered_.push_back({left, height_ - low, right, height_ - top});
}

/// Strips of our own: OpenGL's lines have gaps where their pieces are shorter than a pixel.
void Canvas::line(const std::vector<osg::Vec2d>& points, const osg::Vec4f& colour) {
  const auto half = static_cast<float>(std::max(1.0, kLineWidth * scale_) / 2);
  for (std::size_t i = 1; i < points.size(); ++i) {
    const osg::Vec2f from(points[i - 1] * scale_), to(points[i] * scale_);
    osg::Vec2f along = to - from;
    if (along.normalize() <= 0) continue;
    along *= half;
    // Longer by half its width at both ends, so that no notch is left where the way turns.
    const osg::Vec3f a(from - along, 0), b(to + along, 0), side(-along.y(), along.x(), 0);
    add_quad(a + side, b + side, b - side, a - side, colour);
  }
}

unsigned Canvas::calc_resolution(double size) const {
  return static_cast<unsigned>(std::clamp(std::lround(size * scale_), 6L, 200L));
}

double Canvas::calc_text_width(double size, const std::string& text) {
  return letters_.calc_width(text, calc_resolution(size)) * size;
}

void Canvas::text(double x, double y, double size, const std::string& text, const osg::Vec4f& colour,
                  Align align) {
  const unsigned resolution = calc_resolution(size);
  const auto height = static_cast<float>(resolution);
  double left = x * scale_;
  const double width = letters_.calc_width(text, resolution) * resolution;
  if (align != Align::left) left -= align == Align::right ? width : width / 2;
  const osg::Vec3f at(static_cast<float>(std::round(left)), static_cast<float>(std::round(y * scale_)), 0);
  letters_.add(text, resolution, at, {height, 0, 0}, {0, -height, 0}, colour, Align::left);
}

void Canvas::end() {
  auto* draw = static_cast<osg::DrawArrays*>(shapes_->getPrimitiveSet(0));
  draw->setCount(static_cast<GLsizei>(vertices_->size()));
  draw->dirty();
  vertices_->dirty(), colours_->dirty();
  shapes_->dirtyBound();
  letters_.finish();
}

}  // namespace rodeo::viz
