// SPDX-License-Identifier: MIT
// Repeated stretches of a tape as loops. A stretch whose instructions repeat with some period runs in the order of the tape
// whether it is written out or looped, so that no dependency can break; what differs from turn to turn are operands, which
// a loop finds by an index that grows evenly, in a table, or in what the turn before left.
#pragma once
#include <optional>

#include "kinematics/codegen/tape.h"

namespace rodeo::codegen {

inline constexpr std::uint32_t kMinRepeats = 8;
/// Shorter routines stay flat: the compiler does more with them.
inline constexpr std::uint32_t kFoldFrom = 1000;

enum class Folding : std::uint8_t { never, when_long, always };

/// How a loop finds an operand of its body at turn i.
struct Access {
  enum class Kind : std::uint8_t {
    fixed,    // the same operand every time
    local,    // a value of this turn
    carried,  // a value of the turn before
    even,     // element first + stride i of an array, or of the work array for values
    table,    // element rows[i][column] + offset of it
    numbers,  // numbers[i][column]
  };
  Kind kind = Kind::fixed;
  Operand operand;          // at turn 0
  std::uint32_t first = 0;  // even: element at turn 0
  std::int64_t stride = 0;
  std::uint32_t column = 0;
  std::int64_t offset = 0;
};

/// A value that a turn leaves to the next one; before the first turn it is `start`.
struct Carry {
  std::uint32_t value = 0;  // in turn 0
  Operand start;            // never negative
};

struct Loop {
  std::uint32_t first = 0, period = 0, repeats = 0;  // instructions
  std::uint32_t first_value = 0, values = 0;         // of turn 0
  std::vector<Access> accesses;                      // an operand of turn 0 each, in order
  std::vector<Carry> carries;
  std::vector<std::vector<std::uint32_t>> columns;  // repeats each
  std::vector<std::vector<double>> numbers;         // repeats each

  [[nodiscard]] std::uint32_t end() const { return first + period * repeats; }
  /// The carry that holds this value when the loop is done.
  [[nodiscard]] std::optional<std::uint32_t> find_final(std::uint32_t value) const;
};

/// A tape with its loops; `work`: the element of the work array of each value that has one.
struct Folded {
  std::vector<Loop> loops;
  std::vector<std::optional<std::uint32_t>> work;  // a value each
  std::uint32_t work_size = 0;
};

/// Checked: unrolled, the loops are the tape again (std::logic_error).
[[nodiscard]] Folded fold(const Tape& tape, Folding folding);

void check_folded(const Tape& tape, const Folded& folded);

}  // namespace rodeo::codegen
