// SPDX-License-Identifier: MIT
// First pass: elements, junctions and signals by name, kind and domain; subsets are opened here.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

struct KindName {
  const char* name;
  Kind kind;
};
constexpr std::array<KindName, 13> kKinds = {{{"Se", Kind::Se},
                                              {"Sf", Kind::Sf},
                                              {"MSe", Kind::Se},
                                              {"MSf", Kind::Sf},
                                              {"I", Kind::I},
                                              {"C", Kind::C},
                                              {"K", Kind::K},
                                              {"R", Kind::R},
                                              {"TF", Kind::TF},
                                              {"MTF", Kind::TF},
                                              {"GY", Kind::GY},
                                              {"MGY", Kind::GY},
                                              {"lambda", Kind::Se}}};
constexpr std::size_t kMostKinds = 20;  // all of them in a message

constexpr const char* kLambda = "lambda";

std::vector<std::string> kind_names() {
  std::vector<std::string> names;
  for (const KindName& entry : kKinds) names.emplace_back(entry.name);
  return names;
}

std::optional<Kind> find_kind(const std::string& name) {
  for (const KindName& entry : kKinds) {
    if (name == entry.name) return entry.kind;
  }
  return std::nullopt;
}

/// A list of lists is a matrix, where these are no rules.
Shape find_shape(const Node* value) {
  if (value == nullptr || !value->is_list() || value->items.empty() || is_rules(*value)) return {};
  const Node& first = value->items[0];
  const int columns = first.is_list() && !is_rules(first) ? static_cast<int>(first.items.size()) : 0;
  return {static_cast<int>(value->items.size()), columns};
}

/// `domains: [electric, rotation]` of a two-port.
void read_sides(Reader& reader, const Node& node, int element, const std::string& what) {
  if (!reader.element(element).is_two_port() || !node.is_list() || node.items.size() != 2) {
    reader.faults.add(node.where,
                      fmt::format("{}: 'domains' is the pair of domains of a two-port (TF, GY), such as "
                                  "[electric, rotation]; other elements have one 'domain'",
                                  what));
    return;
  }
  reader.sides[element] = {read_domain(node.items[0], what, reader.faults),
                           read_domain(node.items[1], what, reader.faults)};
}

/// Domain of its own, both domains of a two-port, or the file's default for elements that are no transducers.
void read_domains(Reader& reader, const Instance& instance, text::MapReader& map, int element,
                  const std::string& what) {
  const Node* own = map.find("domain");
  const Node* both = map.find("domains");
  if (own != nullptr) reader.element(element).domain = read_domain(*own, what, reader.faults);
  if (both != nullptr) read_sides(reader, *both, element, what);
  if (own != nullptr || reader.element(element).is_two_port()) return;
  reader.element(element).domain = instance.domain;
  reader.takes_default_domain[static_cast<std::size_t>(element)] = true;
}

void report_no_kind(Reader& reader, const text::Entry& entry, const std::string& what) {
  std::vector<std::string> keys;
  for (const text::Entry& inner : entry.value.entries) keys.push_back(inner.key);
  const std::string first = entry.value.is_scalar() ? entry.value.scalar : keys.empty() ? "" : keys[0];
  reader.faults.add(
      entry.where,
      fmt::format("{}: no kind of element is named{}; the kinds are {}, as in {{I: 5}}, or "
                  "{{subset: file.yaml}}",
                  what, text::did_you_mean(first, kind_names()), text::join_names(kind_names(), kMostKinds)));
  reader.structure_is_known = false;
}

/// The key of an element's map that is a kind; nullptr (and a fault) for none or two.
const text::Entry* find_kind_entry(Reader& reader, const text::Entry& entry, const std::string& what) {
  const text::Entry* found = nullptr;
  for (const text::Entry& inner : entry.value.entries) {
    if (!find_kind(inner.key)) continue;
    if (found != nullptr) {
      reader.faults.add(inner.where, fmt::format("{}: it is both {} and {}: an element has one kind", what,
                                                 found->key, inner.key));
      reader.structure_is_known = false;
      return nullptr;
    }
    found = &inner;
  }
  if (found == nullptr) report_no_kind(reader, entry, what);
  return found;
}

/// `road: Sf` is short for `road: {Sf: }`.
void declare_short(Reader& reader, Instance& instance, const text::Entry& entry, const std::string& what) {
  const std::optional<Kind> kind = find_kind(entry.value.scalar);
  if (!kind) {
    report_no_kind(reader, entry, what);
    reader.elements[instance.prefix + entry.key] = -1;
    return;
  }
  static const Node nothing;
  add_declared(reader, instance, entry, *kind, instance.domain, 1);
  const int element = reader.elements[instance.prefix + entry.key];
  reader.takes_default_domain[static_cast<std::size_t>(element)] = true;
  if (entry.value.scalar == kLambda) reader.element(element).constraint.emplace();
  instance.items.push_back({entry.key, element, &nothing, nullptr});
}

void declare_long(Reader& reader, Instance& instance, const text::Entry& entry, const std::string& what) {
  const text::Entry* kind = find_kind_entry(reader, entry, what);
  if (kind == nullptr) {
    reader.elements[instance.prefix + entry.key] = -1;
    return;
  }
  const int element = reader.elements[instance.prefix + entry.key];
  const Shape shape = find_shape(&kind->value);
  add_declared(reader, instance, entry, *find_kind(kind->key), Domain::unset, std::max(1, shape.rows));
  reader.element(element).shape = shape;
  if (kind->key == kLambda) reader.element(element).constraint.emplace();
  text::MapReader map(entry.value, what, reader.faults);
  const Node* value = map.find(kind->key);
  read_domains(reader, instance, map, element, what);
  map.finish();
  instance.items.push_back({entry.key, element, value, nullptr});
}

void declare_subset(Reader& reader, Instance& instance, const text::Entry& entry) {
  std::unique_ptr<Instance> subset = build_subset(reader, instance, entry.key, entry.value);
  if (subset == nullptr) {
    reader.structure_is_known = false;
    return;
  }
  instance.subsets[entry.key] = subset.get();
  reader.elements.erase(instance.prefix + entry.key);  // a subset's name is no end of a bond
  instance.items.push_back({entry.key, -1, nullptr, std::move(subset)});
}

}  // namespace

void add_declared(Reader& reader, const Instance& instance, const text::Entry& entry, Kind kind,
                  Domain domain, int ports) {
  Element element;
  element.name = instance.prefix + entry.key;
  element.kind = kind;
  element.domain = domain;
  element.where = entry.where;
  add_element(reader.graph, std::move(element));
  reader.ports.push_back(ports);
  reader.takes_default_domain.push_back(false);
}

bool take_name(Reader& reader, const Instance& instance, const text::Entry& entry, int element) {
  std::string fault;
  if (!expr::is_name(entry.key) || entry.key.find('-') != std::string::npos) {
    fault = "a name is made of letters, digits and _, and starts with a letter";
  } else if (instance.subsets.contains(entry.key) ||
             !reader.elements.emplace(instance.prefix + entry.key, element).second) {
    fault = "the name stands for an element and for a junction: rename one of them";
  } else {
    return true;
  }
  reader.faults.add(entry.where, fmt::format("'{}': {}", entry.key, fault));
  reader.structure_is_known = false;
  return false;
}

void declare_element(Reader& reader, Instance& instance, const text::Entry& entry) {
  const std::string what = fmt::format("element '{}'", entry.key);
  if (!take_name(reader, instance, entry, static_cast<int>(reader.graph.elements.size()))) return;
  if (entry.value.is_map() && entry.value.find("subset") != nullptr) {
    declare_subset(reader, instance, entry);
  } else if (entry.value.is_scalar()) {
    declare_short(reader, instance, entry, what);
  } else {
    declare_long(reader, instance, entry, what);
  }
}

}  // namespace rodeo::bondgraph::reading
