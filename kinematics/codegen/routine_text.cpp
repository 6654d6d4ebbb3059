// SPDX-License-Identifier: MIT
// Instructions -> C. Values are t<number>; unknowns of a block z<number>[u] and y<number>[u], by the block's first value;
// what a loop's turn takes from the one before is c<loop>_<number>; w is the work array, i the turn.
#include "kinematics/codegen/routine_text.h"

#include <fmt/format.h>

#include <algorithm>

#include "kinematics/codegen/positions.h"

namespace rodeo::codegen {
namespace {

class Writer {
 public:
  Writer(const Tape& tape, const Folded& folded, const ArrayNames& names)
      : tape_(tape), folded_(folded), names_(names), block_of_(tape.values, 0), loop_of_(tape.values, 0) {
    for (const Instruction& instruction : tape.instructions) name_block(instruction);
    for (std::uint32_t l = 0; l < folded.loops.size(); ++l) {
      const Loop& loop = folded.loops[l];
      std::fill_n(loop_of_.begin() + loop.first_value, loop.values * loop.repeats, l + 1);
    }
  }

  std::string run() {
    if (folded_.work_size > 0) line(fmt::format("double w[{}];", folded_.work_size));
    std::size_t next = 0;
    for (std::uint32_t i = 0; i < tape_.instructions.size();) {
      if (next < folded_.loops.size() && i == folded_.loops[next].first) {
        write_loop(folded_.loops[next]);
        i = folded_.loops[next++].end();
      } else {
        write(tape_.instructions[i++]);
      }
    }
    return std::move(text_);
  }

 private:
  template <typename... Parts>
  void line(const Parts&... parts) {
    text_ += indent_;
    ((text_ += parts), ...);
    text_ += '\n';
  }

  // ---- names

  void name_block(const Instruction& instruction) {
    if (instruction.code != Code::iterate && instruction.code != Code::correct &&
        instruction.code != Code::solve)
      return;
    const char kind = instruction.code == Code::solve ? 'y' : 'z';
    const std::uint32_t block =
        instruction.code == Code::correct ? instruction.note : instruction.first_value;
    for (std::uint32_t v = 0; v < instruction.values; ++v) block_of_[instruction.first_value + v] = kind;
    blocks_.emplace_back(instruction.first_value, block);
  }

  /// In the turn or the stretch where it is assigned.
  [[nodiscard]] std::string value_name(std::uint32_t value) const {
    if (block_of_[value] == 0) return fmt::format("t{}", value);
    const auto after = std::upper_bound(blocks_.begin(), blocks_.end(), std::pair{value, UINT32_MAX});
    const auto& [first, block] = *std::prev(after);
    return fmt::format("{}{}[{}]", static_cast<char>(block_of_[value]), block, value - first);
  }

  [[nodiscard]] const char* array_name(Space space) const {
    switch (space) {
      case Space::parameter: return "p";
      case Space::derived: return names_.derived;
      case Space::drive: return "u";
      case Space::state: return "x";
      case Space::branch: return "I->branches";
      case Space::output: return names_.output;
      default: return "w";
    }
  }

  [[nodiscard]] static std::string carry_name(const Loop& loop, std::uint32_t carry) {
    return fmt::format("c{}_{}", loop.first_value, carry);
  }

  /// Outside of loops, or the same in every turn.
  [[nodiscard]] std::string fixed_text(const Operand& operand) const {
    if (operand.space == Space::number) {
      const std::string text = number_text(operand.number);
      return text[0] == '-' ? "(" + text + ")" : text;
    }
    if (operand.space != Space::value) return fmt::format("{}[{}]", array_name(operand.space), operand.index);
    if (loop_of_[operand.index] == 0) return value_name(operand.index);
    if (folded_.work[operand.index]) return fmt::format("w[{}]", *folded_.work[operand.index]);
    const Loop& loop = folded_.loops[loop_of_[operand.index] - 1];
    return carry_name(loop, *loop.find_final(operand.index));
  }

  [[nodiscard]] std::string access_text(const Access& access) const {
    const char* array = array_name(access.operand.space);
    switch (access.kind) {
      case Access::Kind::local: return value_name(access.operand.index);
      case Access::Kind::carried: return carry_name(*loop_, access.column);
      case Access::Kind::even: return fmt::format("{}[{}]", array, even_text(access.first, access.stride));
      case Access::Kind::table:
        return access.offset == 0 ? fmt::format("{}[row[{}]]", array, access.column)
                                  : fmt::format("{}[row[{}] + {}]", array, access.column, access.offset);
      case Access::Kind::numbers: return fmt::format("number[{}]", access.column);
      case Access::Kind::fixed: break;
    }
    return fixed_text(access.operand);
  }

  [[nodiscard]] static std::string even_text(std::uint32_t first, std::int64_t stride) {
    return stride == 1 ? fmt::format("{} + i", first) : fmt::format("{} + {} * i", first, stride);
  }

  /// Operands of the instruction that is being written, in order.
  [[nodiscard]] std::vector<std::string> operand_texts(const Instruction& instruction) {
    std::vector<std::string> texts;
    for (std::uint32_t o = 0; o < instruction.operands; ++o) {
      const Operand& operand = tape_.operands_of(instruction)[o];
      const std::string text =
          loop_ == nullptr ? fixed_text(operand) : access_text(loop_->accesses[access_++]);
      texts.push_back(operand.negative ? "-" + text : text);
    }
    return texts;
  }

  // ---- instructions

  void write(const Instruction& instruction) {
    const std::vector<std::string> a = operand_texts(instruction);
    switch (instruction.code) {
      case Code::sine_cosine:
      case Code::sine_cosine_pair: write_sines(instruction, a); break;
      case Code::angle_pair: write_angles(instruction, a); break;
      case Code::test: write_test(instruction, a[0]); break;
      case Code::iterate: write_iterate(instruction, a); break;
      case Code::correct: write_correct(instruction, a); break;
      case Code::solve: write_solve(instruction, a); break;
      case Code::store: line(a[0], " = ", a[1], ";"); break;
      default:
        line("const double t", std::to_string(instruction.first_value), " = ", formula(instruction.code, a),
             ";");
    }
    for (std::uint32_t v = 0; v < instruction.values; ++v) keep(instruction.first_value + v);
  }

  /// In the work array, if somebody looks for it there.
  void keep(std::uint32_t value) {
    if (!folded_.work[value]) return;
    const std::uint32_t first = *folded_.work[value];
    if (loop_ == nullptr) return line(fmt::format("w[{}] = {};", first, value_name(value)));
    const std::int64_t stride = std::int64_t{*folded_.work[value + loop_->values]} - first;
    line(fmt::format("w[{}] = {};", even_text(first, stride), value_name(value)));
  }

  [[nodiscard]] static std::string formula(Code code, const std::vector<std::string>& a) {
    switch (code) {
      case Code::add: return a[0] + " + " + a[1];
      case Code::subtract: return a[0] + " - " + a[1];
      case Code::multiply: return a[0] + " * " + a[1];
      case Code::divide: return a[0] + " / " + a[1];
      case Code::root: return "sqrt(" + a[0] + ")";
      case Code::absolute: return fmt::format("{0} < 0.0 ? -({0}) : {0}", a[0]);
      case Code::smaller: return fmt::format("{1} < {0} ? {1} : {0}", a[0], a[1]);
      case Code::larger: return fmt::format("{1} > {0} ? {1} : {0}", a[0], a[1]);
      case Code::choose: return fmt::format("{} < {} ? {} : {}", a[0], a[1], a[2], a[3]);
      case Code::arc_tangent: return fmt::format("rodeo_atan2({}, {})", a[0], a[1]);
      case Code::unwrap: return fmt::format("rodeo_unwrap({}, {})", a[0], a[1]);
      case Code::angle: return fmt::format("rodeo_angle({}, {}, {})", a[0], a[1], a[2]);
      case Code::exponential: return "rodeo_exp(" + a[0] + ")";
      case Code::logarithm: return "rodeo_log(" + a[0] + ")";
      default: return fmt::format("rodeo_pow({}, {})", a[0], a[1]);
    }
  }

  void write_sines(const Instruction& instruction, const std::vector<std::string>& a) {
    const std::uint32_t t = instruction.first_value;
    if (instruction.code == Code::sine_cosine) {
      line(fmt::format("double t{}, t{};", t, t + 1));
      line(fmt::format("if (!rodeo_sincos({}, &t{}, &t{})) return RODEO_BAD_INPUT;", a[0], t, t + 1));
      return;
    }
    line(fmt::format("double t{}, t{}, t{}, t{};", t, t + 1, t + 2, t + 3));
    line(fmt::format("if (!rodeo_sincos_pair({}, {}, &t{}, &t{}, &t{}, &t{})) return RODEO_BAD_INPUT;", a[0],
                     a[1], t, t + 1, t + 2, t + 3));
  }

  void write_angles(const Instruction& instruction, const std::vector<std::string>& a) {
    const std::uint32_t t = instruction.first_value;
    line(fmt::format("double t{}, t{};", t, t + 1));
    line(fmt::format("rodeo_angle_pair({}, &t{}, &t{});", fmt::join(a, ", "), t, t + 1));
  }

  void write_test(const Instruction& instruction, const std::string& value) {
    line("if (!(", value, " >= I->stop_margin)) return RODEO_SINGULAR; /* ", tape_.notes[instruction.note],
         loop_ == nullptr ? " */" : ", ... */");
    line("if (", value, " < margin) margin = ", value, ";");
  }

  // ---- systems

  void write_iterate(const Instruction& instruction, const std::vector<std::string>& a) {
    const std::uint32_t z = instruction.first_value, n = instruction.values;
    line(fmt::format("double z{0}[{1}], d{0}[{1}], j{0}[{2}], m{0}[{2}];", z, n, n * n));
    for (std::uint32_t u = 0; u < n; ++u) line(fmt::format("z{}[{}] = {};", z, u, a[u]));
    line(fmt::format("for (int correction = 0; correction < {}; ++correction) {{", kCorrections));
    indent_ += "  ";
  }

  void write_correct(const Instruction& instruction, const std::vector<std::string>& a) {
    const std::uint32_t z = instruction.note, n = instruction.values;
    write_system(fmt::format("j{}", z), fmt::format("d{}", z), n, a);
    line(fmt::format("memcpy(m{0}, j{0}, sizeof m{0});", z));
    line(fmt::format("if (!rodeo_solve({1}, j{0}, d{0})) return RODEO_SINGULAR;", z, n));
    line(fmt::format("for (int r = 0; r < {1}; ++r) z{0}[r] -= d{0}[r];", z, n));
    indent_.resize(indent_.size() - 2);
    line("}");
    line(fmt::format("const double ratio{0} = rodeo_singular_ratio({1}, m{0});", z, n));
    line(fmt::format("if (!(ratio{} >= I->stop_margin)) return RODEO_SINGULAR;", z));
    line(fmt::format("if (!(rodeo_largest({1}, d{0}) <= 1e-8)) return RODEO_OPEN;", z, n));
    line(fmt::format("if (ratio{0} < margin) margin = ratio{0};", z));
  }

  void write_solve(const Instruction& instruction, const std::vector<std::string>& a) {
    const std::uint32_t y = instruction.first_value, n = instruction.values;
    line(fmt::format("double a{0}[{2}], y{0}[{1}];", y, n, n * n));
    write_system(fmt::format("a{}", y), fmt::format("y{}", y), n, a);
    line(fmt::format("if (!rodeo_solve({1}, a{0}, y{0})) return RODEO_SINGULAR;", y, n));
  }

  void write_system(const std::string& matrix, const std::string& right, std::uint32_t n,
                    const std::vector<std::string>& a) {
    for (std::uint32_t r = 0; r < n; ++r) {
      line(fmt::format("{}[{}] = {};", right, r, a[r]));
      for (std::uint32_t c = 0; c < n; ++c)
        line(fmt::format("{}[{}] = {};", matrix, r * n + c, a[n + r * n + c]));
    }
  }

  // ---- loops

  void write_loop(const Loop& loop) {
    for (std::uint32_t c = 0; c < loop.carries.size(); ++c)
      line("double ", carry_name(loop, c), " = ", fixed_text(loop.carries[c].start), ";");
    line("{");
    indent_ += "  ";
    write_tables(loop);
    line(fmt::format("for (int i = 0; i < {}; ++i) {{", loop.repeats));
    indent_ += "  ";
    if (!loop.columns.empty()) line(fmt::format("const {}* row = rows[i];", index_type(loop)));
    if (!loop.numbers.empty()) line("const double* number = numbers[i];");
    loop_ = &loop;
    access_ = 0;
    for (std::uint32_t b = 0; b < loop.period; ++b) write(tape_.instructions[loop.first + b]);
    for (std::uint32_t c = 0; c < loop.carries.size(); ++c)
      line(carry_name(loop, c), " = ", value_name(loop.carries[c].value), ";");
    loop_ = nullptr;
    for (int braces = 0; braces < 2; ++braces) {
      indent_.resize(indent_.size() - 2);
      line("}");
    }
  }

  [[nodiscard]] static const char* index_type(const Loop& loop) {
    const bool small = std::all_of(loop.columns.begin(), loop.columns.end(), [](const auto& column) {
      return *std::max_element(column.begin(), column.end()) <= UINT16_MAX;
    });
    return small ? "uint16_t" : "uint32_t";
  }

  template <typename Columns, typename Text>
  void write_table(const char* type, const char* name, const Columns& columns, std::uint32_t rows,
                   const Text& text) {
    if (columns.empty()) return;
    line(fmt::format("static const {} {}[{}][{}] = {{", type, name, rows, columns.size()));
    for (std::uint32_t i = 0; i < rows; ++i) {
      std::string row;
      for (const auto& column : columns) row += (row.empty() ? "" : ", ") + text(column[i]);
      line("  {", row, "},");
    }
    line("};");
  }

  void write_tables(const Loop& loop) {
    write_table(index_type(loop), "rows", loop.columns, loop.repeats,
                [](std::uint32_t index) { return std::to_string(index); });
    write_table("double", "numbers", loop.numbers, loop.repeats,
                [](double value) { return number_text(value); });
  }

  const Tape& tape_;
  const Folded& folded_;
  ArrayNames names_;
  std::vector<char> block_of_;  // of a value: z, y, or 0
  std::vector<std::pair<std::uint32_t, std::uint32_t>>
      blocks_;                          // first value, the number in the block's name
  std::vector<std::uint32_t> loop_of_;  // of a value: 1 + which loop assigns it, or 0
  std::string text_;
  std::string indent_ = "  ";
  const Loop* loop_ = nullptr;
  std::size_t access_ = 0;
};

}  // namespace

std::string number_text(double value) {
  std::string text = fmt::format("{}", value);
  if (text.find_first_of(".en") == std::string::npos) text += ".0";
  return text;
}

std::string routine_text(const Tape& tape, const Folded& folded, const ArrayNames& names) {
  return Writer(tape, folded, names).run();
}

}  // namespace rodeo::codegen
