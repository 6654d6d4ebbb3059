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

}  // namespace rodeo::plot
