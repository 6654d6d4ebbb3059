// SPDX-License-Identifier: MIT
#include "viz/scene/ruler.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "viz/scene/letters.h"
#include "viz/scene/shapes.h"
#include "viz/scene/world_node.h"

namespace rodeo::viz {
namespace {

constexpr int kStrong = 5;            // every so many lines
constexpr unsigned kResolution = 40;  // of letters, pixels
const osg::Vec3f kInk(0.2F, 0.22F, 0.25F);

float to_float(double value) { return static_cast<float>(value); }

/// A line in two halves that vanish towards their ends.
void add_line(const osg::Vec3f& middle, const osg::Vec3f& half, float alpha, osg::Vec3Array& v,
              osg::Vec4Array& c) {
  for (const float side : {-1.0F, 1.0F}) {
    v.push_back(middle), v.push_back(middle + half * side);
    c.push_back(osg::Vec4f(kInk, alpha)), c.push_back(osg::Vec4f(kInk, 0));
  }
}

/// The number of the line nearest to a place.
int find_line(double place, double step) { return static_cast<int>(std::lround(place / step)); }

std::string label(int line, double step) {
  const std::string number = fmt::format("{:g}", line * step);
  return line % kStrong == 0 ? number + " m" : number;
}

}  // namespace

double calc_grid_step(double size) {
  const double wanted = size / 3, power = std::pow(10, std::floor(std::log10(wanted)));
  return wanted < 4.5 * power ? power : 2 * power;
}

osg::ref_ptr<osg::Node> build_grid(const WorldOptions& options, const osg::Vec3f& across, float alpha) {
  const double step = calc_grid_step(options.size);
  const int reach = std::clamp(static_cast<int>(4 * options.size / step), 8, 60);
  const int middle = find_line(options.centre_x, step);
  const float length = to_float(reach * step);
  osg::ref_ptr<osg::Vec3Array> vertices = new osg::Vec3Array;
  osg::ref_ptr<osg::Vec4Array> colours = new osg::Vec4Array;
  // On the sheet `across` is up: there lines stand where heights are whole, on the ground where z is.
  const double height = options.ground, base = across.y() > 0 ? std::round(height / step) * step : 0;
  const osg::Vec3f origin(to_float(middle * step), to_float(across.y() > 0 ? base : height), 0);
  for (int i = -reach; i <= reach; ++i) {
    const float fade = 1 - std::abs(static_cast<float>(i)) / static_cast<float>(reach + 1);
    const auto strength = [&](int line) { return alpha * fade * (line % kStrong == 0 ? 1.0F : 0.45F); };
    const float along = to_float(i * step);
    const int row = i + (across.y() > 0 ? find_line(base, step) : 0);
    add_line(origin + across * along, osg::Vec3f(length, 0, 0), strength(row), *vertices, *colours);
    add_line(origin + osg::Vec3f(along, 0, 0), across * length, strength(i + middle), *vertices, *colours);
  }
  osg::ref_ptr<osg::Geometry> grid = build_lines(vertices, colours, GL_LINES, 1);
  grid->getOrCreateStateSet()->setMode(GL_BLEND, osg::StateAttribute::ON);
  return grid;
}

osg::ref_ptr<osg::Node> build_ground_labels(const WorldOptions& options) {
  Letters letters(512);
  const double step = calc_grid_step(options.size), height = std::min(0.26 * step, 0.03 * options.size);
  const double z = 0.25 * options.size + height;
  const int first = find_line(options.centre_x - 0.8 * options.size, step),
            last = find_line(options.centre_x + 0.8 * options.size, step);
  for (int i = first; i <= last; ++i) {
    letters.add(label(i, step), kResolution,
                {to_float(i * step + 0.06 * step), to_float(options.ground), to_float(z)},
                {to_float(height), 0, 0}, {0, 0, to_float(-height)}, osg::Vec4f(kInk, 0.75F), Align::left);
  }
  letters.finish();
  return letters.geometry();
}

osg::ref_ptr<osg::Node> build_sheet_labels(const WorldOptions& options) {
  Letters letters(512);
  const double step = calc_grid_step(options.size), height = std::min(0.17 * step, 0.018 * options.size);
  const osg::Vec3f right(to_float(height), 0, 0), up(0, to_float(height), 0);
  const osg::Vec4f ink(kInk, 0.8F);
  const int middle = find_line(options.centre_x, step), reach = static_cast<int>(2 * options.size / step);
  const int ground = find_line(options.ground, step);
  for (int i = middle - reach; i <= middle + reach; ++i) {
    const float x = to_float((i + 0.05) * step);
    letters.add(label(i, step), kResolution, {x, to_float(options.ground - 1.2 * height), 0}, right, up, ink,
                Align::left);
    for (int j = ground - reach; j <= ground + reach && i % kStrong == 0; ++j) {
      if (j == ground) continue;
      letters.add(label(j, step), kResolution, {x, to_float((j + 0.05) * step), 0}, right, up, ink,
                  Align::left);
    }
  }
  letters.finish();
  return letters.geometry();
}

}  // namespace rodeo::viz
