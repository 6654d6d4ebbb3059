// SPDX-License-Identifier: MIT
#include "kinematics/machine/marks.h"

#include <algorithm>
#include <array>
#include <map>
#include <numbers>

namespace rodeo::machine {
namespace {

struct Shade {
  const char *fill, *dark;
};
constexpr std::array<Shade, 6> kShades{{{"#0072B2", "#005A8C"},
                                        {"#D55E00", "#A84A00"},
                                        {"#009E73", "#00735A"},
                                        {"#CC79A7", "#96447A"},
                                        {"#E69F00", "#8F6200"},
                                        {"#56B4E9", "#1F78A8"}}};

constexpr const char* kGround = "#8a8f94";

/// Two thirds of the light of `#rrggbb`: a pale colour can be read as letters.
std::string build_darker(const std::string& colour) {
  std::string darker = "#";
  for (std::size_t at = 1; at + 1 < colour.size(); at += 2)
    darker += fmt::format("{:02x}", std::stoi(colour.substr(at, 2), nullptr, 16) * 2 / 3);
  return darker;
}

/// The largest 1, 2 or 5 times a power of ten that is not longer.
double calc_round_length(double most) {
  const double power = std::pow(10.0, std::floor(std::log10(most)));
  for (const double digit : {5.0, 2.0}) {
    if (digit * power <= most) return digit * power;
  }
  return power;
}

}  // namespace

Colour find_colour_of(int body, const std::string& own) {
  if (!own.empty()) return {own, build_darker(own)};
  if (body <= 0) return {kGround, build_darker(kGround)};
  const Shade& shade = kShades[static_cast<std::size_t>(body - 1) % kShades.size()];
  return {shade.fill, shade.dark};
}

std::string stroke(const std::string& colour, double width) {
  return fmt::format(R"(stroke="{}" stroke-width="{}")", colour, width);
}

void draw_hatched(Page& page, Vec2 a, Vec2 b) {
  const double length = length_of(b - a);
  const Vec2 along = (1 / length) * (b - a), right = turn_right(along);
  page.canvas.line(a, b, stroke(kInk, 1.4));
  for (double s = 4; s <= length; s += 6) {
    const Vec2 p = a + s * along;
    page.canvas.line(p, p + 5 * (right - along), stroke(kInk, 0.8));
  }
  page.labels.avoid_line(a + 3 * right, b + 3 * right, 2);
}

void draw_support(Page& page, Vec2 p) {
  page.canvas.polygon({p, p + Vec2{11, 18}, p + Vec2{-11, 18}},
                      R"(fill="#e6e6e6" stroke-linejoin="round" )" + stroke(kInk, 1.4));
  draw_hatched(page, p + Vec2{-17, 18}, p + Vec2{17, 18});
  page.labels.avoid(p + Vec2{0, 11}, 11, 2);
}

void draw_outline(Page& page, const std::vector<Vec2>& hull, const Colour& colour, double link) {
  page.canvas.rounded(
      hull, link,
      fmt::format(R"(fill="{0}" fill-opacity="0.22" {1})", colour.fill, stroke(colour.fill, 1.8)));
  for (std::size_t i = 0; i < hull.size(); ++i)
    page.labels.avoid_line(hull[i], hull[(i + 1) % hull.size()], 1, hull.size() > 2 ? 5 : link + 1);
}

void draw_barrel(Page& page, Vec2 a, Vec2 b, double barrel, double link) {
  const double length = length_of(b - a);
  if (length < 1) return;
  const Vec2 along = (1 / length) * (b - a), across{-along.y, along.x};
  const double h = std::clamp(0.7 * link, 4.0, 8.0);
  page.canvas.line(a, b, R"(stroke-linecap="round" )" + stroke("#555", 0.7 * h));
  const Vec2 foot = a + std::min(10.0, 0.1 * length) * along, end = a + barrel * along;
  page.canvas.polygon({foot + h * across, end + h * across, end - h * across, foot - h * across},
                      R"(fill="#c8c8c8" stroke-linejoin="round" )" + stroke("#444", 1.6));
  page.labels.avoid_line(a, b, 2);
}

void write_measure(Page& page, Vec2 at, const std::string& value) {
  page.labels.write(page.canvas, {.text = value,
                                  .anchor = at,
                                  .font_size = 12,
                                  .clearance = 9,
                                  .style = fmt::format(R"(class="measure" fill="{}")", kInk),
                                  .apart = page.apart});
}

std::string measure_text(const Measure& measure, double value) {
  if (measure.kind == MeasureKind::length) return fmt::format("{} = {:.4g} m", measure.name, value);
  const double degrees = value * 180 / std::numbers::pi;
  return fmt::format("{} = {:.4g}°", measure.name, std::abs(degrees) < 1e-9 ? 0.0 : degrees);
}

void draw_dimension(Page& page, Vec2 a, Vec2 b, const std::string& value) {
  const double length = length_of(b - a);
  const Vec2 across = length < 1 ? Vec2{0, 1} : (1 / length) * turn_right(b - a);
  page.canvas.line(a, b, R"(class="measure" )" + stroke(kInk, 0.9) + R"( stroke-dasharray="5 3")");
  for (const Vec2 end : {a, b}) page.canvas.line(end - 7 * across, end + 7 * across, stroke(kInk, 1.2));
  page.labels.avoid_line(a, b, 1);
  write_measure(page, 0.5 * (a + b), value);
}

void draw_output_mark(Page& page, Vec2 p, const std::string& name) {
  page.canvas.circle(p, 8, R"(class="output" fill="none" )" + stroke(kInk, 1.4));
  for (const Vec2 d : {Vec2{1, 0}, Vec2{0, 1}}) {
    page.canvas.line(p - 12 * d, p - 5 * d, stroke(kInk, 1.4));
    page.canvas.line(p + 5 * d, p + 12 * d, stroke(kInk, 1.4));
  }
  page.labels.avoid(p, 10, 2);
  page.labels.write(page.canvas, {.text = name,
                                  .anchor = p,
                                  .font_size = 13,
                                  .clearance = 12,
                                  .style = fmt::format(R"(fill="{}" font-weight="bold")", kInk),
                                  .apart = page.apart});
}

void write_body_name(Page& page, const std::vector<Vec2>& hull, const std::string& name, const Colour& colour,
                     double link) {
  if (hull.empty()) return;
  Vec2 middle{0, 0};
  for (const Vec2 p : hull) middle = middle + (1.0 / static_cast<double>(hull.size())) * p;
  Labels::Label label;
  label.text = name;
  label.anchor = middle;
  label.font_size = 13;
  label.clearance = link + 6;
  label.style = fmt::format(R"(class="body" fill="{}" font-weight="bold")", colour.dark);
  label.leader = false;
  label.apart = page.apart;
  if (hull.size() > 2) label.spots.push_back(middle);
  for (const Vec2 corner : hull) {
    if (hull.size() > 2) label.spots.push_back(0.65 * middle + 0.35 * corner);
  }
  page.labels.write(page.canvas, label);
}

void write_names(Page& page, const std::vector<NamedPlace>& places, Labels::Label label) {
  std::map<std::pair<long, long>, std::size_t> at;
  std::vector<std::pair<Vec2, std::vector<std::string>>> groups;
  for (const auto& [p, name] : places) {
    const auto [it, is_new] = at.try_emplace({std::lround(p.x), std::lround(p.y)}, groups.size());
    if (is_new) groups.push_back({p, {}});
    auto& names = groups[it->second].second;
    if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
  }
  label.apart = page.apart;
  for (const auto& [p, names] : groups) {
    label.text = fmt::format("{}", fmt::join(names, " / "));
    label.anchor = p;
    page.labels.write(page.canvas, label);
  }
}

void draw_scale_bar(Canvas& canvas, Vec2 left, double most, double scale) {
  const double length = calc_round_length(most / scale);
  const Vec2 right = left + Vec2{length * scale, 0};
  canvas.line(left, right, R"(class="scale" )" + stroke(kInk, 2));
  for (const Vec2 p : {left, right}) canvas.line(p - Vec2{0, 5}, p + Vec2{0, 5}, stroke(kInk, 1.4));
  canvas.text(left + Vec2{0, 20}, 12, fmt::format("{:g} m", length), fmt::format(R"(fill="{}")", kInk));
}

std::string count_text(std::size_t n, const char* one, const char* many) {
  return fmt::format("{} {}", n, n == 1 ? one : many);
}

}  // namespace rodeo::machine
