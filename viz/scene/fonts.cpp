// SPDX-License-Identifier: MIT
#include "viz/scene/fonts.h"

#include <filesystem>

namespace rodeo::viz {

osg::ref_ptr<osgText::Font> find_font() {
  static const osg::ref_ptr<osgText::Font> font = [] {
    for (const char* path :
         {"/usr/share/fonts/truetype/dejavu/DejaVuSans.ttf",
          "/usr/share/fonts/dejavu-sans-fonts/DejaVuSans.ttf", "/usr/share/fonts/TTF/DejaVuSans.ttf",
          "/usr/share/fonts/truetype/liberation/LiberationSans-Regular.ttf"}) {
      std::error_code ignored;
      if (std::filesystem::exists(path, ignored)) return osgText::readRefFontFile(path);
    }
    return osg::ref_ptr<osgText::Font>();
  }();
  return font;
}

}  // namespace rodeo::viz
