// SPDX-License-Identifier: MIT
// Numbers, pairs of numbers, names and kinds of a machine file.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "kinematics/machine/reader.h"
#include "kinematics/text/yaml_hints.h"

namespace rodeo::machine {
namespace {

using text::Node;

constexpr double kAtFault = std::numeric_limits<double>::quiet_NaN();
constexpr double kLargest = 1e100;  // its square is finite, and the square of that
constexpr double kLongest = 1e6;    // m: rounding is then 0.1 nm

bool contains(std::span<const std::string_view> names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// One piece of an expression with commas, which YAML takes for several items.
bool is_cut(const Node& node) { return !node.quoted && text::is_cut(node.scalar); }

std::string unknown_kind(const Node& node, std::span<const std::string_view> kinds,
                         std::span<const std::string_view> options) {
  for (const text::Entry& entry : node.entries) {
    if (contains(options, entry.key)) continue;
    const std::vector<std::string> names(kinds.begin(), kinds.end());
    return fmt::format("unknown kind '{}'{}; the kinds are {}", entry.key,
                       text::did_you_mean(entry.key, names), fmt::join(kinds, ", "));
  }
  return fmt::format("its kind is missing: one of {}", fmt::join(kinds, ", "));
}

}  // namespace

Quantity read_quantity(Reader& reader, const Node& node, const std::string& what) {
  const std::size_t before = reader.faults.size();
  Quantity quantity;
  quantity.expr = expr::read_expression(node, what, reader.scope, reader.faults);
  quantity.value =
      expr::read_value(quantity.expr, reader.machine.parameters, node.where, what, reader.faults);
  if (reader.faults.size() == before && std::abs(quantity.value) > kLargest) {
    reader.faults.add(node.where, fmt::format("{}: {:.3g} is too large to compute with: at most {:.0e}", what,
                                              quantity.value, kLargest));
  }
  if (reader.faults.size() > before) quantity.value = kAtFault;
  return quantity;
}

void check_length(Reader& reader, double value, const Where& where, const std::string& what) {
  if (!(std::abs(value) > kLongest)) return;
  reader.faults.add(
      where, fmt::format("{}: {:.3g} m is too long: lengths go up to {:.0e} m", what, value, kLongest));
}

Quantity read_positive(Reader& reader, const Node& node, const std::string& what) {
  const Quantity quantity = read_quantity(reader, node, what);
  if (quantity.value <= 0) {
    reader.faults.add(node.where, fmt::format("{} must be positive, not {}", what, quantity.value));
  }
  return quantity;
}

Quantity read_not_negative(Reader& reader, const Node& node, const std::string& what) {
  const Quantity quantity = read_quantity(reader, node, what);
  if (quantity.value < 0) {
    reader.faults.add(node.where, fmt::format("{} must not be negative, not {}", what, quantity.value));
  }
  return quantity;
}

bool is_pair(Reader& reader, const Node& node, const std::string& what, std::string_view shape) {
  if (node.is_list() && node.items.size() == 2) return true;
  if (std::any_of(node.items.begin(), node.items.end(), is_cut)) {
    reader.faults.add(node.where,
                      fmt::format("{}: YAML cut an expression at its comma: put the whole expression in "
                                  "quotes",
                                  what));
    return false;
  }
  const std::string found =
      node.is_list() ? fmt::format("{}", node.items.size()) : std::string(kind_name(node));
  reader.faults.add(node.where, fmt::format("{}: two numbers {} are needed, not {}{}", what, shape, found,
                                            text::find_comma_hint(node)));
  return false;
}

QuantityPair read_pair(Reader& reader, const Node& node, const std::string& what, std::string_view shape) {
  if (!is_pair(reader, node, what, shape)) return {{0.0, kAtFault}, {0.0, kAtFault}};
  const Quantity x = read_quantity(reader, node.items[0], what);
  return {x, read_quantity(reader, node.items[1], what)};
}

void check_name(Reader& reader, const std::string& name, const Where& where, const std::string& what) {
  if (!expr::is_name(name)) {
    reader.faults.add(
        where, fmt::format("{}: a name is made of letters, digits, _ and -, and starts with a letter", what));
  }
}

std::optional<std::size_t> read_kind(Reader& reader, const Node& node, const std::string& what,
                                     std::span<const std::string_view> kinds,
                                     std::span<const std::string_view> options) {
  if (!node.is_map()) {
    reader.faults.add(node.where, fmt::format("{}: a map such as {{{}: ...}} is needed here, not {}", what,
                                              kinds[0], text::kind_name(node)));
    return std::nullopt;
  }
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < kinds.size(); ++i) {
    if (node.find(kinds[i]) != nullptr) found.push_back(i);
  }
  if (found.size() == 1) return found[0];
  reader.faults.add(node.where,
                    fmt::format("{}: {}", what,
                                found.empty() ? unknown_kind(node, kinds, options)
                                              : fmt::format("it is both '{}' and '{}': keep one of them",
                                                            kinds[found[0]], kinds[found[1]])));
  return std::nullopt;
}

}  // namespace rodeo::machine
