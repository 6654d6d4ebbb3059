// SPDX-License-Identifier: MIT
// Everything is placed in pixels by us: gnuplot's own margins would let stacked panels begin at different places.
#include "viz/plot/gnuplot_script.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <utility>

#include "viz/plot/areas.h"

namespace rodeo::plot {
namespace {

// Pixels.
constexpr double kLabel = 14;   // the middle of the upright axis' label, from the left
constexpr double kLetter = 14;  // from one letter to the next
constexpr double kBarGap = 12;  // from a panel to its bar of colours
constexpr double kBarWidth = 18;

/// A text between single quotes: nothing in it is special to gnuplot, but the quote itself.
std::string quote(const std::string& text) {
  std::string quoted = "'";
  for (const char c : text) {
    if (c == '\'') quoted += '\'';
    quoted += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return quoted + "'";
}

/// Thinned to what the picture can show.
Series thin(const Series& series, const Size& size) {
  const auto kept = find_kept(series.x, series.y, static_cast<std::size_t>(size.width));
  Series result = series;
  result.x = pick(series.x, kept);
  result.y = pick(series.y, kept);
  if (!series.shade.empty()) result.shade = pick(series.shade, kept);
  return result;
}

class Script {
 public:
  Script(const Figure& figure, Format format, const std::string& output)
      : figure_(figure), size_(calc_size(figure)), areas_(calc_areas(figure, size_)) {
    begin(format, output);
    for (std::size_t i = 0; i < figure.panels.size(); ++i) add_panel(i);
    add("unset multiplot\nunset output\n");
  }
  std::string take() { return std::move(text_); }

 private:
  template <typename... Args>
  void add(fmt::format_string<Args...> format, Args&&... args) {
    fmt::format_to(std::back_inserter(text_), format, std::forward<Args>(args)...);
  }

  void begin(Format format, const std::string& output) {
    constexpr double kDotsPerInch = 96;
    switch (format) {
      case Format::svg:
        add("set terminal svg size {},{} dynamic standalone noenhanced font 'DejaVu Sans,13' background "
            "'#ffffff'\n",
            size_.width, size_.height);
        break;
      case Format::png:
        add("set terminal pngcairo size {},{} noenhanced font 'DejaVu Sans,10' background '#ffffff'\n",
            size_.width, size_.height);
        break;
      case Format::pdf:
        add("set terminal pdfcairo size {}in,{}in noenhanced font 'DejaVu Sans,10' background '#ffffff'\n",
            size_.width / kDotsPerInch, size_.height / kDotsPerInch);
        break;
    }
    add("set encoding utf8\nset output {}\nset datafile missing 'nan'\nset multiplot\n", quote(output));
    if (!figure_.title.empty()) {
      add("set label 1000 {} at screen {},{} center font ',15'\n", quote(figure_.title),
          (areas_[0].left + areas_[0].right) / 2 / size_.width, 1 - (kTop + 8.0) / size_.height);
    }
    add("set grid lc rgb '#dddddd' lt 1 lw 0.5\nset border lc rgb '#444444'\nset tics textcolor rgb "
        "'black'\n");
  }

  void add_panel(std::size_t index) {
    const Panel& panel = figure_.panels[index];
    const Area& area = areas_[index];
    add_data(index);
    place(panel, area, index + 1 == figure_.panels.size() || panel.is_equal);
    add_marks(panel, area);
    add_plot(index);
    add("unset arrow\nunset label\n");  // the title's too: it is drawn
  }

  /// Margins and ranges.
  void place(const Panel& panel, const Area& area, bool has_x_axis) {
    add("set lmargin at screen {:.6f}\nset rmargin at screen {:.6f}\n", area.left / size_.width,
        area.right / size_.width);
    add("set tmargin at screen {:.6f}\nset bmargin at screen {:.6f}\n", 1 - area.top / size_.height,
        1 - area.bottom / size_.height);
    Frame frame = calc_frame(panel);
    if (panel.is_equal) frame = calc_equal(frame, area.right - area.left, area.bottom - area.top);
    frame_ = frame;
    add("set xrange [{:.10g}:{:.10g}]\nset yrange [{:.10g}:{:.10g}]\n", frame.x.low, frame.x.high,
        frame.y.low, frame.y.high);
    add_y_numbers(panel);
    // Not by `set ylabel`, which is left out where the numbers of the axis are long.
    add("set label {} at screen {:.6f},{:.6f} center rotate by 90\n", quote(panel.y_label),
        kLabel / size_.width, 1 - (area.top + area.bottom) / 2 / size_.height);
    add("set xlabel {}\nset format x {}\n", quote(has_x_axis ? panel.x_label : ""),
        has_x_axis ? "'%g'" : "''");
    if (has_legend(panel)) {
      add("set key at screen {:.6f},{:.6f} left bottom horizontal Left reverse samplen 3\n",
          area.left / size_.width, 1 - (area.top - 2) / size_.height);
    } else {
      add("unset key\n");
    }
    if (has_shades(panel)) add_palette(panel, area);
  }

  /// Whole powers of ten, about eight of them, where y is one.
  void add_y_numbers(const Panel& panel) {
    const double step = std::max(1.0, std::ceil((frame_.y.high - frame_.y.low) / 8));
    if (panel.is_log)
      add("set format y '1e%g'\nset ytics {:g}\n", step);
    else
      add("set format y '%g'\nset ytics autofreq\n");
  }

  void add_palette(const Panel& panel, const Area& area) {
    add("set palette defined (");
    for (std::size_t i = 0; i < kShadeCount; ++i) {
      add("{}{} '#{:02x}{:02x}{:02x}'", i == 0 ? "" : ", ", i, kShades[i].red, kShades[i].green,
          kShades[i].blue);
    }
    add(")\nset cbrange [{:.6g}:{:.6g}]\nset cblabel {}\n", panel.shade.low, panel.shade.high,
        quote(panel.shade_label));
    // Gnuplot's own bar is the wider the wider the panel, and pushes its label off the picture.
    add("set colorbox user origin screen {:.6f},{:.6f} size screen {:.6f},{:.6f}\n",
        (area.right + kBarGap) / size_.width, 1 - area.bottom / size_.height, kBarWidth / size_.width,
        (area.bottom - area.top) / size_.height);
  }

  /// Letters that would cover each other go to lower rows.
  void add_marks(const Panel& panel, const Area& area) {
    constexpr std::size_t kRows = 3;
    const double scale = (area.right - area.left) / (frame_.x.high - frame_.x.low);
    double last[kRows] = {-1e9, -1e9, -1e9};
    for (const Mark& mark : panel.marks) {
      if (mark.y) {
        add("set label {} at {:.10g},{:.10g} {} point pt 7 ps 0.7 lc rgb 'black' offset {},{} front\n",
            quote(mark.text), mark.x, *mark.y, mark.is_left ? "right" : "left", mark.is_left ? -0.7 : 0.7,
            mark.is_below ? -0.5 : 0.5);
        continue;
      }
      const double x = (mark.x - frame_.x.low) * scale;
      std::size_t row = 0;
      while (row + 1 < kRows && x - last[row] < kLetter) ++row;
      last[row] = x;
      add("set arrow from {0:.10g}, graph 0 to {0:.10g}, graph 1 nohead dt 3 lc rgb '#888888'\n", mark.x);
      const bool is_at_end = area.right - area.left - x < kLetter;  // its letter stands before the line
      add("set label {} at {:.10g}, graph 1 {} offset {},{} front\n", quote(mark.text), mark.x,
          is_at_end ? "right" : "left", is_at_end ? -0.3 : 0.3, -0.7 - 0.9 * static_cast<double>(row));
    }
  }

  void add_data(std::size_t panel_index) {
    const Panel& panel = figure_.panels[panel_index];
    if (panel.field) add_field(*panel.field, panel.shade, panel_index);
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      const Series series = thin(panel.series[i], size_);
      add("$p{}s{} << EOD\n", panel_index, i);
      bool is_parted = true;
      for (std::size_t k = 0; k < series.x.size(); ++k) {
        // A blank line parts curves; a missing value would be drawn across, and two blank lines begin another set.
        const bool is_gap = !std::isfinite(series.x[k]) || !std::isfinite(series.y[k]);
        if (is_gap && !std::exchange(is_parted, true)) add("\n");
        if (is_gap) continue;
        is_parted = false;
        add("{:.9g} {:.9g}", series.x[k], series.y[k]);
        if (!series.shade.empty()) add(" {:.6g}", series.shade[k]);
        add("\n");
      }
      add("EOD\n");
    }
    for (std::size_t i = 0; i < panel.drawings.size(); ++i) {
      const Drawing& drawing = panel.drawings[i];
      add("$p{}d{} << EOD\n", panel_index, i);
      for (std::size_t k = 0; k < drawing.x.size(); ++k) {
        if (std::isnan(drawing.x[k]))
          add("\n");  // a blank line parts curves
        else
          add("{:.9g} {:.9g}\n", drawing.x[k], drawing.y[k]);
      }
      add("EOD\n");
    }
  }

  void add_field(const Field& field, const Range& shade, std::size_t panel_index) {
    add("$p{}f << EOD\n", panel_index);
    for (std::size_t i = 0; i < field.values.size(); ++i) {
      const double value = field.values[i];
      const Colour colour = calc_shade((value - shade.low) / (shade.high - shade.low));
      const std::size_t row = i / field.width;
      const double x = field.x0 + field.cell * static_cast<double>(i % field.width);
      const double y = field.y0 + field.cell * static_cast<double>(row);
      if (std::isnan(value))
        add("{:.7g} {:.7g} 255 255 255 0\n", x, y);
      else
        add("{:.7g} {:.7g} {} {} {} 255\n", x, y, colour.red, colour.green, colour.blue);
    }
    add("EOD\n");
  }

  void add_plot(std::size_t panel_index) {
    const Panel& panel = figure_.panels[panel_index];
    std::vector<std::string> parts;
    if (panel.field) {
      parts.push_back(fmt::format("$p{}f using 1:2:3:4:5:6 with rgbalpha notitle", panel_index));
      parts.emplace_back("NaN with points palette notitle");  // brings the bar of colours
    }
    for (std::size_t i = 0; i < panel.series.size(); ++i) {
      const Series& series = panel.series[i];
      const std::string title = series.name.empty() ? "notitle" : "title " + quote(series.name);
      const std::string look =
          series.shade.empty() ? fmt::format("lc rgb '{}' dt {}", kColours[series.colour],
                                             series.dash == 0 ? "solid" : fmt::to_string(series.dash % 5 + 1))
                               : "lc palette";
      parts.push_back(fmt::format("$p{}s{} using {} with lines lw {} {} {}", panel_index, i,
                                  series.shade.empty() ? "1:2" : "1:2:3", series.shade.empty() ? 1.8 : 4.0,
                                  look, title));
    }
    for (std::size_t i = 0; i < panel.drawings.size(); ++i) {
      const Drawing& drawing = panel.drawings[i];
      parts.push_back(fmt::format("$p{}d{} with {} lw {} lc rgb '#111111' notitle", panel_index, i,
                                  drawing.has_dots ? "linespoints pt 7 ps 0.5" : "lines", drawing.width));
    }
    add("plot {}\n", fmt::join(parts, ", \\\n     "));
  }

  const Figure& figure_;
  Size size_;
  std::vector<Area> areas_;
  Frame frame_{};
  std::string text_;
};

}  // namespace

std::string build_gnuplot_script(const Figure& figure, Format format, const std::string& output) {
  return Script(figure, format, output).take();
}

}  // namespace rodeo::plot
