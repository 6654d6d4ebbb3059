// SPDX-License-Identifier: MIT
// First pass: what names a file has. Elements are in read_elements.cpp, subsets in read_subsets.cpp; junctions, signals,
// ports and the default domain are here.
#include <fmt/format.h>

#include <stdexcept>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

struct JunctionText {
  Kind kind = Kind::zero;
  const Node* condition = nullptr;  // of a controlled junction
};

/// `0`, `1`, `{X0: condition}` or `{X1: condition}`.
std::optional<JunctionText> find_junction(const Node& value) {
  if (value.is_scalar() && (value.scalar == "0" || value.scalar == "1"))
    return JunctionText{value.scalar == "1" ? Kind::one : Kind::zero};
  if (!value.is_map() || value.entries.size() != 1) return std::nullopt;
  const text::Entry& entry = value.entries[0];
  if (entry.key != "X0" && entry.key != "X1") return std::nullopt;
  return JunctionText{entry.key == "X1" ? Kind::one : Kind::zero, &entry.value};
}

void declare_junction(Reader& reader, Instance& instance, const text::Entry& entry) {
  const std::optional<JunctionText> junction = find_junction(entry.value);
  if (!junction) {
    reader.faults.add(entry.where,
                      fmt::format("junction '{}': a junction is 0 or 1{}", entry.key,
                                  entry.value.is_map()
                                      ? ", or controlled by a condition, as in {X0: \"gap < 0\"} or {X1: ...}"
                                      : ""));
    reader.structure_is_known = false;
    reader.elements.emplace(instance.prefix + entry.key, -1);
    return;
  }
  const int index = static_cast<int>(reader.graph.elements.size());
  if (!take_name(reader, instance, entry, index)) return;
  add_declared(reader, instance, entry, junction->kind, Domain::unset, 0);
  if (junction->condition != nullptr) instance.conditions.emplace_back(index, junction->condition);
}

void declare_signal(Reader& reader, Instance& instance, const text::Entry& entry) {
  const std::string full = instance.prefix + entry.key;
  const std::string what = fmt::format("signal '{}'", entry.key);
  const Node* parameters = instance.root->find("parameters");
  const bool is_parameter = parameters != nullptr && parameters->find(entry.key) != nullptr;
  if (!expr::is_name(entry.key) || entry.key.find('-') != std::string::npos || entry.key == "t") {
    reader.faults.add(entry.where,
                      fmt::format("{}: a name is made of letters, digits and _, and t is the time", what));
  } else if (is_parameter || reader.elements.contains(full) || instance.subsets.contains(entry.key)) {
    reader.faults.add(entry.where, fmt::format("{}: the name is taken by {}: rename one of them", what,
                                               is_parameter ? "a parameter" : "an element or a junction"));
  }
  Signal signal;
  signal.name = full;
  signal.where = entry.where;
  reader.signals.emplace(full, static_cast<int>(reader.graph.signals.size()));
  reader.graph.signals.push_back(std::move(signal));
}

/// The entries of a section, none (and a fault) when it is not a map.
const std::vector<text::Entry>& entries_of(Reader& reader, const Instance& instance, const char* section) {
  static const std::vector<text::Entry> none;
  const Node* node = instance.root->find(section);
  if (node == nullptr || node->is_null()) return none;
  if (node->is_map()) return node->entries;
  reader.faults.add(node->where, fmt::format("{}: a map NAME: VALUE is needed here, not {}", section,
                                             text::kind_name(*node)));
  reader.structure_is_known = false;
  return none;
}

void declare_port(Reader& reader, Instance& instance, const std::string& outer, const std::string& inner,
                  const Where& where) {
  try {
    const int element = find_end(reader, instance, inner);
    const auto taken = reader.elements.emplace(instance.prefix + outer, element);
    if (!taken.second && taken.first->second != element) {
      throw std::invalid_argument(
          fmt::format("the name is that of another element; the port leads to '{}'", inner));
    }
    instance.ports[outer] = element;
    if (element >= 0)
      reader.least_bonds[element] = instance.parent == nullptr ? 0 : 1;  // the outermost comes last
  } catch (const std::invalid_argument& error) {
    reader.faults.add(where, fmt::format("port '{}': {}", outer, error.what()));
    reader.structure_is_known = false;
  }
}

/// `ports: [A, B]` or `ports: {A: inner_name}`.
void declare_ports(Reader& reader, Instance& instance) {
  const Node* ports = instance.root->find("ports");
  if (ports == nullptr) return;
  if (ports->is_scalar())
    reader.faults.add(ports->where,
                      "ports: a list of names, or a map of outer to inner names, is needed here");
  for (const Node& item : ports->items) declare_port(reader, instance, item.scalar, item.scalar, item.where);
  for (const text::Entry& entry : ports->entries)
    declare_port(reader, instance, entry.key, entry.value.scalar, entry.where);
}

void read_default_domain(Reader& reader, Instance& instance) {
  const Node* domain = instance.root->find("domain");
  if (domain != nullptr) instance.domain = read_domain(*domain, "domain", reader.faults);
}

/// Throws when subsets multiply each other; counts empty ones too.
void check_size(Reader& reader, const Where& where) {
  if (++reader.declared <= kMaxElements) return;
  throw text::ModelError(
      where,
      fmt::format("the model grows over {} elements: do its subsets multiply each other?", kMaxElements));
}

void check_keys(Reader& reader, const Instance& instance) {
  text::MapReader map(*instance.root, "bond graph", reader.faults);
  for (const char* key : {"name", "domain", "parameters", "elements", "junctions", "bonds", "signals",
                          "start", "outputs", "ports"}) {
    static_cast<void>(map.find(key));
  }
  map.finish();
}

}  // namespace

Domain read_domain(const Node& node, const std::string& what, text::Faults& faults) {
  std::vector<std::string> names;
  for (int i = 1; i <= static_cast<int>(Domain::thermal); ++i) {
    names.emplace_back(domain_text(static_cast<Domain>(i)));
    if (node.is_scalar() && node.scalar == names.back()) return static_cast<Domain>(i);
  }
  faults.add(node.where, fmt::format("{}: there is no domain '{}'{}; the domains are {}", what, node.scalar,
                                     text::did_you_mean(node.scalar, names), text::join_names(names)));
  return Domain::unset;
}

void declare(Reader& reader, Instance& instance) {
  check_keys(reader, instance);
  read_default_domain(reader, instance);
  for (const text::Entry& entry : entries_of(reader, instance, "elements")) {
    check_size(reader, entry.where);
    declare_element(reader, instance, entry);
  }
  for (const text::Entry& entry : entries_of(reader, instance, "junctions"))
    declare_junction(reader, instance, entry);
  for (const text::Entry& entry : entries_of(reader, instance, "signals"))
    declare_signal(reader, instance, entry);
  declare_ports(reader, instance);
}

}  // namespace rodeo::bondgraph::reading
