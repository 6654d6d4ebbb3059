// SPDX-License-Identifier: MIT
#include "viz/scene/letters.h"

#include <osg/Texture2D>
#include <osgText/String>

#include <algorithm>
#include <cstring>

#include "viz/scene/fonts.h"
#include "viz/scene/shapes.h"

namespace rodeo::viz {
namespace {

constexpr int kSide =
    2048;  // of the texture, pixels: every letter of four sizes at 3840x2160 takes a third of it
constexpr int kGap = 1;  // between letters, so that they do not bleed into each other

}  // namespace

Letters::Letters(int side)
    : side_(side),
      font_(find_font()),
      image_(new osg::Image),
      vertices_(new osg::Vec3Array),
      colours_(new osg::Vec4Array),
      corners_(new osg::Vec2Array) {
  if (!font_) font_ = osgText::Font::getDefaultFont();
  image_->allocateImage(side, side, 1, GL_ALPHA, GL_UNSIGNED_BYTE);
  std::memset(image_->data(), 0, image_->getTotalSizeInBytes());
  geometry_ = build_lines(vertices_, colours_, GL_TRIANGLES, 1);
  geometry_->setColorBinding(osg::Geometry::BIND_PER_VERTEX);
  geometry_->setTexCoordArray(0, corners_, osg::Array::BIND_PER_VERTEX);
  geometry_->setDataVariance(osg::Object::DYNAMIC);
  geometry_->setCullingActive(false);
  osg::ref_ptr<osg::Texture2D> texture = new osg::Texture2D(image_);
  texture->setFilter(osg::Texture::MIN_FILTER, osg::Texture::LINEAR);
  texture->setFilter(osg::Texture::MAG_FILTER, osg::Texture::LINEAR);
  texture->setResizeNonPowerOfTwoHint(false);
  geometry_->getOrCreateStateSet()->setTextureAttributeAndModes(0, texture);
  geometry_->getOrCreateStateSet()->setMode(GL_BLEND, osg::StateAttribute::ON);
}

void Letters::clear() { vertices_->clear(), colours_->clear(), corners_->clear(); }

/// In rows from the bottom, as OSG's images are. What finds no room is not shown.
void Letters::put(const osgText::Glyph& glyph, Letter& letter) {
  const int width = glyph.s(), height = glyph.t();
  if (used_x_ + width + kGap > side_) used_x_ = 0, used_y_ += row_height_ + kGap, row_height_ = 0;
  if (width == 0 || height == 0 || used_y_ + height > side_ || glyph.getPixelSizeInBits() != 8) return;
  for (int y = 0; y < height; ++y)
    std::memcpy(image_->data(used_x_, used_y_ + y), glyph.data(0, y), static_cast<std::size_t>(width));
  image_->dirty();
  const auto part = [&](int pixels) { return static_cast<float>(pixels) / static_cast<float>(side_); };
  letter.low.set(part(used_x_), part(used_y_));
  letter.high.set(part(used_x_ + width), part(used_y_ + height));
  letter.size.set(glyph.getWidth(), glyph.getHeight());
  letter.place = glyph.getHorizontalBearing();
  used_x_ += width + kGap;
  row_height_ = std::max(row_height_, height);
}

const Letters::Letter& Letters::find_letter(unsigned resolution, unsigned code) {
  const auto [it, is_new] = letters_.try_emplace({resolution, code});
  if (!is_new) return it->second;
  const osgText::Glyph* glyph = font_->getGlyph(osgText::FontResolution(resolution, resolution), code);
  if (glyph == nullptr) return it->second;
  it->second.advance = glyph->getHorizontalAdvance();
  put(*glyph, it->second);
  return it->second;
}

double Letters::calc_width(const std::string& text, unsigned resolution) {
  double width = 0;
  for (const unsigned code : osgText::String(text, osgText::String::ENCODING_UTF8))
    width += find_letter(resolution, code).advance;
  return width;
}

void Letters::add(const std::string& text, unsigned resolution, const osg::Vec3f& at, const osg::Vec3f& right,
                  const osg::Vec3f& up, const osg::Vec4f& colour, Align align) {
  const auto width = static_cast<float>(calc_width(text, resolution));
  osg::Vec3f pen = at - right * (align == Align::right ? width : align == Align::centre ? width / 2 : 0.0F);
  for (const unsigned code : osgText::String(text, osgText::String::ENCODING_UTF8)) {
    const Letter& letter = find_letter(resolution, code);
    const osg::Vec3f a = pen + right * letter.place.x() + up * letter.place.y();
    const osg::Vec3f wide = right * letter.size.x(), high = up * letter.size.y();
    const osg::Vec2f low = letter.low, far = letter.high;
    if (letter.size.x() > 0) {
      for (const auto& [x, y] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 0}, {1, 1}, {0, 1}}) {
        vertices_->push_back(a + wide * static_cast<float>(x) + high * static_cast<float>(y));
        corners_->push_back({x == 0 ? low.x() : far.x(), y == 0 ? low.y() : far.y()});
        colours_->push_back(colour);
      }
    }
    pen += right * letter.advance;
  }
}

void Letters::finish() {
  auto* draw = static_cast<osg::DrawArrays*>(geometry_->getPrimitiveSet(0));
  draw->setCount(static_cast<GLsizei>(vertices_->size()));
  draw->dirty();
  vertices_->dirty(), colours_->dirty(), corners_->dirty();
  geometry_->dirtyBound();
}

}  // namespace rodeo::viz
