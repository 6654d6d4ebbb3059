// SPDX-License-Identifier: MIT
// A figure as the text that gnuplot draws it from, data included.
#pragma once
#include <string>

#include "viz/plot/figure.h"

namespace rodeo::plot {

enum class Format { svg, png, pdf };

/// `output` is a file name without quotes in it.
[[nodiscard]] std::string build_gnuplot_script(const Figure& figure, Format format,
                                               const std::string& output);

/// Pixels of the picture: what is asked for, or what the panels need.
struct Size {
  int width = 0;
  int height = 0;
};
[[nodiscard]] Size calc_size(const Figure& figure);

}  // namespace rodeo::plot
