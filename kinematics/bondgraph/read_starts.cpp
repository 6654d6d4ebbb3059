// SPDX-License-Identifier: MIT
// `start:`: values of states. A start of an outer file stands over one of its subset's file. `body.flow` is turned into
// `body.momentum` by the inertia, so that starts are states only. An integrating signal is started by its name.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <stdexcept>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

[[noreturn]] void fail(const std::string& text) { throw std::invalid_argument(text); }

/// The start of an integrating signal; false when the name is no signal.
bool start_signal(Reader& reader, const Instance& instance, const std::string& key, double value) {
  const auto found = reader.signals.find(instance.prefix + key);
  if (found == reader.signals.end()) return false;
  Signal& signal = reader.graph.signals[static_cast<std::size_t>(found->second)];
  if (!signal.integrates) fail(fmt::format("signal '{}' is no integral and has no start", key));
  signal.start = value;
  return true;
}

/// The one value of row `port` (0 for an element of one port) that is not nil, where there is only one.
std::optional<Expr> find_own_value(const Element& element, int port) {
  const auto row = static_cast<std::size_t>(std::max(port, 1) - 1);
  if (element.value.size() == 1) return element.value[0];
  if (element.shape.is_list()) return element.value[row];
  const auto count = static_cast<std::size_t>(element.shape.columns);
  for (std::size_t column = 0; column < count; ++column) {
    if (column != row && !element.value[row * count + column].is_number(0)) return std::nullopt;
  }
  return element.value[row * count + row];
}

/// p = I·v, for an inertia whose value is fixed.
double momentum_from_flow(Reader& reader, const Element& element, int port, double flow) {
  const auto own =
      element.law == Law::linear && !element.value.empty() ? find_own_value(element, port) : std::nullopt;
  const auto inertia = own ? find_constant(reader, *own) : std::nullopt;
  if (!inertia) fail("the momentum that belongs to this flow is not fixed: give the momentum instead");
  return *inertia * flow;
}

void check_state(const Element& element, const Reference& reference) {
  const bool is_state = element.is_storage() && reference.quantity != "effort" &&
                        (element.kind == Kind::I || reference.quantity == "displacement");
  if (is_state) return;
  fail(
      fmt::format("the {} of a {} is no state: start the momentum, flow or displacement of an I, or the "
                  "displacement of a C or K",
                  reference.quantity, kind_text(element.kind)));
}

/// Records a state's start; two in one file contradict each other.
void put_start(Reader& reader, Start start) {
  const auto [place, is_new] = reader.starts.emplace(start.variable, reader.graph.starts.size());
  if (is_new) {
    reader.graph.starts.push_back(std::move(start));
    return;
  }
  Start& known = reader.graph.starts[place->second];
  if (known.where.file == start.where.file)
    fail(fmt::format("'{}' is started twice (first in line {})", start.variable, known.where.line));
  known = std::move(start);
}

/// Whether a value of a subset's file has no parameter in it that was given where the subset is used.
bool is_default(const Instance& instance, const Node& value) {
  if (instance.parent == nullptr) return false;
  const Node* with = instance.use->find("with");
  if (with == nullptr || !value.is_scalar()) return true;
  for (const text::Entry& given : with->entries) {
    const auto is_part = [](char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; };
    const std::string& text = value.scalar;
    for (std::size_t at = text.find(given.key); at != std::string::npos; at = text.find(given.key, at + 1)) {
      const std::size_t end = at + given.key.size();
      const bool is_whole =
          (at == 0 || !is_part(text[at - 1])) && (end == text.size() || !is_part(text[end]));
      if (is_whole && !is_default(*instance.parent, given.value)) return false;
    }
  }
  return true;
}

void start_state(Reader& reader, const Instance& instance, const text::Entry& entry, double value) {
  const auto reference = find_reference(reader, instance, entry.key);
  if (!reference) fail("a start is named ELEMENT.displacement, ELEMENT.momentum or by an integrating signal");
  if (reference->element < 0) return;
  const Element& element = reader.element(reference->element);
  check_state(element, *reference);
  const bool is_flow = reference->quantity == "flow";
  if (is_flow) value = momentum_from_flow(reader, element, reference->port, value);
  if (element.kind == Kind::I && reference->quantity == "displacement")
    note_displacement(reader, reference->element);
  put_start(reader, {variable_name(element.name, is_flow ? "momentum" : reference->quantity, reference->port),
                     value, entry.where, is_default(instance, entry.value)});
}

}  // namespace

void read_starts(Reader& reader, const Instance& instance) {
  const Node* section = instance.root->find("start");
  if (section == nullptr || section->is_null()) return;
  if (!section->is_map())
    reader.faults.add(section->where, fmt::format("start: a map STATE: VALUE is needed here, not {}",
                                                  text::kind_name(*section)));
  for (const text::Entry& entry : section->entries) {
    const std::string what = fmt::format("start of '{}'", entry.key);
    const Expr value = expr::read_expression(entry.value, what, instance.scope, reader.faults);
    const double number = read_constant(reader, value, entry.where, what);
    try {
      if (!start_signal(reader, instance, entry.key, number)) start_state(reader, instance, entry, number);
    } catch (const std::invalid_argument& error) {
      reader.faults.add(entry.where, fmt::format("{}: {}", what, error.what()));
    }
  }
}

}  // namespace rodeo::bondgraph::reading
