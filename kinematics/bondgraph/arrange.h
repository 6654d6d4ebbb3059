// SPDX-License-Identifier: MIT
// Where the frames of a drawn bond graph stand: each is laid out by itself, then all are put where the machine has them and pushed
// apart until none covers another. Lengths are Graphviz's points, 1/72 inch, y up.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace rodeo::bondgraph {

struct Spot {
  double x = 0, y = 0;
};

/// A node, or a frame with all that is in it.
struct DrawnBox {
  Spot centre;
  double width = 0, height = 0;
};

/// What `dot -Tplain` says: nodes by name, in a frame whose lower left corner is (0, 0).
struct PlainLayout {
  double width = 0, height = 0;
  std::map<std::string, DrawnBox> nodes;
};
[[nodiscard]] PlainLayout read_plain(const std::string& plain);

/// Frames that have no place of their own stand between those they are bonded to, the outer ones farther out. `places` may have any unit.
[[nodiscard]] std::map<std::string, Spot> find_all_places(
    const std::map<std::string, Spot>& places,
    const std::vector<std::pair<std::string, std::string>>& bonded);

/// Centres of boxes, near `places` and never over each other, about as wide and high as a page.
[[nodiscard]] std::map<std::string, Spot> spread_boxes(const std::map<std::string, Spot>& places,
                                                       const std::map<std::string, DrawnBox>& boxes);

}  // namespace rodeo::bondgraph
