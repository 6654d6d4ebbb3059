// SPDX-License-Identifier: MIT
// The data as JSON of our own: numbers short, and a column that several curves share once.
#include "viz/plot/page.h"

#include <fmt/format.h>

#include <cmath>
#include <iterator>

#include "viz/plot/areas.h"
#include "viz/plot/page_draw.h"
#include "viz/plot/page_mouse.h"
#include "viz/plot/page_text.h"

namespace rodeo::plot {
namespace {

/// Four points a column: up to 48 000 points a curve, which a browser draws at once.
constexpr std::size_t kColumns = 12000;

/// A JSON string that is safe within <script>.
std::string quote_json(const std::string& text) {
  std::string quoted = "\"";
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (code < 0x20 || c == '"' || c == '\\' || c == '<')
      quoted += fmt::format("\\u{:04x}", code);
    else
      quoted += c;
  }
  return quoted + '"';
}

/// The same for the text of the page.
std::string escape_html(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<')
      escaped += "&lt;";
    else if (c == '&')
      escaped += "&amp;";
    else
      escaped += c;
  }
  return escaped;
}

class PageData {
 public:
  explicit PageData(const Figure& figure) {
    std::vector<std::string> panels;
    for (const Panel& panel : figure.panels) panels.push_back(build(panel));
    const Size size = calc_size(figure);
    text_ =
        fmt::format(R"({{"width":{},"height":{},"colours":[{}],"shades":[{}],"panels":[{}],"columns":[{}]}})",
                    size.width, size.height, build_colours(), build_shades(), fmt::join(panels, ",\n"),
                    fmt::join(columns_text_, ",\n"));
  }
  [[nodiscard]] const std::string& text() const { return text_; }

 private:
  static std::string build_colours() {
    std::vector<std::string> quoted;
    for (const char* colour : kColours) quoted.push_back(quote_json(colour));
    return fmt::to_string(fmt::join(quoted, ","));
  }

  static std::string build_shades() {
    std::vector<std::string> triples;
    for (const Colour& c : kShades) triples.push_back(fmt::format("[{},{},{}]", c.red, c.green, c.blue));
    return fmt::to_string(fmt::join(triples, ","));
  }

  static std::string build_numbers(const std::vector<double>& values) {
    std::string text = "[";
    auto out = std::back_inserter(text);
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (i > 0) text += ',';
      if (std::isfinite(values[i]))
        fmt::format_to(out, "{:.9g}", values[i]);
      else
        text += "null";
    }
    return text + "]";
  }

  std::size_t add_column(std::vector<double> values) {
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      if (columns_[i] == values) return i;
    }
    columns_text_.push_back(build_numbers(values));
    columns_.push_back(std::move(values));
    return columns_.size() - 1;
  }

  std::string build(const Series& series) {
    const auto kept = find_kept(series.x, series.y, kColumns);
    const std::size_t x = add_column(pick(series.x, kept)), y = add_column(pick(series.y, kept));
    std::string shade;
    if (!series.shade.empty()) shade = fmt::format(R"(,"shade":{})", add_column(pick(series.shade, kept)));
    return fmt::format(R"({{"name":{},"x":{},"y":{},"colour":{},"dash":{}{}}})", quote_json(series.name), x,
                       y, series.colour, series.dash, shade);
  }

  std::string build(const Drawing& drawing) {
    return fmt::format(R"({{"x":{},"y":{},"width":{},"dots":{}}})", add_column(drawing.x),
                       add_column(drawing.y), drawing.width, drawing.has_dots);
  }

  static std::string build(const Mark& mark) {
    return fmt::format(R"([{:.9g},{},{},{},{}])", mark.x, mark.y ? fmt::format("{:.9g}", *mark.y) : "null",
                       quote_json(mark.text), mark.is_left, mark.is_below);
  }

  /// Runs of equal cells: count, thousandth of the shade (-1: none), count ...
  static std::string build(const Field& field, const Range& shade) {
    std::vector<int> runs;
    for (const double value : field.values) {
      const double part = (value - shade.low) / (shade.high - shade.low);
      const int code = std::isnan(value) ? -1 : static_cast<int>(std::lround(1000 * part));
      if (!runs.empty() && runs.back() == code)
        ++runs[runs.size() - 2];
      else
        runs.insert(runs.end(), {1, code});
    }
    return fmt::format(R"({{"x0":{:.9g},"y0":{:.9g},"cell":{:.9g},"width":{},"height":{},"runs":[{}]}})",
                       field.x0, field.y0, field.cell, field.width, field.height, fmt::join(runs, ","));
  }

  std::string build(const Panel& panel) {
    std::vector<std::string> series, drawings, marks;
    for (const Series& each : panel.series) series.push_back(build(each));
    for (const Drawing& each : panel.drawings) drawings.push_back(build(each));
    for (const Mark& each : panel.marks) marks.push_back(build(each));
    const Frame frame = calc_frame(panel);
    return fmt::format(
        R"({{"x":{},"y":{},"equal":{},"path":{},"log":{},"frame":[{:.9g},{:.9g},{:.9g},{:.9g}],"series":[{}],"drawings":[{}],"marks":[{}],)"
        R"("shade":{},"shadeRange":[{:.9g},{:.9g}],"field":{}}})",
        quote_json(panel.x_label), quote_json(panel.y_label), panel.is_equal, panel.is_path, panel.is_log,
        frame.x.low, frame.x.high, frame.y.low, frame.y.high, fmt::join(series, ","),
        fmt::join(drawings, ","), fmt::join(marks, ","), quote_json(panel.shade_label), panel.shade.low,
        panel.shade.high, panel.field ? build(*panel.field, panel.shade) : "null");
  }

  std::vector<std::vector<double>> columns_;
  std::vector<std::string> columns_text_;
  std::string text_;
};

}  // namespace

std::string build_page(const Figure& figure) {
  const std::string title = escape_html(figure.title);
  return fmt::format("{}<title>{}</title>\n{}<h1>{}</h1>\n{}const figure = {};\n{}{}", kPageHead,
                     title.empty() ? "rodeo plot" : title, kPageStyle, title, kPageBody,
                     PageData(figure).text(), kPageDraw, kPageMouse);
}

}  // namespace rodeo::plot
