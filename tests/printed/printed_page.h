// SPDX-License-Identifier: MIT
// A page of `rodeo equations` read as text: lines `  ( 3)  left = right   [unit]` under headings, and their expressions by a recursive
// descent of its own. A symbol X has a Taylor series in time, X, d/dt X, d²/dt² X, ...: an expression gives that of its value, so that an
// equation can be differentiated as a reader would.
#pragma once
#include <array>
#include <cmath>
#include <functional>
#include <map>
#include <memory>
#include <numbers>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace rodeo::printed {

/// Value, first and second time derivative.
using Jet = std::array<double, 3>;

struct Symbol {
  std::string name;
  int order = 0;  // of d/dt
  auto operator<=>(const Symbol&) const = default;
};

using Lookup = std::function<double(const Symbol&)>;

struct Node {
  std::string op;  // number, symbol, + - * / ^ neg, a function, a comparison
  double number = 0;
  Symbol symbol;
  std::vector<std::shared_ptr<Node>> args;
};
using Tree = std::shared_ptr<Node>;

inline Jet times(const Jet& a, const Jet& b) {
  return {a[0] * b[0], a[1] * b[0] + a[0] * b[1], a[2] * b[0] + 2 * a[1] * b[1] + a[0] * b[2]};
}
/// f(a) with f' and f'' at a.
inline Jet chain(const Jet& a, double f, double slope, double curvature) {
  return {f, slope * a[1], slope * a[2] + curvature * a[1] * a[1]};
}
inline Jet power(const Jet& a, const Jet& b) {
  if (b[1] != 0 || b[2] != 0) throw std::runtime_error("an exponent that moves");
  const double n = b[0];
  return chain(a, std::pow(a[0], n), n == 0 ? 0 : n * std::pow(a[0], n - 1),
               n == 0 || n == 1 ? 0 : n * (n - 1) * std::pow(a[0], n - 2));
}

inline Jet calc_function(const std::string& name, const std::vector<Jet>& a) {
  const double x = a[0][0];
  const auto truth = [](bool b) { return Jet{b ? 1.0 : 0.0, 0, 0}; };
  if (name == "sin") return chain(a[0], std::sin(x), std::cos(x), -std::sin(x));
  if (name == "cos") return chain(a[0], std::cos(x), -std::sin(x), -std::cos(x));
  if (name == "tan") return times(calc_function("sin", a), power(calc_function("cos", a), {-1, 0, 0}));
  if (name == "exp") return chain(a[0], std::exp(x), std::exp(x), std::exp(x));
  if (name == "log") return chain(a[0], std::log(x), 1 / x, -1 / (x * x));
  if (name == "sqrt") return power(a[0], {0.5, 0, 0});
  if (name == "atan") return chain(a[0], std::atan(x), 1 / (1 + x * x), -2 * x / std::pow(1 + x * x, 2));
  if (name == "asin")
    return chain(a[0], std::asin(x), 1 / std::sqrt(1 - x * x), x / std::pow(1 - x * x, 1.5));
  if (name == "acos")
    return chain(a[0], std::acos(x), -1 / std::sqrt(1 - x * x), -x / std::pow(1 - x * x, 1.5));
  if (name == "abs") return x < 0 ? times(a[0], {-1, 0, 0}) : a[0];
  if (name == "sgn") return {x > 0 ? 1.0 : x < 0 ? -1.0 : 0.0, 0, 0};
  if (name == "if") return x != 0 ? a[1] : a[2];
  if (name == "not") return truth(x == 0);
  const double y = a.size() > 1 ? a[1][0] : 0;
  if (name == "min") return x < y ? a[0] : a[1];
  if (name == "max") return x > y ? a[0] : a[1];
  if (name == "and") return truth(x != 0 && y != 0);
  if (name == "or") return truth(x != 0 || y != 0);
  if (name == "<") return truth(x < y);
  if (name == "<=") return truth(x <= y);
  if (name == ">") return truth(x > y);
  if (name == ">=") return truth(x >= y);
  if (name == "=") return truth(x == y);
  throw std::runtime_error("no function '" + name + "'");
}

inline Jet calc(const Tree& tree, const Lookup& lookup) {
  if (tree->op == "number") return {tree->number, 0, 0};
  if (tree->op == "symbol") {
    const auto& [name, order] = tree->symbol;
    return {lookup({name, order}), lookup({name, order + 1}), lookup({name, order + 2})};
  }
  std::vector<Jet> a;
  for (const Tree& arg : tree->args) a.push_back(calc(arg, lookup));
  if (tree->op == "+") return {a[0][0] + a[1][0], a[0][1] + a[1][1], a[0][2] + a[1][2]};
  if (tree->op == "neg") return {-a[0][0], -a[0][1], -a[0][2]};
  if (tree->op == "*") return times(a[0], a[1]);
  if (tree->op == "/") return times(a[0], power(a[1], {-1, 0, 0}));
  if (tree->op == "^") return power(a[0], a[1]);
  return calc_function(tree->op, a);
}

inline void list_symbols(const Tree& tree, std::set<Symbol>& to) {
  if (tree->op == "symbol") to.insert(tree->symbol);
  for (const Tree& arg : tree->args) list_symbols(arg, to);
}

/// Products stand side by side; `a b / (c d)`, `1/2 L1`; a function's bracket follows its name at once.
class Parser {
 public:
  explicit Parser(std::string text) : text_(std::move(text)) {}

  Tree parse_all() {
    Tree tree = parse_or();
    skip();
    if (at_ != text_.size()) fail("an end");
    return tree;
  }

 private:
  static Tree make(const std::string& op, std::vector<Tree> args) {
    return std::make_shared<Node>(Node{op, 0, {}, std::move(args)});
  }
  [[noreturn]] void fail(const std::string& what) const {
    throw std::runtime_error(what + " is missing at '" + text_.substr(at_, 40) + "' of '" + text_ + "'");
  }
  void skip() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  bool take(const std::string& token) {
    skip();
    if (text_.compare(at_, token.size(), token) != 0) return false;
    at_ += token.size();
    return true;
  }
  bool take_word(const std::string& word) {
    skip();
    const std::size_t end = at_ + word.size();
    if (text_.compare(at_, word.size(), word) != 0 || (end < text_.size() && is_name(text_[end])))
      return false;
    at_ = end;
    return true;
  }
  static bool is_name(char c) {
    return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || (c & 0x80) != 0;
  }

  Tree parse_or() {
    Tree left = parse_and();
    while (take_word("or")) left = make("or", {left, parse_and()});
    return left;
  }
  Tree parse_and() {
    Tree left = parse_comparison();
    while (take_word("and")) left = make("and", {left, parse_comparison()});
    return left;
  }
  Tree parse_comparison() {
    const Tree left = parse_sum();
    for (const char* op : {"<=", ">=", "<", ">", "="}) {
      if (take(op)) return make(op, {left, parse_sum()});
    }
    return left;
  }
  Tree parse_sum() {
    Tree left = take("-") ? make("neg", {parse_product()}) : parse_product();
    while (true) {
      if (take("+")) {
        left = make("+", {left, parse_product()});
      } else if (take("-")) {
        left = make("+", {left, make("neg", {parse_product()})});
      } else {
        return left;
      }
    }
  }
  [[nodiscard]] bool begins_factor() {
    skip();
    if (at_ >= text_.size()) return false;
    const std::size_t kept = at_;
    const bool is_word = take_word("and") || take_word("or");
    at_ = kept;
    return !is_word && (text_[at_] == '(' || is_name(text_[at_]));
  }
  Tree parse_product() {
    Tree left = parse_power();
    while (true) {
      if (take("/")) {
        left = make("/", {left, parse_power()});
      } else if (take("*") || begins_factor()) {
        left = make("*", {left, parse_power()});
      } else {
        return left;
      }
    }
  }
  Tree parse_power() {
    const Tree base = parse_factor();
    if (at_ >= text_.size() || text_[at_] != '^') return base;
    ++at_;
    const bool negative = take("-");
    const Tree exponent = parse_factor();
    return make("^", {base, negative ? make("neg", {exponent}) : exponent});
  }
  Tree parse_factor() {
    if (take("(")) {
      const Tree inside = parse_or();
      if (!take(")")) fail("')'");
      return inside;
    }
    skip();
    if (at_ < text_.size() && std::isdigit(static_cast<unsigned char>(text_[at_])) != 0)
      return parse_number();
    return parse_name();
  }
  Tree parse_number() {
    std::size_t length = 0;
    const double value = std::stod(text_.substr(at_), &length);
    at_ += length;
    return std::make_shared<Node>(Node{"number", value, {}, {}});
  }
  Tree parse_name() {
    const int order = take("d/dt ") ? 1 : take("d²/dt² ") ? 2 : take("d³/dt³ ") ? 3 : 0;
    skip();
    const std::size_t begin = at_;
    while (at_ < text_.size() && is_name(text_[at_])) ++at_;
    const std::string name = text_.substr(begin, at_ - begin);
    if (name.empty()) fail("a name");
    if (at_ < text_.size() && text_[at_] == '(') return parse_call(name);
    if (name == "pi") return std::make_shared<Node>(Node{"number", std::numbers::pi, {}, {}});
    return std::make_shared<Node>(Node{"symbol", 0, {name, order}, {}});
  }
  Tree parse_call(const std::string& name) {
    ++at_;
    std::vector<Tree> args{parse_or()};
    while (take(",")) args.push_back(parse_or());
    if (!take(")")) fail("')'");
    return make(name, std::move(args));
  }

  std::string text_;
  std::size_t at_ = 0;
};

struct Line {
  std::string heading;
  std::string text;
  Tree left, right;
};

struct Page {
  std::string title;
  std::vector<std::string> headings;
  std::vector<Line> lines;
};

/// `left = right   [unit]`, cut at the first = outside of brackets.
inline Line parse_line(const std::string& heading, std::string text) {
  const std::size_t unit = text.rfind("   [");
  if (unit != std::string::npos && text.back() == ']') text.erase(unit);
  int depth = 0;
  for (std::size_t i = 0; i < text.size(); ++i) {
    depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
    if (depth != 0 || text.compare(i, 3, " = ") != 0) continue;
    std::string right = text.substr(i + 3);
    if (right.front() == '[' && right.back() == ']') right = right.substr(1, right.size() - 2);
    return {heading, text, Parser(text.substr(0, i)).parse_all(), Parser(right).parse_all()};
  }
  throw std::runtime_error("no equation: '" + text + "'");
}

inline Page parse_page(const std::string& text) {
  Page page;
  std::istringstream lines(text);
  std::string line, heading;
  std::getline(lines, page.title);
  while (std::getline(lines, line)) {
    const std::size_t number = line.find(")  ");
    if (line.starts_with("  (") && number != std::string::npos) {
      page.lines.push_back(parse_line(heading, line.substr(number + 3)));
    } else {
      heading = line;
      if (!line.empty()) page.headings.push_back(line);
    }
  }
  return page;
}

}  // namespace rodeo::printed
