// SPDX-License-Identifier: MIT
// Numbers from expressions: one operation, one expression, or a compiled list that is run many times.
#pragma once
#include <cstdint>
#include <functional>
#include <string>
#include <unordered_map>
#include <vector>

#include "kinematics/expr/expr.h"

namespace rodeo::expr {

/// One operation on numbers; comparisons give 1 or 0. Undefined results are NaN, never a trap.
[[nodiscard]] double calc_operation(Op op, const double* args);

/// Uniform in [0, 1) from seed, stream and tick alone, so that a run can be repeated and entered anywhere.
[[nodiscard]] double calc_random(std::uint64_t seed, std::uint64_t stream, std::uint64_t tick);

/// What a run supplies beside the symbols' values.
struct Context {
  std::uint64_t seed = 1;
  std::uint64_t tick = 0;
  /// Called for library functions; the default throws.
  std::function<double(const Node& call, const std::vector<double>& args)> call;
};

using Values = std::unordered_map<std::string, double>;

/// The value of one expression; a symbol that `values` does not hold throws std::out_of_range.
[[nodiscard]] double calc_value(Expr root, const Values& values, const Context& context = {});

/// Expressions compiled into a flat list of operations over a table of slots.
class Program {
 public:
  Program(const std::vector<Expr>& roots, const std::vector<Expr>& inputs);

  /// `inputs` in the order given to the constructor; results in the order of the roots.
  void run(const double* inputs, double* results, const Context& context = {});
  [[nodiscard]] std::size_t size() const noexcept { return steps_.size(); }

 private:
  struct Step {
    Expr expr;
    std::uint32_t slot;
    std::vector<std::uint32_t> args;
  };
  std::vector<Step> steps_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> loads_;  // input -> slot
  std::vector<std::uint32_t> results_;
  std::vector<double> slots_;
};

}  // namespace rodeo::expr
