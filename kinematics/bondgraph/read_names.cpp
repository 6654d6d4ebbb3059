// SPDX-License-Identifier: MIT
// What a name in an expression or at the end of a bond means. In this order: the own variable of a law, a parameter, a
// signal, `t`, Bondin's `_V<name>_` and `_X<name>_` (its section 7), `<other>.` before a name of the subset that a parameter
// stands for, `<element>.<quantity>`.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

[[noreturn]] void fail(const std::string& text) { throw std::invalid_argument(text); }

/// Names that a file has, for "did you mean"; cut where a list would be too long to be of use.
std::vector<std::string> local_names(const Instance& instance) {
  std::vector<std::string> names;
  for (const char* section : {"elements", "junctions"}) {
    const Node* node = instance.root->find(section);
    if (node == nullptr) continue;
    for (const text::Entry& entry : node->entries) {
      if (names.size() < kMaxCandidates) names.push_back(entry.key);
    }
  }
  return names;
}

[[noreturn]] void fail_unknown(const Instance& instance, const std::string& name) {
  const std::vector<std::string> known = local_names(instance);
  fail(fmt::format("there is no element or junction '{}'{}{}", name, text::did_you_mean(name, known),
                   known.empty() ? "" : "; there are " + text::join_names(known)));
}

std::string list_ports(const Instance& subset, const std::string& prefix) {
  std::vector<std::string> names;
  const Node* ports = subset.root->find("ports");
  if (ports == nullptr) return "none: name them in the subset's file under 'ports:'";
  for (const Node& item : ports->items) names.push_back(prefix + item.scalar);
  for (const text::Entry& entry : ports->entries) names.push_back(prefix + entry.key);
  return text::join_names(names);
}

/// The end `rod1.B`: a port of a subset.
int find_port(const Instance& instance, const std::string& name, std::size_t dot) {
  const std::string owner = name.substr(0, dot);
  const auto subset = instance.subsets.find(owner);
  if (subset == instance.subsets.end()) fail(fmt::format("'{}': there is no subset '{}'", name, owner));
  const auto port = subset->second->ports.find(name.substr(dot + 1));
  if (port != subset->second->ports.end()) return port->second;
  fail(fmt::format("subset '{}' has no port '{}' (it has {})", owner, name.substr(dot + 1),
                   list_ports(*subset->second, "")));
}

/// What an element has, as `effort, flow`; junctions have what is common to their bonds.
std::vector<std::string> quantities_of(const Element& element) {
  switch (element.kind) {
    case Kind::Se:
    case Kind::Sf:
    case Kind::R: return {"effort", "flow"};
    case Kind::I: return {"effort", "flow", "momentum", "displacement"};
    case Kind::C:
    case Kind::K: return {"effort", "flow", "displacement"};
    case Kind::zero: return {"effort"};
    case Kind::one: return {"flow"};
    default: return {};
  }
}

/// `flow_2` -> flow and 2; `flow` -> flow and 0.
std::pair<std::string, int> split_port(const std::string& quantity) {
  const std::size_t bar = quantity.rfind('_');
  if (bar == std::string::npos) return {quantity, 0};
  int port = 0;
  const char* end = quantity.data() + quantity.size();
  const auto parsed = std::from_chars(quantity.data() + bar + 1, end, port);
  if (parsed.ec != std::errc() || parsed.ptr != end || port < 1) return {quantity, 0};
  return {quantity.substr(0, bar), port};
}

bool is_quantity(const std::string& text) {
  return text == "effort" || text == "flow" || text == "displacement" || text == "momentum";
}

void check_quantity(const Reader& reader, const Reference& found, const std::string& owner,
                    const std::string& name) {
  const Element& element = reader.graph.elements[static_cast<std::size_t>(found.element)];
  const std::vector<std::string> has = quantities_of(element);
  if (has.empty())
    fail(
        fmt::format("'{}': '{}' is a two-port with two efforts and flows: name an element at one of its ends",
                    name, owner));
  if (std::find(has.begin(), has.end(), found.quantity) == has.end()) {
    fail(fmt::format("'{}': '{}' is a {}{}, which has no {} (it has {})", name, owner,
                     kind_text(element.kind), element.is_junction() ? "-junction" : "", found.quantity,
                     text::join_names(has)));
  }
  const int ports = reader.ports_of(found.element);
  if (ports <= 1 && found.port != 0)
    fail(fmt::format("'{}': '{}' has one port: write {}.{}", name, owner, owner, found.quantity));
  if (ports > 1 && (found.port == 0 || found.port > ports)) {
    fail(fmt::format("'{}': '{}' has {} ports: write {}.{}_1 to {}.{}_{}", name, owner, ports, owner,
                     found.quantity, owner, found.quantity, ports));
  }
}

Expr variable_at(Reader& reader, const Reference& reference) {
  const Element& element = reader.element(reference.element);
  if (element.kind == Kind::I && reference.quantity == "displacement")
    note_displacement(reader, reference.element);
  return expr::variable(variable_name(element.name, reference.quantity, reference.port));
}

/// `_VI1_` is I1's flow, `_XI1_` and `_XC1_` are displacements.
std::optional<Expr> find_bondin(Reader& reader, const Instance& instance, const std::string& name) {
  if (name.size() < 4 || name[0] != '_' || name.back() != '_' || (name[1] != 'V' && name[1] != 'X'))
    return std::nullopt;
  const std::string owner = name.substr(2, name.size() - 3);
  const auto found = reader.elements.find(instance.prefix + owner);
  if (found == reader.elements.end()) {
    const std::vector<std::string> known = local_names(instance);
    fail(fmt::format("'{}': there is no element '{}'{}", name, owner, text::did_you_mean(owner, known)));
  }
  if (found->second < 0) return Expr(0.0);
  const Kind kind = reader.element(found->second).kind;
  const bool is_flow = name[1] == 'V';
  if (is_flow ? kind != Kind::I : kind != Kind::I && kind != Kind::C && kind != Kind::K) {
    fail(fmt::format("'{}': {} belongs to {} ports and '{}' is a {}: write {}.{} for one of its variables",
                     name, is_flow ? "_V..._" : "_X..._", is_flow ? "I" : "I, C and K", owner,
                     kind_text(kind), owner, is_flow ? "flow" : "effort"));
  }
  const Reference reference{found->second, is_flow ? "flow" : "displacement", 0};
  check_quantity(reader, reference, owner, name);
  return variable_at(reader, reference);
}

std::optional<Expr> find_in_other(Reader& reader, const Instance& instance, const std::string& name);

/// `spring.flow`.
std::optional<Expr> find_variable(Reader& reader, const Instance& instance, const std::string& name) {
  const auto reference = find_reference(reader, instance, name);
  if (!reference) return std::nullopt;
  return reference->element < 0 ? Expr(0.0) : variable_at(reader, *reference);
}

std::vector<std::string> signals_of(const Instance& instance) {
  std::vector<std::string> names;
  if (const Node* signals = instance.root->find("signals")) {
    for (const text::Entry& entry : signals->entries) names.push_back(entry.key);
  }
  return names;
}

/// A signal or variable of a subset; its parameters are its own business.
std::optional<Expr> find_of_subset(Reader& reader, const Instance& subset, const std::string& name) {
  if (reader.signals.contains(subset.prefix + name)) return expr::variable(subset.prefix + name);
  if (const auto found = find_in_other(reader, subset, name)) return found;
  return find_variable(reader, subset, name);
}

std::string no_signal_text(const Instance& subset, const std::string& name) {
  const std::vector<std::string> known = signals_of(subset);
  return fmt::format("has no signal '{}'{}{}", name, text::did_you_mean(name, known),
                     known.empty() ? "" : "; it has " + text::join_names(known));
}

/// The subset that was given is the wrong one: told once, where it is given.
Expr refuse_other(Reader& reader, const Instance& instance, const std::string& parameter,
                  const std::string& name) {
  const Instance& other = *instance.others.at(parameter);
  if (!reader.refused.insert(instance.prefix + parameter).second) return 0.0;
  const auto local = [](const Instance& subset) { return subset.prefix.substr(0, subset.prefix.size() - 1); };
  reader.faults.add(instance.use->where,
                    fmt::format("subset '{}': its parameter '{}' is subset '{}', which {}", local(instance),
                                parameter, local(other), no_signal_text(other, name)));
  return 0.0;
}

/// `body.R11`, where `body` is a parameter that stands for a subset.
std::optional<Expr> find_in_other(Reader& reader, const Instance& instance, const std::string& name) {
  const std::size_t dot = name.find('.');
  const auto other = instance.others.find(name.substr(0, dot));
  if (other == instance.others.end()) return std::nullopt;
  if (other->second == nullptr) return Expr(0.0);  // the fault is reported where it is given
  if (dot == std::string::npos) {
    const std::vector<std::string> known = signals_of(*other->second);
    fail(fmt::format("'{}' stands for a subset: name one of its signals or variables, as in {}.{}", name,
                     name, known.empty() ? "spring.flow" : known[0]));
  }
  const std::string rest = name.substr(dot + 1);
  if (const auto found = find_of_subset(reader, *other->second, rest)) return found;
  return refuse_other(reader, instance, other->first, rest);
}

/// `bar.R14` names a subset of this file, and nothing in it.
void check_subset_name(const Instance& instance, const std::string& name) {
  const std::size_t dot = name.find('.');
  const auto subset = instance.subsets.find(name.substr(0, dot));
  if (dot == std::string::npos || subset == instance.subsets.end()) return;
  fail(fmt::format("'{}': subset '{}' {}", name, subset->first,
                   no_signal_text(*subset->second, name.substr(dot + 1))));
}

std::optional<Expr> find_name(Reader& reader, const Instance& instance, const std::string& name) {
  if (reader.own && reader.own->name == name) return reader.own->variable;
  const auto parameter = instance.parameters.find(name);
  if (parameter != instance.parameters.end()) return parameter->second;
  if (reader.signals.contains(instance.prefix + name)) return expr::variable(instance.prefix + name);
  if (name == "t") return expr::time_symbol();
  if (const auto found = find_bondin(reader, instance, name)) return found;
  if (const auto found = find_in_other(reader, instance, name)) return found;
  if (const auto found = find_variable(reader, instance, name)) return found;
  check_subset_name(instance, name);
  return std::nullopt;
}

}  // namespace

int find_end(const Reader& reader, const Instance& instance, const std::string& name) {
  const std::size_t dot = name.find('.');
  if (dot != std::string::npos) return find_port(instance, name, dot);
  const auto found = reader.elements.find(instance.prefix + name);
  if (found != reader.elements.end()) return found->second;
  const auto subset = instance.subsets.find(name);
  if (subset != instance.subsets.end()) {
    fail(fmt::format("'{}' is a subset: name one of its ports ({})", name,
                     list_ports(*subset->second, name + ".")));
  }
  fail_unknown(instance, name);
}

std::optional<Reference> find_reference(const Reader& reader, const Instance& instance,
                                        const std::string& name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto [quantity, port] = split_port(name.substr(dot + 1));
  const std::string owner = name.substr(0, dot);
  const auto found = reader.elements.find(instance.prefix + owner);
  if (!is_quantity(quantity)) {
    if (found == reader.elements.end()) return std::nullopt;
    fail(fmt::format("'{}': '{}' is none of effort, flow, displacement, momentum", name, quantity));
  }
  if (found == reader.elements.end()) {
    const std::vector<std::string> known = local_names(instance);
    fail(fmt::format("'{}': there is no element '{}'{}", name, owner, text::did_you_mean(owner, known)));
  }
  const Reference reference{found->second, quantity, port};
  if (reference.element >= 0) check_quantity(reader, reference, owner, name);
  return reference;
}

void note_displacement(Reader& reader, int element) {
  if (reader.displaced.insert(element).second) reader.graph.displacement_of_inertia.push_back(element);
}

void build_scope(Reader& reader, Instance& instance) {
  expr::Scope& scope = instance.scope;
  scope.find = [&reader, &instance](const std::string& name) { return find_name(reader, instance, name); };
  scope.next_random_stream = &reader.next_random_stream;
  scope.known = {"t"};
  for (const char* section : {"parameters", "signals"}) {
    const Node* node = instance.root->find(section);
    if (node == nullptr) continue;
    for (const text::Entry& entry : node->entries) {
      if (scope.known.size() < kMaxCandidates) scope.known.push_back(entry.key);
    }
  }
}

}  // namespace rodeo::bondgraph::reading
