// SPDX-License-Identifier: MIT
#include "viz/app/hud.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "engine/session/key_map.h"
#include "viz/app/canvas.h"
#include "viz/feed/chart.h"

namespace rodeo::viz {
namespace {

using Align = Canvas::Align;

constexpr double kEdge = 14;  // from the window's edge
constexpr double kLine = 21;  // from one line of text to the next
constexpr double kText = 14;  // size of letters
constexpr double kSmall = 12;
constexpr double kDegree = 180 / 3.14159265358979323846;
constexpr double kChartSeconds = 10;

const osg::Vec4f kPanel(0.06F, 0.08F, 0.11F, 0.8F);
const osg::Vec4f kTrough(1, 1, 1, 0.16F);
const osg::Vec4f kInk(0.95F, 0.96F, 0.97F, 1);
const osg::Vec4f kFaint(0.72F, 0.76F, 0.80F, 1);
const osg::Vec4f kBlue(0.34F, 0.71F, 0.91F, 1);
const osg::Vec4f kGreen(0.30F, 0.78F, 0.55F, 1);
const osg::Vec4f kAmber(0.95F, 0.72F, 0.20F, 1);
const osg::Vec4f kRed(0.95F, 0.38F, 0.30F, 1);

osg::Vec4f mood_colour(Mood mood) {
  return mood == Mood::good ? kGreen : mood == Mood::warning ? kAmber : kRed;
}

std::string quantity(double value, const std::string& unit) {
  if (!std::isfinite(value)) return "-";
  const bool is_angle = unit.starts_with("rad");
  const double scale = is_angle ? 10 : 1000;  // one digit behind the point, or three
  // Rounded first, and a zero has no sign.
  const double shown = std::round(value * (is_angle ? kDegree : 1) * scale) / scale + 0.0;
  if (is_angle) return fmt::format("{:.1f}°{}", shown, unit.substr(3));
  return fmt::format("{:.3f} {}", shown, unit);
}

struct Help {
  std::string key;
  std::string what;
};
static_assert(engine::kVerbKeys.size() % 2 == 0);
const Help kViewHelp[]{{"F1 - F4", "camera: orbit, follow, side, cab"},
                       {"mouse", "left turns, right or middle shifts, wheel zooms"},
                       {"v", "camera back to its place"},
                       {"t j w", "trails, joint names, velocity arrows"},
                       {"x l u", "body frames, shadow, figures"},
                       {"p", "picture into rodeo_view_*.png"},
                       {"h", "this help"},
                       {"Esc  q", "end"}};
const Help kReplayHelp[]{{"space", "pause and go on"}, {".   ,", "one state on, one back"},
                         {"[   ]", "slower, faster"},  {"← →", "one second back, on"},
                         {"Home End", "begin, end"},   {"n", "next phase"}};

/// With --command: the map of `rodeo run` and `rodeo drive`, two keys a line.
std::vector<Help> build_live_help() {
  std::vector<Help> lines;
  for (std::size_t i = 0; i < engine::kVerbKeys.size(); i += 2) {
    const auto& first = engine::kVerbKeys[i];
    const auto& second = engine::kVerbKeys[i + 1];
    lines.push_back(
        {fmt::format("{}   {}", first.key, second.key), fmt::format("{}, {}", first.what, second.what)});
  }
  lines.push_back({std::string(engine::kLoadKeys), "initial condition of that number"});
  lines.push_back({"↑ ↓ ← →", "drive the first and the second drive"});
  return lines;
}

}  // namespace

struct Hud::Parts {
  const Scene& scene;
  Canvas canvas;
  std::vector<Signal> charts;
  bool is_on = true;
  bool shows_help = false;

  Parts(const Scene& given, const ViewOptions& options) : scene(given), is_on(options.has_hud) {
    for (const std::string& name : options.charts) charts.emplace_back(given, name);
  }

  void row(double x, double& y, double width, const std::string& name, const std::string& value,
           const osg::Vec4f& colour = kInk) {
    canvas.text(x, y, kText, name, kFaint);
    canvas.text(x + width, y, kText, value, colour, Align::right);
    y += kLine;
  }

  /// Bar from the lower to the upper end; without ends only the figure.
  void drive_bar(double x, double& y, double width, const SceneDrive& drive, const DriveState& state) {
    canvas.text(x, y, kText, drive.name, kFaint);
    canvas.text(x + width, y, kText, quantity(state.position, drive.unit), kInk, Align::right);
    y += 6;
    if (drive.lower && drive.upper && *drive.upper > *drive.lower && std::isfinite(state.position)) {
      const double u = std::clamp((state.position - *drive.lower) / (*drive.upper - *drive.lower), 0.0, 1.0);
      canvas.rectangle(x, y, width, 7, kTrough);
      canvas.rectangle(x, y, width * u, 7, u > 0.001 && u < 0.999 ? kBlue : kAmber);
      y += 5;
    }
    y += kLine;
  }

  void left_panel(const HudState& state) {
    constexpr double kWidth = 232;
    const double height = 50 + 32 * static_cast<double>(scene.drives.size());
    canvas.rectangle(kEdge, kEdge, kWidth + 24, height, kPanel);
    const double x = kEdge + 12;
    double y = kEdge + 24;
    canvas.text(x, y, 17, scene.name, kInk);
    y += 28;
    if (!state.has_data) return;
    for (std::size_t d = 0; d < scene.drives.size(); ++d)
      drive_bar(x, y, kWidth, scene.drives[d], state.sample.drives[d]);
  }

  void right_panel(const HudState& state) {
    constexpr double kWidth = 226;
    const Sample& sample = state.sample;
    const double x = canvas.width() - kEdge - kWidth - 12;
    const bool has_tip = !scene.outputs.empty();
    // Without a source only the start pose is known.
    const bool has_states = state.is_live || !state.source.empty();
    const int rows = (has_states ? 6 : 1) + (has_tip ? 2 : 0) + static_cast<int>(scene.measures.size());
    canvas.rectangle(x - 12, kEdge, kWidth + 24, 22 + kLine * rows, kPanel);
    double y = kEdge + 24;
    Condition condition = describe_status(sample.status);
    if (!state.has_data) condition = {"no states yet", Mood::warning};
    if (!state.is_live && sample.status == 0) condition = {state.is_paused ? "pause" : "replay", Mood::good};
    if (!has_states) condition = {"start pose", Mood::good};
    row(x, y, kWidth, "state", condition.text, mood_colour(condition.mood));
    if (has_tip) tip_rows(x, y, kWidth, sample);
    for (std::size_t m = 0; m < scene.measures.size(); ++m)
      row(x, y, kWidth, scene.measures[m].name,
          quantity(sample.measures[m].position, scene.measures[m].unit));
    if (!has_states) return;
    row(x, y, kWidth, "time", fmt::format("{:.3f} s", sample.time));
    row(x, y, kWidth, state.is_live ? "packets" : "rate", fmt::format("{:.0f} Hz", state.rate));
    row(x, y, kWidth, "lost ticks", fmt::format("{}", sample.lost), sample.lost == 0 ? kInk : kAmber);
    row(x, y, kWidth, "closure error",
        std::isnan(sample.residual) ? "-" : fmt::format("{:.1e} m", sample.residual),
        sample.residual >= 1e-6 ? kRed : kInk);
    row(x, y, kWidth, "margin", std::isnan(sample.margin) ? "-" : fmt::format("{:.3f}", sample.margin),
        sample.margin <= 0.01  ? kRed
        : sample.margin <= 0.1 ? kAmber
                               : kInk);
  }

  /// Of the body that carries the first output: a bucket, mostly.
  void tip_rows(double x, double& y, double width, const Sample& sample) {
    const SceneOutput& tip = scene.outputs[0];
    if (!scene.is_spatial) {
      row(x, y, width, scene.bodies[tip.at.body].name + " angle",
          quantity(sample.bodies[tip.at.body].pose.angle, "rad"));
    }
    row(x, y, width, tip.name + " height", quantity(calc_place(scene, sample, tip.at).y, "m"));
  }

  void replay_bar(const HudState& state) {
    const double y = kCanvasHeight - kBarBottom, x = kBarEdge, width = canvas.width() - 2 * x;
    canvas.rectangle(kEdge, y - 26, canvas.width() - 2 * kEdge, 44, kPanel);
    canvas.rectangle(x, y, width, 6, kTrough);
    const double span = std::max(state.end - state.begin, 1e-9);
    const auto place = [&](double t) { return x + width * std::clamp((t - state.begin) / span, 0.0, 1.0); };
    canvas.rectangle(x, y, place(state.sample.time) - x, 6, kBlue);
    canvas.rectangle(place(state.sample.time) - 2, y - 4, 4, 14, kInk);
    for (const auto& [time, name] : state.phases) {
      canvas.rectangle(place(time) - 0.5, y - 3, 1, 12, kAmber);
      canvas.text(place(time) + 3, y - 5, kSmall, name, kAmber);
    }
    const std::string left =
        fmt::format("{:.2f} s of {:.2f} s{}", state.sample.time, state.end, state.is_paused ? ", pause" : "");
    canvas.text(x, y - 9, kSmall, state.phases.empty() ? left : "", kFaint);
    canvas.text(x + width, y - 9, kSmall, fmt::format("{}x   h: help", state.speed), kFaint, Align::right);
  }

  /// The last seconds of a signal, scaled to what it did in them.
  void chart(double x, double y, double width, double height, const Signal& signal, const Sample& sample,
             const Track& track) {
    canvas.rectangle(x, y, width, height, kPanel);
    const ChartLines lines = build_chart(track, scene, signal, sample, kChartSeconds);
    canvas.text(x + 8, y + 16, kSmall, signal.name(), kFaint);
    canvas.text(x + width - 8, y + 16, kSmall, quantity(signal.calc_value(scene, sample), signal.unit()),
                kInk, Align::right);
    double low = INFINITY, high = -INFINITY;
    for (const auto& line : lines) {
      for (const auto& [t, v] : line) low = std::min(low, v), high = std::max(high, v);
    }
    if (low > high) return;
    const double from = sample.time - kChartSeconds, middle = (low + high) / 2;
    const double half = std::max({(high - low) / 2, 1e-9, 1e-6 * std::abs(middle)});
    for (const auto& line : lines) {
      std::vector<osg::Vec2d> points;
      for (const auto& [t, v] : line) {
        points.emplace_back(x + 6 + (width - 12) * std::clamp((t - from) / kChartSeconds, 0.0, 1.0),
                            y + 24 + (height - 32) * (0.5 - 0.5 * (v - middle) / half));
      }
      canvas.line(points, kBlue);
    }
  }

  void charts_panel(const HudState& state, const Track* track) {
    if (track == nullptr || track->empty()) return;
    constexpr double kWidth = 300, kHeight = 86;
    double y = kCanvasHeight - (state.is_live ? kEdge : 66) - kHeight;
    for (const Signal& signal : charts) {
      chart(kEdge, y, kWidth, kHeight, signal, state.sample, *track);
      y -= kHeight + 6;
    }
  }

  void notices(const HudState& state) {
    double y = 64;
    if (!state.notice.empty()) {
      const double width = canvas.calc_text_width(22, state.notice) + 60;
      canvas.rectangle((canvas.width() - width) / 2, y - 32, width, 46,
                       osg::Vec4f(0.62F, 0.12F, 0.08F, 0.92F));
      canvas.text(canvas.width() / 2, y, 22, state.notice, kInk, Align::centre);
      y += 40;
    }
    for (const std::string& warning : state.warnings) {
      for (const std::string& line : wrap(warning, canvas.width() - 60)) {
        const double width = canvas.calc_text_width(kSmall, line) + 30;
        canvas.rectangle((canvas.width() - width) / 2, y - 17, width, 25, kPanel);
        canvas.text(canvas.width() / 2, y, kSmall, line, kAmber, Align::centre);
        y += 25;
      }
      y += 3;
    }
  }

  /// Into lines that are not wider; a word that is, as the name of a file, stands alone.
  std::vector<std::string> wrap(const std::string& text, double width) {
    std::vector<std::string> lines(1);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      const std::string word = text.substr(at, end - at);
      const std::string longer = lines.back().empty() ? word : lines.back() + ' ' + word;
      if (lines.back().empty() || canvas.calc_text_width(kSmall, longer) <= width)
        lines.back() = longer;
      else
        lines.push_back(word);
      at = end + 1;
    }
    return lines;
  }

  void help(const HudState& state) {
    const std::vector<Help> live = build_live_help();
    const std::span<const Help> more = state.is_live ? std::span<const Help>(live) : kReplayHelp;
    const auto rows = static_cast<double>(std::size(kViewHelp) + more.size());
    const double width = 470, height = 40 + 24 * rows, x = (canvas.width() - width) / 2;
    double y = (kCanvasHeight - height) / 2;
    canvas.rectangle(x, y, width, height, osg::Vec4f(0.06F, 0.08F, 0.11F, 0.9F));
    y += 34;
    for (const auto& list : {more, std::span<const Help>(kViewHelp)}) {
      for (const Help& line : list) {
        canvas.text(x + 20, y, kText, line.key, kBlue);
        canvas.text(x + 125, y, kText, line.what, kInk);
        y += 24;
      }
    }
  }
};

Hud::Hud(const Scene& scene, const ViewOptions& options) : parts_(std::make_unique<Parts>(scene, options)) {}
Hud::~Hud() = default;
osg::Node* Hud::root() const noexcept { return parts_->canvas.camera(); }
const std::vector<PixelBox>& Hud::panels() const noexcept { return parts_->canvas.covered(); }
void Hud::toggle_help() { parts_->shows_help = !parts_->shows_help; }
void Hud::toggle() { parts_->is_on = !parts_->is_on; }

void Hud::update(const HudState& state, const Track* track, int width, int height) {
  parts_->canvas.begin(width, height);
  if (parts_->is_on) {
    parts_->left_panel(state);
    parts_->right_panel(state);
    if (!state.is_live && state.end > state.begin) parts_->replay_bar(state);
    parts_->charts_panel(state, track);
  }
  if (parts_->is_on || state.is_live) parts_->notices(state);
  if (parts_->shows_help) parts_->help(state);
  parts_->canvas.end();
}

}  // namespace rodeo::viz
