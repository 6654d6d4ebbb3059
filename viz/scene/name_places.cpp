// SPDX-License-Identifier: MIT
#include "viz/scene/name_places.h"

#include <algorithm>
#include <array>

namespace rodeo::viz {
namespace {

constexpr int kSides = 8, kRings = 3;

/// Spot `i` of a name: right above first, then around, then farther away.
PixelBox calc_spot(const NameSize& name, int i) {
  constexpr std::array<std::array<double, 2>, kSides> kSpots{
      {{1, 1}, {1, -1}, {-1, 1}, {-1, -1}, {0, 1}, {0, -1}, {1, 0}, {-1, 0}}};
  const auto& [right, up] = kSpots[static_cast<std::size_t>(i % kSides)];
  const double away = name.height * (0.35 + 1.2 * (i / kSides));
  const double x = name.at.x + right * (away + name.width / 2), y = name.at.y + up * (away + name.height / 2);
  return {x - name.width / 2, y - name.height / 2, x + name.width / 2, y + name.height / 2};
}

bool is_within(const PixelBox& box, const PixelBox& picture) {
  return box.left >= picture.left && box.right <= picture.right && box.low >= picture.low &&
         box.high <= picture.high;
}

}  // namespace

std::vector<std::optional<PixelBox>> find_name_places(const std::vector<NameSize>& names,
                                                      const std::vector<PixelBox>& covered,
                                                      const PixelBox& picture, std::vector<int>& before) {
  std::vector<PixelBox> taken = covered;
  std::vector<std::optional<PixelBox>> places(names.size());
  before.resize(names.size(), 0);
  for (const NameSize& name : names) {  // a name over another's pin would be read as that one's
    const double r = 0.3 * name.height;
    taken.push_back({name.at.x - r, name.at.y - r, name.at.x + r, name.at.y + r});
  }
  for (std::size_t n = 0; n < names.size(); ++n) {
    for (int i = -1; i < kSides * kRings && !places[n]; ++i) {
      const int spot = i < 0 ? before[n] : i;
      const PixelBox box = calc_spot(names[n], spot);
      const auto is_hit = [&](const PixelBox& other) { return box.overlaps(other); };
      if (!is_within(box, picture) || std::any_of(taken.begin(), taken.end(), is_hit)) continue;
      places[n] = box;
      before[n] = spot;
      taken.push_back(box);
    }
  }
  return places;
}

}  // namespace rodeo::viz
