// SPDX-License-Identifier: MIT
#include "tools/rodeo/plot_output.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>

#include "tools/rodeo/output.h"
#include "viz/plot/gnuplot.h"
#include "viz/plot/page.h"

namespace rodeo::tools {
namespace {

constexpr int kLeast = 240;  // below this there is no room between the axes
constexpr int kMost = 10000;

std::string check_ending(const std::string& name) {
  for (const char* ending : {".svg", ".png", ".pdf", ".html"}) {
    if (name.ends_with(ending)) return "";
  }
  return fmt::format("'{}' must end in .svg, .png, .pdf or .html", name);
}

struct Pixels {
  int width, height;
};

std::optional<Pixels> find_size(const std::string& text) {
  Pixels size{};
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, size.width);
  if (first.ec != std::errc() || first.ptr == end || *first.ptr != 'x') return std::nullopt;
  const auto second = std::from_chars(first.ptr + 1, end, size.height);
  const auto is_well = [](int pixels) { return pixels >= kLeast && pixels <= kMost; };
  if (second.ec != std::errc() || second.ptr != end || !is_well(size.width) || !is_well(size.height)) {
    return std::nullopt;
  }
  return size;
}

std::string check_size(const std::string& text) {
  if (find_size(text)) return "";
  return fmt::format("'{}' must be pixels from {} to {}, as in 1280x720", text, kLeast, kMost);
}

plot::Format find_format(const std::string& name) {
  if (name.ends_with(".png")) return plot::Format::png;
  return name.ends_with(".pdf") ? plot::Format::pdf : plot::Format::svg;
}

}  // namespace

CLI::Option* add_picture_options(CLI::App& command, PictureOptions& options) {
  command.add_option("--title", options.title, "Above the picture");
  command.add_option("--size", options.size, "Pixels, as in 1280x720; as the contents need if not given")
      ->check(check_size);
  return command
      .add_option("-o", options.output,
                  "What to write: .svg, .png, .pdf, or .html, which zooms with the mouse")
      ->required()
      ->check(check_ending);
}

void check_picture(const PictureOptions& options, const std::vector<std::string>& read) {
  check_output(options.output, read);
}

void write_picture(plot::Figure figure, const PictureOptions& options) {
  if (!options.title.empty()) figure.title = options.title;
  if (const auto size = find_size(options.size)) {
    figure.width = size->width;
    figure.height = size->height;
  }
  const bool is_page = options.output.ends_with(".html");
  write_file(options.output,
             is_page ? plot::build_page(figure) : plot::draw_by_gnuplot(figure, find_format(options.output)));
}

}  // namespace rodeo::tools
