// SPDX-License-Identifier: MIT
// A routine of a kernel as a tape: instructions in the order in which they run, values numbered from 0 as they come. Every
// value is assigned by one instruction before it is used; check_tape proves it.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

namespace rodeo::codegen {

/// Where an operand is found: a number, an array of the kernel, or a value of the tape.
enum class Space : std::uint8_t { number, parameter, derived, drive, state, branch, output, value };

struct Operand {
  Space space = Space::number;
  bool negative = false;    // its negative is meant
  std::uint32_t index = 0;  // in the array, or of the value
  double number = 0.0;

  friend bool operator==(const Operand& a, const Operand& b) = default;
};

enum class Code : std::uint8_t {
  add,
  subtract,
  multiply,
  divide,
  root,
  absolute,
  smaller,
  larger,
  choose,            // x, y, a, b: a where x < y, else b
  sine_cosine,       // x -> sine, cosine
  sine_cosine_pair,  // x0, x1 -> sine, cosine of the first, of the second
  arc_tangent,       // y, x
  angle,             // y, x, near: the arc tangent unwrapped to be near
  angle_pair,        // y0, x0, near0, y1, x1, near1 -> both
  unwrap,            // angle, near
  exponential,
  logarithm,
  power,
  test,     // a margin: below the stop margin the step is refused
  iterate,  // n starts -> n unknowns; what follows up to `correct` runs kCorrections times
  correct,  // n residuals, n x n Jacobian by rows -> n unknowns, final
  solve,    // n right hand sides, n x n matrix by rows -> n unknowns
  store,    // target (its place), value
};

struct Instruction {
  Code code = Code::add;
  std::uint32_t first_operand = 0, operands = 0;  // in Tape::operands
  std::uint32_t first_value = 0, values = 0;      // values that it assigns
  std::uint32_t note = 0;  // test: which of Tape::notes; correct: first value of its `iterate`
};

struct Tape {
  std::vector<Instruction> instructions;
  std::vector<Operand> operands;
  std::vector<std::string> notes;
  std::uint32_t values = 0;

  [[nodiscard]] const Operand* operands_of(const Instruction& instruction) const {
    return operands.data() + instruction.first_operand;
  }
};

struct Operations {
  int adds = 0, multiplies = 0, divides = 0, roots = 0, trigonometric = 0;
};

/// What runs: an iterated block as often as it corrects, a linear system with what its elimination takes.
[[nodiscard]] Operations count_operations(const Tape& tape);

/// Throws std::logic_error unless every value is assigned exactly once, before it is used and, inside an iterated block,
/// used within it only; every array element is stored at most once; no state is read after it was stored; and nothing is
/// stored before the last instruction that can refuse.
void check_tape(const Tape& tape);

/// n of an iterated or solved system.
[[nodiscard]] std::uint32_t system_size(const Instruction& instruction);

/// Whether the instruction can end the routine with a status.
[[nodiscard]] bool can_refuse(Code code);

}  // namespace rodeo::codegen
