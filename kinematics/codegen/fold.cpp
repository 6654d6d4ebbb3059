// SPDX-License-Identifier: MIT
// Loops over repeated stretches: how each operand is found, which values need a place in the work array.
#include "kinematics/codegen/fold.h"

#include <algorithm>
#include <stdexcept>

#include "kinematics/codegen/repeats.h"

namespace rodeo::codegen {
namespace {

constexpr std::uint32_t kFlat = 0xffffffff;

class Folder {
 public:
  Folder(const Tape& tape, const std::vector<Repeat>& repeats)
      : tape_(tape), loop_of_(tape.values, kFlat), needed_(tape.values, false) {
    folded_.work.resize(tape.values);
    for (const Repeat& repeat : repeats) add_loop(repeat);
  }

  Folded build() {
    for (Loop& loop : folded_.loops) find_kinds(loop);
    need_for_flat();
    for (const Loop& loop : folded_.loops) need_in_every_turn(loop);
    for (std::uint32_t v = 0; v < tape_.values; ++v) {
      if (needed_[v]) folded_.work[v] = folded_.work_size++;
    }
    for (Loop& loop : folded_.loops) find_places(loop);
    return std::move(folded_);
  }

 private:
  void add_loop(const Repeat& repeat) {
    Loop loop;
    loop.first = repeat.first;
    loop.period = repeat.period;
    loop.repeats = repeat.repeats;
    for (std::uint32_t i = 0; i < loop.period; ++i) {
      const Instruction& instruction = tape_.instructions[loop.first + i];
      if (loop.values == 0 && instruction.values > 0) loop.first_value = instruction.first_value;
      loop.values += instruction.values;
      for (std::uint32_t o = 0; o < instruction.operands; ++o)
        loop.accesses.push_back({.operand = tape_.operands_of(instruction)[o]});
    }
    const auto index = static_cast<std::uint32_t>(folded_.loops.size());
    for (std::uint32_t v = 0; v < loop.values * loop.repeats; ++v) loop_of_[loop.first_value + v] = index;
    folded_.loops.push_back(std::move(loop));
  }

  /// The operands of one place of the body, turn by turn.
  template <typename Visit>
  void visit_places(const Loop& loop, const Visit& visit) const {
    std::vector<Operand> turns(loop.repeats);
    std::size_t access = 0;
    for (std::uint32_t b = 0; b < loop.period; ++b) {
      for (std::uint32_t o = 0; o < tape_.instructions[loop.first + b].operands; ++o) {
        for (std::uint32_t i = 0; i < loop.repeats; ++i)
          turns[i] = tape_.operands_of(tape_.instructions[loop.first + i * loop.period + b])[o];
        visit(access++, turns);
      }
    }
  }

  // ---- kinds

  void find_kinds(Loop& loop) {
    visit_places(loop, [&](std::size_t access, const std::vector<Operand>& turns) {
      find_kind(loop, loop.accesses[access], turns);
    });
  }

  void find_kind(Loop& loop, Access& access, const std::vector<Operand>& turns) {
    const bool same =
        std::all_of(turns.begin(), turns.end(), [&](const Operand& t) { return t == turns[0]; });
    const bool value = turns[0].space == Space::value;
    if (same) {
      access.kind = Access::Kind::fixed;
      if (value) need_from_loop(turns[0].index);
    } else if (value && grows_from(loop, turns, 0)) {
      access.kind = Access::Kind::local;
    } else if (value && grows_from(loop, turns, 1)) {
      access.kind = Access::Kind::carried;
      access.column = find_carry(loop, turns);
    } else if (turns[0].space == Space::number) {
      access.kind = Access::Kind::numbers;
    } else {
      access.kind = Access::Kind::table;
      for (const Operand& turn : turns) {
        if (value) needed_[turn.index] = true;
      }
    }
  }

  /// Whether turn i takes the same value of turn i - back, whatever the first `back` turns take.
  [[nodiscard]] static bool grows_from(const Loop& loop, const std::vector<Operand>& turns,
                                       std::uint32_t back) {
    const std::uint32_t value = turns[back].index - loop.first_value;
    if (turns[back].index < loop.first_value || value >= loop.values) return false;
    for (std::uint32_t i = back; i < turns.size(); ++i) {
      if (turns[i].index != turns[back].index + (i - back) * loop.values) return false;
    }
    return true;
  }

  std::uint32_t find_carry(Loop& loop, const std::vector<Operand>& turns) {
    Operand start = turns[0];
    start.negative = false;
    need_from_loop(start.index);
    for (std::uint32_t c = 0; c < loop.carries.size(); ++c) {
      if (loop.carries[c].value == turns[1].index && loop.carries[c].start == start) return c;
    }
    loop.carries.push_back({turns[1].index, start});
    return static_cast<std::uint32_t>(loop.carries.size() - 1);
  }

  // ---- needs

  /// After a loop: what it carried is still there.
  void need_from_loop(std::uint32_t value) {
    const std::uint32_t loop = loop_of_[value];
    if (loop != kFlat && !folded_.loops[loop].find_final(value)) needed_[value] = true;
  }

  void need_for_flat() {
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < tape_.instructions.size();) {
      if (next < folded_.loops.size() && i == folded_.loops[next].first) {
        i = folded_.loops[next++].end();
        continue;
      }
      const Instruction& instruction = tape_.instructions[i++];
      for (std::uint32_t o = 0; o < instruction.operands; ++o) {
        const Operand& operand = tape_.operands_of(instruction)[o];
        if (operand.space == Space::value) need_from_loop(operand.index);
      }
    }
  }

  void need_in_every_turn(const Loop& loop) {
    for (std::uint32_t v = 0; v < loop.values; ++v) {
      bool any = false;
      for (std::uint32_t i = 0; i < loop.repeats; ++i)
        any = any || needed_[loop.first_value + i * loop.values + v];
      for (std::uint32_t i = 0; any && i < loop.repeats; ++i)
        needed_[loop.first_value + i * loop.values + v] = true;
    }
  }

  // ---- places

  [[nodiscard]] std::uint32_t place_of(const Operand& operand) const {
    return operand.space == Space::value ? *folded_.work[operand.index] : operand.index;
  }

  void find_places(Loop& loop) {
    visit_places(loop, [&](std::size_t index, const std::vector<Operand>& turns) {
      Access& access = loop.accesses[index];
      if (access.kind == Access::Kind::numbers) {
        std::vector<double> column;
        for (const Operand& turn : turns) column.push_back(turn.number);
        access.column = find_or_add(loop.numbers, column);
      }
      if (access.kind == Access::Kind::table) find_place(loop, access, turns);
    });
  }

  void find_place(Loop& loop, Access& access, const std::vector<Operand>& turns) {
    std::vector<std::uint32_t> column;
    for (const Operand& turn : turns) column.push_back(place_of(turn));
    const std::int64_t stride = std::int64_t{column[1]} - column[0];
    bool even = true;
    for (std::size_t i = 1; i < column.size(); ++i)
      even = even && std::int64_t{column[i]} - column[i - 1] == stride;
    access.first = column[0];
    access.stride = stride;
    if (even) {
      access.kind = Access::Kind::even;
      return;
    }
    // columns that differ by the same everywhere are one
    for (std::uint32_t c = 0; c < loop.columns.size(); ++c) {
      access.offset = std::int64_t{column[0]} - loop.columns[c][0];
      access.column = c;
      if (std::equal(column.begin(), column.end(), loop.columns[c].begin(),
                     [&](std::uint32_t a, std::uint32_t b) { return std::int64_t{a} - b == access.offset; }))
        return;
    }
    access.offset = 0;
    access.column = static_cast<std::uint32_t>(loop.columns.size());
    loop.columns.push_back(column);
  }

  template <typename Column>
  static std::uint32_t find_or_add(std::vector<Column>& columns, const Column& column) {
    const auto found = std::find(columns.begin(), columns.end(), column);
    const auto index = static_cast<std::uint32_t>(found - columns.begin());
    if (found == columns.end()) columns.push_back(column);
    return index;
  }

  const Tape& tape_;
  Folded folded_;
  std::vector<std::uint32_t> loop_of_;  // a value each
  std::vector<bool> needed_;            // in the work array
};

/// What an access finds at turn i, without the tape's own operand of that turn.
class Unroller {
 public:
  Unroller(const Tape& tape, const Folded& folded) : tape_(tape), value_at_(folded.work_size) {
    for (std::uint32_t v = 0; v < tape.values; ++v) {
      if (folded.work[v]) value_at_.at(*folded.work[v]) = v;
    }
  }

  void check(const Loop& loop) const {
    for (std::uint32_t i = 0; i < loop.repeats; ++i) {
      std::size_t access = 0;
      for (std::uint32_t b = 0; b < loop.period; ++b) {
        const Instruction& body = tape_.instructions[loop.first + b];
        const Instruction& there = tape_.instructions[loop.first + i * loop.period + b];
        if (body.code != there.code || body.values != there.values || body.operands != there.operands) fail();
        for (std::uint32_t o = 0; o < body.operands; ++o) {
          if (!(resolve(loop, loop.accesses[access++], i) == tape_.operands_of(there)[o])) fail();
        }
      }
    }
  }

 private:
  [[noreturn]] static void fail() { throw std::logic_error("kernel tape: a loop is not what it stands for"); }

  [[nodiscard]] Operand resolve(const Loop& loop, const Access& access, std::uint32_t i) const {
    Operand operand = access.operand;
    const auto at = [&](std::int64_t place) {
      operand.index = operand.space == Space::value ? value_at_.at(static_cast<std::size_t>(place))
                                                    : static_cast<std::uint32_t>(place);
    };
    switch (access.kind) {
      case Access::Kind::fixed: break;
      case Access::Kind::local: operand.index += i * loop.values; break;
      case Access::Kind::carried:
        operand.index = i == 0 ? loop.carries.at(access.column).start.index
                               : loop.carries.at(access.column).value + (i - 1) * loop.values;
        break;
      case Access::Kind::even: at(access.first + access.stride * i); break;
      case Access::Kind::table: at(loop.columns.at(access.column)[i] + access.offset); break;
      case Access::Kind::numbers: operand.number = loop.numbers.at(access.column)[i]; break;
    }
    return operand;
  }

  const Tape& tape_;
  std::vector<std::uint32_t> value_at_;
};

}  // namespace

std::optional<std::uint32_t> Loop::find_final(std::uint32_t value) const {
  for (std::uint32_t c = 0; c < carries.size(); ++c) {
    if (carries[c].value + (repeats - 1) * values == value) return c;
  }
  return std::nullopt;
}

void check_folded(const Tape& tape, const Folded& folded) {
  const Unroller unroller(tape, folded);
  for (const Loop& loop : folded.loops) unroller.check(loop);
}

Folded fold(const Tape& tape, Folding folding) {
  const bool wanted =
      folding == Folding::always || (folding == Folding::when_long && tape.instructions.size() >= kFoldFrom);
  Folded folded = Folder(tape, wanted ? find_repeats(tape, kMinRepeats) : std::vector<Repeat>{}).build();
  check_folded(tape, folded);
  return folded;
}

}  // namespace rodeo::codegen
