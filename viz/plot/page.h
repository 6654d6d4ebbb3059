// SPDX-License-Identifier: MIT
// A figure as a page that needs nothing else, no network and no other file: the wheel zooms, dragging pans, a double click shows all
// again, and the value under the mouse is told. Long logs are thinned, far finer than a screen, so that zooming in shows more.
#pragma once
#include <string>

#include "viz/plot/figure.h"

namespace rodeo::plot {

[[nodiscard]] std::string build_page(const Figure& figure);

}  // namespace rodeo::plot
