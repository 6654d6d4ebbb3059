// SPDX-License-Identifier: MIT
// The smallest margin that `rodeo workspace` names, against the triangle of each cylinder and each four-bar, sampled as finely as one
// likes: a grid of 22 positions a drive sees far from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/program/recording_support.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
using nlohmann::json;

constexpr double kStop = 0.01;  // the kernel's

/// A cylinder of length l over a pin: from a away from the pin on the one body to b away from it on the other.
struct Triangle {
  double a, b, low, high;

  /// |sin| of the angle between cylinder and b.
  [[nodiscard]] double calc_margin(double l) const {
    const double c = (l * l + b * b - a * a) / (2 * l * b);
    return std::abs(c) >= 1 ? 0 : std::sqrt(1 - c * c);
  }
  /// What can be reached from `start` without passing below the stop margin.
  [[nodiscard]] double find_least(double start) const {
    double least = calc_margin(start);
    for (const double end : {low, high}) {
      for (int i = 0; i <= 200'000; ++i) {
        const double margin = calc_margin(std::lerp(start, end, i / 200'000.0));
        if (margin < kStop) {
          least = std::min(least, kStop);
          break;
        }
        least = std::min(least, margin);
      }
    }
    return least;
  }
};

/// Four links on each other, each moved by its cylinder.
std::string build_arm(const std::vector<Triangle>& triangles, const std::vector<double>& starts) {
  std::string bodies, joints, drives, start, before = "ground";
  double angle = 0;
  for (std::size_t i = 0; i < triangles.size(); ++i) {
    const auto& [a, b, low, high] = triangles[i];
    const std::string name = fmt::format("link{}", i);
    const std::string next =
        i + 1 < triangles.size() ? fmt::format(", P: [1.5, {}]", -triangles[i + 1].a) : "";
    bodies += fmt::format("  {}: {{points: {{O: [0, 0], Q: [{}, 0], E: [1.5, 0]{}}}}}\n", name, b, next);
    joints += fmt::format("  - {{revolute: [{}.{}, {}.O]}}\n", before, i == 0 ? "O" : "E", name);
    drives += fmt::format("  ram{}: {{cylinder: [{}.P, {}.Q], retracted: {}, stroke: {}}}\n", i, before, name,
                          low, high - low);
    // P is straight below the pin in the frame of the body before
    angle += std::acos((a * a + b * b - starts[i] * starts[i]) / (2 * a * b)) - M_PI / 2;
    start += fmt::format("{}ram{}: {}, {}: {}", i == 0 ? "" : ", ", i, starts[i], name, angle);
    before = name;
  }
  return fmt::format(
      "name: arm\nground: {{points: {{O: [0, 0], P: [0, {}]}}}}\nbodies:\n{}joints:\n{}drives:\n{}start: "
      "{{{}}}\n"
      "outputs: {{tip: link{}.E}}\n",
      -triangles[0].a, bodies, joints, drives, start, triangles.size() - 1);
}

class SmallestMargin : public testing::Test {
 protected:
  json report(const std::string& text) const {
    write_file(folder_ / "model.yaml", text);
    const ProgramResult result = run_rodeo(folder_.path(), "workspace model.yaml --json");
    EXPECT_EQ(result.status, 0) << result.err << text;
    return json::parse(result.out);
  }
  engine::testing_support::TemporaryFolder folder_;
};

TEST_F(SmallestMargin, OfFourCylindersIsThatOfTheirTriangles) {
  std::mt19937 random(11);
  const auto draw = [&](double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  };
  int far_from_grid = 0;
  for (int machine = 0; machine < 2; ++machine) {
    std::vector<Triangle> triangles;
    std::vector<double> starts;
    double least = 1;
    for (int i = 0; i < 4; ++i) {
      const double a = draw(0.5, 0.8), b = draw(0.5, 0.8);
      // up to 2 % short of the straight line or, of some machines, beyond it: then the kernel stops before
      const double high = (a + b) * (i == machine ? draw(0.98, 1.02) : draw(0.9, 0.96));
      triangles.push_back({a, b, std::abs(a - b) + 0.45 * (a + b - std::abs(a - b)), high});
      starts.push_back(0.5 * triangles.back().low + 0.5 * std::min(high, 0.95 * (a + b)));
      least = std::min(least, triangles.back().find_least(starts.back()));
    }
    const json smallest = report(build_arm(triangles, starts)).at("smallest_margin");
    const double margin = smallest.at("margin");
    EXPECT_NEAR(margin, least, 1e-4) << machine;
    double at_drives = 1;
    for (std::size_t i = 0; i < 4; ++i)
      at_drives =
          std::min(at_drives, triangles[i].calc_margin(smallest.at("drives").at(fmt::format("ram{}", i))));
    EXPECT_NEAR(margin, at_drives, 1e-6) << "where it says that it is";
    far_from_grid += smallest.at("on_grid").get<double>() > margin + 0.05 ? 1 : 0;
  }
  EXPECT_GT(far_from_grid, 0) << "the grid alone would have passed";
}

/// Four four-bars side by side. The output hangs on the first: the others do not move it, but one of them comes nearest to its dead
/// point, in the middle of its range. |sin| of the transmission angle is smallest where the crank lies along the ground.
TEST_F(SmallestMargin, LooksAtDrivesThatDoNotMoveTheOutput) {
  const std::vector<std::array<double, 3>> bars{
      {0.3, 1.0, 0.9}, {0.5, 0.62, 0.6}, {0.35, 1.1, 0.8}, {0.2, 0.9, 0.9}};
  std::string ground, bodies, joints, drives, start;
  double least = 1;
  for (std::size_t i = 0; i < bars.size(); ++i) {
    const auto& [r, c, d] = bars[i];  // crank, coupler, rocker; the ground is 1 m
    ground += fmt::format("{0}O{1}: [0, {2}], Q{1}: [1, {2}]", i == 0 ? "" : ", ", i, 3 * i);
    bodies += fmt::format(
        "  a{0}: {{points: {{O: [0, 0], B: [{1}, 0]}}}}\n  b{0}: {{points: {{B: [0, 0], C: [{2}, 0]}}}}\n"
        "  c{0}: {{points: {{Q: [0, 0], C: [{3}, 0]}}}}\n",
        i, r, c, d);
    joints += fmt::format(
        "  - {{revolute: [ground.O{0}, a{0}.O]}}\n  - {{revolute: [a{0}.B, b{0}.B]}}\n"
        "  - {{revolute: [b{0}.C, c{0}.C]}}\n  - {{revolute: [ground.Q{0}, c{0}.Q]}}\n",
        i);
    drives += fmt::format("  a{0}: {{angle: a{0}, range: [-70 deg, 100 deg]}}\n", i);
    start += fmt::format("{0}a{1}: 60 deg, b{1}: 30 deg, c{1}: 90 deg", i == 0 ? "" : ", ", i);
    for (int k = 0; k <= 100'000; ++k) {
      const double angle = (-70 + 170 * k / 100'000.0) * M_PI / 180;
      const double across = 1 + r * r - 2 * r * std::cos(angle);
      const double cosine = (c * c + d * d - across) / (2 * c * d);
      least = std::min(least, std::sqrt(1 - cosine * cosine));
    }
  }
  const json all =
      report(fmt::format("name: bars\nground: {{points: {{{}}}}}\nbodies:\n{}joints:\n{}drives:\n{}start: "
                         "{{{}}}\noutputs: {{tip: c0.C}}\n",
                         ground, bodies, joints, drives, start));
  EXPECT_EQ(all.at("drives").size(), 1U);
  const json& smallest = all.at("smallest_margin");
  EXPECT_EQ(smallest.at("drives").size(), 4U);
  EXPECT_NEAR(smallest.at("margin").get<double>(), least, 1e-6);
  EXPECT_GT(smallest.at("on_grid").get<double>(), least + 0.05);
}

}  // namespace
}  // namespace rodeo::tools
