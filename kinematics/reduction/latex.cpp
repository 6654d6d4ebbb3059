// SPDX-License-Identifier: MIT
// Scanning and breaking LaTeX that Shower wrote. A piece is what stays on one line: a symbol with its indices, a fraction, a
// bracket, an operator.
#include "kinematics/reduction/latex.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>

namespace rodeo::reduction {
namespace {

constexpr double kIndex = 0.75;   // size of an index
constexpr double kLetter = 0.56;  // em
constexpr double kLine = 40;      // em of a page's line that an equation may fill
constexpr double kLongLeft = 14;  // em of a left side that has a line of its own
constexpr double kIndent = 2;     // em of the lines after the first

struct Piece {
  std::string text;
  double width = 0;
  bool is_sign = false;  // a line may begin with it
  int depth = 0;         // of brackets around it
};

std::size_t find_group_end(const std::string& text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '\\') {
      ++i;
    } else if (text[i] == '{') {
      ++depth;
    } else if (text[i] == '}' && --depth == 0) {
      return i;
    }
  }
  return text.size() - 1;
}

/// The content of the group that begins at or behind `at`, which is moved behind it.
std::string read_group(const std::string& text, std::size_t& at) {
  const std::size_t end = find_group_end(text, at);
  const std::string inside = text.substr(at + 1, end - at - 1);
  at = end + 1;
  return inside;
}

std::string read_command(const std::string& text, std::size_t at) {
  std::size_t end = at + 1;
  while (end < text.size() && std::isalpha(static_cast<unsigned char>(text[end])) != 0) ++end;
  return text.substr(at, std::max(end, at + 2) - at);
}

double calc_words_width(const std::string& text) {
  double width = 0;
  for (const char c : text) {
    if (c != '\\' && (c & 0xC0) != 0x80) width += c == '.' || c == ',' ? 0.3 : 0.53;
  }
  return width;
}

double calc_matrix_width(const std::string& inside) {
  std::vector<double> columns;
  std::size_t column = 0, begin = 0;
  const auto close = [&](std::size_t end) {
    columns.resize(std::max(columns.size(), column + 1));
    columns[column] = std::max(columns[column], calc_latex_width(inside.substr(begin, end - begin)));
  };
  for (std::size_t i = 0; i < inside.size(); ++i) {
    const bool is_row = inside.compare(i, 2, "\\\\") == 0;
    if (!is_row && inside[i] != '&') continue;
    close(i);
    column = is_row ? 0 : column + 1;
    i += is_row ? 1 : 0;
    begin = i + 1;
  }
  close(inside.size());
  double width = 1;
  for (const double each : columns) width += each + 1;
  return width;
}

double find_command_width(const std::string& command) {
  static const std::map<std::string, double> kWidths{
      {"\\sin", 1.5}, {"\\cos", 1.5}, {"\\tan", 1.5}, {"\\exp", 1.7},   {"\\log", 1.5},   {"\\quad", 1},
      {"\\,", 0.17},  {"\\pi", 0.6},  {"\\le", 1.35}, {"\\wedge", 1.2}, {"\\vee", 1.2},   {"\\_", 0.5},
      {"\\Big", 0.1}, {"\\bigl", 0},  {"\\bigr", 0},  {"\\cdot", 0.75}, {"\\left", 0.15}, {"\\right", 0.15}};
  const auto found = kWidths.find(command);
  return found == kWidths.end() ? 0.8 : found->second;
}

bool is_function(const std::string& text) {
  for (const char* head : {"\\sin", "\\cos", "\\tan", "\\exp", "\\log", "\\operatorname"}) {
    if (text.starts_with(head)) return true;
  }
  return false;
}

class Scanner {
 public:
  Scanner(const std::string& text, double widest) : text_(text), widest_(widest) {}

  std::vector<Piece> scan() {
    while (at_ < text_.size()) take();
    return std::move(pieces_);
  }

 private:
  void add(const std::string& text, double width, bool is_sign = false) {
    pieces_.push_back({text, width, is_sign, depth_});
  }

  void take() {
    if (text_[at_] == '\\') return take_command();
    if (text_[at_] == '_' || text_[at_] == '^') return take_index();
    if (text_.compare(at_, 3, " + ") == 0 || text_.compare(at_, 3, " - ") == 0) {
      const bool is_argument = std::count(arguments_.begin(), arguments_.end(), true) > 0;
      add(text_.substr(at_, 3), 1.25, !is_argument);
      at_ += 3;
      return;
    }
    if (text_[at_] == '{') {
      const std::string inside = read_group(text_, at_);
      return add("{" + inside + "}", calc_latex_width(inside));
    }
    const char c = text_[at_++];
    const bool is_space = c == ' ', is_wide = c == '=' || c == '<' || c == '>' || c == '+' || c == '-';
    const bool is_begun = (c & 0xC0) != 0x80;
    add(std::string(1, c), is_space ? 0 : is_wide ? 1.3 : is_begun ? kLetter : 0);
  }

  void take_index() {
    std::string text(1, text_[at_++]);
    const bool is_group = at_ < text_.size() && text_[at_] == '{';
    const std::string inside = is_group ? read_group(text_, at_) : std::string(1, text_[at_++]);
    text += is_group ? "{" + inside + "}" : inside;
    if (pieces_.empty()) return add(text, kIndex * calc_latex_width(inside));
    pieces_.back().text += text;
    pieces_.back().width += kIndex * calc_latex_width(inside);
  }

  void take_command() {
    const std::string command = read_command(text_, at_);
    at_ += command.size();
    if (command == "\\frac") return take_fraction();
    if (command == "\\begin") return take_matrix();
    if (command == "\\left" || command == "\\right") return take_bracket(command);
    const bool is_words = command == "\\mathrm" || command == "\\mathit" || command == "\\text" ||
                          command == "\\operatorname" || command == "\\mathsf";
    if (!is_words || at_ >= text_.size() || text_[at_] != '{') {
      return add(
          command + (at_ < text_.size() && std::isalpha(static_cast<unsigned char>(text_[at_])) ? " " : ""),
          find_command_width(command));
    }
    const std::string inside = read_group(text_, at_);
    add(command + "{" + inside + "}", calc_words_width(inside) + (command == "\\operatorname" ? 0.2 : 0));
  }

  void take_bracket(const std::string& command) {
    const char bracket = text_[at_++];
    if (command == "\\right") --depth_;
    if (command == "\\right" && !arguments_.empty()) arguments_.pop_back();
    if (command == "\\left") arguments_.push_back(!pieces_.empty() && is_function(pieces_.back().text));
    add(command + bracket, 0.55);
    if (command == "\\left") ++depth_;
  }

  void take_matrix() {
    const std::size_t end = text_.find("\\end{bmatrix}", at_);
    const std::string inside = text_.substr(at_, end - at_);
    at_ = end + std::string("\\end{bmatrix}").size();
    add("\\begin" + inside + "\\end{bmatrix}",
        calc_matrix_width(inside.substr(std::string("{bmatrix}").size())));
  }

  void take_fraction() {
    const std::string top = read_group(text_, at_), bottom = read_group(text_, at_);
    const double above = calc_latex_width(top), below = calc_latex_width(bottom);
    if (std::max(above, below) <= widest_)
      return add("\\frac{" + top + "}{" + bottom + "}", std::max(above, below) + 0.3);
    if (below <= widest_ / 2) {
      add("\\frac{1}{" + bottom + "}", below + 0.3);
      return add_bracketed(top);
    }
    add_bracketed(top);
    add("\\Big/", 0.6);
    add_bracketed(bottom);
  }

  void add_bracketed(const std::string& text) {
    add("\\left(", 0.55);
    for (Piece piece : Scanner(text, widest_).scan()) {
      piece.depth += depth_ + 1;
      pieces_.push_back(piece);
    }
    add("\\right)", 0.55);
  }

  const std::string& text_;
  double widest_;
  std::size_t at_ = 0;
  int depth_ = 0;
  std::vector<bool> arguments_;  // an open bracket each: of a function, whose argument stays in one piece
  std::vector<Piece> pieces_;
};

/// The sign that a line from `begin` is best broken before: of the outermost ones that still fit, the last; none: 0.
std::size_t find_break(const std::vector<Piece>& pieces, std::size_t begin, double most) {
  double width = 0;
  std::size_t best = 0;
  for (std::size_t i = begin; i < pieces.size(); ++i) {
    const bool is_candidate = i > begin && pieces[i].is_sign;
    if (width > most && best != 0) break;
    const bool is_outer = best == 0 || pieces[i].depth <= pieces[best].depth || width < 0.35 * most;
    // What fills less than a third of its line is no gain, however far out it is.
    const bool is_full = best == 0 || width > 0.35 * most;
    if (is_candidate && (width <= most || best == 0) && is_outer && is_full) best = i;
    width += pieces[i].width;
  }
  return width <= most ? 0 : best;
}

/// \left and \right whose partner is on another line become \bigl and \bigr.
void part_brackets(std::vector<Piece>& pieces, const std::vector<std::size_t>& breaks) {
  const auto line_of = [&](std::size_t i) {
    return std::upper_bound(breaks.begin(), breaks.end(), i) - breaks.begin();
  };
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < pieces.size(); ++i) {
    if (pieces[i].text.starts_with("\\left") && pieces[i].text.size() == 6) open.push_back(i);
    if (!pieces[i].text.starts_with("\\right") || open.empty()) continue;
    const std::size_t from = open.back();
    open.pop_back();
    if (line_of(from) == line_of(i)) continue;
    pieces[from].text = std::string("\\bigl") + pieces[from].text.back();
    pieces[i].text.replace(0, 6, "\\bigr");  // an index may stand behind it
  }
}

std::string join(const std::vector<Piece>& pieces, std::size_t begin, std::size_t end) {
  std::string line;
  for (std::size_t i = begin; i < end; ++i) line += pieces[i].text;
  const std::size_t first = line.find_first_not_of(' '), last = line.find_last_not_of(' ');
  return first == std::string::npos ? "" : line.substr(first, last - first + 1);
}

/// What cannot be broken is drawn smaller.
std::string fit(const std::string& line, double most) {
  constexpr double kLineWidth = 52;  // em of a whole line, number included, and some to spare
  if (calc_latex_width(line) <= most) return line;
  return fmt::format("\\resizebox{{{:.2f}\\linewidth}}{{!}}{{$\\displaystyle {}$}}", most / kLineWidth, line);
}

std::string build_unit_text(const std::string& unit) {
  return unit.empty() ? "" : " \\quad [" + latex_unit(unit) + "]";
}

}  // namespace

std::string escape_latex(const std::string& text) {
  std::string safe;
  for (const char c : text) {
    if (c == '\\') {
      safe += "\\textbackslash{}";
    } else if (c == '^' || c == '~') {
      safe += std::string("\\") + c + "{}";
    } else if (c == '<' || c == '>') {
      safe += std::string("$") + c + "$";
    } else {
      const bool is_special =
          c == '_' || c == '&' || c == '%' || c == '#' || c == '$' || c == '{' || c == '}';
      safe += is_special ? std::string("\\") + c : std::string(1, c);
    }
  }
  return safe;
}

std::string latex_unit(const std::string& unit) {
  std::string text;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    if (unit.compare(i, 2, "²") == 0 || unit.compare(i, 2, "³") == 0) {
      text += unit.compare(i, 2, "²") == 0 ? "^{2}" : "^{3}";
      ++i;
    } else if (unit.compare(i, 2, "·") == 0) {
      text += "\\,";
      ++i;
    } else if (unit[i] == '^' && i + 1 < unit.size()) {
      text += std::string("^{") + unit[++i] + "}";
    } else {
      text += unit[i] == ' ' ? "\\," : std::string(1, unit[i]);
    }
  }
  return "\\mathrm{" + text + "}";
}

double calc_latex_width(const std::string& math) {
  double width = 0;
  for (const Piece& piece : Scanner(math, 1e300).scan()) width += piece.width;
  return width;
}

std::vector<std::string> break_latex(const std::string& math, double first, double most) {
  std::vector<Piece> pieces = Scanner(math, 0.9 * most).scan();
  std::vector<std::size_t> breaks;
  for (std::size_t begin = 0;;) {
    const std::size_t next = find_break(pieces, begin, breaks.empty() ? first : most);
    if (next == 0) break;
    breaks.push_back(next);
    begin = next;
  }
  part_brackets(pieces, breaks);
  std::vector<std::string> lines;
  std::size_t begin = 0;
  for (const std::size_t end : breaks) {
    lines.push_back(join(pieces, begin, end));
    begin = end;
  }
  lines.push_back(join(pieces, begin, pieces.size()));
  return lines;
}

namespace {

/// Lines one below the other, those after the first indented.
std::string join_lines(const std::vector<std::string>& lines, double most) {
  std::string text;
  for (std::size_t i = 0; i < lines.size(); ++i) {
    if (i > 0) text += " \\notag \\\\\n  &\\quad {} ";
    text += fit(lines[i], most);
  }
  return text;
}

}  // namespace

std::string latex_equation(const std::string& left, const std::string& right, const std::string& unit) {
  const double head = calc_latex_width(left) + 1.4;
  const std::string body = right + build_unit_text(unit);
  const bool has_own_line = head > kLongLeft && head + calc_latex_width(body) > kLine;
  const double most = has_own_line ? kLine - kIndent : kLine - head;
  const std::string first =
      has_own_line
          ? "& " + join_lines(break_latex(left, kLine, kLine - kIndent), kLine) + " \\notag \\\\\n  &= "
          : left + " &= ";
  return "\\begin{align}\n  " + first + join_lines(break_latex(body, most, most), most) + "\n\\end{align}\n";
}

}  // namespace rodeo::reduction
