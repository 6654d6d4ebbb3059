// SPDX-License-Identifier: MIT
// Flat drawing over the picture: rectangles, lines and texts in a frame of 720 lines, y down from the top, scaled to the window.
// Everything is drawn anew between begin() and end(), shapes first, then texts.
#pragma once
#include <osg/Camera>
#include <osg/Geometry>

#include <string>
#include <vector>

#include "viz/scene/letters.h"
#include "viz/scene/name_places.h"

namespace rodeo::viz {

inline constexpr double kCanvasHeight = 720;

class Canvas {
 public:
  using Align = viz::Align;

  Canvas();
  [[nodiscard]] osg::Camera* camera() const noexcept { return camera_; }

  void begin(int width, int height);
  void rectangle(double x, double y, double width, double height, const osg::Vec4f& colour);
  void line(const std::vector<osg::Vec2d>& points, const osg::Vec4f& colour);
  /// `y`: of the line that the letters stand on.
  void text(double x, double y, double size, const std::string& text, const osg::Vec4f& colour,
            Align align = Align::left);
  void end();
  /// Rectangles that are as high as a line of text, of what is drawn now.
  [[nodiscard]] const std::vector<PixelBox>& covered() const noexcept { return covered_; }

  /// Of the frame, in its own lines.
  [[nodiscard]] double width() const noexcept { return width_; }
  [[nodiscard]] double calc_text_width(double size, const std::string& text);

 private:
  [[nodiscard]] unsigned calc_resolution(double size) const;
  void add_quad(const osg::Vec3f& a, const osg::Vec3f& b, const osg::Vec3f& c, const osg::Vec3f& d,
                const osg::Vec4f& colour);

  osg::ref_ptr<osg::Camera> camera_;
  osg::ref_ptr<osg::Geometry> shapes_;
  osg::ref_ptr<osg::Vec3Array> vertices_;
  osg::ref_ptr<osg::Vec4Array> colours_;
  Letters letters_;
  std::vector<PixelBox> covered_;
  double height_ = kCanvasHeight;  // pixels
  double width_ = 1280;
  double scale_ = 1;  // pixels a line
};

}  // namespace rodeo::viz
