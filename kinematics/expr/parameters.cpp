// SPDX-License-Identifier: MIT
// The `parameters:` of a model, `-p` overrides, and values of expressions of parameters.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <unordered_set>

#include "kinematics/expr/eval.h"
#include "kinematics/expr/parse.h"

namespace rodeo::expr {
namespace {

using text::Faults;
using text::Where;

/// The number of a parameter at fault: what depends on it is not reported again.
constexpr double kAtFault = std::numeric_limits<double>::quiet_NaN();
/// Parameters that need each other in a row; the visit below recurses as deep.
constexpr int kMaxChain = 1000;

Scope scope_of_names(const std::vector<std::string>& names) {
  Scope scope;
  scope.known = names;
  const auto known = std::make_shared<const std::unordered_set<std::string>>(names.begin(), names.end());
  scope.find = [known](const std::string& name) -> std::optional<Expr> {
    if (!known->contains(name)) return std::nullopt;
    return symbol(name);
  };
  return scope;
}

std::string not_finite(Expr e) {
  return fmt::format("'{}' is not finite: check for a division by zero, or for a function outside its domain",
                     to_text(e));
}

/// Evaluates parameters in the order they need each other; a cycle is a fault at its first member.
class ParameterValues {
 public:
  ParameterValues(std::vector<Parameter>& list, Faults& faults) : list_(list), faults_(faults) {
    for (Parameter& parameter : list_) index_[parameter.name] = &parameter;
  }
  void calc_all() {
    for (Parameter& parameter : list_) visit(parameter);
  }

 private:
  void visit(Parameter& parameter) {
    int& state = state_[parameter.name];
    if (state == kDone) return;
    if (state == kOpen || depth_ >= kMaxChain) return fault(parameter, state == kOpen);
    state = kOpen;
    ++depth_;
    for (const Expr used : symbols_of({parameter.value})) {
      const auto found = index_.find(used->name);
      if (found != index_.end()) visit(*found->second);
    }
    --depth_;
    if (state_[parameter.name] == kDone) return;  // part of a cycle
    finish(parameter, calc(parameter));
  }

  void fault(Parameter& parameter, bool is_cycle) {
    faults_.add(parameter.where,
                is_cycle
                    ? fmt::format("parameter '{}' depends on itself", parameter.name)
                    : fmt::format("parameter '{}' is the end of more than {} that need each other in a row",
                                  parameter.name, kMaxChain));
    finish(parameter, kAtFault);
  }

  void finish(Parameter& parameter, double number) {
    parameter.number = number;
    values_[parameter.name] = number;
    state_[parameter.name] = kDone;
  }

  double calc(const Parameter& parameter) {
    if (parameter.value.is_number()) return parameter.value->value;
    for (const Expr used : symbols_of({parameter.value})) {
      if (!values_.contains(used->name) || std::isnan(values_[used->name])) return kAtFault;
    }
    const double value = calc_value(parameter.value, values_);
    if (std::isfinite(value)) return value;
    faults_.add(parameter.where,
                fmt::format("parameter '{}': {}", parameter.name, not_finite(parameter.value)));
    return kAtFault;
  }

  static constexpr int kOpen = 1;
  static constexpr int kDone = 2;
  std::vector<Parameter>& list_;
  Faults& faults_;
  std::map<std::string, Parameter*> index_;
  std::map<std::string, int> state_;
  Values values_;
  int depth_ = 0;
};

Expr read_parameter(const text::Node& node, const std::string& name, const Scope& scope, Faults& faults) {
  const std::size_t before = faults.size();
  const Expr value = read_expression(node, fmt::format("parameter '{}'", name), scope, faults);
  return faults.size() > before ? Expr(kAtFault) : value;
}

void apply_override(const std::string& text, const Scope& scope, std::vector<Parameter>& list,
                    Faults& faults) {
  const std::size_t cut = text.find('=');
  const Where where = text::build_where("-p " + text);
  if (cut == std::string::npos || cut == 0) {
    faults.add(where, "a parameter is overridden as NAME=VALUE");
    return;
  }
  const std::string name = text.substr(0, cut);
  const auto found =
      std::find_if(list.begin(), list.end(), [&](const Parameter& p) { return p.name == name; });
  if (found == list.end()) {
    faults.add(where,
               fmt::format("the model has no parameter '{}'{}{}", name, text::did_you_mean(name, scope.known),
                           scope.known.empty() ? "" : "; it has " + text::join_names(scope.known)));
    return;
  }
  text::Node value;
  value.kind = text::Node::Kind::scalar;
  value.quoted = true;
  value.scalar = text.substr(cut + 1);
  value.where = where;
  found->value = read_parameter(value, name, scope, faults);
  found->where = where;
}

/// Names that expressions mean something else by. `pi` and `e` may be hidden.
std::string find_meaning(const std::string& name) {
  if (name == "t") return "t is the time";
  for (const char* word : {"and", "or", "not", "inf", "nan"}) {
    if (name == word) return "it is a word of expressions";
  }
  const auto is_name = [&](const FunctionInfo& info) { return name == info.name; };
  const bool is_function = std::any_of(functions().begin(), functions().end(), is_name);
  return is_function || name == "if" || name == "sqr" || name == "rand" ? "it is a function" : "";
}

void check_parameter_name(const std::string& name, const Where& where, Faults& faults) {
  if (!is_name(name) || name.find('-') != std::string::npos) {
    return faults.add(
        where, fmt::format("parameter '{}': a parameter's name is made of letters, digits and _", name));
  }
  const std::string meaning = find_meaning(name);
  if (!meaning.empty())
    faults.add(where, fmt::format("parameter '{}': {}: choose another name", name, meaning));
}

bool uses_faulty(Expr e, const Values& values) {
  const std::vector<Expr> symbols = symbols_of({e});
  return std::any_of(symbols.begin(), symbols.end(), [&](Expr s) { return std::isnan(values.at(s->name)); });
}

}  // namespace

std::vector<Parameter> read_parameters(const text::Node* node, const std::vector<std::string>& overrides,
                                       Faults& faults) {
  std::vector<Parameter> list;
  std::vector<std::string> names;
  if (node != nullptr && !node->is_map() && !node->is_null()) {
    faults.add(node->where,
               fmt::format("parameters: a map NAME: VALUE is needed, not {}", text::kind_name(*node)));
    return list;
  }
  if (node != nullptr) {
    for (const text::Entry& entry : node->entries) names.push_back(entry.key);
  }
  const Scope scope = scope_of_names(names);
  if (node != nullptr) {
    for (const text::Entry& entry : node->entries) {
      if (text::is_cut(entry.key)) continue;  // the rest of the expression before it, which is reported
      check_parameter_name(entry.key, entry.where, faults);
      list.push_back({entry.key, read_parameter(entry.value, entry.key, scope, faults), 0.0, entry.where});
    }
  }
  for (const std::string& text : overrides) apply_override(text, scope, list, faults);
  ParameterValues(list, faults).calc_all();
  return list;
}

Scope build_parameter_scope(const std::vector<Parameter>& parameters) {
  std::vector<std::string> names;
  for (const Parameter& parameter : parameters) names.push_back(parameter.name);
  return scope_of_names(names);
}

double read_value(Expr e, const std::vector<Parameter>& parameters, const Where& where,
                  const std::string& what, Faults& faults) {
  if (e.is_number()) return e->value;
  Values values;
  for (const Parameter& parameter : parameters) values[parameter.name] = parameter.number;
  for (const Expr used : symbols_of({e})) {
    if (used->kind == SymbolKind::parameter && values.contains(used->name)) continue;
    faults.add(where, fmt::format("{}: '{}' must have a fixed value here, and '{}' has none", what,
                                  to_text(e), used->name));
    return kAtFault;
  }
  const double value = calc_value(e, values);
  if (std::isfinite(value)) return value;
  if (!uses_faulty(e, values)) faults.add(where, fmt::format("{}: {}", what, not_finite(e)));
  return kAtFault;
}

}  // namespace rodeo::expr
