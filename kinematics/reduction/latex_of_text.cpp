// SPDX-License-Identifier: MIT
// Plain text as LaTeX: names, matrices in square brackets, products with a star or a space, powers, transposes, d/dt.
#include <fmt/format.h>

#include <cctype>
#include <cstdlib>
#include <set>

#include "kinematics/reduction/latex.h"
#include "kinematics/reduction/names.h"

namespace rodeo::reduction {
namespace {

bool is_begin_of_name(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; }
bool is_in_name(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.'; }

/// `P_bar.J` has an index; `bar.R11`, which is a word of a program, stands upright.
std::string latex_name(const std::string& name) {
  const SymbolName parts = split_name(name);
  if (parts.letter.find('.') != std::string::npos || (parts.letter.size() > 1 && !parts.subscript.empty()))
    return "\\mathrm{" + escape_latex(name) + "}";
  const std::string letter =
      parts.letter.size() > 1 ? "\\mathit{" + escape_latex(parts.letter) + "}" : parts.letter;
  return parts.subscript.empty() ? letter : letter + "_{\\mathrm{" + escape_latex(parts.subscript) + "}}";
}

class Translator {
 public:
  explicit Translator(const std::string& text) : text_(text) {}

  std::string translate() {
    while (at_ < text_.size()) take();
    return std::move(latex_);
  }

 private:
  [[nodiscard]] bool is_next(const char* word) const {
    return text_.compare(at_, std::string(word).size(), word) == 0;
  }

  bool try_replace(const char* word, const char* latex) {
    if (!is_next(word)) return false;
    at_ += std::string(word).size();
    latex_ += latex;
    return true;
  }

  void take() {
    if (try_replace("d/dt ", "\\frac{d}{dt} ") || try_replace("ᵀ", "^{\\mathsf{T}}") ||
        try_replace("⁻¹", "^{-1}") || try_replace("*", "\\,") || try_replace("<=", "\\le ") ||
        try_replace("(", "\\left(") || try_replace(")", "\\right)") || try_replace("²", "^{2}"))
      return;
    const char c = text_[at_];
    if (c == '[') return take_square();
    if (c == '^') return take_power();
    if (is_begin_of_name(c)) return take_name();
    if (std::isdigit(static_cast<unsigned char>(c)) != 0) return take_number();
    latex_ += text_[at_++];
  }

  std::string read_name() {
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_in_name(text_[at_])) ++at_;
    return text_.substr(begin, at_ - begin);
  }

  void take_name() {
    static const std::set<std::string> kFunctions{"sin", "cos", "tan", "exp", "log"};
    const std::string name = read_name();
    const bool is_call = at_ < text_.size() && text_[at_] == '(';
    latex_ += !is_call                 ? latex_name(name)
              : kFunctions.count(name) ? "\\" + name
                                       : "\\operatorname{" + escape_latex(name) + "}";
  }

  void take_number() {
    char* end = nullptr;
    const double value = std::strtod(text_.c_str() + at_, &end);
    at_ = static_cast<std::size_t>(end - text_.c_str());
    const std::string digits = fmt::format("{:.6g}", value);
    const std::size_t e = digits.find('e');
    latex_ += e == std::string::npos ? digits
                                     : digits.substr(0, e) + " \\cdot 10^{" +
                                           std::to_string(std::atoi(digits.c_str() + e + 1)) + "}";
  }

  void take_power() {
    ++at_;
    const std::size_t begin = at_;
    if (at_ < text_.size() && text_[at_] == '(') {
      const std::size_t end = text_.find(')', at_);
      latex_ += "^{" + Translator(text_.substr(begin + 1, end - begin - 1)).translate() + "}";
      at_ = end + 1;
      return;
    }
    while (at_ < text_.size() && (is_in_name(text_[at_]) || (at_ == begin && text_[at_] == '-'))) ++at_;
    latex_ += "^{" + Translator(text_.substr(begin, at_ - begin)).translate() + "}";
  }

  /// `[bar.J]` is a matrix by name, `[a, b; c, d]` one by its entries.
  void take_square() {
    std::size_t end = at_, depth = 0;
    for (;; ++end) {
      if (text_[end] == '[') ++depth;
      if (text_[end] == ']' && --depth == 0) break;
      if (end + 1 == text_.size()) break;
    }
    const std::string inside = text_.substr(at_ + 1, end - at_ - 1);
    at_ = end + 1;
    bool is_name = !inside.empty();
    for (const char c : inside) is_name = is_name && is_in_name(c);
    latex_ += is_name && is_begin_of_name(inside[0]) ? "\\left[\\mathrm{" + escape_latex(inside) + "}\\right]"
                                                     : build_matrix(inside);
  }

  static std::string build_matrix(const std::string& inside) {
    std::string cell, cells = "\\begin{bmatrix} ";
    int depth = 0;
    for (const char c : inside + ";") {
      depth += c == '(' ? 1 : c == ')' ? -1 : 0;
      if (depth > 0 || (c != ',' && c != ';')) {
        cell += c;
        continue;
      }
      cells += Translator(cell).translate() + (c == ',' ? " & " : " \\\\ ");
      cell.clear();
    }
    return cells.substr(0, cells.size() - 4) + " \\end{bmatrix}";
  }

  const std::string text_;
  std::size_t at_ = 0;
  std::string latex_;
};

}  // namespace

std::string latex_of_text(const std::string& text) { return Translator(text).translate(); }

}  // namespace rodeo::reduction
