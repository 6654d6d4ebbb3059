// SPDX-License-Identifier: MIT
// Sections of equations as a page of text, LaTeX or HTML, numbered through.
#include <fmt/format.h>

#include <algorithm>

#include "kinematics/reduction/equations.h"
#include "kinematics/reduction/latex.h"

namespace rodeo::reduction {
namespace {

/// Characters, not bytes: names may be in any alphabet.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

std::string pad(const std::string& text, std::size_t width) {
  const std::size_t own = width_of(text);
  return text + std::string(own < width ? width - own : 0, ' ');
}

std::string render_text(const std::string& title, const std::vector<ShownSection>& sections) {
  std::string page = title + "\n";
  std::size_t width = 0;
  for (const ShownSection& section : sections) {
    for (const ShownEquation& equation : section.equations) {
      if (width_of(equation.left) < 32) width = std::max(width, width_of(equation.left));
    }
  }
  int number = 0;
  for (const ShownSection& section : sections) {
    page += section.heading.empty() ? "\n" : "\n" + section.heading + "\n";
    for (const ShownEquation& equation : section.equations) {
      const std::string unit = equation.unit.empty() ? "" : "   [" + equation.unit + "]";
      page +=
          fmt::format("  ({:>2})  {} = {}{}\n", ++number, pad(equation.left, width), equation.right, unit);
    }
  }
  return page;
}

/// What is needed to compile it; a fragment needs the same packages where it is put.
constexpr const char* kPreamble = R"(\documentclass{article}
\usepackage{amsmath,graphicx}
\usepackage[a4paper,margin=20mm]{geometry}
\allowdisplaybreaks
\begin{document}
)";

std::string render_latex(const std::string& title, const std::vector<ShownSection>& sections,
                         bool is_fragment) {
  std::string page = is_fragment ? "% needs \\usepackage{amsmath,graphicx}\n" : kPreamble;
  page += "\\section*{\\raggedright " + escape_latex(title) + "}\n";
  for (const ShownSection& section : sections) {
    if (!section.heading.empty()) page += "\\paragraph{" + escape_latex(section.heading) + "}\\sloppy\n";
    for (const ShownEquation& equation : section.equations)
      page += latex_equation(equation.left, equation.right, equation.unit);
  }
  return is_fragment ? page : page + "\\end{document}\n";
}

std::string escape_html(const std::string& text) {
  std::string safe;
  for (const char c : text)
    safe += c == '<' ? "&lt;" : c == '>' ? "&gt;" : c == '&' ? "&amp;" : std::string(1, c);
  return safe;
}

constexpr const char* kStyle = R"(<style>
body { font-family: Georgia, 'Times New Roman', serif; margin: 2em auto; max-width: 75em; color: #111; }
h1 { font-size: 1.3em; } h2 { font-size: 1em; color: #555; font-weight: normal; margin-top: 1.5em; }
table { border-collapse: collapse; } td { padding: 0.5em 0.4em; vertical-align: middle; }
td.left { text-align: right; white-space: nowrap; } td.number { color: #888; padding-right: 1.5em; }
.frac { display: inline-flex; flex-direction: column; vertical-align: middle; text-align: center; margin: 0 0.2em; }
.frac > span { padding: 0 0.3em; } .frac > span:first-child { border-bottom: 1px solid #111; }
</style>)";

std::string render_html(const std::string& title, const std::vector<ShownSection>& sections) {
  std::string page = fmt::format(
      "<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
      "charset=\"utf-8\"><title>{0}</title>\n{1}\n</head><body>\n<h1>{0}</h1>\n",
      escape_html(title), kStyle);
  int number = 0;
  for (const ShownSection& section : sections) {
    if (!section.heading.empty()) page += "<h2>" + escape_html(section.heading) + "</h2>\n";
    page += "<table>\n";
    for (const ShownEquation& equation : section.equations) {
      page += fmt::format(
          "<tr><td class=\"number\">({})</td><td class=\"left\">{}</td><td>=</td><td>{}</td><td "
          "class=\"number\">{}</td></tr>\n",
          ++number, equation.left, equation.right, equation.unit);
    }
    page += "</table>\n";
  }
  return page + "</body></html>\n";
}

}  // namespace

std::string render(const std::string& title, const std::vector<ShownSection>& sections, Format format,
                   bool is_fragment) {
  switch (format) {
    case Format::latex: return render_latex(title, sections, is_fragment);
    case Format::html: return render_html(title, sections);
    default: return render_text(title, sections);
  }
}

}  // namespace rodeo::reduction
