// SPDX-License-Identifier: MIT
// Gnuplot, started for one picture.
#pragma once
#include <string>

#include "viz/plot/gnuplot_script.h"

namespace rodeo::plot {

/// The bytes of the picture. Throws IoError: gnuplot is not installed, or what it says.
[[nodiscard]] std::string draw_by_gnuplot(const Figure& figure, Format format);

}  // namespace rodeo::plot
