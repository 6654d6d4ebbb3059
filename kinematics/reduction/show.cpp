// SPDX-License-Identifier: MIT
// Printing of collected expressions.
#include "kinematics/reduction/show.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

namespace rodeo::reduction {
namespace {

using expr::Op;
using GiNaC::numeric;

/// Rates of a monomial apart from the rest.
Monomial rates_of(const Monomial& monomial, const std::function<bool(Expr)>& is_rate) {
  Monomial rates;
  for (const auto& [atom, exponent] : monomial) {
    if (is_rate(atom)) rates.emplace(atom, exponent);
  }
  return rates;
}

std::vector<std::pair<std::uint32_t, int>> key_of(const Monomial& monomial) {
  std::vector<std::pair<std::uint32_t, int>> key;
  for (const auto& [atom, exponent] : monomial) key.emplace_back(atom.id(), exponent);
  return key;
}

/// Without terms that rounding left over: 4.2e-17 sin(2 X) beside 0.5.
Sum drop_residues(const Sum& sum) {
  constexpr double kResidue = 1e-14;
  double largest = 0;
  for (const auto& [factors, coefficient] : sum)
    largest = std::max(largest, std::abs(coefficient.to_double()));
  Sum kept;
  for (const auto& [factors, coefficient] : sum) {
    if (std::abs(coefficient.to_double()) > kResidue * largest) kept.emplace(factors, coefficient);
  }
  return kept;
}

/// p and q of value = pi p/q, where both are small.
std::optional<std::pair<int, int>> find_part_of_pi(double value) {
  for (int q = 1; q <= 12; ++q) {
    const double p = value * q / std::numbers::pi;
    const double whole = std::round(p);
    if (whole >= 1 && whole <= 100 && std::abs(p - whole) < 1e-12 * whole)
      return std::pair{static_cast<int>(whole), q};
  }
  return {};
}

/// Whether a text has no product or sum outside its brackets.
bool is_one_factor(const std::string& text) {
  int depth = 0;
  for (const char c : text) {
    depth += c == '(' ? 1 : (c == ')' ? -1 : 0);
    if (depth == 0 && (c == ' ' || c == '*')) return false;
  }
  return true;
}

}  // namespace

bool Shower::is_rate(Expr atom) const { return atom.is_symbol() && names_.find(atom).is_rate; }

std::string Shower::show(const Sum& sum) const {
  const Sum kept = drop_residues(sum);
  if (kept.empty()) return "0";
  const Signed shown = show_factored(kept);
  return shown.negative ? "-" + shown.text : shown.text;
}

std::string Shower::show(const Fraction& fraction) const {
  const bool whole = fraction.denominator.size() == 1 &&
                     fraction.denominator.begin()->first.monomial.empty() &&
                     fraction.denominator.begin()->first.trig.kind == Trig::Kind::none &&
                     fraction.denominator.begin()->second.is_equal(1);
  if (whole) return show(fraction.numerator);
  const Sum numerator = drop_residues(fraction.numerator);
  if (numerator.empty()) return "0";
  Signed top = show_factored(numerator);
  if (top.is_sum && top.negative) {  // all terms are negative: the sign goes before the line
    Sum turned = numerator;
    for (auto& [factors, coefficient] : turned) coefficient = -coefficient;
    top.text = show_factored(turned).text;
  }
  const bool bracketed = top.is_sum && (format_ == Format::text || format_ == Format::plain);
  const std::string quotient =
      show_quotient(bracketed ? bracket(top.text) : top.text, show(fraction.denominator));
  return top.negative ? "-" + quotient : quotient;
}

/// Common factor outside, the rest in brackets; a lone sign goes back into the terms.
Shower::Signed Shower::show_factored(Sum sum) const {
  const Sum original = sum;
  const CommonFactor common = take_common_factor(sum);
  const numeric size = GiNaC::abs(common.coefficient);
  if (sum.size() == 1) {  // what the common factor left of the number stands before the product
    const numeric whole = common.coefficient * sum.begin()->second;
    return {whole.is_negative(), show_product(GiNaC::abs(whole), common.factors, ""), false};
  }
  const bool bare = common.factors.monomial.empty() && common.factors.trig.kind == Trig::Kind::none;
  if (bare) {
    const std::string text = show_groups(original);
    const bool negative = text.front() == '-';
    return {negative, negative ? text.substr(1) : text, true};
  }
  bool negative = common.coefficient.is_negative();
  if (show_groups(sum).front() == '-') {
    for (auto& [factors, coefficient] : sum) coefficient = -coefficient;
    negative = !negative;
  }
  return {negative, show_product(size, common.factors, bracket(show_groups(sum))), false};
}

std::string Shower::show_groups(const Sum& sum) const {
  const auto rate = [this](Expr atom) { return is_rate(atom); };
  std::map<std::vector<std::pair<std::uint32_t, int>>, Sum> groups;
  for (const auto& [factors, coefficient] : sum)
    groups[key_of(rates_of(factors.monomial, rate))].emplace(factors, coefficient);
  if (groups.size() == 1) return show_terms(sum);
  std::vector<Signed> terms;
  for (const auto& [key, group] : groups) terms.push_back(show_factored(group));
  return join_terms(std::move(terms));
}

/// A positive term leads, where there is one.
std::string Shower::join_terms(std::vector<Signed> terms) {
  const auto positive =
      std::find_if(terms.begin(), terms.end(), [](const Signed& term) { return !term.negative; });
  if (positive != terms.end()) std::rotate(terms.begin(), positive, positive + 1);
  std::string text;
  for (const Signed& term : terms) {
    const char* sign = text.empty() ? (term.negative ? "-" : "") : (term.negative ? " - " : " + ");
    text += sign + term.text;
  }
  return text;
}

/// Terms of one sine or cosine together.
std::string Shower::show_terms(const Sum& sum) const {
  std::vector<Sum> groups;
  for (const auto& [factors, coefficient] : sum) {
    const auto same = [&f = factors](const Sum& group) {
      const Trig& trig = group.begin()->first.trig;
      return trig.kind == f.trig.kind && trig.angle == f.trig.angle;
    };
    const bool has_trig = factors.trig.kind != Trig::Kind::none;
    auto found = has_trig ? std::find_if(groups.begin(), groups.end(), same) : groups.end();
    if (found == groups.end()) found = groups.emplace(groups.end());
    found->emplace(factors, coefficient);
  }
  std::vector<Signed> terms;
  for (const Sum& group : groups) terms.push_back(show_factored(group));
  return join_terms(std::move(terms));
}

std::string Shower::join_factors(const std::vector<std::string>& factors) const {
  return fmt::format("{}", fmt::join(factors, format_ == Format::plain ? "*" : " "));
}

/// number · parameters · bracket · sine or cosine · rates, negative powers below the line.
std::string Shower::show_product(const numeric& size, const Factors& factors,
                                 const std::string& inner) const {
  std::vector<std::string> top, last, bottom;
  for (const auto& [atom, exponent] : factors.monomial) {
    if (exponent < 0) {
      bottom.push_back(show_power(atom, -exponent));
    } else {
      (is_rate(atom) ? last : top).push_back(show_power(atom, exponent));
    }
  }
  if (!inner.empty()) top.push_back(inner);
  if (factors.trig.kind != Trig::Kind::none) top.push_back(show_trig(factors.trig));
  top.insert(top.end(), last.begin(), last.end());
  const std::string number = show_number(size);
  if (number != "1" || top.empty()) top.insert(top.begin(), number);
  if (bottom.empty()) return join_factors(top);
  return show_quotient(join_factors(top), join_factors(bottom));
}

/// Small fractions as such, else six digits.
std::string Shower::show_number(const numeric& size) const {
  if (size.is_integer() && size < 1000000) return fmt::format("{}", size.to_int());
  if (size.is_rational() && size.denom() <= 8 && size.numer() < 100) {
    const int p = size.numer().to_int();
    const int q = size.denom().to_int();
    if (format_ == Format::latex) return fmt::format("\\frac{{{}}}{{{}}}", p, q);
    return fmt::format("{}/{}", p, q);
  }
  return show_double(size.to_double());
}

/// 2 pi as such, else six digits.
std::string Shower::show_double(double value) const {
  const auto part = find_part_of_pi(value);
  if (!part) return show_digits(fmt::format("{:.6g}", value));
  const auto& [p, q] = *part;
  const std::string pi = format_ == Format::latex ? "\\pi" : format_ == Format::html ? "&pi;" : "pi";
  const std::string top = p == 1 ? pi : join_factors({fmt::format("{}", p), pi});
  return q == 1 ? top : show_quotient(top, fmt::format("{}", q));
}

std::string Shower::show_value(double value) const { return show_digits(fmt::format("{:.10g}", value)); }

/// Powers of ten as one writes them on paper.
std::string Shower::show_digits(const std::string& digits) const {
  const std::size_t e = digits.find('e');
  if (e == std::string::npos || format_ == Format::text || format_ == Format::plain) return digits;
  const std::string mantissa = digits.substr(0, e),
                    power = fmt::format("{}", std::stoi(digits.substr(e + 1)));
  return format_ == Format::latex ? mantissa + " \\cdot 10^{" + power + "}"
                                  : mantissa + "&middot;10<sup>" + power + "</sup>";
}

std::string Shower::show_power(Expr atom, int exponent) const {
  const std::string base = show_atom(atom);
  if (exponent == 1) return base;
  const bool derivative = atom.is_symbol() && names_.find(atom).derivatives > 0;
  const std::string safe = derivative ? bracket(base) : base;
  if (format_ == Format::latex) return fmt::format("{}^{{{}}}", safe, exponent);
  if (format_ == Format::html) return fmt::format("{}<sup>{}</sup>", safe, exponent);
  return fmt::format("{}^{}", safe, exponent);
}

std::string Shower::show_function(const char* name, const std::vector<std::string>& args) const {
  const bool known = std::string(name) == "sin" || std::string(name) == "cos" || std::string(name) == "tan" ||
                     std::string(name) == "exp" || std::string(name) == "log";
  const std::string head =
      format_ == Format::latex
          ? (known ? fmt::format("\\{}", name) : fmt::format("\\operatorname{{{}}}", escape(name)))
          : name;
  return head + bracket(fmt::format("{}", fmt::join(args, ", ")));
}

std::string Shower::show_trig(const Trig& trig) const {
  std::string positive, negative;
  for (auto it = trig.angle.rbegin(); it != trig.angle.rend(); ++it) {
    const int size = std::abs(it->second);
    const std::string base = it->first.is_number() ? show_double(it->first->value) : show_atom(it->first);
    const std::string term = size == 1 ? base : join_factors({fmt::format("{}", size), base});
    std::string& side = it->second > 0 ? positive : negative;
    side += it->second < 0 ? " - " : (side.empty() ? "" : " + ");
    side += term;
  }
  return show_function(trig.kind == Trig::Kind::sine ? "sin" : "cos", {positive + negative});
}

/// A function, a divisor or a choice that is not taken apart.
std::string Shower::show_atom(Expr atom) const {
  if (atom.is_symbol() || names_.has(atom)) return show_symbol(atom);
  std::vector<std::string> args;
  for (const Expr arg : atom->args) args.push_back(show(collect_factors(arg)));
  switch (atom->op) {
    case Op::add:
    case Op::mul:
    case Op::div:
    case Op::neg: return bracket(show(collect_factors(atom)));
    case Op::pow:
      return format_ == Format::latex ? fmt::format("{{{}}}^{{{}}}", bracket(args[0]), args[1])
                                      : bracket(args[0]) + "^" + bracket(args[1]);
    case Op::less: return bracket(args[0] + (format_ == Format::html ? " &lt; " : " < ") + args[1]);
    case Op::less_equal:
      return bracket(args[0] +
                     (format_ == Format::html    ? " &le; "
                      : format_ == Format::latex ? " \\le "
                                                 : " <= ") +
                     args[1]);
    case Op::equal: return bracket(args[0] + " = " + args[1]);
    case Op::logical_and: return args[0] + (format_ == Format::latex ? " \\wedge " : " and ") + args[1];
    case Op::logical_or: return bracket(args[0] + (format_ == Format::latex ? " \\vee " : " or ") + args[1]);
    case Op::logical_not: return show_function("not", args);
    case Op::select: return show_function("if", args);
    case Op::rand: return "rand";
    case Op::call: return show_function(atom->name.substr(atom->name.find('\n') + 1).c_str(), args);
    default: return show_function(expr::function_name(atom->op), args);
  }
}

std::string Shower::escape(const std::string& text) const {
  if (format_ != Format::latex) return text;
  std::string safe;
  for (const char c : text) safe += c == '_' ? std::string("\\_") : std::string(1, c);
  return safe;
}

std::string Shower::show_name(const SymbolName& name) const {
  std::string base;
  if (format_ == Format::latex) {
    base = name.letter.size() > 1 ? fmt::format("\\mathit{{{}}}", escape(name.letter)) : name.letter;
    const bool word =
        name.subscript.size() > 1 && !std::isdigit(static_cast<unsigned char>(name.subscript[0]));
    if (!name.subscript.empty())
      base += (word ? "_{\\mathrm{" + escape(name.subscript) + "}}" : "_{" + name.subscript + "}");
  } else if (format_ == Format::html) {
    base = "<i>" + name.letter + "</i>" + (name.subscript.empty() ? "" : "<sub>" + name.subscript + "</sub>");
  } else {
    const bool digit = !name.underscored && !name.subscript.empty() &&
                       std::isdigit(static_cast<unsigned char>(name.subscript[0]));
    base = name.letter + (name.subscript.empty() || digit ? "" : "_") + name.subscript;
  }
  if (name.derivatives == 0) return base;
  if (format_ == Format::latex) {
    return name.derivatives == 1 ? "\\frac{d}{dt} " + base
                                 : fmt::format("\\frac{{d^{0}}}{{dt^{0}}} {1}", name.derivatives, base);
  }
  if (format_ == Format::plain) return std::string(static_cast<std::size_t>(name.derivatives), 'd') + base;
  const char* order = name.derivatives == 1 ? "d/dt " : name.derivatives == 2 ? "d²/dt² " : "d³/dt³ ";
  return order + base;
}

std::string Shower::bracket(const std::string& text) const {
  return format_ == Format::latex ? "\\left(" + text + "\\right)" : "(" + text + ")";
}

std::string Shower::show_quotient(const std::string& top, const std::string& bottom) const {
  if (format_ == Format::latex) return fmt::format("\\frac{{{}}}{{{}}}", top, bottom);
  if (format_ == Format::html) {
    return fmt::format("<span class=\"frac\"><span>{}</span><span>{}</span></span>", top, bottom);
  }
  const bool simple = is_one_factor(bottom);
  return top + (format_ == Format::plain ? "/" : " / ") + (simple ? bottom : bracket(bottom));
}

}  // namespace rodeo::reduction
