// SPDX-License-Identifier: MIT
// Values of elements: expressions, if-rules, functions of shared libraries, matrices of fields, nonlinear laws.
#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "kinematics/bondgraph/reader.h"
#include "kinematics/text/named_file.h"

namespace rodeo::bondgraph::reading {
namespace {

struct Rule {
  Expr condition;
  Expr value;
};

/// One `{if: ..., then: ...}`.
Rule read_rule(Reader& reader, const Instance& instance, const Node& node, const std::string& what) {
  text::MapReader map(node, what + ": rule", reader.faults);
  const Node* condition = map.require("if");
  const Node* then = map.require("then");
  map.finish();
  Rule rule;
  if (condition != nullptr)
    rule.condition = expr::read_expression(*condition, what, instance.scope, reader.faults);
  if (then != nullptr) rule.value = read_value(reader, instance, *then, what);
  return rule;
}

/// The value of the last rule, `{else: ...}`.
Expr read_else(Reader& reader, const Instance& instance, const Node& node, const std::string& what) {
  const Node* value = node.find("else");
  if (value == nullptr || node.entries.size() != 1) {
    reader.faults.add(
        node.where,
        fmt::format("{}: no rule for the remaining case: end the rules with {{else: ...}}", what));
    return 0.0;
  }
  return read_value(reader, instance, *value, what);
}

/// The first rule whose condition holds gives the value (Bondin, figure 6).
Expr read_rules(Reader& reader, const Instance& instance, const Node& node, const std::string& what) {
  std::vector<Rule> rules;
  for (std::size_t i = 0; i + 1 < node.items.size(); ++i)
    rules.push_back(read_rule(reader, instance, node.items[i], what));
  const Node& last = node.items.back();
  const bool ends_in_if = last.find("if") != nullptr;
  if (ends_in_if) rules.push_back(read_rule(reader, instance, last, what));
  Expr value = read_else(reader, instance, last, what);
  std::reverse(rules.begin(), rules.end());
  for (const auto& rule : rules)
    value = expr::operation(expr::Op::select, {rule.condition, rule.value, value});
  return value;
}

/// `{library: hardness.so, function: hardness, arguments: [_VI1_, _VI2_]}`; time goes first, by itself.
Expr read_library(Reader& reader, const Instance& instance, const Node& node, const std::string& what) {
  text::MapReader map(node, what, reader.faults);
  const Node* library = map.require("library");
  const Node* function = map.require("function");
  const Node* arguments = map.find("arguments");
  map.finish();
  std::vector<Expr> operands = {expr::time_symbol()};
  if (arguments != nullptr && !arguments->is_list()) {
    reader.faults.add(arguments->where, fmt::format("{}: 'arguments' is a list of expressions", what));
  } else if (arguments != nullptr) {
    for (const Node& item : arguments->items)
      operands.push_back(expr::read_expression(item, what, instance.scope, reader.faults));
  }
  if (library == nullptr || function == nullptr) return 0.0;
  return build_call(reader, instance, {library->scalar, function->scalar, library->where}, operands, what);
}

bool is_law(const Node& node) {
  return node.is_map() && (node.find("effort") != nullptr || node.find("flow") != nullptr);
}

/// Rows of a matrix; those of a field (I, C, K, R) and of a gyrator on one bond are as many as its columns.
void read_matrix(Reader& reader, const Instance& instance, const Node& node, Element& element,
                 const std::string& what) {
  const bool is_square = !element.is_two_port();
  const auto size = static_cast<std::size_t>(is_square ? element.shape.rows : element.shape.columns);
  std::vector<Expr> values;
  for (const Node& row : node.items) {
    if (!row.is_list() || row.items.size() != size) {
      reader.faults.add(row.where, fmt::format("{}: {}, and this row has {} values, not {}", what,
                                               is_square ? "the matrix of a field is square"
                                                         : "the rows of a matrix are of one length",
                                               row.items.size(), size));
      return;
    }
    for (const Node& item : row.items) values.push_back(read_value(reader, instance, item, what));
  }
  element.value = std::move(values);
}

/// One value a component of its bond.
void read_list(Reader& reader, const Instance& instance, const Node& node, Element& element,
               const std::string& what) {
  if (element.is_two_port()) {
    reader.faults.add(node.where,
                      fmt::format("{}: the modulus of a {} is a number or a matrix, a row for each "
                                  "component that leaves: [[1, 0], [0, 1]]",
                                  what, kind_text(element.kind)));
    return;
  }
  std::vector<Expr> values;
  for (const Node& item : node.items) values.push_back(read_value(reader, instance, item, what));
  element.value = std::move(values);
}

/// Which variable a law of this kind is of, and which it gives.
struct LawForm {
  const char* gives;
  const char* own;  // as the user writes it
  const char* quantity;
};
std::optional<LawForm> find_law_form(Kind kind) {
  if (kind == Kind::R) return LawForm{"effort", "f", "flow"};
  if (kind == Kind::C || kind == Kind::K) return LawForm{"effort", "x", "displacement"};
  if (kind == Kind::I) return LawForm{"flow", "p", "momentum"};
  return std::nullopt;
}

/// The law of each component: one text for all of them, or a list.
void read_components(Reader& reader, const Instance& instance, const Node& node, Element& element,
                     const LawForm& form, const std::string& what) {
  const int count = reader.ports_of(static_cast<int>(&element - reader.graph.elements.data()));
  const bool is_list = node.is_list() && !is_rules(node);
  if (is_list && node.items.size() != static_cast<std::size_t>(count)) {
    reader.faults.add(node.where, fmt::format("{}: it has {} laws, and its bond has dimension {}", what,
                                              node.items.size(), count));
    return;
  }
  for (int k = 1; k <= count; ++k) {
    const Node& own = is_list ? node.items[static_cast<std::size_t>(k - 1)] : node;
    reader.own =
        OwnVariable{form.own, expr::variable(variable_name(element.name, form.quantity, count == 1 ? 0 : k))};
    element.value.push_back(read_value(reader, instance, own, what));
  }
  reader.own.reset();
  if (count > 1) element.shape = {count, 0};
}

/// `{effort: "3*abs(f)*f"}`: the own variable is named by its letter.
void read_law(Reader& reader, const Instance& instance, const Node& node, Element& element,
              const std::string& what) {
  const std::optional<LawForm> form = find_law_form(element.kind);
  if (!form || node.find(form->gives) == nullptr) {
    reader.faults.add(
        node.where,
        !form
            ? fmt::format("{}: a {} has a value, not a law", what, kind_text(element.kind))
            : fmt::format("{}: the law of a {} gives its {} from its {} {}, as in {{{}: {{{}: \"2*{}^3\"}}}}",
                          what, kind_text(element.kind), form->gives, form->quantity, form->own,
                          kind_text(element.kind), form->gives, form->own));
    return;
  }
  text::MapReader map(node, what, reader.faults);
  const Node* value = map.find(form->gives);
  map.finish();
  read_components(reader, instance, *value, element, *form, what);
  element.law = Law::nonlinear;
}

void check_missing(Reader& reader, const Element& element, const std::string& what) {
  if (element.is_source()) return;  // an input
  reader.faults.add(element.where, fmt::format("{}: {} needs a value, as in {{{}: 5}}", what,
                                               kind_text(element.kind), kind_text(element.kind)));
}

/// A subset's value that is no number of its own file was given where the subset is used.
bool is_given(const Instance& instance, const Node& value) {
  return instance.parent != nullptr && value.is_scalar() &&
         value.scalar.find_first_not_of("0123456789.eE+-") != std::string::npos;
}

/// No flow follows from the momentum of I: 0, no effort from the displacement of C: 0.
void check_zero(Reader& reader, const Instance& instance, const Element& element, const Node& node) {
  const Where& where = is_given(instance, node) ? instance.use->where : node.where;
  const std::string what = fmt::format("element '{}'", element.name);
  if (element.value.size() != 1 || element.law != Law::linear ||
      find_constant(reader, element.value[0]) != 0.0)
    return;
  if (element.kind == Kind::C) {
    reader.faults.add(
        where,
        fmt::format("{}: C: 0 gives no effort for a displacement: write K: 0 for a port without effort",
                    what));
  } else if (element.kind == Kind::I) {
    reader.faults.add(
        where,
        fmt::format("{}: I: 0 gives no flow for a momentum: leave the element out, or write K: 0", what));
  }
}

}  // namespace

Expr build_call(Reader& reader, const Instance& instance, const LibraryName& name,
                const std::vector<Expr>& operands, const std::string& what) {
  const std::string path =
      (std::filesystem::path(instance.file).parent_path() / name.library).lexically_normal().string();
  std::string fault = text::find_name_fault(name.library);
  if (fault.empty()) fault = find_function_fault(path, name.function);
  if (fault.empty() && !text::find_named_file(instance.file, name.library, text::Library::none))
    fault = fmt::format("library '{}' is a link that leads out of the model's folder", name.library);
  if (!fault.empty()) reader.faults.add(name.where, fmt::format("{}: {}", what, fault));
  reader.graph.native.push_back({path, name.function, what, name.where});
  return expr::library_call(path, name.function, operands);
}

bool is_rules(const Node& node) {
  return node.is_list() && !node.items.empty() && node.items[0].is_map() &&
         node.items[0].find("library") == nullptr;
}

Expr read_value(Reader& reader, const Instance& instance, const Node& node, const std::string& what) {
  if (node.is_map() && node.find("library") != nullptr) return read_library(reader, instance, node, what);
  if (is_rules(node)) return read_rules(reader, instance, node, what);
  if (is_bondin(node)) return read_bondin(reader, instance, node, what);
  if (node.is_scalar()) return expr::read_expression(node, what, instance.scope, reader.faults);
  reader.faults.add(node.where, fmt::format("{}: a value is a number, an expression, a list of rules [{{if: "
                                            "..., then: ...}}, {{else: ...}}] or "
                                            "{{library: ..., function: ...}}, not {}",
                                            what, text::kind_name(node)));
  return 0.0;
}

void read_element_value(Reader& reader, const Instance& instance, const Instance::Item& item) {
  Element& element = reader.element(item.element);
  const std::string what = fmt::format("element '{}'", item.name);
  const std::size_t faults_before = reader.faults.size();
  if (element.constraint) return read_constraint(reader, instance, item);
  if (item.value->is_null()) return check_missing(reader, element, what);
  if (element.shape.is_matrix()) {
    read_matrix(reader, instance, *item.value, element, what);
  } else if (element.shape.is_list()) {
    read_list(reader, instance, *item.value, element, what);
  } else if (is_law(*item.value)) {
    read_law(reader, instance, *item.value, element, what);
  } else {
    element.value = {read_value(reader, instance, *item.value, what)};
  }
  if (reader.faults.size() > faults_before) return;
  for (const Expr value : element.value) check_finite(reader, value, item.value->where, what);
  check_zero(reader, instance, element, *item.value);
}

}  // namespace rodeo::bondgraph::reading
