// SPDX-License-Identifier: MIT
// Sampling of the workspace by the evaluator of expressions: what the kernel computes, without compiling it.
#include "kinematics/codegen/workspace.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinematics/expr/eval.h"

namespace rodeo::codegen {
namespace {

constexpr double kStopMargin = 0.01;

/// 2πk added so that the angle is nearest to another.
double unwrap(double angle, double near) {
  return angle + 2 * std::numbers::pi * std::round((near - angle) / (2 * std::numbers::pi));
}

expr::Context kernel_context() {
  expr::Context context;
  context.call = [](const expr::Node&, const std::vector<double>& args) { return unwrap(args[0], args[1]); };
  return context;
}

class Sampler {
 public:
  Sampler(const machine::Machine& machine, const KernelModel& model) : machine_(machine), model_(model) {
    for (const expr::Parameter& parameter : machine.parameters)
      inputs_.push_back(expr::symbol(parameter.name));
    for (const DriveChannel& drive : model.drives) {
      for (const char* kind : {"q:", "v:", "a:"})
        inputs_.push_back(expr::variable(kind + drive.channel.name));
    }
    for (const Channel& state : model.states) inputs_.push_back(state_symbol(state.name));
  }

  Workspace run() {
    Workspace workspace;
    if (!model_.step.iterated.empty() || !model_.step.solves.empty())
      return workspace;  // needs the kernel's own iteration
    std::vector<Expr> wanted;
    for (const Margin& margin : model_.step.margins) wanted.push_back(margin.value);
    wanted.insert(wanted.end(), model_.step.results.begin(),
                  model_.step.results.begin() + static_cast<std::ptrdiff_t>(model_.states.size()));
    expr::Program step(wanted, inputs_);
    expr::Program closure(model_.closure.results, inputs_);
    const int steps = points_a_drive();
    std::vector<int> index(model_.drives.size(), 0);
    do {
      sample(index, steps, step, closure, workspace);
    } while (next(index, steps));
    return workspace;
  }

 private:
  [[nodiscard]] int points_a_drive() const {
    const double drives = static_cast<double>(std::max<std::size_t>(model_.drives.size(), 1));
    return std::max(2, static_cast<int>(std::pow(kWorkspacePoints, 1.0 / drives)));
  }

  static bool next(std::vector<int>& index, int steps) {
    for (int& i : index) {
      if (++i < steps) return true;
      i = 0;
    }
    return false;
  }

  [[nodiscard]] static double position(const DriveChannel& drive, int i, int steps) {
    const double lower = drive.lower.value_or(drive.start - 0.5);
    const double upper = drive.upper.value_or(drive.start + 0.5);
    return lower + (upper - lower) * i / (steps - 1);
  }

  void sample(const std::vector<int>& index, int steps, expr::Program& step, expr::Program& closure,
              Workspace& workspace) {
    std::vector<double> values;
    for (const expr::Parameter& parameter : machine_.parameters) values.push_back(parameter.number);
    for (std::size_t d = 0; d < index.size(); ++d)
      values.insert(values.end(), {position(model_.drives[d], index[d], steps), 0.0, 0.0});
    const std::size_t states = values.size();
    values.insert(values.end(), model_.start_states.begin(), model_.start_states.end());
    std::vector<double> results(model_.step.margins.size() + model_.states.size());
    step.run(values.data(), results.data(), kernel_context());
    ++workspace.sampled;
    double margin = 1.0;
    for (std::size_t m = 0; m < model_.step.margins.size(); ++m)
      margin = results[m] >= kStopMargin ? std::min(margin, results[m]) : -1.0;
    if (margin < 0) return;
    ++workspace.closed;
    workspace.smallest_margin = std::min(workspace.smallest_margin, margin);
    std::copy(results.begin() + static_cast<std::ptrdiff_t>(model_.step.margins.size()), results.end(),
              values.begin() + static_cast<std::ptrdiff_t>(states));
    std::vector<double> errors(model_.closure.results.size());
    closure.run(values.data(), errors.data(), kernel_context());
    for (const double error : errors)
      workspace.largest_residual = std::max(workspace.largest_residual, std::fabs(error));
  }

  const machine::Machine& machine_;
  const KernelModel& model_;
  std::vector<Expr> inputs_;
};

}  // namespace

Workspace sample_workspace(const machine::Machine& machine, const KernelModel& model) {
  return Sampler(machine, model).run();
}

}  // namespace rodeo::codegen
