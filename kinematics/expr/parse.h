// SPDX-License-Identifier: MIT
// Text -> expression, with the operators and functions of the contract and of Bondin's section 4:
//   + - * / ^ **   ! (factorial) % (per cent)   < <= > >= == != and or not   if(condition, then, else)
// A unit (deg, rad, mm, cm, m) stands after a number and a space. Errors are std::invalid_argument with a sentence;
// the caller adds file, line and element.
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "kinematics/expr/expr.h"
#include "kinematics/text/yaml.h"

namespace rodeo::expr {

inline constexpr int kMaxDepth = 200;
inline constexpr int kMaxOperands = 1000;

/// What names mean. Asked for every name that is not a function; nullopt = unknown.
struct Scope {
  std::function<std::optional<Expr>(const std::string& name)> find;
  /// For "it has ..." in messages.
  std::vector<std::string> known;
  /// Where `rand` takes its next stream from; without it `rand` is refused.
  int* next_random_stream = nullptr;
};

[[nodiscard]] Expr build_expression(std::string_view text, const Scope& scope);

/// A scalar of a model file as an expression. Faults name the place and `what`; the result is then 0.
[[nodiscard]] Expr read_expression(const text::Node& node, const std::string& what, const Scope& scope,
                                   text::Faults& faults);

/// Parameters: expressions of earlier or later parameters, without cycles, and their values.
struct Parameter {
  std::string name;
  Expr value;     // in terms of other parameters
  double number;  // evaluated; NaN where the parameter is at fault
  text::Where where;
};
/// `overrides` are the `-p NAME=VALUE` of the command line; an unknown name is a fault.
[[nodiscard]] std::vector<Parameter> read_parameters(const text::Node* node,
                                                     const std::vector<std::string>& overrides,
                                                     text::Faults& faults);
[[nodiscard]] Scope build_parameter_scope(const std::vector<Parameter>& parameters);

/// The value of an expression of parameters; not finite (a division by zero, say) is a fault and gives NaN. A parameter
/// at fault gives NaN too, without a second fault.
[[nodiscard]] double read_value(Expr e, const std::vector<Parameter>& parameters, const text::Where& where,
                                const std::string& what, text::Faults& faults);

/// A name that a user may give to a thing: letters, digits, _ and -, not starting with a digit.
[[nodiscard]] bool is_name(std::string_view text);

}  // namespace rodeo::expr
