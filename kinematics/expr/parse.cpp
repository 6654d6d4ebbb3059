// SPDX-License-Identifier: MIT
// Recursive descent, one function a level of precedence, at most kMaxDepth deep:
//   or < and < not < comparison < sum < product < sign < power < postfix < atom
#include "kinematics/expr/parse.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <stdexcept>

namespace rodeo::expr {
namespace {

[[noreturn]] void fail(const std::string& text) { throw std::invalid_argument(text); }

bool is_letter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' ||
         (static_cast<unsigned char>(c) & 0x80U);
}
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/// In SI. Lengths are divided: 350 mm is 0.35 to the last bit, 350 times the double 1e-3 is not.
std::optional<double> in_unit(double value, std::string_view name) {
  if (name == "deg") return value * (std::numbers::pi / 180.0);
  if (name == "rad" || name == "m") return value;
  if (name == "mm") return value / 1000.0;
  if (name == "cm") return value / 100.0;
  return std::nullopt;
}

class Parser {
 public:
  Parser(std::string_view text, const Scope& scope) : text_(text), scope_(scope) {}

  Expr parse_all() {
    skip_space();
    if (at_end()) fail("the expression is empty");
    const Expr result = parse_or();
    if (!at_end()) fail(fmt::format("unexpected '{}' after '{}'", rest(), text_.substr(0, pos_)));
    return result;
  }

 private:
  /// Counts the levels of nesting; a model never needs kMaxDepth of them.
  struct Depth {
    explicit Depth(int& depth) : depth_(depth) {
      if (++depth_ > kMaxDepth)
        fail(fmt::format("the expression is nested deeper than {} levels: split it into parameters",
                         kMaxDepth));
    }
    ~Depth() { --depth_; }
    Depth(const Depth&) = delete;
    Depth& operator=(const Depth&) = delete;
    int& depth_;
  };

  /// Chains such as a + b + c + ... nest in the graph as they grow, though not in the parser.
  void count_operand() {
    if (++operands_ > kMaxOperands) {
      fail(fmt::format("the expression has more than {} operands: split it into parameters", kMaxOperands));
    }
  }

  bool at_end() const { return pos_ >= text_.size(); }
  char peek(std::size_t ahead = 0) const { return pos_ + ahead < text_.size() ? text_[pos_ + ahead] : '\0'; }
  std::string_view rest() const { return text_.substr(pos_, 20); }
  void skip_space() {
    while (!at_end() && is_space(peek())) ++pos_;
  }
  bool take(std::string_view token) {
    if (text_.substr(pos_, token.size()) != token) return false;
    pos_ += token.size();
    skip_space();
    return true;
  }
  bool take_word(std::string_view word) {
    if (text_.substr(pos_, word.size()) != word) return false;
    const char next = peek(word.size());
    if (is_letter(next) || is_digit(next) || next == '.') return false;
    return take(word);
  }

  Expr parse_or() {
    const Depth guard(depth_);
    Expr left = parse_and();
    while (take_word("or") || take("||")) left = operation(Op::logical_or, {left, parse_and()});
    return left;
  }
  Expr parse_and() {
    Expr left = parse_not();
    while (take_word("and") || take("&&")) left = operation(Op::logical_and, {left, parse_not()});
    return left;
  }
  Expr parse_not() {
    if (!take_word("not")) return parse_comparison();
    const Depth guard(depth_);
    return operation(Op::logical_not, {parse_not()});
  }
  Expr parse_comparison() {
    const Expr left = parse_sum();
    if (take("<=")) return operation(Op::less_equal, {left, parse_sum()});
    if (take(">=")) return operation(Op::less_equal, {parse_sum(), left});
    if (take("==")) return operation(Op::equal, {left, parse_sum()});
    if (take("!=")) return operation(Op::logical_not, {operation(Op::equal, {left, parse_sum()})});
    if (take("<")) return operation(Op::less, {left, parse_sum()});
    if (take(">")) return operation(Op::less, {parse_sum(), left});
    return left;
  }
  Expr parse_sum() {
    Expr left = parse_product();
    while (true) {
      if (take("+")) {
        left = left + parse_product();
      } else if (take("-")) {
        left = left - parse_product();
      } else {
        return left;
      }
    }
  }
  Expr parse_product() {
    Expr left = parse_sign();
    while (true) {
      if (text_.substr(pos_, 2) != "**" && take("*")) {
        left = left * parse_sign();
      } else if (take("/")) {
        left = divide(left, parse_sign());
      } else {
        return left;
      }
    }
  }
  /// A zero that is not written but comes of the parameters is found when the value is taken.
  Expr divide(Expr a, Expr b) const {
    if (b.is_number(0)) fail(fmt::format("a division by zero in '{}'", text_));
    return a / b;
  }
  Expr parse_sign() {
    const bool is_negative = peek() == '-';
    if (!take("-") && !take("+")) return parse_power();
    const Depth guard(depth_);
    const Expr value = parse_sign();
    return is_negative ? -value : value;
  }
  Expr parse_power() {
    const Expr base = parse_postfix();
    if (!take("^") && !take("**")) return base;
    const Depth guard(depth_);
    return pow(base, parse_sign());
  }
  Expr parse_postfix() {
    Expr value = parse_atom();
    while (true) {
      count_operand();
      if (peek() == '!' && peek(1) != '=' && take("!")) {
        value = operation(Op::factorial, {value});
      } else if (take("%")) {
        value = value / 100.0;
      } else {
        return value;
      }
    }
  }
  Expr parse_atom() {
    if (take("(")) {
      const Expr inside = parse_or();
      if (!take(")")) fail(fmt::format("a ')' is missing in '{}'", text_));
      return inside;
    }
    if (is_digit(peek()) || (peek() == '.' && is_digit(peek(1)))) return parse_number();
    if (is_letter(peek())) return parse_name();
    if (at_end()) fail(fmt::format("'{}' ends where a value is needed", text_));
    fail(fmt::format("unexpected '{}' in '{}'", rest(), text_));
  }
  Expr parse_number() {
    double value = 0;
    const char* begin = text_.data() + pos_;
    const auto [end, status] = std::from_chars(begin, text_.data() + text_.size(), value);
    const std::string_view digits(begin, static_cast<std::size_t>(end - begin));
    if (status == std::errc::result_out_of_range)
      fail(fmt::format("the number '{}' is not finite as a double", digits));
    pos_ += digits.size();
    check_slips(digits);
    if (is_letter(peek()) || peek() == '.') {
      fail(fmt::format("'{}{}' is no number: write * between factors, and a space before a unit", digits,
                       rest()));
    }
    const bool spaced = !at_end() && is_space(peek());
    skip_space();
    check_slips(digits);
    return spaced ? parse_unit(value) : value;
  }
  /// Degrees by their sign, and a comma for the decimal point.
  void check_slips(std::string_view digits) const {
    for (const std::string_view sign : {"°", "º"}) {
      if (rest().starts_with(sign))
        fail(fmt::format("'{0}{1}': degrees are written '{0} deg'", digits, sign));
    }
    if (calls_ > 0 || peek() != ',' || !is_digit(peek(1))) return;
    std::size_t end = pos_ + 1;
    while (end < text_.size() && is_digit(text_[end])) ++end;
    const std::string_view decimals = text_.substr(pos_ + 1, end - pos_ - 1);
    fail(fmt::format("'{0},{1}' has a decimal comma: write {0}.{1}", digits, decimals));
  }
  double parse_unit(double value) {
    const std::size_t start = pos_;
    const std::string name = take_identifier();
    if (const auto converted = in_unit(value, name)) return *converted;
    if (!name.empty() && name != "and" && name != "or") {
      fail(
          fmt::format("unexpected '{}' after '{}': units are deg, rad, mm, cm and m, and factors have a * "
                      "between them",
                      name, text_.substr(0, start)));
    }
    pos_ = start;
    return value;
  }
  std::string take_identifier() {
    const std::size_t start = pos_;
    if (!is_letter(peek())) return {};
    while (is_letter(peek()) || is_digit(peek()) || (peek() == '.' && is_letter(peek(1)))) ++pos_;
    std::string name(text_.substr(start, pos_ - start));
    skip_space();
    return name;
  }
  Expr parse_name() {
    const std::string name = take_identifier();
    if (peek() == '(') return parse_call(name);
    if (scope_.find) {
      if (const auto found = scope_.find(name)) return *found;
    }
    if (name == "pi") return std::numbers::pi;
    if (name == "e") return std::numbers::e;
    if (name == "rand") return take_random();
    if (name == "inf" || name == "nan") fail(fmt::format("'{}' is not a finite number", name));
    const std::string hint = text::did_you_mean(name, scope_.known);
    fail(fmt::format("unknown name '{}'{}{}", name, hint,
                     scope_.known.empty() ? "" : "; known: " + text::join_names(scope_.known)));
  }
  Expr take_random() {
    if (scope_.next_random_stream == nullptr)
      fail("'rand' has no meaning here: it changes from tick to tick");
    return random_stream((*scope_.next_random_stream)++);
  }
  Expr parse_call(const std::string& name) {
    const std::vector<Expr> args = parse_arguments(name);
    const auto need = [&](std::size_t count) {
      if (args.size() != count)
        fail(
            fmt::format("{}() takes {} argument{}, not {}", name, count, count == 1 ? "" : "s", args.size()));
    };
    if (name == "rand") return need(0), take_random();
    if (name == "sqr") return need(1), pow(args[0], 2.0);
    if (name == "if") return need(3), operation(Op::select, args);
    for (const FunctionInfo& info : functions()) {
      if (name != info.name) continue;
      need(static_cast<std::size_t>(info.arity));
      return operation(info.op, args);
    }
    std::vector<std::string> names;
    for (const FunctionInfo& info : functions()) names.emplace_back(info.name);
    fail(fmt::format("unknown function '{}'{}; known: {}", name, text::did_you_mean(name, names),
                     text::join_names(names, 40)));
  }
  std::vector<Expr> parse_arguments(const std::string& name) {
    take("(");
    std::vector<Expr> args;
    if (take(")")) return args;
    ++calls_;
    do {
      args.push_back(parse_or());
    } while (take(","));
    --calls_;
    if (!take(")")) fail(fmt::format("{}( is not closed by ')' in '{}'", name, text_));
    return args;
  }

  std::string_view text_;
  const Scope& scope_;
  std::size_t pos_ = 0;
  int depth_ = 0;
  int operands_ = 0;
  int calls_ = 0;  // within whose arguments a comma parts them
};

/// YAML's .inf, -.inf, +.inf and .nan.
bool is_infinite(std::string_view text) {
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  return text.size() > 1 && text[0] == '.' && is_letter(text[1]);
}

}  // namespace

Expr build_expression(std::string_view text, const Scope& scope) { return Parser(text, scope).parse_all(); }

Expr read_expression(const text::Node& node, const std::string& what, const Scope& scope,
                     text::Faults& faults) {
  if (!node.is_scalar()) {
    faults.add(node.where, fmt::format("{}: a number or an expression is needed here, not {}", what,
                                       text::kind_name(node)));
    return 0.0;
  }
  try {
    return build_expression(node.scalar, scope);
  } catch (const std::invalid_argument& error) {
    const std::string shown = node.scalar.size() > 60 ? node.scalar.substr(0, 60) + "..." : node.scalar;
    if (!node.quoted && text::is_cut(node.scalar)) {
      faults.add(node.where,
                 fmt::format("{}: the brackets of '{}' do not match: if the expression has a comma, YAML "
                             "cut it there; put the whole expression in quotes",
                             what, shown));
    } else if (!node.quoted && is_infinite(node.scalar)) {
      faults.add(node.where, fmt::format("{}: '{}' is not a finite number", what, shown));
    } else {
      faults.add(node.where, fmt::format("{}: {}", what, error.what()));
    }
  }
  return 0.0;
}

bool is_name(std::string_view text) {
  if (text.empty() || !is_letter(text[0])) return false;
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '-'; });
}

}  // namespace rodeo::expr
