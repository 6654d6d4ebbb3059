// SPDX-License-Identifier: MIT
#include "kinematics/bondgraph/arrange.h"

#include <algorithm>
#include <cmath>
#include <sstream>

namespace rodeo::bondgraph {
namespace {

constexpr double kInch = 72;
constexpr double kGap = 26;         // points between frames
constexpr double kRoom = 1.5;       // area of the page over that of the frames
constexpr double kPage = 1.4142;    // its width over its height
constexpr double kOutwards = 0.35;  // how much farther out a frame at the edge stands
constexpr int kMostRounds = 5000;

/// A word, or a text in quotes.
std::string read_word(std::istream& in) {
  std::string word;
  in >> std::ws;
  if (in.peek() != '"') {
    in >> word;
    return word;
  }
  in.get();
  for (char c = 0; in.get(c) && c != '"';) word += c == '\\' ? static_cast<char>(in.get()) : c;
  return word;
}

Spot calc_middle(const std::map<std::string, Spot>& places) {
  Spot middle;
  for (const auto& [name, at] : places) {
    middle.x += at.x / static_cast<double>(places.size());
    middle.y += at.y / static_cast<double>(places.size());
  }
  return middle;
}

struct Range {
  double low = INFINITY, high = -INFINITY;
  void include(double value) { low = std::min(low, value), high = std::max(high, value); }
  [[nodiscard]] double length() const { return std::max(high - low, 1e-9); }
};

/// Moves two boxes apart along the shorter way; false if they do not touch.
bool try_part(Spot& a, const DrawnBox& box_a, Spot& b, const DrawnBox& box_b) {
  const double over_x = (box_a.width + box_b.width) / 2 + kGap - std::abs(a.x - b.x);
  const double over_y = (box_a.height + box_b.height) / 2 + kGap - std::abs(a.y - b.y);
  if (over_x <= 0.5 || over_y <= 0.5) return false;
  const bool is_sideways = over_x < over_y;
  double &p = is_sideways ? a.x : a.y, &q = is_sideways ? b.x : b.y;
  const double half = std::copysign((is_sideways ? over_x : over_y) / 2, p < q ? -1.0 : 1.0);
  p += half, q -= half;
  return true;
}

}  // namespace

PlainLayout read_plain(const std::string& plain) {
  PlainLayout layout;
  std::istringstream lines(plain);
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    const std::string kind = read_word(words);
    double scale = 0;
    if (kind == "graph") words >> scale >> layout.width >> layout.height;
    if (kind != "node") continue;
    DrawnBox& box = layout.nodes[read_word(words)];
    words >> box.centre.x >> box.centre.y >> box.width >> box.height;
    box = {{kInch * box.centre.x, kInch * box.centre.y}, kInch * box.width, kInch * box.height};
  }
  layout.width *= kInch, layout.height *= kInch;
  return layout;
}

std::map<std::string, Spot> find_all_places(const std::map<std::string, Spot>& places,
                                            const std::vector<std::pair<std::string, std::string>>& bonded) {
  std::map<std::string, Spot> all = places;
  const Spot middle = calc_middle(places);
  for (bool is_more = true; is_more;) {
    is_more = false;
    std::map<std::string, std::map<std::string, Spot>> neighbours;
    for (const auto& [a, b] : bonded) {
      if (all.contains(a) && !all.contains(b)) neighbours[b].emplace(a, all[a]);
      if (all.contains(b) && !all.contains(a)) neighbours[a].emplace(b, all[b]);
    }
    for (const auto& [frame, around] : neighbours) {
      const Spot at = calc_middle(around);
      const double out = around.size() == 1 ? kOutwards : 0;
      all[frame] = {at.x + out * (at.x - middle.x), at.y + out * (at.y - middle.y)};
      is_more = true;
    }
  }
  for (const auto& [a, b] : bonded) all.try_emplace(a, middle), all.try_emplace(b, middle);
  return all;
}

std::map<std::string, Spot> spread_boxes(const std::map<std::string, Spot>& places,
                                         const std::map<std::string, DrawnBox>& boxes) {
  Range x, y;
  double area = 0;
  for (const auto& [frame, box] : boxes) {
    x.include(places.at(frame).x), y.include(places.at(frame).y);
    area += (box.width + kGap) * (box.height + kGap);
  }
  const double side = std::sqrt(kRoom * area), shape = std::sqrt(kPage);
  std::map<std::string, Spot> centres;
  for (const auto& [frame, box] : boxes) {
    centres[frame] = {(places.at(frame).x - x.low) / x.length() * side * shape,
                      (places.at(frame).y - y.low) / y.length() * side / shape};
  }
  bool is_moved = true;
  for (int round = 0; is_moved && round < kMostRounds; ++round) {
    is_moved = false;
    for (auto a = centres.begin(); a != centres.end(); ++a) {
      for (auto b = centres.begin(); b != a; ++b)
        is_moved = try_part(a->second, boxes.at(a->first), b->second, boxes.at(b->first)) || is_moved;
    }
  }
  return centres;
}

}  // namespace rodeo::bondgraph
