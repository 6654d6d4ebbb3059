// SPDX-License-Identifier: MIT
// The typeface of every text that the viewer shows.
#pragma once
#include <osg/ref_ptr>
#include <osgText/Font>

namespace rodeo::viz {

/// DejaVu Sans, where Debian, Fedora or the user has it; null for OSG's own letters.
[[nodiscard]] osg::ref_ptr<osgText::Font> find_font();

}  // namespace rodeo::viz
