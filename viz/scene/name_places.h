// SPDX-License-Identifier: MIT
// Where names stand beside what they name, so that they cover neither each other nor what must stay free. Pixels of the picture, from its
// lower left corner.
#pragma once
#include <optional>
#include <vector>

#include "viz/feed/scene_file.h"

namespace rodeo::viz {

struct PixelBox {
  double left = 0, low = 0, right = 0, high = 0;

  [[nodiscard]] bool overlaps(const PixelBox& other) const noexcept {
    return left < other.right && other.left < right && low < other.high && other.low < high;
  }
};

struct NameSize {
  Vec2 at;  // what is named
  double width = 0, height = 0;
};

/// The box of each name; none for one that has no room: it is not shown rather than unreadable. `before`: what the last picture
/// had, tried first, so that names do not hop about; may be empty.
[[nodiscard]] std::vector<std::optional<PixelBox>> find_name_places(const std::vector<NameSize>& names,
                                                                    const std::vector<PixelBox>& covered,
                                                                    const PixelBox& picture,
                                                                    std::vector<int>& before);

}  // namespace rodeo::viz
