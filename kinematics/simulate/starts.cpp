// SPDX-License-Identifier: MIT
#include "kinematics/simulate/starts.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "kinematics/text/fault.h"

namespace rodeo::simulate {
namespace {

using bondgraph::Start;
using Eigen::Index;

constexpr double kSame = 1e-9;  // how far a start may be from what follows from the others
constexpr int kMostSteps = 20;
constexpr double kShift = 1e-6;
constexpr double kRankThreshold = 1e-9;

class Fit {
 public:
  Fit(const Model& model, Inputs& inputs) : model_(model), arguments_(model, inputs), x_(list_starts(model)) {
    std::vector<Expr> roots;
    for (const Start& start : model.graph.starts) {
      if (find_state(start.variable) >= 0) continue;
      dependent_.push_back(&start);
      roots.push_back(find_meaning(model, model.solution.values, expr::variable(start.variable)));
    }
    program_ = std::make_unique<Program>(model, roots, arguments_.symbols());
    for (std::size_t s = 0; s < x_.size(); ++s) {
      if (is_open(s)) open_.push_back(s);
    }
  }

  std::vector<double> run() {
    std::vector<double> follows(dependent_.size());
    if (!calc(follows)) return x_;
    for (int i = 0; i < kMostSteps && !open_.empty() && find_worst(follows) != nullptr; ++i) {
      if (!step(follows)) break;
    }
    if (const Start* worst = find_worst(follows)) refuse(*worst, follows);
    return x_;
  }

 private:
  [[nodiscard]] int find_state(const std::string& name) const {
    const auto& states = model_.system.states;
    const auto found =
        std::find_if(states.begin(), states.end(), [&](const auto& s) { return s.name == name; });
    return found == states.end() ? -1 : static_cast<int>(found - states.begin());
  }

  /// What a storage port holds, and nobody gave.
  [[nodiscard]] bool is_open(std::size_t s) const {
    const reduction::State& state = model_.system.states[s];
    const bool is_stored = state.kind == reduction::State::Kind::momentum ||
                           (state.kind == reduction::State::Kind::displacement && !has_momenta());
    const auto& starts = model_.graph.starts;
    return is_stored && std::none_of(starts.begin(), starts.end(), [&](const Start& start) {
             return start.variable == state.name && !start.is_default;
           });
  }
  /// Positions are given by the file; where a dependent momentum is given, rates are what is looked for.
  [[nodiscard]] bool has_momenta() const {
    return std::any_of(dependent_.begin(), dependent_.end(), [](const Start* start) {
      return start->variable.find(".momentum") != std::string::npos;
    });
  }

  [[nodiscard]] bool calc(std::vector<double>& follows) {
    return program_->run(arguments_.fill(0.0, x_), follows) &&
           std::all_of(follows.begin(), follows.end(), [](double v) { return std::isfinite(v); });
  }

  /// The given start that is farthest from what follows; null where all agree.
  [[nodiscard]] const Start* find_worst(const std::vector<double>& follows) const {
    const Start* worst = nullptr;
    double largest = kSame;
    for (std::size_t i = 0; i < dependent_.size(); ++i) {
      if (dependent_[i]->is_default) continue;
      const double value = dependent_[i]->value;
      const double off = std::abs(follows[i] - value) / std::max(1.0, std::abs(value));
      if (off <= largest) continue;
      worst = dependent_[i];
      largest = off;
    }
    return worst;
  }

  /// One Newton step of least norm.
  [[nodiscard]] bool step(std::vector<double>& follows) {
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < dependent_.size(); ++i) {
      if (!dependent_[i]->is_default) rows.push_back(i);
    }
    Eigen::MatrixXd jacobian(static_cast<Index>(rows.size()), static_cast<Index>(open_.size()));
    Eigen::VectorXd right(static_cast<Index>(rows.size()));
    std::vector<double> moved(follows.size());
    for (std::size_t c = 0; c < open_.size(); ++c) {
      const double kept = x_[open_[c]], shift = kShift * std::max(1.0, std::abs(kept));
      x_[open_[c]] = kept + shift;
      if (!calc(moved)) return false;
      x_[open_[c]] = kept;
      for (std::size_t r = 0; r < rows.size(); ++r)
        jacobian(static_cast<Index>(r), static_cast<Index>(c)) = (moved[rows[r]] - follows[rows[r]]) / shift;
    }
    for (std::size_t r = 0; r < rows.size(); ++r)
      right[static_cast<Index>(r)] = dependent_[rows[r]]->value - follows[rows[r]];
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> solver;
    solver.setThreshold(kRankThreshold);
    solver.compute(jacobian);
    const Eigen::VectorXd move = solver.solve(right);
    for (std::size_t c = 0; c < open_.size(); ++c) x_[open_[c]] += move[static_cast<Index>(c)];
    return calc(follows);
  }

  [[noreturn]] void refuse(const Start& start, const std::vector<double>& follows) const {
    const auto place = std::find(dependent_.begin(), dependent_.end(), &start) - dependent_.begin();
    throw text::ModelError(
        start.where,
        fmt::format("start of '{}': {:.6g} contradicts the other starts, from which {:.6g} follows "
                    "(its causality is differential): leave it out, or start the others",
                    start.variable, start.value, follows[static_cast<std::size_t>(place)]));
  }

  const Model& model_;
  Arguments arguments_;
  std::vector<double> x_;
  std::vector<const Start*> dependent_;
  std::vector<std::size_t> open_;  // states
  std::unique_ptr<Program> program_;
};

}  // namespace

std::vector<double> list_starts(const Model& model) {
  std::vector<double> start;
  for (const reduction::State& state : model.system.states) start.push_back(state.start);
  return start;
}

std::vector<double> build_start(const Model& model, Inputs& inputs) { return Fit(model, inputs).run(); }

}  // namespace rodeo::simulate
