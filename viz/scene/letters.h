// SPDX-License-Identifier: MIT
// Many short texts as one geometry over one texture. A text of OSG's own each cost a state change and made the graphics driver wait for
// all that was drawn before.
#pragma once
#include <osg/Geometry>
#include <osg/Image>
#include <osg/ref_ptr>
#include <osgText/Font>

#include <map>
#include <string>
#include <utility>

namespace rodeo::viz {

enum class Align { left, centre, right };

class Letters {
 public:
  /// `side`: of the texture, pixels. Every letter of four sizes at 3840x2160 takes a third of 2048.
  explicit Letters(int side = 2048);
  /// Unlit and blended; depth is as its parents have it.
  [[nodiscard]] osg::Geometry* geometry() const noexcept { return geometry_; }

  void clear();
  /// `at`: where the text begins, ends or has its middle, on the line that it stands on; `right` and `up`: the height of a letter in
  /// their directions; `resolution`: of a letter, pixels.
  void add(const std::string& text, unsigned resolution, const osg::Vec3f& at, const osg::Vec3f& right,
           const osg::Vec3f& up, const osg::Vec4f& colour, Align align);
  /// After the last add().
  void finish();
  /// In heights of a letter.
  [[nodiscard]] double calc_width(const std::string& text, unsigned resolution);

 private:
  /// A letter in the texture; lengths in heights of a letter, x and y of its lower left corner.
  struct Letter {
    osg::Vec2f low, high;    // of the texture
    osg::Vec2f place, size;  // against the place where it is written
    float advance = 0;       // to the next
  };
  const Letter& find_letter(unsigned resolution, unsigned code);
  void put(const osgText::Glyph& glyph, Letter& letter);

  int side_;
  osg::ref_ptr<osgText::Font> font_;
  osg::ref_ptr<osg::Image> image_;
  std::map<std::pair<unsigned, unsigned>, Letter> letters_;  // by resolution and code
  int used_x_ = 0, used_y_ = 0, row_height_ = 0;             // of the image
  osg::ref_ptr<osg::Geometry> geometry_;
  osg::ref_ptr<osg::Vec3Array> vertices_;
  osg::ref_ptr<osg::Vec4Array> colours_;
  osg::ref_ptr<osg::Vec2Array> corners_;
};

}  // namespace rodeo::viz
