// SPDX-License-Identifier: MIT
// Fewer points for the same picture. Where x rises: of every column of pixels the first point, the lowest, the highest and the last, so
// that no peak is lost, however narrow. Where it does not (a path): points that are a fraction of a pixel from the last one kept
// are left out, but for the extremes of x and y. Gaps (nan) stay gaps.
#pragma once
#include <cstddef>
#include <vector>

namespace rodeo::plot {

/// Indices of the points that stay, rising; all of them if there are no more than 4 a column. `columns` > 0.
[[nodiscard]] std::vector<std::size_t> find_kept(const std::vector<double>& x, const std::vector<double>& y,
                                                 std::size_t columns);

/// The values at these indices.
[[nodiscard]] std::vector<double> pick(const std::vector<double>& values,
                                       const std::vector<std::size_t>& kept);

struct Range {
  double low = 0;
  double high = 0;
};

/// Of what is finite; {0, 0} if nothing is.
[[nodiscard]] Range calc_range(const std::vector<double>& values);

}  // namespace rodeo::plot
