// SPDX-License-Identifier: MIT
// A region of the plane made of many small triangles, with a value at each corner: on square cells, each of which keeps the smallest
// value of all triangles over its centre. Triangles may overlap and fold. For its area, its outline and its picture.
#pragma once
#include <array>
#include <cstddef>
#include <vector>

#include "viz/plot/figure.h"

namespace rodeo::plot {

struct Corner {
  double x = 0;
  double y = 0;
  double value = 0;
};

class Region {
 public:
  /// `cells` of them along the longer side of the bounds.
  Region(const Range& x, const Range& y, std::size_t cells);

  void add(const std::array<Corner, 3>& triangle);

  [[nodiscard]] double cell() const noexcept { return field_.cell; }
  [[nodiscard]] const Field& field() const noexcept { return field_; }
  /// Of the cells whose centres are covered; off by less than half a cell along the outline.
  [[nodiscard]] double calc_area() const;
  /// Closed curves between covered and other cells, smoothed over a few cells; parted by nan.
  [[nodiscard]] Drawing build_outline() const;

 private:
  [[nodiscard]] bool is_covered(std::ptrdiff_t column, std::ptrdiff_t row) const;

  Field field_;
};

/// The length of a drawing's lines.
[[nodiscard]] double calc_length(const Drawing& drawing);

}  // namespace rodeo::plot
