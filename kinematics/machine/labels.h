// SPDX-License-Identifier: MIT
// Where to write names in a drawing: each label tries places around its anchor and takes the one that covers least.
#pragma once
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "kinematics/machine/svg.h"

namespace rodeo::machine {

class Labels {
 public:
  struct Label {
    std::string text = {};
    Vec2 anchor = {};
    double font_size = 12;
    double clearance = 8;  // radius around the anchor that stays free
    std::string style;
    bool leader = true;            // a thin line to the anchor if the label is away from it
    double apart = 0;              // pixels to the left and right that later labels keep away
    std::vector<Vec2> spots = {};  // places that it may stand on, beside those around the anchor
  };

  /// What labels should not cover: the dearer, the higher the cost (pins 3, lines 1).
  void avoid(Vec2 centre, double radius, double cost);
  void avoid_line(Vec2 a, Vec2 b, double cost, double half_width = 4);

  /// Finds a place and writes the label. Earlier labels are not moved.
  void write(Canvas& canvas, const Label& label);

 private:
  struct Obstacle {
    Box box;
    double cost;
  };
  [[nodiscard]] double calc_cost(const Box& box) const;
  [[nodiscard]] Box find_place(const Label& label) const;

  void add(const Obstacle& obstacle);

  std::map<std::pair<int, int>, std::vector<Obstacle>> obstacles_;  // by the cell of their centre
  double reach_ = 0;                                                // half the largest side among them
};

}  // namespace rodeo::machine
