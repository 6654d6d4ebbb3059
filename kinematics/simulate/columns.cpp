// SPDX-License-Identifier: MIT
// Names of what a graph's log can hold, as the outer contract has them.
#include <algorithm>
#include <unordered_set>

#include "kinematics/simulate/run.h"
#include "kinematics/simulate/units.h"

namespace rodeo::simulate {
namespace {

using bondgraph::Element;
using bondgraph::Kind;

class Lister {
 public:
  Lister(const std::vector<const Model*>& models, const reduction::Hybrid* hybrid)
      : models_(models), model_(*models.front()), hybrid_(hybrid) {}

  Columns list() {
    for (const bondgraph::GraphOutput& output : model_.graph.outputs) {
      if (taken_.insert(output.name).second) columns_.all.push_back({output.name, output.value});
    }
    for (const Model* model : models_) {
      for (const reduction::State& state : model->system.states) add(state.name, state.symbol);
    }
    for (std::size_t c = 0; hybrid_ != nullptr && c < hybrid_->drawn.size(); ++c)
      columns_.all.push_back({hybrid_->drawn[c].junction + ".on", {}, static_cast<int>(c)});
    columns_.usual = columns_.all.size();
    for (const reduction::Input& input : model_.system.inputs) add(input.name, input.symbol);
    for (const Element& element : model_.graph.elements) add_element(element);
    for (const bondgraph::Signal& signal : model_.graph.signals) {
      if (!signal.name.starts_with('#')) add(signal.name, expr::variable(signal.name));
    }
    for (Column& column : columns_.all) {
      if (column.control < 0) column.unit = find_unit(model_.graph, column.value);
    }
    return std::move(columns_);
  }

 private:
  void add(const std::string& name, Expr value) {
    if (is_known(value) && taken_.insert(name).second) columns_.all.push_back({name, value});
  }

  /// Whether all configurations know it: the source in the place of a junction that is off is in some only.
  [[nodiscard]] bool is_known(Expr value) const {
    return models_.size() == 1 || std::all_of(models_.begin(), models_.end(), [&](const Model* model) {
             const auto& states = model->system.states;
             return model->system.meaning.contains(value.id()) ||
                    model->graph.find_element(value->name) >= 0 ||
                    std::any_of(states.begin(), states.end(),
                                [&](const auto& s) { return s.symbol == value; });
           });
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

  const std::vector<const Model*>& models_;
  const Model& model_;
  const reduction::Hybrid* hybrid_;
  Columns columns_;
  std::unordered_set<std::string> taken_;
};

}  // namespace

Columns list_columns(const std::vector<const Model*>& models, const reduction::Hybrid* hybrid) {
  return Lister(models, hybrid).list();
}

}  // namespace rodeo::simulate
