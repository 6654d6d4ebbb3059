// SPDX-License-Identifier: MIT
// Names of what a graph's log can hold, as the outer contract has them.
#include <unordered_set>

#include "kinematics/simulate/run.h"

namespace rodeo::simulate {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

class Lister {
 public:
  explicit Lister(const Model& model) : model_(model) {}

  std::vector<Column> list() {
    for (const bondgraph::GraphOutput& output : model_.graph.outputs) add(output.name, output.value);
    for (const reduction::State& state : model_.system.states) add(state.name, state.symbol);
    for (const reduction::Input& input : model_.system.inputs) add(input.name, input.symbol);
    for (const Element& element : model_.graph.elements) add_element(element);
    for (const bondgraph::Signal& signal : model_.graph.signals) {
      add(signal.name, expr::variable(signal.name));
    }
    return std::move(columns_);
  }

 private:
  void add(const std::string& name, Expr value) {
    if (taken_.insert(name).second) columns_.push_back({name, value});
  }

  void add_element(const Element& element) {
    if (element.bonds.empty() || element.is_two_port()) return;
    if (element.kind == Kind::one) return add_quantity(element, "flow", 0);
    if (element.kind == Kind::zero) return add_quantity(element, "effort", 0);
    if (element.constraint && element.constraint->is_holonomic) {
      add(element.name + ".displacement", element.constraint->position);
    }
    const bool is_field = element.bonds.size() > 1;
    for (std::size_t port = 1; port <= element.bonds.size(); ++port) {
      const int number = is_field ? static_cast<int>(port) : 0;
      add_quantity(element, "effort", number);
      add_quantity(element, "flow", number);
      if (element.is_storage()) {
        add_quantity(element, element.kind == Kind::I ? "momentum" : "displacement", number);
      }
    }
  }

  void add_quantity(const Element& element, const char* quantity, int port) {
    const std::string name = bondgraph::variable_name(element.name, quantity, port);
    add(name, expr::variable(name));
  }

  const Model& model_;
  std::vector<Column> columns_;
  std::unordered_set<std::string> taken_;
};

}  // namespace

std::vector<Column> list_columns(const Model& model) { return Lister(model).list(); }

}  // namespace rodeo::simulate
