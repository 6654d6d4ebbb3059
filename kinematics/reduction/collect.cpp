// SPDX-License-Identifier: MIT
// Expr -> GiNaC -> ordered sums.
#include "kinematics/reduction/collect.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "kinematics/text/fault.h"

namespace rodeo::reduction {
namespace {

using expr::Op;
using GiNaC::ex;
using GiNaC::numeric;

enum class Mode { products, factors, rational };

/// The decimal that the user wrote, exactly: 0.1 is 1/10.
numeric to_numeric(double value) {
  const std::string text = fmt::format("{}", value);
  const std::size_t e = text.find('e');
  std::string digits = text.substr(0, e);
  long exponent = e == std::string::npos ? 0 : std::stol(text.substr(e + 1));
  const std::size_t point = digits.find('.');
  if (point != std::string::npos) {
    exponent -= static_cast<long>(digits.size() - point - 1);
    digits.erase(point, 1);
  }
  return numeric(digits.c_str()) * GiNaC::pow(numeric(10), numeric(exponent));
}

/// A page of more terms than that is read by nobody.
constexpr double kMaxTerms = 100'000;
/// Products of two terms in one multiplication, before what is equal is added: a second of work.
constexpr double kMaxProducts = 1'000'000;

double count_terms(const ex& e) { return GiNaC::is_a<GiNaC::add>(e) ? static_cast<double>(e.nops()) : 1; }

/// n + terms - 1 over n: terms of the nth power of a sum.
double calc_power_terms(double terms, double n) {
  double choices = 1;
  for (double i = 1; i <= n && choices <= kMaxProducts; ++i) choices *= (terms - 1 + i) / i;
  return choices;
}

bool is_whole_power(const ex& e) {
  return GiNaC::is_a<GiNaC::power>(e) && e.op(1).info(GiNaC::info_flags::posint);
}

/// How many terms e has when it is expanded, at most: sines and cosines of one angle are counted as if nothing were added up.
double calc_most_terms(const ex& e) {
  if (is_whole_power(e))
    return calc_power_terms(calc_most_terms(e.op(0)), GiNaC::ex_to<numeric>(e.op(1)).to_double());
  const bool is_sum = GiNaC::is_a<GiNaC::add>(e);
  if (!is_sum && !GiNaC::is_a<GiNaC::mul>(e)) return 1;
  double most = is_sum ? 0 : 1;
  for (std::size_t i = 0; i < e.nops() && most <= kMaxTerms; ++i) {
    const double terms = calc_most_terms(e.op(i));
    most = is_sum ? most + terms : most * terms;
  }
  return most;
}

void check_terms(double count, double most) {
  if (count <= most) return;
  throw text::ModelError(text::Where{},
                         fmt::format("a formula has more than {} terms when its products and powers are "
                                     "expanded: replace a part of it by a parameter or a signal",
                                     kMaxTerms));
}

/// Multiplies factor by factor, and counts what is left after each.
ex build_stepwise(const ex& e) {
  if (is_whole_power(e)) {
    const ex base = build_stepwise(e.op(0));
    check_terms(calc_power_terms(count_terms(base), GiNaC::ex_to<numeric>(e.op(1)).to_double()),
                kMaxProducts);
    return GiNaC::pow(base, e.op(1)).expand();
  }
  const bool is_sum = GiNaC::is_a<GiNaC::add>(e);
  if (!is_sum && !GiNaC::is_a<GiNaC::mul>(e)) return e.expand();
  ex all = is_sum ? 0 : 1;
  for (std::size_t i = 0; i < e.nops(); ++i) {
    const ex next = build_stepwise(e.op(i));
    if (!is_sum) check_terms(count_terms(all) * count_terms(next), kMaxProducts);
    all = is_sum ? all + next : (all * next).expand();
    check_terms(count_terms(all), kMaxTerms);
  }
  return all;
}

ex build_expanded(const ex& e) { return calc_most_terms(e) <= kMaxTerms ? e.expand() : build_stepwise(e); }

using Angle = std::map<Expr, int, ById>;

void add_angle(Angle& angle, Expr e, int factor) {
  if (e->op == Op::neg) return add_angle(angle, e->args[0], -factor);
  if (e->op == Op::add) {
    add_angle(angle, e->args[0], factor);
    return add_angle(angle, e->args[1], factor);
  }
  if (e->op == Op::mul && e->args[0].is_number() && e->args[0]->value == std::round(e->args[0]->value) &&
      std::fabs(e->args[0]->value) < 64) {
    return add_angle(angle, e->args[1], factor * static_cast<int>(e->args[0]->value));
  }
  if (e.is_number() && e->value < 0) return add_angle(angle, Expr(-e->value), -factor);
  if ((angle[e] += factor) == 0) angle.erase(e);
}

/// Expressions in GiNaC's terms: every atom a symbol, every angle a symbol z.
class Converter {
 public:
  explicit Converter(Mode mode) : mode_(mode) {}

  ex convert(Expr root) {
    for (const Expr e : expr::reachable({root})) {
      if (!done_.contains(e.id())) done_.emplace(e.id(), convert_node(e));
    }
    return done_.at(root.id());
  }

  [[nodiscard]] Sum read(const ex& expanded) const {
    Sum sum;
    if (GiNaC::is_a<GiNaC::add>(expanded)) {
      for (std::size_t i = 0; i < expanded.nops(); ++i) read_term(expanded.op(i), sum);
    } else {
      read_term(expanded, sum);
    }
    return pair_conjugates(sum);
  }

 private:
  const ex& of(Expr e) const { return done_.at(e.id()); }

  ex convert_node(Expr e) {
    const auto& a = e->args;
    switch (e->op) {
      case Op::number: return to_numeric(e->value);
      case Op::add: return of(a[0]) + of(a[1]);
      case Op::neg: return -of(a[0]);
      case Op::mul: return of(a[0]) * of(a[1]);
      case Op::div: return convert_quotient(a[0], a[1]);
      case Op::pow: return convert_power(e);
      case Op::sin:
      case Op::cos: return convert_trig(e);
      case Op::tan:
        if (mode_ == Mode::rational) return convert_quotient(expr::sin(a[0]), expr::cos(a[0]));
        return atom(e);
      default: return atom(e);
    }
  }

  ex atom(Expr e) {
    const auto [it, is_new] = atoms_.try_emplace(e.id(), GiNaC::symbol());
    if (is_new) atom_of_[it->second] = e;
    return it->second;
  }

  ex angle_symbol(Expr e) {
    const auto [it, is_new] = angles_.try_emplace(e.id(), GiNaC::symbol());
    if (is_new) angle_of_[it->second] = e;
    return it->second;
  }

  ex convert_quotient(Expr a, Expr b) {
    const ex divisor = build_expanded(convert(b));
    if (mode_ == Mode::rational || !GiNaC::is_a<GiNaC::add>(divisor)) return convert(a) / divisor;
    return convert(a) / atom(b);
  }

  ex convert_power(Expr e) {
    const Expr exponent = e->args[1];
    const bool whole = exponent.is_number() && exponent->value == std::round(exponent->value) &&
                       std::fabs(exponent->value) < 64;
    if (!whole) return atom(e);
    const int n = static_cast<int>(exponent->value);
    if (n > 0 || mode_ == Mode::rational) return GiNaC::pow(of(e->args[0]), n);
    return GiNaC::pow(convert_quotient(1.0, e->args[0]), -n);
  }

  /// cos = (Z + 1/Z)/2, sin = (Z - 1/Z)/(2i)
  ex convert_trig(Expr e) {
    if (mode_ == Mode::factors) return atom(e);
    Angle angle;
    add_angle(angle, e->args[0], 1);
    ex z = 1;
    for (const auto& [base, multiple] : angle) z *= GiNaC::pow(angle_symbol(base), multiple);
    if (e->op == Op::cos) return (z + 1 / z) / 2;
    return (z - 1 / z) / (2 * GiNaC::I);
  }

  // ---- back: a term's coefficient, monomial and z's (kept in Trig::angle until paired)

  void read_term(const ex& term, Sum& sum) const {
    Factors factors;
    numeric coefficient = 1;
    if (GiNaC::is_a<GiNaC::mul>(term)) {
      for (std::size_t i = 0; i < term.nops(); ++i) read_factor(term.op(i), factors, coefficient);
    } else {
      read_factor(term, factors, coefficient);
    }
    if (coefficient.is_zero()) return;
    const auto [it, is_new] = sum.emplace(factors, coefficient);
    if (!is_new) it->second += coefficient;
  }

  void read_factor(const ex& factor, Factors& factors, numeric& coefficient) const {
    if (GiNaC::is_a<numeric>(factor)) {
      coefficient *= GiNaC::ex_to<numeric>(factor);
      return;
    }
    const bool is_power = GiNaC::is_a<GiNaC::power>(factor);
    const ex base = is_power ? factor.op(0) : factor;
    const int exponent = is_power ? GiNaC::ex_to<numeric>(factor.op(1)).to_int() : 1;
    const auto symbol = GiNaC::ex_to<GiNaC::symbol>(base);
    if (const auto angle = angle_of_.find(symbol); angle != angle_of_.end()) {
      factors.trig.angle[angle->second] += exponent;
    } else {
      factors.monomial[atom_of_.at(symbol)] += exponent;
    }
  }

  /// c z + c̄/z = 2 Re(c) cos - 2 Im(c) sin, for every pair of opposite powers.
  static Sum pair_conjugates(const Sum& in_z) {
    Sum sum;
    for (const auto& [factors, coefficient] : in_z) {
      if (factors.trig.angle.empty()) {
        add(sum, factors, coefficient);
        continue;
      }
      Factors turned = factors;
      const bool negative = factors.trig.angle.rbegin()->second < 0;
      if (negative) {
        for (auto& [base, multiple] : turned.trig.angle) multiple = -multiple;
      }
      turned.trig.kind = Trig::Kind::cosine;
      add(sum, turned, coefficient);
      turned.trig.kind = Trig::Kind::sine;
      add(sum, turned,
          coefficient * (negative ? -GiNaC::ex_to<numeric>(GiNaC::I) : GiNaC::ex_to<numeric>(GiNaC::I)));
    }
    std::erase_if(sum, [](const auto& term) { return term.second.is_zero(); });
    return sum;
  }

  static void add(Sum& sum, const Factors& factors, const numeric& coefficient) {
    const auto [it, is_new] = sum.emplace(factors, coefficient);
    if (!is_new) it->second += coefficient;
  }

  struct SymbolLess {
    bool operator()(const GiNaC::symbol& a, const GiNaC::symbol& b) const { return a.compare(b) < 0; }
  };
  Mode mode_;
  std::unordered_map<std::uint32_t, ex> done_;
  std::unordered_map<std::uint32_t, GiNaC::symbol> atoms_, angles_;
  std::map<GiNaC::symbol, Expr, SymbolLess> atom_of_, angle_of_;
};

Sum one() { return {{Factors{}, numeric(1)}}; }

/// The power of every atom that can be taken out of all terms. Whole: also one that leaves no negative power behind, so
/// that a fraction is cleared of its inner fractions; else a divisor is taken out only if every term has it.
Monomial common_monomial(const std::vector<const Sum*>& sums, bool whole) {
  Monomial lowest, highest;
  std::size_t terms = 0;
  std::map<Expr, std::size_t, ById> seen;
  for (const Sum* sum : sums) {
    terms += sum->size();
    for (const auto& [factors, coefficient] : *sum) {
      for (const auto& [atom, exponent] : factors.monomial) {
        ++seen[atom];
        lowest[atom] = std::min(lowest.try_emplace(atom, exponent).first->second, exponent);
        highest[atom] = std::max(highest.try_emplace(atom, exponent).first->second, exponent);
      }
    }
  }
  Monomial common;
  for (const auto& [atom, low] : lowest) {
    const bool everywhere = seen[atom] == terms;
    int exponent = everywhere && low > 0 ? low : (everywhere && highest[atom] < 0 ? highest[atom] : 0);
    if (whole && low < 0) exponent = low;
    if (exponent != 0) common[atom] = exponent;
  }
  return common;
}

void divide_by(Sum& sum, const Monomial& divisor, const numeric& number) {
  Sum result;
  for (const auto& [factors, coefficient] : sum) {
    Factors less = factors;
    for (const auto& [atom, exponent] : divisor) {
      if ((less.monomial[atom] -= exponent) == 0) less.monomial.erase(atom);
    }
    result.emplace(std::move(less), coefficient / number);
  }
  sum = std::move(result);
}

/// gcd of numerators over lcm of denominators, with the sign of the first term. Only the sign where measured numbers
/// would become long integers: nobody writes 0.01 (14 sin + 39 cos).
numeric content(const Sum& sum) {
  numeric numerator = 0;
  numeric denominator = 1;
  for (const auto& [factors, coefficient] : sum) {
    numerator = GiNaC::gcd(numerator, coefficient.numer());
    denominator = GiNaC::lcm(denominator, coefficient.denom());
  }
  numeric size = GiNaC::abs(numerator) / denominator;
  if (denominator > 16) size = 1;
  return !sum.empty() && sum.begin()->second.is_negative() ? -size : size;
}

void multiply_into(Monomial& monomial, Expr atom, int exponent) {
  if ((monomial[atom] += exponent) == 0) monomial.erase(atom);
}

/// c m cos² + c m sin² = c m, for any cosine and sine of one angle that stand in a sum of kept factors.
bool merge_one_square(Sum& sum) {
  for (const auto& [factors, coefficient] : sum) {
    for (const auto& [atom, exponent] : factors.monomial) {
      if (atom->op != Op::cos || exponent < 1) continue;
      Factors bare = factors;
      multiply_into(bare.monomial, atom, -2);
      Factors other = bare;
      multiply_into(other.monomial, expr::sin(atom->args[0]), 2);
      const auto found = sum.find(other);
      if (found == sum.end() || !found->second.is_equal(coefficient)) continue;
      const numeric kept = coefficient;
      const Factors gone = factors;
      sum.erase(found);
      sum.erase(gone);
      const auto [place, is_new] = sum.emplace(bare, kept);
      if (!is_new) place->second += kept;
      if (place->second.is_zero()) sum.erase(place);
      return true;
    }
  }
  return false;
}

void merge_squares(Sum& sum) {
  while (merge_one_square(sum)) {
  }
}

/// Polynomial in all symbols: every negative power cleared.
ex clear_denominators(const ex& laurent) { return laurent.normal().numer(); }

}  // namespace

bool operator<(const Factors& a, const Factors& b) {
  const auto key = [](const std::map<Expr, int, ById>& powers) {
    std::vector<std::pair<std::uint32_t, int>> list;
    for (const auto& [atom, exponent] : powers) list.emplace_back(atom.id(), exponent);
    return list;
  };
  const auto angle_a = key(a.trig.angle);
  const auto angle_b = key(b.trig.angle);
  if (angle_a != angle_b) return angle_a < angle_b;
  if (a.trig.kind != b.trig.kind) return a.trig.kind < b.trig.kind;
  return key(a.monomial) < key(b.monomial);
}

Sum collect(Expr e) {
  Converter converter(Mode::products);
  return converter.read(build_expanded(converter.convert(e)));
}

Sum collect_factors(Expr e) {
  Converter converter(Mode::factors);
  Sum sum = converter.read(build_expanded(converter.convert(e)));
  merge_squares(sum);
  return sum;
}

Fraction collect_fraction(Expr numerator, Expr denominator) {
  Converter converter(Mode::products);
  const ex top = build_expanded(converter.convert(numerator));
  const ex bottom = build_expanded(converter.convert(denominator));
  if (top.is_zero()) return {{}, one()};
  ex quotient;
  if (GiNaC::is_a<GiNaC::add>(bottom) &&
      GiNaC::divide(clear_denominators(top), clear_denominators(bottom), quotient, false)) {
    return {converter.read(build_expanded((top / bottom).normal())), one()};
  }
  return reduce(converter.read(top), converter.read(bottom));
}

Fraction reduce(Sum numerator, Sum denominator) {
  if (numerator.empty()) return {{}, one()};
  const Monomial common = common_monomial({&numerator, &denominator}, true);
  const numeric size = content(denominator);
  divide_by(numerator, common, size);
  divide_by(denominator, common, size);
  if (denominator.size() == 1 && denominator.begin()->first.trig.kind == Trig::Kind::none) {
    const auto [factors, coefficient] = *denominator.begin();
    divide_by(numerator, factors.monomial, coefficient);
    return {std::move(numerator), one()};
  }
  return {std::move(numerator), std::move(denominator)};
}

void expand_brackets(Sum& sum) {
  for (auto it = sum.begin(); it != sum.end(); ++it) {
    const auto bracket =
        std::find_if(it->first.monomial.begin(), it->first.monomial.end(), [](const auto& power) {
          return power.second > 0 && (power.first->op == Op::add || power.first->op == Op::neg);
        });
    if (bracket == it->first.monomial.end()) continue;
    Factors rest = it->first;
    multiply_into(rest.monomial, bracket->first, -1);
    const Sum inside = collect_factors(bracket->first);
    const numeric coefficient = it->second;
    sum.erase(it);
    for (const auto& [factors, inner] : inside) {
      Factors product = rest;
      for (const auto& [atom, exponent] : factors.monomial) multiply_into(product.monomial, atom, exponent);
      sum[product] += coefficient * inner;
    }
    std::erase_if(sum, [](const auto& term) { return term.second.is_zero(); });
    return expand_brackets(sum);
  }
}

bool prove_equal(Expr a, Expr b) {
  Converter converter(Mode::rational);
  return (converter.convert(a) - converter.convert(b)).normal().is_zero();
}

CommonFactor take_common_factor(Sum& sum) {
  CommonFactor common;
  if (sum.empty()) return common;
  common.factors.monomial = common_monomial({&sum}, false);
  common.coefficient = content(sum);
  divide_by(sum, common.factors.monomial, common.coefficient);
  const Trig first = sum.begin()->first.trig;
  Sum bare;
  for (const auto& [factors, coefficient] : sum) {
    const bool same = factors.trig.kind == first.kind && factors.trig.angle == first.angle;
    if (!same) return common;
    bare.emplace(Factors{factors.monomial, {}}, coefficient);
  }
  common.factors.trig = first;
  sum = std::move(bare);
  return common;
}

}  // namespace rodeo::reduction
