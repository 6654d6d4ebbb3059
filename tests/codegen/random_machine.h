// SPDX-License-Identifier: MIT
// Random planar machines of pins, prismatic joints and sliders, drawn in a random pose, so that they assemble, with as many drives as
// degrees of freedom. The same seed gives the same machines everywhere.
#pragma once
#include <fmt/format.h>

#include <cmath>
#include <random>
#include <string>
#include <vector>

namespace rodeo::codegen {

class RandomMachine {
 public:
  explicit RandomMachine(std::uint32_t seed) : random_(seed) {
    const int bodies = 2 + pick(5);
    poses_.push_back({0, 0, 0});
    for (int b = 1; b <= bodies; ++b) poses_.push_back({uniform(0, 2), uniform(0, 2), uniform(-1, 1)});
    points_.resize(poses_.size());
    for (int b = 1; b <= bodies; ++b) add_joint(pick(b), b, pick(6));
    for (int i = 0; i < 3 * bodies && freedom() > 1 + pick(3); ++i) close_loop();
    list_drives();
  }

  /// 3 a body less what the joints hold.
  [[nodiscard]] int freedom() const { return 3 * (static_cast<int>(poses_.size()) - 1) - held_; }

  /// Other drives, as many as `freedom`.
  [[nodiscard]] std::string build_yaml(bool driven) {
    std::string text =
        "name: random\ngravity: [0.7, -9.81]\nground: {points: {" + points_[0] + "}}\nbodies:\n";
    std::string start;
    for (std::size_t b = 1; b < poses_.size(); ++b) {
      text +=
          fmt::format("  b{}: {{points: {{{}}}, mass: {:.3f}, com: [{:.3f}, {:.3f}], inertia: {:.3f}}}\n", b,
                      points_[b], uniform(1, 5), uniform(-0.3, 0.3), uniform(-0.3, 0.3), uniform(0.1, 1));
      start += fmt::format("{}b{}: {:.17g}", b > 1 ? ", " : "", b, poses_[b].angle);
    }
    text += "joints:\n" + joints_;
    if (driven) text += "drives:\n" + pick_drives();
    return text + "start: {" + start + "}\n";
  }

 private:
  struct Placed {
    double x, y, angle;
  };

  double uniform(double low, double high) {
    return low + (high - low) * (static_cast<double>(random_()) / 4294967296.0);
  }
  int pick(int below) { return static_cast<int>(random_() % static_cast<std::uint32_t>(below)); }

  /// A new point of a body at a place on the page; its reference.
  std::string add_point(int body, double x, double y) {
    const Placed& at = poses_[static_cast<std::size_t>(body)];
    const double c = std::cos(at.angle), s = std::sin(at.angle), dx = x - at.x, dy = y - at.y;
    std::string& list = points_[static_cast<std::size_t>(body)];
    const std::string name = fmt::format("p{}", ++point_count_);
    list += fmt::format("{}{}: [{:.17g}, {:.17g}]", list.empty() ? "" : ", ", name, c * dx + s * dy,
                        c * dy - s * dx);
    return (body == 0 ? "ground." : fmt::format("b{}.", body)) + name;
  }

  /// kind: 0 to 2 a pin, 3 and 4 prismatic, 5 a slider.
  void add_joint(int first, int second, int kind) {
    const Placed& a = poses_[static_cast<std::size_t>(first)];
    const Placed& b = poses_[static_cast<std::size_t>(second)];
    const double x = uniform(0, 2), y = uniform(0, 2);
    const std::string from = add_point(first, x, y);
    held_ += kind == 5 ? 1 : 2;
    if (kind < 3) {
      joints_ += fmt::format("  - {{revolute: [{}, {}]}}\n", from, add_point(second, x, y));
      return;
    }
    const double along = uniform(-0.8, 0.8), turn = uniform(-3, 3), c = std::cos(turn), s = std::sin(turn);
    const double ux = std::cos(a.angle) * c - std::sin(a.angle) * s,
                 uy = std::sin(a.angle) * c + std::cos(a.angle) * s;
    const std::string to = add_point(second, x + along * ux, y + along * uy);
    const std::string angle = kind == 5 ? "" : fmt::format(", angle: {:.17g}", b.angle - a.angle);
    joints_ += fmt::format("  - {{{}: [{}, {}], direction: [{:.17g}, {:.17g}]{}, name: g{}}}\n",
                           kind == 5 ? "slider" : "prismatic", from, to, c, s, angle, ++guide_count_);
    guides_.push_back(fmt::format("{{slide: [{}, {}]}}", from, to));
  }

  void close_loop() {
    const int bodies = static_cast<int>(poses_.size());
    const int first = pick(bodies), second = pick(bodies);
    if (first != second && second != 0) add_joint(first, second, freedom() == 2 ? 5 : pick(6));
  }

  /// Every slide, every angle, angles between bodies and a few cylinders.
  void list_drives() {
    drives_ = guides_;
    const int bodies = static_cast<int>(poses_.size());
    for (int b = 1; b < bodies; ++b) {
      drives_.push_back(fmt::format("{{angle: b{}}}", b));
      const int other = pick(bodies);
      if (other != b && other != 0)
        drives_.push_back(fmt::format("{{relative_angle: [b{}, b{}]}}", other, b));
      const int from = pick(b);
      drives_.push_back(fmt::format("{{cylinder: [{}, {}]}}", add_point(from, uniform(-1, 0), uniform(-1, 0)),
                                    add_point(b, uniform(1, 2), uniform(1, 2))));
    }
  }

  std::string pick_drives() {
    std::vector<std::string> left = drives_;
    std::string text;
    for (int d = 0; d < freedom() && !left.empty(); ++d) {
      const int i = pick(static_cast<int>(left.size()));
      text += fmt::format("  d{}: {}\n", d, left[static_cast<std::size_t>(i)]);
      left.erase(left.begin() + i);
    }
    return text;
  }

  std::mt19937 random_;
  std::vector<Placed> poses_;
  std::vector<std::string> points_;  // a body each
  std::string joints_;
  std::vector<std::string> guides_, drives_;
  int held_ = 0, point_count_ = 0, guide_count_ = 0;
};

}  // namespace rodeo::codegen
