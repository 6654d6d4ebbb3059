// SPDX-License-Identifier: MIT
// A tape run by the builder itself, with the C library's functions: what a kernel computes, without compiling it.
#pragma once
#include <array>

#include "kinematics/codegen/tape.h"

namespace rodeo::codegen {

struct TapeArrays {
  std::vector<double> parameters, derived, drives, states, branches, outputs;
};

class TapeRunner {
 public:
  explicit TapeRunner(const Tape& tape) : tape_(tape), values_(tape.values) {}

  /// False where the kernel would refuse; the arrays are as they were then. `margin`: the smallest that was met.
  [[nodiscard]] bool run(TapeArrays& arrays, double stop_margin);
  [[nodiscard]] double margin() const noexcept { return margin_; }

 private:
  void set_arrays(TapeArrays& arrays);
  [[nodiscard]] double read(const Operand& operand) const;
  void compute(const Instruction& instruction);
  void store(const Operand& target, double value);
  [[nodiscard]] bool test(double value);
  [[nodiscard]] double solve(const Instruction& instruction);
  [[nodiscard]] bool correct(const Instruction& instruction, std::size_t& at);

  const Tape& tape_;
  TapeArrays* arrays_ = nullptr;
  std::array<const double*, 8> bases_{};  // a space each
  std::vector<double> values_, right_;
  double stop_margin_ = 0.0, margin_ = 1.0;
  std::size_t block_ = 0;  // where the iterated block began
  int corrections_ = 0;
};

}  // namespace rodeo::codegen
