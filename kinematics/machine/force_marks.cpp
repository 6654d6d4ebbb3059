// SPDX-License-Identifier: MIT
// Struts are drawn in lanes: a lane leaves the line from a to b near its ends and runs beside it.
#include "kinematics/machine/force_marks.h"

#include <algorithm>
#include <map>

#include "kinematics/expr/eval.h"

namespace rodeo::machine {
namespace {

constexpr double kLane = 20;      // between the middles of lanes
constexpr double kHalf = 7;       // half the width of a symbol
constexpr double kShortest = 14;  // a shorter strut is seen from its end

struct Lane {
  Vec2 a, along, across;
  double length, off;

  [[nodiscard]] Vec2 at(double s, double h) const { return a + s * along + (off + h) * across; }
  /// Where it leaves the line from a to b, and where it comes back to it.
  [[nodiscard]] double bend() const { return std::min(16.0, 0.12 * length); }
  [[nodiscard]] std::vector<Vec2> head() const { return {at(0, -off), at(bend(), -off), at(bend(), 0)}; }
  [[nodiscard]] std::vector<Vec2> tail() const {
    return {at(length - bend(), 0), at(length - bend(), -off), at(length, -off)};
  }
};

std::vector<Vec2> join(std::vector<Vec2> first, const std::vector<Vec2>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

std::string line_of(const char* kind, double width) {
  return fmt::format(R"(class="{}" stroke-linejoin="round" {})", kind, stroke(kForceColour, width));
}

void draw_spring(Canvas& canvas, const Lane& lane) {
  const double coil = std::min(0.6 * lane.length, 150.0), lead = (lane.length - coil) / 2;
  const int teeth = std::max(4, static_cast<int>(coil / 7));
  std::vector<Vec2> points = join(lane.head(), {lane.at(lead, 0)});
  for (int i = 0; i < teeth; ++i)
    points.push_back(lane.at(lead + coil * (i + 0.5) / teeth, i % 2 == 0 ? kHalf : -kHalf));
  points.push_back(lane.at(lane.length - lead, 0));
  canvas.polyline(join(points, lane.tail()), line_of("spring", 1.6));
}

/// The piston is on a's rod, the cup on b's.
void draw_dashpot(Canvas& canvas, const Lane& lane) {
  const double middle = lane.length / 2, half = std::clamp(0.2 * lane.length, 4.0, 18.0);
  canvas.polyline(join(lane.head(), {lane.at(middle, 0)}), line_of("damper", 1.6));
  canvas.line(lane.at(middle, kHalf - 2), lane.at(middle, 2 - kHalf), line_of("piston", 2.6));
  canvas.polyline({lane.at(middle - half, kHalf), lane.at(middle + half, kHalf),
                   lane.at(middle + half, -kHalf), lane.at(middle - half, -kHalf)},
                  line_of("cup", 1.6));
  canvas.polyline(join({lane.at(middle + half, 0)}, lane.tail()), line_of("damper", 1.6));
}

/// Where its ends are along the lane; an end far outside is left out.
std::vector<double> find_bars(const Lane& lane, const Strut& strut) {
  std::vector<double> bars;
  for (const std::optional<double>& end : {strut.lower, strut.upper}) {
    if (end && *end * lane.length < 3 * lane.length + 200) bars.push_back(*end * lane.length);
  }
  return bars;
}

/// Bars at both ends on a thin line, and a dot where it stands between them.
void draw_stop(Canvas& canvas, const Lane& lane, const Strut& strut) {
  const std::vector<double> bars = find_bars(lane, strut);
  const double far = std::max(lane.length, bars.empty() ? 0.0 : bars.back());
  canvas.polyline(join(lane.head(), {lane.at(far, 0)}), line_of("stop", 0.9));
  if (lane.off != 0)
    canvas.line(lane.at(lane.length, -lane.off), lane.at(lane.length, 0), line_of("stop", 0.9));
  for (const double s : bars) canvas.line(lane.at(s, kHalf), lane.at(s, -kHalf), line_of("stop-end", 2.6));
  canvas.circle(lane.at(lane.length, 0), 2.6, fmt::format(R"(class="stop-now" fill="{}")", kForceColour));
}

/// A stop's name belongs to its end, the others' to their middle.
Vec2 find_name_place(const Lane& lane, const Strut& strut) {
  const std::vector<double> bars = find_bars(lane, strut);
  return lane.at(strut.kind == Strut::stop && !bars.empty() ? bars.back() : lane.length / 2, 0);
}

void draw_strut(Canvas& canvas, const Lane& lane, const Strut& strut) {
  switch (strut.kind) {
    case Strut::spring: return draw_spring(canvas, lane);
    case Strut::dashpot: return draw_dashpot(canvas, lane);
    case Strut::stop: return draw_stop(canvas, lane, strut);
  }
}

using Key = std::array<long, 4>;
Key key_of(Vec2 a, Vec2 b) {
  std::array<long, 2> p{std::lround(a.x), std::lround(a.y)}, q{std::lround(b.x), std::lround(b.y)};
  if (q < p) std::swap(p, q);
  return {p[0], p[1], q[0], q[1]};
}

/// To the right of the way from the lower key to the higher one, so that lanes of a-b and b-a have the same sides.
Vec2 find_across(Vec2 a, Vec2 b) {
  const Vec2 along = (1 / length_of(b - a)) * (b - a);
  const Key key = key_of(a, b);
  const bool turned = key[0] != std::lround(a.x) || key[1] != std::lround(a.y);
  return turned ? -1 * turn_right(along) : turn_right(along);
}

Lane build_lane(const Strut& strut, double off) {
  const double length = length_of(strut.b - strut.a);
  return {strut.a, (1 / length) * (strut.b - strut.a), find_across(strut.a, strut.b), length, off};
}

}  // namespace

std::vector<NamedPlace> draw_struts(Page& page, const std::vector<Strut>& struts,
                                    const std::vector<Ends>& cylinders) {
  std::map<Key, int> count, next;
  std::map<Key, bool> taken;
  for (const auto& [a, b] : cylinders) taken[key_of(a, b)] = true;
  for (const Strut& strut : struts) ++count[key_of(strut.a, strut.b)];
  std::vector<NamedPlace> places;
  for (const Strut& strut : struts) {
    const Key key = key_of(strut.a, strut.b);
    const int number = next[key]++;
    Vec2 middle = 0.5 * (strut.a + strut.b);
    if (length_of(strut.b - strut.a) < kShortest) {
      page.canvas.circle(middle, kHalf, R"(fill="none" )" + line_of("end-on", 1.6));
      page.labels.avoid(middle, kHalf, 2);
    } else {
      const Lane lane =
          build_lane(strut, taken[key] ? kLane * (number + 1) : kLane * (number - (count[key] - 1) / 2.0));
      draw_strut(page.canvas, lane, strut);
      middle = find_name_place(lane, strut);
      page.labels.avoid_line(lane.at(lane.bend(), 0), lane.at(lane.length - lane.bend(), 0), 2, kHalf);
    }
    if (!strut.name.empty()) places.push_back({middle, strut.name});
  }
  return places;
}

void draw_ground(Page& page, const std::vector<Vec2>& feet, Vec2 up) {
  constexpr double kMargin = 24;
  const Vec2 along{-up.y, up.x};  // hatches on its right are below
  const auto slide = [&](Vec2 p) { return along.x * p.x + along.y * p.y; };
  const auto [first, last] =
      std::minmax_element(feet.begin(), feet.end(), [&](Vec2 p, Vec2 q) { return slide(p) < slide(q); });
  draw_hatched(page, *first - kMargin * along, *last + kMargin * along);
}

void draw_drop(Page& page, Vec2 p, Vec2 foot) {
  page.canvas.line(p, foot, line_of("contact", 1) + R"( stroke-dasharray="2 3")");
  page.labels.avoid_line(p, foot, 0.5, 2);
}

void draw_push(Page& page, Vec2 p, Vec2 reach) {
  page.canvas.arrow(p, p + reach, kForceColour);
  page.labels.avoid_line(p, p + reach, 2);
}

void draw_twist(Page& page, Vec2 c, bool positive) {
  constexpr double kRadius = 17, kFrom = -2.0, kTo = 2.2;
  page.canvas.arc_arrow(c, kRadius, positive ? kFrom : kTo, positive ? kTo : kFrom, kForceColour);
  page.labels.avoid(c, kRadius, 2);
}

void draw_payload_mark(Page& page, Vec2 p) {
  constexpr double kRadius = 9;
  page.canvas.circle(p, kRadius, R"(fill="#fff" )" + line_of("payload", 1.6));
  for (const double h : {-5.0, 0.0, 5.0}) {
    const double half = std::sqrt(kRadius * kRadius - h * h) * std::sqrt(0.5), shift = h * std::sqrt(0.5);
    page.canvas.line(p + Vec2{shift - half, shift + half}, p + Vec2{shift + half, shift - half},
                     line_of("hatch", 1));
  }
  page.labels.avoid(p, kRadius + 1, 2);
}

void write_force_names(Page& page, const std::vector<NamedPlace>& places) {
  write_names(page, places,
              {.font_size = 12,
               .clearance = 14,
               .style = fmt::format(R"(class="force" fill="{}" font-style="italic")", kForceColour)});
}

double calc_force_value(Expr value, const std::vector<expr::Parameter>& parameters, double t, double input) {
  expr::Values values;
  for (const Expr symbol : expr::symbols_of({value})) values[symbol->name] = input;
  for (const expr::Parameter& parameter : parameters) values[parameter.name] = parameter.number;
  values[expr::time_symbol()->name] = t;
  return expr::calc_value(value, values);
}

std::array<double, 3> find_push(const std::array<Expr, 3>& value,
                                const std::vector<expr::Parameter>& parameters, double input) {
  for (const double t : {0.0, 0.01, 0.1, 0.37, 1.0, 3.7, 10.0}) {
    std::array<double, 3> push{};
    for (std::size_t i = 0; i < 3; ++i) push[i] = calc_force_value(value[i], parameters, t, input);
    const double most = std::max({std::abs(push[0]), std::abs(push[1]), std::abs(push[2])});
    if (most > 0 && std::isfinite(push[0] + push[1] + push[2])) return push;
  }
  return {};
}

}  // namespace rodeo::machine
