// SPDX-License-Identifier: MIT
// Reduced equations -> expressions of velocities and accelerations.
#include "kinematics/codegen/motion.h"

#include <fmt/format.h>

#include "kinematics/causality/causality.h"
#include "kinematics/reduction/model.h"

namespace rodeo::codegen {
namespace {

using reduction::flow_index;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Flows of junctions by name.
std::unordered_map<std::string, int> junction_flows(const bondgraph::Graph& graph) {
  std::unordered_map<std::string, int> flows;
  for (const bondgraph::Element& element : graph.elements) {
    if (element.kind == bondgraph::Kind::one) flows.emplace(element.name, flow_index(element.bonds.front()));
  }
  return flows;
}

std::vector<int> wanted_flows(const bondgraph::Graph& graph, const machine::Machine& machine) {
  const auto flow_of = junction_flows(graph);
  std::vector<int> flows;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    for (const char* which : {".w", ".vx", ".vy"})
      flows.push_back(flow_of.at(machine.bodies[b].name + which));
  }
  return flows;
}

class MotionBuilder {
 public:
  MotionBuilder(const machine::Machine& machine, const MotionModel& model,
                std::unordered_map<std::uint32_t, Expr> parts, const Identities& known, bool accelerations)
      : machine_(machine),
        model_(model),
        parts_(std::move(parts)),
        known_(known),
        accelerations_(accelerations),
        flows_(junction_flows(model.graph)) {
    for (const reduction::Input& input : model.system.inputs) {
      const std::string drive = input.name.substr(0, input.name.rfind('.'));
      parts_.emplace(input.symbol.id(), expr::variable("v:" + drive));
      parts_.emplace(input.rate.id(), expr::variable("a:" + drive));
    }
  }

  Motion build(const std::vector<Frame>& frames) {
    for (const reduction::Block& block : model_.solution.blocks) {
      if (accelerations_ || !is_acceleration(block)) add_block(block);
    }
    motion_.bodies.resize(machine_.bodies.size());
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) motion_.bodies[b] = move_body(b, frames[b]);
    for (const reduction::State& state : model_.system.states) {
      motion_.state_rates.push_back(state.sign * value(state.rate_variable));
    }
    return std::move(motion_);
  }

 private:
  [[nodiscard]] bool is_acceleration(const reduction::Block& block) const {
    return model_.system.variables[at(block.unknowns.front())].kind == reduction::Variable::Kind::derivative;
  }

  [[nodiscard]] Expr value(int variable) const {
    return expr::replace_parts({model_.solution.values[at(variable)]}, parts_).front();
  }
  [[nodiscard]] Expr rate_of(int variable) const {
    return accelerations_ ? value(model_.system.derivative_of.at(variable)) : Expr(0.0);
  }

  void add_block(const reduction::Block& block) {
    const std::size_t n = block.unknowns.size();
    RunTimeSolve system;
    for (const auto& row : block.matrix) system.matrix.push_back(expr::replace_parts(row, parts_));
    system.right = expr::replace_parts(block.right, parts_);
    const bool written = n <= kMaxWritten;
    motion_.blocks.push_back({n, n == 1    ? "one division"
                                 : written ? "Cramer's rule"
                                           : "factorisation at run time"});
    if (written) return add_written(block, system);
    for (const int unknown : block.unknowns) {
      const Expr symbol = expr::variable(fmt::format("y:{}", unknown));
      system.unknowns.push_back(symbol);
      parts_.emplace(symbol_of(unknown).id(), symbol);
    }
    motion_.solves.push_back(std::move(system));
  }

  [[nodiscard]] Expr symbol_of(int variable) const { return model_.system.variables[at(variable)].symbol; }

  /// One reciprocal a block, which velocities and accelerations share; none where closing the loop has found it.
  void add_written(const reduction::Block& block, const RunTimeSolve& system) {
    const reduction::Block replaced{block.unknowns, system.matrix, system.right, true, {}};
    const Expr inverse_det = inverse_determinant(system.matrix);
    for (std::size_t u = 0; u < block.unknowns.size(); ++u) {
      parts_.emplace(symbol_of(block.unknowns[u]).id(),
                     inverse_det * reduction::cramer_numerator(replaced, u));
    }
  }

  [[nodiscard]] Expr inverse_determinant(std::vector<std::vector<Expr>> matrix) {
    const Expr det = reduction::determinant(matrix);
    if (const auto cross = known_.crosses.find(det.id()); cross != known_.crosses.end())
      return known_.inverses.at(cross->second.id());
    if (const auto found = inverses_.find(det.id()); found != inverses_.end()) return found->second;
    const Expr inverse = 1.0 / det;
    inverses_.emplace(det.id(), inverse);
    if (matrix.size() > 1) {  // the same rows in another order
      std::swap(matrix[0], matrix[1]);
      inverses_.emplace(reduction::determinant(matrix).id(), -inverse);
    }
    return inverse;
  }

  /// The origin from the reference point: v_O = v_G + w ẑ×r, a_O = a_G + α ẑ×r - w² r.
  [[nodiscard]] BodyMotion move_body(std::size_t b, const Frame& frame) const {
    const std::string& name = machine_.bodies[b].name;
    const int w = flows_.at(name + ".w");
    const int vx = flows_.at(name + ".vx");
    const int vy = flows_.at(name + ".vy");
    BodyMotion body{value(w), rate_of(w), {value(vx), value(vy)}, {rate_of(vx), rate_of(vy)}};
    const Vec r = carry(frame, {-model_.centres[b].x, -model_.centres[b].y});
    body.v = body.v + body.w * turn(r);
    body.a = body.a + body.alpha * turn(r) - body.w * (body.w * r);
    return body;
  }

  const machine::Machine& machine_;
  const MotionModel& model_;
  std::unordered_map<std::uint32_t, Expr> parts_;
  const Identities& known_;
  std::unordered_map<std::uint32_t, Expr> inverses_;  // of determinants, by their ids
  bool accelerations_;
  std::unordered_map<std::string, int> flows_;
  Motion motion_;
};

}  // namespace

MotionModel build_motion_model(const machine::Machine& machine, const machine::Mobility& mobility) {
  machine::RodOptions options;
  options.reference = machine::RodReference::inner_pin;
  options.redundant = mobility.redundant;
  MotionModel model;
  model.graph = machine::build_rods(machine, options);
  model.centres = machine::find_centres(machine, options);
  const causality::Causality causality = causality::assign_causality(model.graph);
  model.system = reduction::build_system(model.graph, causality, wanted_flows(model.graph, machine));
  model.solution = reduction::build_solution(model.system);
  return model;
}

Motion build_motion(const machine::Machine& machine, const MotionModel& model,
                    const std::vector<Frame>& frames, std::unordered_map<std::uint32_t, Expr> parts,
                    const Identities& known, bool accelerations) {
  return MotionBuilder(machine, model, std::move(parts), known, accelerations).build(frames);
}

}  // namespace rodeo::codegen
