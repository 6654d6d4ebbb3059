// SPDX-License-Identifier: MIT
// The text of a kernel: channels, instance, routines, and the parts that are the same in every kernel (kernel_frame.h).
#include "kinematics/codegen/emit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

#include "kinematics/codegen/charts.h"
#include "kinematics/codegen/kernel_frame.h"
#include "kinematics/codegen/load_points.h"
#include "kinematics/codegen/routine_text.h"
#include "kinematics/codegen/row_order.h"
#include "kinematics/codegen/tape_builder.h"

namespace rodeo::codegen {
namespace {

std::string quote(const std::string& text) {
  std::string safe = "\"";
  for (const char c : text) safe += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return safe + "\"";
}

template <typename List, typename Text>
std::string table(const char* type, const char* name, const List& list, const Text& text) {
  std::string result = fmt::format("static const {} {}[] = {{\n", type, name);
  for (const auto& item : list) result += fmt::format("  {},\n", text(item));
  if (list.empty()) result += std::string("  ") + (std::string(type) == "double" ? "0.0" : "{0, 0}") + "\n";
  return result + "};\n";
}

std::string channel_text(const Channel& channel) {
  return fmt::format("{{{}, {}}}", quote(channel.name), quote(channel.unit));
}

class KernelWriter {
 public:
  KernelWriter(const KernelModel& model, Folding folding) : model_(model), folding_(folding) {
    for (std::size_t i = 0; i < model.parameters.size(); ++i)
      symbols_.set(expr::symbol(model.parameters[i].name), Space::parameter, index(i));
    for (std::size_t i = 0; i < model.states.size(); ++i)
      symbols_.set(state_symbol(model.states[i].name), Space::state, index(i));
    for (std::size_t i = 0; i < model.start_branches.size(); ++i)
      symbols_.set(branch_symbol(i), Space::branch, index(i));
    charts_.push_back(&model);
    for (const KernelModel& chart : model.charts) charts_.push_back(&chart);
  }

  KernelText build() {
    build_tapes();
    KernelText text;
    text.step = count_operations(tapes_.step);
    text.loads = count_operations(tapes_.loads);
    text.accelerations = count_operations(tapes_.accelerations);
    const std::string code = write_code();
    text.interface_fingerprint = fingerprint_of(interface_text());
    const std::string math = kernel_math() + (needs_functions() ? kernel_functions() : "");
    text.model_fingerprint = fingerprint_of(code + tables() + kernel_frame() + math);
    text.source = head(text) + math + "\n" + tables() + sizes() + kernel_instance() + code + kernel_frame() +
                  descriptor(text);
    text.tapes = std::move(tapes_);
    return text;
  }

 private:
  static std::uint32_t index(std::size_t i) { return static_cast<std::uint32_t>(i); }

  /// Drives: 3 numbers each in a step, 2 (rate, acceleration) in poses, 1 (rate) in derivatives.
  void name_drives(const KernelModel& chart, int stride, int position, int rate, int acceleration) {
    symbols_.forget(Space::drive);
    const auto name = [&](const char* kind, std::size_t d, int offset) {
      if (offset < 0) return;
      symbols_.set(expr::variable(kind + chart.drives[d].channel.name), Space::drive,
                   static_cast<std::uint32_t>(stride * static_cast<int>(d) + offset));
    };
    for (std::size_t d = 0; d < chart.drives.size(); ++d) {
      name("q:", d, position);
      name("v:", d, rate);
      name("a:", d, acceleration);
    }
  }

  /// In the loads, outputs of the step take the place of the states, and inputs that of the drives.
  void name_outputs() {
    symbols_.forget(Space::state);
    for (std::size_t i = 0; i < model_.outputs.size(); ++i)
      symbols_.set(output_symbol(model_.outputs[i].name), Space::state, index(i));
  }

  /// Inputs stand among the drives, from this place on; the time is the first.
  void name_inputs(std::size_t from) {
    for (std::size_t i = 0; i < model_.inputs.size(); ++i) {
      const bool is_time = i == 0;
      symbols_.set(is_time ? expr::time_symbol() : machine::input_symbol(model_.inputs[i].name), Space::drive,
                   index(from + i));
    }
  }

  // ---- tapes

  /// The derived constants last: the others find out which there are.
  void build_tapes() {
    tapes_.charts.resize(model_.charts.size());
    for (std::size_t c = 0; c < charts_.size(); ++c) build_chart_tapes(*charts_[c], tapes_of(c));
    symbols_.forget(Space::drive);
    name_inputs(0);
    name_outputs();
    for (std::size_t r = 0; r < model_.rows.size(); ++r)
      symbols_.set(expr::variable(fmt::format("l:{}", r)), Space::drive, index(model_.inputs.size() + r));
    for (std::size_t c = 0; c < charts_.size(); ++c) tapes_of(c).loads = build_tape(charts_[c]->loading);
    tapes_.prepare = build_derived_tape(symbols_);
    tapes_.derived_count = symbols_.derived().size();
  }

  [[nodiscard]] KernelTapes& tapes_of(std::size_t chart) {
    return chart == 0 ? tapes_ : tapes_.charts[chart - 1];
  }

  void build_chart_tapes(const KernelModel& chart, KernelTapes& tapes) {
    name_drives(chart, 3, 0, 1, 2);
    const std::size_t states = chart.states.size();
    std::vector<Result> results;
    for (std::size_t i = 0; i < chart.step.results.size(); ++i) {
      const bool state = i < states;
      results.push_back(
          {chart.step.results[i], {state ? Space::state : Space::output, index(state ? i : i - states)}});
    }
    tapes.step = TapeBuilder(symbols_, true).build(chart.step, results);
    name_drives(chart, 1, -1, 0, -1);
    tapes.derivatives = build_tape(chart.derivatives);
    name_drives(chart, 1, -1, -1, -1);
    if (&chart == &model_ && !model_.is_lagrange) tapes.closure = build_tape(chart.closure);
    if (&chart == &model_) tapes.branches = build_tape(chart.branches);
    name_drives(chart, 2, -1, 0, 1);
    tapes.poses = build_tape(chart.poses);
    name_drives(chart, 3, 0, 1, 2);
    name_inputs(3 * chart.drives.size());
    tapes.accelerations = build_tape(chart.accelerations);
  }

  [[nodiscard]] Tape build_tape(const Routine& routine) {
    std::vector<Result> results;
    for (std::size_t i = 0; i < routine.results.size(); ++i)
      results.push_back({routine.results[i], {Space::output, index(i)}});
    return TapeBuilder(symbols_, true).build(routine, results);
  }

  [[nodiscard]] bool needs_functions() const {
    const auto needs = [](const Instruction& instruction) {
      return instruction.code == Code::exponential || instruction.code == Code::logarithm ||
             instruction.code == Code::power;
    };
    const auto any = [&](const Tape& tape) {
      return std::any_of(tape.instructions.begin(), tape.instructions.end(), needs);
    };
    const auto has = [&](const KernelTapes& t) {
      return any(t.prepare) || any(t.step) || any(t.derivatives) || any(t.closure) || any(t.branches) ||
             any(t.poses) || any(t.loads) || any(t.accelerations);
    };
    return has(tapes_) || std::any_of(tapes_.charts.begin(), tapes_.charts.end(), has);
  }

  // ---- functions

  [[nodiscard]] std::string write(const Tape& tape, const ArrayNames& names) const {
    return routine_text(tape, fold(tape, folding_), names);
  }

  /// Functions of a chart have its number behind their names, and one of the plain name calls them; a single one has none.
  [[nodiscard]] std::string write_code() {
    if (model_.is_lagrange) return write_lagrange();
    std::string code = write_prepare() + write_closure() + write_branches();
    for (std::size_t c = 0; c < charts_.size(); ++c) {
      const std::string suffix = charts_.size() == 1 ? "" : fmt::format("_{}", c);
      const KernelTapes& tapes = tapes_of(c);
      code += write_step(tapes, suffix) + write_derivatives(tapes, suffix) + write_poses(tapes, suffix) +
              write_accelerations(tapes, suffix) + write_loads(tapes, suffix);
    }
    return charts_.size() == 1 ? code : code + write_choices();
  }

  [[nodiscard]] std::string write_lagrange() const {
    return row_tables(model_) + write_prepare() +
           write_function(
               "Rows, forces and masses; u = position, rate, acceleration of everything, then the inputs.",
               "evaluate", tapes_.accelerations, "result") +
           write_poses(tapes_, "") + write_loads(tapes_, "") + kernel_lagrange();
  }

  [[nodiscard]] std::string write_step(const KernelTapes& tapes, const std::string& suffix) const {
    return "/* One tick: closed forms from the drives' positions, u = position, rate, acceleration of each "
           "drive. */\n"
           "static int advance" +
           suffix +
           "(instance* I, const double* u, double* outputs) {\n"
           "  const double* p = I->parameters;\n  const double* k = I->derived;\n  double* x = I->states;\n"
           "  double margin = 1.0;\n  (void)p; (void)k; (void)x;\n" +
           write(tapes.step, {}) + "  I->margin = margin;\n  return RODEO_OK;\n}\n\n";
  }

  /// A function of the states as they are given: its results by index into `target`.
  [[nodiscard]] std::string write_function(const char* comment, const std::string& name, const Tape& tape,
                                           const char* target) const {
    return fmt::format(
        "/* {} */\nstatic int {}(const instance* I, const double* x, const double* u, double* {}) {{\n"
        "  const double* p = I->parameters;\n  const double* k = I->derived;\n"
        "  (void)p; (void)k; (void)x; (void)u; (void){};\n{}  return RODEO_OK;\n}}\n\n",
        comment, name, target, target, write(tape, {.output = target}));
  }

  [[nodiscard]] std::string write_derivatives(const KernelTapes& tapes, const std::string& suffix) const {
    return write_function("The reduced ODE: d/dt of the states x from the drives' rates u.",
                          "derive" + suffix, tapes.derivatives, "result");
  }

  [[nodiscard]] std::string write_closure() const {
    return write_function("Closure errors of the loops at the states x, metres.", "close_loops",
                          tapes_.closure, "result");
  }

  [[nodiscard]] std::string write_branches() const {
    if (model_.start_branches.empty()) return "";
    return write_function("Numbers of the signs that the branches have at the states x.", "find_branches",
                          tapes_.branches, "result");
  }

  [[nodiscard]] std::string write_poses(const KernelTapes& tapes, const std::string& suffix) const {
    return write_function("Outputs at the states x, u = rate and acceleration of each drive.",
                          "show" + suffix, tapes.poses, "outputs");
  }

  [[nodiscard]] std::string write_accelerations(const KernelTapes& tapes, const std::string& suffix) const {
    return "/* Accelerations of what nobody drives, u = position, rate, acceleration of everything, then the "
           "inputs. */\n"
           "static int accelerate" +
           suffix +
           "(const instance* I, const double* x, const double* u, double* result) {\n"
           "  const double* p = I->parameters;\n  const double* k = I->derived;\n  double margin = 1.0;\n"
           "  (void)p; (void)k; (void)x; (void)u; (void)result; (void)margin;\n" +
           write(tapes.accelerations, {.output = "result"}) + "  return RODEO_OK;\n}\n\n";
  }

  [[nodiscard]] std::string write_loads(const KernelTapes& tapes, const std::string& suffix) const {
    return write_function("Loads from the outputs x of a step and the inputs u.", "load" + suffix,
                          tapes.loads, "loads");
  }

  /// A call by the number of the chart.
  [[nodiscard]] std::string write_choice(const std::string& function, const std::string& arguments) const {
    std::string text = "  switch (I->chart) {\n";
    for (std::size_t c = 1; c < charts_.size(); ++c)
      text += fmt::format("    case {0}: return {1}_{0}({2});\n", c, function, arguments);
    return text + fmt::format("    default: return {}_0({});\n  }}\n", function, arguments);
  }

  [[nodiscard]] std::string write_choices() const {
    std::string text = "static int advance_chart(instance* I, const double* u, double* outputs) {\n" +
                       write_choice("advance", "I, u, outputs") +
                       "}\n\nstatic int advance(instance* I, const double* u, double* outputs) {\n"
                       "  double all[ROOM_OUTPUTS + N_MEASURED];\n"
                       "  const int status = advance_chart(I, u, all);\n"
                       "  if (status != RODEO_OK) return status;\n"
                       "  memcpy(outputs, all, N_OUTPUTS * sizeof(double));\n"
                       "  memcpy(I->measured, all + N_OUTPUTS, N_MEASURED * sizeof(double));\n"
                       "  return RODEO_OK;\n}\n\n";
    for (const char* function : {"derive", "show", "accelerate", "load"}) {
      text += fmt::format(
          "static int {}(const instance* I, const double* x, const double* u, double* result) {{\n{}}}\n\n",
          function, write_choice(function, "I, x, u, result"));
    }
    return text;
  }

  [[nodiscard]] std::string write_prepare() const {
    return "/* What depends on parameters alone. */\n"
           "static int prepare(instance* I) {\n  const double* p = I->parameters;\n  (void)p;\n" +
           write(tapes_.prepare, {.derived = "I->derived"}) + "  return RODEO_OK;\n}\n\n";
  }

  // ---- frame

  [[nodiscard]] std::string head(const KernelText& text) const {
    return fmt::format(
        "/* {} - a kernel made by Rodeo {}; do not edit, build it again.\n"
        " * Model {}, interface {}.\n"
        " * Compile without contraction and fast-math: cc -std=c99 -O2 -ffp-contract=off -fno-math-errno;\n"
        " * link with -lm, which has sqrt. Exports {} and, weak, rodeo_kernel_get. */\n"
        "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n#include \"rodeo_kernel.h\"\n\n",
        model_.name, RODEO_VERSION_TEXT, text.model_fingerprint, text.interface_fingerprint,
        kernel_getter(model_.name));
  }

  [[nodiscard]] std::string tables() const {
    const auto drive_channel = [](const DriveChannel& drive) { return channel_text(drive.channel); };
    const auto parameter = [](const expr::Parameter& p) { return channel_text({p.name, ""}); };
    return table("rodeo_channel", "parameter_channels", model_.parameters, parameter) +
           table("rodeo_channel", "drive_channels", model_.drives, drive_channel) +
           table("rodeo_channel", "state_channels", model_.states, channel_text) +
           table("rodeo_channel", "output_channels", model_.outputs, channel_text) +
           table("rodeo_channel", "input_channels", model_.inputs, channel_text) +
           table("rodeo_channel", "load_channels", model_.loads, channel_text) +
           table("double", "default_parameters", model_.parameters,
                 [](const expr::Parameter& p) { return number_text(p.number); }) +
           table("double", "start_drives", model_.drives,
                 [](const DriveChannel& d) { return number_text(d.start); }) +
           table("double", "start_free_rates", model_.free_rates, [](double x) { return number_text(x); }) +
           table("double", "start_states", model_.start_states, [](double x) { return number_text(x); }) +
           (model_.start_branches.empty() ? std::string()
                                          : table("double", "start_branches", model_.start_branches,
                                                  [](double x) { return number_text(x); })) +
           "\n";
  }

  [[nodiscard]] std::string sizes() const {
    const auto size = [](const char* name, std::size_t n) { return fmt::format("#define {} {}\n", name, n); };
    const auto room = [](std::size_t n) { return n == 0 ? 1 : n; };
    return size("N_PARAMETERS", model_.parameters.size()) + size("N_DERIVED", symbols_.derived().size()) +
           size("N_DRIVES", model_.drives.size() - model_.free_count) + size("N_FREE", model_.free_count) +
           size("N_ALL", model_.drives.size()) + size("ROOM_FREE", room(model_.free_count)) +
           size("N_STATES", model_.states.size()) + size("N_OUTPUTS", model_.outputs.size()) +
           size("N_INPUTS", model_.inputs.size()) + size("N_LOADS", model_.loads.size()) +
           size("N_CLOSURES", model_.closure.results.size()) +
           size("ROOM_PARAMETERS", room(model_.parameters.size())) +
           size("ROOM_DERIVED", room(symbols_.derived().size())) +
           size("ROOM_STATES", room(model_.states.size())) +
           size("ROOM_OUTPUTS", room(model_.outputs.size())) +
           size("ROOM_INPUTS", room(model_.inputs.size())) +
           size("ROOM_CLOSURES", room(model_.closure.results.size())) +
           size("LAGRANGE", model_.is_lagrange ? 1 : 0) + size("N_ROWS", model_.rows.size()) +
           size("ROOM_ROWS", room(model_.rows.size())) + size("N_BODIES", model_.free_count / 3) +
           size("N_BRANCHES", model_.start_branches.size()) +
           size("N_BLOCKS", model_.velocity_blocks.size()) + size("N_CHARTS", charts_.size()) +
           size("N_MEASURED", model_.measured_count) +
           fmt::format("#define SWITCH_MARGIN {}\n#define BETTER_MARGIN {}\n\n", kSwitchMargin,
                       kBetterMargin);
  }

  /// Names, order and units of everything that crosses the interface.
  [[nodiscard]] std::string interface_text() const {
    std::string text;
    const auto add = [&](const char* kind, const Channel& c) {
      text += fmt::format("{} {} {}\n", kind, c.name, c.unit);
    };
    for (std::size_t d = 0; d < model_.drives.size(); ++d)
      add(d + model_.free_count < model_.drives.size() ? "drive" : "free", model_.drives[d].channel);
    for (const Channel& state : model_.states) add("state", state);
    for (const Channel& output : model_.outputs) add("output", output);
    for (const Channel& input : model_.inputs) add("input", input);
    for (const Channel& load : model_.loads) add("load", load);
    return text;
  }

  [[nodiscard]] std::string descriptor(const KernelText& text) const {
    return fmt::format(fmt::runtime(kernel_descriptor()), fmt::arg("name", quote(model_.name)),
                       fmt::arg("getter", kernel_getter(model_.name)),
                       fmt::arg("version", quote(RODEO_VERSION_TEXT)),
                       fmt::arg("model", quote(text.model_fingerprint)),
                       fmt::arg("interface", quote(text.interface_fingerprint)));
  }

  const KernelModel& model_;
  std::vector<const KernelModel*> charts_;  // itself first
  Folding folding_;
  Symbols symbols_;
  KernelTapes tapes_;
};

std::uint64_t fnv(const std::string& text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace

std::string fingerprint_of(const std::string& text) {
  return fmt::format("{:016x}{:016x}", fnv(text, 0xcbf29ce484222325ULL), fnv(text, 0x84222325cbf29ce4ULL));
}

KernelText build_kernel_text(const KernelModel& model, Folding folding) {
  return KernelWriter(model, folding).build();
}

}  // namespace rodeo::codegen
