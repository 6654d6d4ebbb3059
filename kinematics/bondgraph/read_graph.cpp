// SPDX-License-Identifier: MIT
// The bond-graph file: its passes, and what the later ones read of bonds, conditions, signals and outputs.
#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <stdexcept>
#include <tuple>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph {
namespace reading {
namespace {

std::string trim(const std::string& text) {
  const std::size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

constexpr int kMaxDimension = 100;

struct BondText {
  const std::string* text = nullptr;  // `a -> b`; nullptr and a fault when there is none
  int dimension = 0;                  // 0: not stated
};

int read_dimension(Reader& reader, const Node& node, const std::string& bond) {
  int dimension = 0;
  const std::string& text = node.scalar;
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), dimension);
  const bool is_whole = parsed.ec == std::errc() && parsed.ptr == text.data() + text.size();
  if (is_whole && dimension >= 1 && dimension <= kMaxDimension) return dimension;
  reader.faults.add(node.where, fmt::format("bond '{}': a dimension is a whole number from 1 to {}, not {}",
                                            bond, kMaxDimension, node.is_scalar() ? text : "a list or map"));
  reader.structure_is_known = false;
  return 0;
}

BondText find_bond_text(Reader& reader, const Node& node) {
  if (node.is_scalar()) return {&node.scalar};
  if (!node.is_map()) {
    reader.faults.add(node.where, "a bond is written a -> b");
    return {};
  }
  text::MapReader map(node, "bond", reader.faults);
  const Node* text = map.require("bond");
  const Node* dimension = map.find("dimension");
  map.finish();
  if (text == nullptr || !text->is_scalar()) return {};
  return {&text->scalar, dimension == nullptr ? 0 : read_dimension(reader, *dimension, text->scalar)};
}

void add_bond_of(Reader& reader, const Instance& instance, const BondText& bond, const Where& where) {
  const std::string& text = *bond.text;
  const std::size_t arrow = text.find("->");
  const bool has_one = arrow != std::string::npos && text.find("->", arrow + 2) == std::string::npos;
  const std::string from = has_one ? trim(text.substr(0, arrow)) : "";
  const std::string to = has_one ? trim(text.substr(arrow + 2)) : "";
  if (from.empty() || to.empty()) throw std::invalid_argument("a bond is written a -> b, with one arrow");
  const int tail = find_end(reader, instance, from);
  const int head = find_end(reader, instance, to);
  if (tail < 0 || head < 0) return;  // the fault is reported at the element
  if (tail == head) throw std::invalid_argument("a bond joins two different things");
  add_bond(reader.graph, tail, head, where, bond.dimension);
}

void read_bond(Reader& reader, const Instance& instance, const Node& node) {
  const BondText bond = find_bond_text(reader, node);
  try {
    if (bond.text != nullptr) return add_bond_of(reader, instance, bond, node.where);
  } catch (const std::invalid_argument& error) {
    reader.faults.add(node.where, fmt::format("bond '{}': {}", *bond.text, error.what()));
  }
  reader.structure_is_known = false;
}

/// `{integrate: error, start: 0}`.
void read_integral(Reader& reader, const Instance& instance, const Node& node, Signal& signal,
                   const std::string& what) {
  text::MapReader map(node, what, reader.faults);
  const Node* integrand = map.require("integrate");
  const Node* start = map.find("start");
  map.finish();
  signal.integrates = true;
  if (integrand != nullptr) signal.value = read_value(reader, instance, *integrand, what);
  if (start == nullptr) return;
  const Expr value = expr::read_expression(*start, what, instance.scope, reader.faults);
  signal.start = read_constant(reader, value, start->where, what);
}

/// Second pass: inner bonds before outer ones.
void connect(Reader& reader, const Instance& instance) {
  for (const Instance::Item& item : instance.items) {
    if (item.subset != nullptr) connect(reader, *item.subset);
  }
  read_bonds(reader, instance);
}

/// Third pass, outer parameters before inner ones, inner starts before outer ones.
void define(Reader& reader, Instance& instance) {
  build_scope(reader, instance);
  if (instance.parent != nullptr) bind_parameters(reader, instance);
  for (const Instance::Item& item : instance.items) {
    if (item.subset != nullptr) {
      define(reader, *item.subset);
    } else {
      read_element_value(reader, instance, item);
    }
  }
  read_conditions(reader, instance);
  read_signals(reader, instance);
  read_outputs(reader, instance);
  read_starts(reader, instance);
}

/// A file that is given subsets has no model of its own.
void check_stands_alone(const Instance& model) {
  const Node* parameters = model.root->find("parameters");
  if (parameters == nullptr) return;
  for (const text::Entry& entry : parameters->entries) {
    if (!stands_for_subset(*parameters, entry)) continue;
    throw text::ModelError(
        entry.where,
        fmt::format("parameter '{}' stands for a subset of another file: use this one there, as in {{subset: "
                    "{}, with: {{{}: body}}}}",
                    entry.key, std::filesystem::path(model.file).filename().string(), entry.key));
  }
}

void read_model_parameters(Reader& reader, Instance& instance, const std::vector<std::string>& overrides) {
  reader.graph.parameters =
      expr::read_parameters(instance.root->find("parameters"), overrides, reader.faults);
  for (const expr::Parameter& parameter : reader.graph.parameters) {
    const Expr symbol = expr::symbol(parameter.name);
    instance.parameters.emplace(parameter.name, symbol);
    reader.constants.emplace(symbol.id(), parameter.number);
  }
}

void read_name(Reader& reader, const Instance& instance) {
  const Node* name = instance.root->find("name");
  if (name != nullptr && !name->is_scalar())
    reader.faults.add(name->where, "name: a single word is needed here");
  reader.graph.name = name != nullptr ? name->scalar : std::filesystem::path(instance.file).stem().string();
}

/// Files in the order met, lines in order, each fault once though its subset stands many times.
[[noreturn]] void throw_tidy(const std::vector<text::Fault>& faults) {
  std::vector<std::string> files;
  std::vector<std::tuple<std::size_t, int, std::size_t>> order;
  std::unordered_set<std::string> seen;
  for (std::size_t i = 0; i < faults.size(); ++i) {
    const std::string file = faults[i].where.file ? *faults[i].where.file : "";
    if (!seen.insert(text::to_string(faults[i].where) + '\n' + faults[i].text).second) continue;
    const auto place = std::find(files.begin(), files.end(), file) - files.begin();
    if (place == std::ssize(files)) files.push_back(file);
    order.emplace_back(static_cast<std::size_t>(place), faults[i].where.line, i);
  }
  std::sort(order.begin(), order.end());
  std::vector<text::Fault> tidy;
  for (const auto& entry : order) tidy.push_back(faults[std::get<2>(entry)]);
  throw text::ModelError(std::move(tidy));
}

void throw_if_any(const text::Faults& faults) {
  try {
    faults.throw_if_any();
  } catch (const text::ModelError& error) {
    throw_tidy(error.faults());
  }
}

}  // namespace

void read_bonds(Reader& reader, const Instance& instance) {
  const Node* bonds = instance.root->find("bonds");
  if (bonds == nullptr || bonds->is_null()) return;
  if (!bonds->is_list()) {
    reader.faults.add(bonds->where,
                      fmt::format("bonds: a list of a -> b is needed here, not {}", text::kind_name(*bonds)));
    reader.structure_is_known = false;
  }
  for (const Node& node : bonds->items) read_bond(reader, instance, node);
}

void read_conditions(Reader& reader, const Instance& instance) {
  for (const auto& [junction, node] : instance.conditions) {
    const std::string what = fmt::format("junction '{}'", reader.element(junction).name);
    reader.element(junction).condition = expr::read_expression(*node, what, instance.scope, reader.faults);
  }
}

void read_signals(Reader& reader, const Instance& instance) {
  const Node* signals = instance.root->find("signals");
  if (signals == nullptr) return;
  for (const text::Entry& entry : signals->entries) {
    Signal& signal =
        reader.graph.signals[static_cast<std::size_t>(reader.signals.at(instance.prefix + entry.key))];
    const std::string what = fmt::format("signal '{}'", entry.key);
    if (entry.value.is_map() && entry.value.find("library") == nullptr) {
      read_integral(reader, instance, entry.value, signal, what);
    } else {
      signal.value = read_value(reader, instance, entry.value, what);
    }
    check_finite(reader, signal.value, entry.where, what);
  }
}

void read_outputs(Reader& reader, const Instance& instance) {
  const Node* outputs = instance.root->find("outputs");
  if (outputs == nullptr || outputs->is_null()) return;
  if (!outputs->is_map())
    reader.faults.add(outputs->where, fmt::format("outputs: a map NAME: EXPRESSION is needed here, not {}",
                                                  text::kind_name(*outputs)));
  for (const text::Entry& entry : outputs->entries) {
    const std::string what = fmt::format("output '{}'", entry.key);
    if (!expr::is_name(entry.key))
      reader.faults.add(entry.where, what + ": a name is made of letters, digits, _ and -");
    const Expr value = read_value(reader, instance, entry.value, what);
    check_finite(reader, value, entry.where, what);
    reader.graph.outputs.push_back({instance.prefix + entry.key, value, entry.where});
  }
}

}  // namespace reading

Graph build_graph(const text::Node& root, const std::string& file,
                  const std::vector<std::string>& overrides) {
  reading::Reader reader;
  reading::Instance model;
  model.root = &root;
  model.file = file;
  model.canonical = std::filesystem::weakly_canonical(file).string();
  reader.graph.file = file;
  reader.graph.where = root.where;
  reading::check_stands_alone(model);
  reading::read_name(reader, model);
  try {
    reading::declare(reader, model);
  } catch (const text::ModelError& error) {
    reader.faults.add(error);  // too large: the rest is not read
    reading::throw_if_any(reader.faults);
  }
  reading::read_model_parameters(reader, model, overrides);
  reading::connect(reader, model);
  reading::spread_dimensions(reader);
  reading::define(reader, model);
  reading::check_signal_cycles(reader);
  reading::check_conditions(reader);
  if (reader.structure_is_known) {
    reading::check_structure(reader);
    reading::check_dimensions(reader);
    reading::check_domains(reader);
  }
  reading::throw_if_any(reader.faults);
  return std::move(reader.graph);
}

Graph build_graph_from_file(const std::string& path, const std::vector<std::string>& overrides) {
  return build_graph(text::build_yaml_from_file(path), path, overrides);
}

}  // namespace rodeo::bondgraph
