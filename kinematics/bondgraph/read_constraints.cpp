// SPDX-License-Identifier: MIT
// `lambda`: the multiplier of a constraint as an effort source, with Baumgarte's corrector (favre-1998, figures 3 and 4).
//   rod:  {lambda: {position: x^2 + y^2 - l^2, alpha: 5, beta: 5}}   holonomic: Φ̈ + 2α Φ̇ + β² Φ = 0
//   edge: {lambda: {gamma: 5}}                                       non-holonomic: Φ̈ + γ Φ̇ = 0
//   bare: lambda                                                     not stabilised: Φ̈ = 0
// The flow into the element is Φ̇. What the graph cannot show, the integrated constraint with its constant, is `position`.
#include <fmt/format.h>

#include "kinematics/bondgraph/reader.h"

namespace rodeo::bondgraph::reading {
namespace {

/// A gain: no expression of the motion, and not negative, which would drive the error up.
Expr read_gain(Reader& reader, const Instance& instance, const Node* node, const std::string& what,
               const char* name) {
  if (node == nullptr) return 0.0;
  const std::string whole = fmt::format("{}: {}", what, name);
  const Expr gain = expr::read_expression(*node, whole, instance.scope, reader.faults);
  if (read_constant(reader, gain, node->where, whole) < 0) {
    reader.faults.add(
        node->where, fmt::format("{} is negative, which drives the constraint apart: give 0 or more", whole));
  }
  return gain;
}

}  // namespace

void read_constraint(Reader& reader, const Instance& instance, const Instance::Item& item) {
  Element& element = reader.element(item.element);
  const std::string what = fmt::format("element '{}'", item.name);
  if (item.value->is_null()) return;
  if (!item.value->is_map()) {
    reader.faults.add(
        item.value->where,
        fmt::format("{}: a lambda takes {{position: ..., alpha: ..., beta: ...}} (holonomic), {{gamma: ...}} "
                    "(non-holonomic) or nothing, not {}",
                    what, text::kind_name(*item.value)));
    return;
  }
  text::MapReader map(*item.value, what, reader.faults);
  const Node* position = map.find("position");
  const Node* alpha = map.find("alpha");
  const Node* beta = map.find("beta");
  const Node* gamma = map.find("gamma");
  map.finish();
  if (gamma != nullptr && (position != nullptr || alpha != nullptr || beta != nullptr)) {
    reader.faults.add(
        gamma->where,
        fmt::format("{}: gamma is for non-holonomic constraints, which have no position, alpha and "
                    "beta: leave gamma or the others",
                    what));
    return;
  }
  if (position == nullptr && (alpha != nullptr || beta != nullptr)) {
    reader.faults.add(
        (alpha != nullptr ? alpha : beta)->where,
        fmt::format("{}: alpha and beta need the constraint's position, as in {{position: x^2 + y^2 - l^2}}; "
                    "without one, give gamma",
                    what));
    return;
  }
  Constraint& constraint = *element.constraint;
  constraint.is_holonomic = position != nullptr;
  if (position != nullptr) {
    constraint.position = expr::read_expression(*position, what, instance.scope, reader.faults);
    check_finite(reader, constraint.position, position->where, what);
    element.note = position->scalar;
  }
  const Expr b = read_gain(reader, instance, beta, what, "beta");
  constraint.stiffness = b * b;
  constraint.damping = gamma != nullptr ? read_gain(reader, instance, gamma, what, "gamma")
                                        : 2.0 * read_gain(reader, instance, alpha, what, "alpha");
}

}  // namespace rodeo::bondgraph::reading
