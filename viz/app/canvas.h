// SPDX-License-Identifier: MIT
// Flat drawing over the picture: rectangles, lines and texts in a frame of 720 lines, y down from the top, scaled to the window.
// Everything is drawn anew between begin() and end().
#pragma once
#include <osg/Camera>
#include <osg/Geometry>
#include <osgText/Text>

#include <string>
#include <vector>

namespace rodeo::viz {

inline constexpr double kCanvasHeight = 720;

class Canvas {
 public:
  enum class Align { left, centre, right };

  Canvas();
  [[nodiscard]] osg::Camera* camera() const noexcept { return camera_; }

  void begin(int width, int height);
  void rectangle(double x, double y, double width, double height, const osg::Vec4f& colour);
  void line(const std::vector<osg::Vec2d>& points, const osg::Vec4f& colour);
  /// `y`: of the line that the letters stand on.
  void text(double x, double y, double size, const std::string& text, const osg::Vec4f& colour,
            Align align = Align::left);
  void end();

  /// Of the frame, in its own lines.
  [[nodiscard]] double width() const noexcept { return width_; }

 private:
  osg::ref_ptr<osg::Camera> camera_;
  osg::ref_ptr<osg::Geometry> shapes_;
  osg::ref_ptr<osg::Vec3Array> vertices_;
  osg::ref_ptr<osg::Vec4Array> colours_;
  osg::ref_ptr<osg::Geometry> lines_;
  osg::ref_ptr<osg::Vec3Array> line_vertices_;
  osg::ref_ptr<osg::Vec4Array> line_colours_;
  std::vector<osg::ref_ptr<osgText::Text>> texts_;
  std::vector<std::string> shown_;  // what each text says
  std::size_t used_ = 0;
  double width_ = 1280;
  double scale_ = 1;
};

}  // namespace rodeo::viz
