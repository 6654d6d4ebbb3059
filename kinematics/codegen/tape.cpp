// SPDX-License-Identifier: MIT
// Proofs and counts over tapes.
#include "kinematics/codegen/tape.h"

#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "kinematics/codegen/positions.h"

namespace rodeo::codegen {
namespace {

class TapeCheck {
 public:
  explicit TapeCheck(const Tape& tape) : tape_(tape), seen_(tape.values, Seen::nowhere) {}

  void run() {
    for (at_ = 0; at_ < tape_.instructions.size(); ++at_) {
      const Instruction& instruction = tape_.instructions[at_];
      read(instruction);
      enter_or_leave(instruction);
      assign(instruction);
      if (can_refuse(instruction.code) && stored_) fail("can refuse after something was stored");
    }
    if (inside_) fail("ends inside an iterated block");
    if (next_ != tape_.values) fail("leaves values unassigned");
  }

 private:
  enum class Seen : std::uint8_t { nowhere, outside, inside, gone };

  [[noreturn]] void fail(const std::string& what) const {
    throw std::logic_error(fmt::format("kernel tape: instruction {} {}", at_, what));
  }

  void read(const Instruction& instruction) {
    const bool stores = instruction.code == Code::store;
    for (std::uint32_t i = stores ? 1 : 0; i < instruction.operands; ++i) {
      const Operand& operand = tape_.operands_of(instruction)[i];
      if (operand.space == Space::output) fail("reads an output");
      if (operand.space == Space::state && stored_states_.contains(operand.index))
        fail(fmt::format("reads state {} after it was stored", operand.index));
      if (operand.space != Space::value) continue;
      if (operand.index >= seen_.size()) fail("reads a value that is not there");
      const Seen seen = seen_[operand.index];
      if (seen == Seen::nowhere) fail(fmt::format("reads value {} before it is assigned", operand.index));
      if (seen == Seen::gone) fail(fmt::format("reads value {} outside its block", operand.index));
    }
    if (stores) store(tape_.operands_of(instruction)[0]);
  }

  void store(const Operand& target) {
    stored_ = true;
    if (target.space == Space::value || target.space == Space::number) fail("stores to no place");
    if (!places_.emplace(target.space, target.index).second) fail("stores to a place a second time");
    if (target.space == Space::state) stored_states_.insert(target.index);
  }

  void enter_or_leave(const Instruction& instruction) {
    if (instruction.code == Code::iterate) {
      if (inside_) fail("begins an iterated block in another");
      inside_ = true;
      block_begin_ = next_;
    }
    if (instruction.code != Code::correct) return;
    if (!inside_) fail("ends a block that did not begin");
    inside_ = false;
    for (std::uint32_t v = block_begin_; v < next_; ++v) seen_[v] = Seen::gone;
  }

  void assign(const Instruction& instruction) {
    if (instruction.values > 0 && instruction.first_value != next_)
      fail("assigns a value twice or out of order");
    for (std::uint32_t v = 0; v < instruction.values; ++v) {
      if (next_ >= seen_.size()) fail("assigns a value that is not there");
      seen_[next_++] = inside_ ? Seen::inside : Seen::outside;
    }
  }

  const Tape& tape_;
  std::vector<Seen> seen_;
  std::set<std::pair<Space, std::uint32_t>> places_;
  std::set<std::uint32_t> stored_states_;
  std::size_t at_ = 0;
  std::uint32_t next_ = 0, block_begin_ = 0;
  bool inside_ = false, stored_ = false;
};

/// Gauss with pivoting: n(n-1)/2 factors and n quotients; rows below, right hand side, back substitution.
void count_solve(int n, int times, Operations& operations) {
  const int products = (n - 1) * n * (2 * n - 1) / 6 + n * (n - 1);
  operations.adds += times * products;
  operations.multiplies += times * products;
  operations.divides += times * (n * (n - 1) / 2 + n);
}

}  // namespace

bool can_refuse(Code code) {
  return code == Code::sine_cosine || code == Code::sine_cosine_pair || code == Code::test ||
         code == Code::correct || code == Code::solve;
}

std::uint32_t system_size(const Instruction& instruction) { return instruction.values; }

Operations count_operations(const Tape& tape) {
  Operations sum;
  int times = 1;
  for (const Instruction& instruction : tape.instructions) {
    const int n = static_cast<int>(instruction.values);
    switch (instruction.code) {
      case Code::add:
      case Code::subtract: sum.adds += times; break;
      case Code::multiply: sum.multiplies += times; break;
      case Code::divide: sum.divides += times; break;
      case Code::root: sum.roots += times; break;
      case Code::sine_cosine:
      case Code::sine_cosine_pair:
      case Code::angle:
      case Code::angle_pair:
      case Code::arc_tangent:
      case Code::exponential:
      case Code::logarithm:
      case Code::power: sum.trigonometric += times * n; break;
      case Code::iterate: times = kCorrections; break;
      case Code::correct:
        count_solve(n, times, sum);
        sum.adds += times * n;
        times = 1;
        break;
      case Code::solve: count_solve(n, times, sum); break;
      default: break;
    }
  }
  return sum;
}

void check_tape(const Tape& tape) { TapeCheck(tape).run(); }

}  // namespace rodeo::codegen
