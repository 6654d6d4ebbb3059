// SPDX-License-Identifier: MIT
// Collected sums and fractions as text, LaTeX or HTML. Factors stand in the order number, parameters, bracket, sine or
// cosine, rates; terms of one rate are gathered, then terms of one sine or cosine.
#pragma once
#include <string>

#include "kinematics/reduction/collect.h"
#include "kinematics/reduction/names.h"

namespace rodeo::reduction {

enum class Format {
  text,   // L1 sin(X_a - X_b) w
  plain,  // L1*sin(X_a - X_b)*w, that a program can read
  latex,
  html,
};

class Shower {
 public:
  Shower(const Names& names, Format format) : names_(names), format_(format) {}

  [[nodiscard]] std::string show(const Sum& sum) const;
  [[nodiscard]] std::string show(const Fraction& fraction) const;
  [[nodiscard]] std::string show_symbol(Expr symbol) const { return show_name(names_.find(symbol)); }
  [[nodiscard]] std::string show_name(const SymbolName& name) const;
  /// A number that one computes with: ten digits.
  [[nodiscard]] std::string show_value(double value) const;

 private:
  struct Signed {
    bool negative = false;
    std::string text;
    bool is_sum = false;
  };
  [[nodiscard]] Signed show_factored(Sum sum) const;
  [[nodiscard]] std::string show_groups(const Sum& sum) const;
  [[nodiscard]] std::string show_terms(const Sum& sum) const;
  [[nodiscard]] static std::string join_terms(std::vector<Signed> terms);
  [[nodiscard]] std::string show_product(const GiNaC::numeric& size, const Factors& factors,
                                         const std::string& bracket) const;
  [[nodiscard]] std::string show_number(const GiNaC::numeric& size) const;
  [[nodiscard]] std::string show_double(double value) const;
  [[nodiscard]] std::string show_digits(const std::string& digits) const;
  [[nodiscard]] std::string show_power(Expr atom, int exponent) const;
  [[nodiscard]] std::string show_atom(Expr atom) const;
  [[nodiscard]] std::string show_trig(const Trig& trig) const;
  [[nodiscard]] std::string show_function(const char* name, const std::vector<std::string>& args) const;
  [[nodiscard]] std::string show_quotient(const std::string& top, const std::string& bottom) const;
  [[nodiscard]] std::string bracket(const std::string& text) const;
  [[nodiscard]] std::string join_factors(const std::vector<std::string>& factors) const;
  [[nodiscard]] bool is_rate(Expr atom) const;
  [[nodiscard]] std::string escape(const std::string& text) const;

  const Names& names_;
  Format format_;
};

}  // namespace rodeo::reduction
