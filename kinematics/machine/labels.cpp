// SPDX-License-Identifier: MIT
// Twelve directions at four distances; the cost of a place is the area that it covers, weighted, and its distance.
#include "kinematics/machine/labels.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace rodeo::machine {
namespace {

constexpr double kLabelCost = 10;
constexpr double kCell = 64;  // pixels

int find_cell(double x) { return static_cast<int>(std::floor(x / kCell)); }

double calc_overlap(const Box& a, const Box& b) {
  const double w = std::min(a.right, b.right) - std::max(a.left, b.left);
  const double h = std::min(a.bottom, b.bottom) - std::max(a.top, b.top);
  return w > 0 && h > 0 ? w * h : 0.0;
}

Box build_box(Vec2 centre, double half_width, double half_height) {
  return {centre.x - half_width, centre.y - half_height, centre.x + half_width, centre.y + half_height};
}

/// The box of a text that touches a circle around the anchor in the direction of the angle.
Box build_place(const Labels::Label& label, double angle, double gap) {
  const double hw = calc_text_width(label.text, label.font_size) / 2, hh = 0.55 * label.font_size;
  const double c = std::cos(angle), s = std::sin(angle), r = label.clearance + gap;
  return build_box({label.anchor.x + c * (r + hw), label.anchor.y - s * (r + hh)}, hw, hh);
}

/// The point of a box nearest to p.
Vec2 find_nearest(const Box& box, Vec2 p) {
  return {std::clamp(p.x, box.left, box.right), std::clamp(p.y, box.top, box.bottom)};
}

}  // namespace

void Labels::avoid(Vec2 centre, double radius, double cost) {
  add({build_box(centre, radius, radius), cost});
}

void Labels::avoid_line(Vec2 a, Vec2 b, double cost, double half_width) {
  const int steps = 1 + static_cast<int>(std::hypot(b.x - a.x, b.y - a.y) / (2 * half_width));
  for (int i = 0; i <= steps; ++i) {
    const double f = static_cast<double>(i) / steps;
    avoid({a.x + f * (b.x - a.x), a.y + f * (b.y - a.y)}, half_width, cost);
  }
}

void Labels::add(const Obstacle& o) {
  reach_ = std::max({reach_, o.box.width() / 2, o.box.height() / 2});
  const int column = find_cell((o.box.left + o.box.right) / 2),
            row = find_cell((o.box.top + o.box.bottom) / 2);
  obstacles_[{column, row}].push_back(o);
}

double Labels::calc_cost(const Box& box) const {
  double cost = 0;
  for (int column = find_cell(box.left - reach_); column <= find_cell(box.right + reach_); ++column) {
    for (int row = find_cell(box.top - reach_); row <= find_cell(box.bottom + reach_); ++row) {
      const auto cell = obstacles_.find({column, row});
      if (cell == obstacles_.end()) continue;
      for (const Obstacle& o : cell->second) cost += o.cost * calc_overlap(box, o.box);
    }
  }
  return cost;
}

Box Labels::find_place(const Label& label) const {
  Box best;
  double best_cost = std::numeric_limits<double>::infinity();
  const auto look_at = [&](const Box& place, double distance) {
    const double cost = calc_cost(place) + distance;
    if (cost >= best_cost) return;
    best_cost = cost;
    best = place;
  };
  for (const Vec2 spot : label.spots) {
    look_at(build_box(spot, calc_text_width(label.text, label.font_size) / 2, 0.55 * label.font_size), 0);
  }
  for (const double gap : {0.0, 8.0, 20.0, 36.0}) {
    // From the upper right, where a reader looks first.
    for (int i = 0; i < 12; ++i)
      look_at(build_place(label, (1 + 2 * i) * std::numbers::pi / 12, gap), 1.5 * gap + 0.3 * i);
  }
  return best;
}

void Labels::write(Canvas& canvas, const Label& label) {
  const Box place = find_place(label);
  const Vec2 near = find_nearest(place, label.anchor);
  const double distance = std::hypot(near.x - label.anchor.x, near.y - label.anchor.y);
  if (label.leader && distance > label.clearance + 6) {
    canvas.line(label.anchor, near, R"(stroke="#888" stroke-width="0.8")");
    avoid_line(label.anchor, near, 1);
  }
  add({{place.left - label.apart, place.top, place.right + label.apart, place.bottom}, kLabelCost});
  canvas.text({place.left, place.bottom - 0.2 * label.font_size}, label.font_size, label.text, label.style);
}

}  // namespace rodeo::machine
