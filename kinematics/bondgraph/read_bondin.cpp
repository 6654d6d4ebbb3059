// SPDX-License-Identifier: MIT
// Values as Bondin prints them (romero-bondin, section 8, figure 6):
//   if (...) and (...) { 750 }; if (...) { 1000 };    the first whose condition holds; where none does, the value before
//   DLL$library$function$p1$p2$                       a function of a shared library, time handed over by itself
// `else { 5 };` may end the conditions. At the start the value before is that of the first condition.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

using expr::Op;

std::string trim(const std::string& text) {
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(" \t\r\n") - first + 1);
}

bool starts_with_word(const std::string& text, const std::string& word) {
  if (!text.starts_with(word)) return false;
  const std::string rest = trim(text.substr(word.size()));
  return text.size() == word.size() || rest.starts_with('(') || rest.starts_with('{');
}

class BondinReader {
 public:
  BondinReader(Reader& reader, const Instance& instance, const Node& node, const std::string& what)
      : reader_(reader), instance_(instance), node_(node), what_(what) {}

  Expr read_conditions() {
    std::string rest = trim(node_.scalar);
    while (!rest.empty()) rest = read_condition(rest);
    if (values_.empty()) fail("no condition 'if (...) { value };' was found");
    if (else_) return fold(values_, *else_);
    const Expr before = expr::variable(fmt::format("rule_{}", reader_.graph.memories.size() + 1));
    std::vector<Expr> numbers;
    Expr kept = values_.back();
    for (std::size_t i = values_.size(); i-- > 0;)
      kept = expr::operation(
          Op::select, {expr::operation(Op::equal, {before, static_cast<double>(i + 1)}), values_[i], kept});
    for (std::size_t i = 0; i < values_.size(); ++i) numbers.emplace_back(static_cast<double>(i + 1));
    reader_.graph.memories.push_back({before->name, fold(numbers, before)});
    return fold(values_, kept);
  }

  Expr read_call() {
    std::vector<std::string> parts;
    const std::string text = trim(node_.scalar);
    for (std::size_t at = 0; at <= text.size();) {
      const std::size_t end = std::min(text.find('$', at), text.size());
      parts.push_back(trim(text.substr(at, end - at)));
      at = end + 1;
    }
    if (parts.back().empty()) parts.pop_back();
    if (parts.size() < 3) fail("a library's function is written DLL$library$function$argument1$argument2$");
    std::vector<Expr> operands{expr::time_symbol()};
    for (std::size_t i = 3; i < parts.size(); ++i) operands.push_back(parse(parts[i]));
    return build_call(reader_, instance_, {find_library(parts[1]), parts[2], node_.where}, operands, what_);
  }

 private:
  [[noreturn]] static void fail(const std::string& text) { throw std::invalid_argument(text); }

  [[nodiscard]] Expr parse(const std::string& text) const {
    return expr::build_expression(text, instance_.scope);
  }

  /// `characteristics` is characteristics.so here, and so is characteristics.dll.
  [[nodiscard]] static std::string find_library(const std::string& name) {
    return std::filesystem::path(name).replace_extension(".so").string();
  }

  /// Takes one condition off the front.
  std::string read_condition(const std::string& text) {
    const bool is_else = starts_with_word(text, "else");
    if (!is_else && !starts_with_word(text, "if"))
      fail(fmt::format("'if (...) {{ value }};' is needed at '{}'", text.substr(0, 20)));
    if (else_) fail("'else' is the last of the conditions");
    const std::size_t open = text.find('{'), close = text.find('}');
    if (open == std::string::npos || close == std::string::npos || close < open)
      fail(fmt::format("the value of a condition stands in {{ }}: '{}'", text.substr(0, 20)));
    const Expr value = parse(text.substr(open + 1, close - open - 1));
    const std::string condition = trim(text.substr(is_else ? 4 : 2, open - (is_else ? 4 : 2)));
    if (is_else && !condition.empty()) fail(fmt::format("'else' has no condition, not '{}'", condition));
    if (is_else) {
      else_ = value;
    } else {
      conditions_.push_back(parse(condition));
      values_.push_back(value);
    }
    const std::string rest = trim(text.substr(close + 1));
    return trim(rest.starts_with(';') ? rest.substr(1) : rest);
  }

  [[nodiscard]] Expr fold(const std::vector<Expr>& values, Expr last) const {
    for (std::size_t i = values.size(); i-- > 0;)
      last = expr::operation(Op::select, {conditions_[i], values[i], last});
    return last;
  }

  Reader& reader_;
  const Instance& instance_;
  const Node& node_;
  const std::string& what_;
  std::vector<Expr> conditions_, values_;
  std::optional<Expr> else_;
};

}  // namespace

bool is_bondin(const Node& node) {
  if (!node.is_scalar()) return false;
  const std::string text = trim(node.scalar);
  return text.starts_with("DLL$") || (starts_with_word(text, "if") && text.find('{') != std::string::npos);
}

Expr read_bondin(Reader& reader, const Instance& instance, const Node& node, const std::string& what) {
  BondinReader bondin(reader, instance, node, what);
  try {
    return trim(node.scalar).starts_with("DLL$") ? bondin.read_call() : bondin.read_conditions();
  } catch (const std::invalid_argument& error) {
    reader.faults.add(node.where, fmt::format("{}: {}", what, error.what()));
  }
  return 0.0;
}

}  // namespace rodeo::bondgraph::reading
