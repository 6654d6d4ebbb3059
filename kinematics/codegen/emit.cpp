// SPDX-License-Identifier: MIT
// The text of a kernel: channels, instance, routines, and the parts that are the same in every kernel (kernel_frame.cpp).
#include "kinematics/codegen/emit.h"

#include <fmt/format.h>

#include <cstdint>

#include "kinematics/codegen/kernel_frame.h"
#include "kinematics/codegen/routine_text.h"

namespace rodeo::codegen {
namespace {

std::string quote(const std::string& text) {
  std::string safe = "\"";
  for (const char c : text) safe += c == '"' || c == '\\' ? std::string("\\") + c : std::string(1, c);
  return safe + "\"";
}

std::string number_text(double value) {
  const std::string text = fmt::format("{}", value);
  return text.find_first_of(".en") == std::string::npos ? text + ".0" : text;
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
  explicit KernelWriter(const KernelModel& model) : model_(model) {
    for (std::size_t i = 0; i < model.parameters.size(); ++i)
      names_.set(expr::symbol(model.parameters[i].name), fmt::format("p[{}]", i));
    for (std::size_t i = 0; i < model.states.size(); ++i)
      names_.set(state_symbol(model.states[i].name), fmt::format("x[{}]", i));
  }

  KernelText build() {
    KernelText text;
    const std::string step = write_step(text.step);
    const std::string derivatives = write_derivatives();
    const std::string closure = write_closure();
    const std::string poses = write_poses();
    const std::string prepare = write_prepare();
    const std::string code = prepare + step + derivatives + closure + poses;
    text.interface_fingerprint = fingerprint_of(interface_text());
    text.model_fingerprint = fingerprint_of(code + tables() + kernel_frame() + kernel_math());
    text.source = head(text) + kernel_math() + "\n" + tables() + sizes() + kernel_instance() + code +
                  kernel_frame() + descriptor(text);
    return text;
  }

 private:
  /// Drives: 3 numbers each in a step, 2 (rate, acceleration) in poses, 1 (rate) in derivatives.
  void name_drives(int stride, int position, int rate, int acceleration) {
    for (std::size_t d = 0; d < model_.drives.size(); ++d) {
      const std::string& name = model_.drives[d].channel.name;
      const int base = stride * static_cast<int>(d);
      if (position >= 0) names_.set(expr::variable("q:" + name), fmt::format("u[{}]", base + position));
      if (rate >= 0) names_.set(expr::variable("v:" + name), fmt::format("u[{}]", base + rate));
      if (acceleration >= 0)
        names_.set(expr::variable("a:" + name), fmt::format("u[{}]", base + acceleration));
    }
  }

  static void add_margins(RoutineText& body, const std::vector<Margin>& margins) {
    for (const Margin& margin : margins) {
      const std::string value = body.require(margin.value);
      body.line(
          fmt::format("  if (!({} >= I->stop_margin)) return RODEO_SINGULAR; /* {} */", value, margin.where));
      body.line(fmt::format("  if ({0} < margin) margin = {0};", value));
    }
  }

  std::string write_step(Operations& operations) {
    name_drives(3, 0, 1, 2);
    RoutineText body(names_, true);
    for (std::size_t i = 0; i < model_.step.iterated.size(); ++i)
      body.add(model_.step.iterated[i], static_cast<int>(i));
    add_margins(body, model_.step.margins);
    for (std::size_t i = 0; i < model_.step.solves.size(); ++i)
      body.add(model_.step.solves[i], static_cast<int>(i));
    body.require_all(model_.step.results);
    const std::size_t states = model_.states.size();
    for (std::size_t i = states; i < model_.step.results.size(); ++i) {
      body.line(fmt::format("  outputs[{}] = {};", i - states, body.require(model_.step.results[i])));
    }
    std::string store;  // after everything that reads x[]
    for (std::size_t i = 0; i < states; ++i)
      store += fmt::format("  const double s{} = {};\n", i, body.require(model_.step.results[i]));
    for (std::size_t i = 0; i < states; ++i) store += fmt::format("  x[{}] = s{};\n", i, i);
    operations = body.operations();
    return "/* One tick: closed forms from the drives' positions, u = position, rate, acceleration of each "
           "drive. */\n"
           "static int advance(instance* I, const double* u, double* outputs) {\n"
           "  const double* p = I->parameters;\n  const double* k = I->derived;\n  double* x = I->states;\n"
           "  double margin = 1.0;\n  (void)p; (void)k;\n" +
           body.text() + store + "  I->margin = margin;\n  return RODEO_OK;\n}\n\n";
  }

  /// A function of the states as they are given: its results by index into `target`.
  std::string write_function(const char* comment, const char* signature, const Routine& routine,
                             const char* target) {
    RoutineText body(names_, true);
    for (std::size_t i = 0; i < routine.solves.size(); ++i) body.add(routine.solves[i], static_cast<int>(i));
    body.require_all(routine.results);
    for (std::size_t i = 0; i < routine.results.size(); ++i) {
      body.line(fmt::format("  {}[{}] = {};", target, i, body.require(routine.results[i])));
    }
    return fmt::format(
        "/* {} */\nstatic int {} {{\n"
        "  const double* p = I->parameters;\n  const double* k = I->derived;\n"
        "  (void)p; (void)k; (void)x; (void)u; (void){};\n{}  return RODEO_OK;\n}}\n\n",
        comment, signature, target, body.text());
  }

  std::string write_derivatives() {
    name_drives(1, -1, 0, -1);
    return write_function("The reduced ODE: d/dt of the states x from the drives' rates u.",
                          "derive(const instance* I, const double* x, const double* u, double* result)",
                          model_.derivatives, "result");
  }

  std::string write_closure() {
    return write_function("Closure errors of the loops at the states x, metres.",
                          "close_loops(const instance* I, const double* x, const double* u, double* result)",
                          model_.closure, "result");
  }

  std::string write_poses() {
    name_drives(2, -1, 0, 1);
    return write_function("Outputs at the states x, u = rate and acceleration of each drive.",
                          "show(const instance* I, const double* x, const double* u, double* outputs)",
                          model_.poses, "outputs");
  }

  std::string write_prepare() {
    RoutineText body(names_, false);
    for (std::size_t i = 0; i < names_.derived().size(); ++i) {
      body.line(fmt::format("  I->derived[{}] = {};", i, body.require(names_.derived()[i])));
    }
    return "/* What depends on parameters alone. */\n"
           "static int prepare(instance* I) {\n  const double* p = I->parameters;\n  (void)p;\n" +
           body.text() + "  return RODEO_OK;\n}\n\n";
  }

  // ---- frame

  [[nodiscard]] std::string head(const KernelText& text) const {
    return fmt::format(
        "/* {} - a kernel made by Rodeo {}; do not edit, build it again.\n"
        " * Model {}, interface {}.\n"
        " * Compile without contraction and fast-math: cc -std=c99 -O2 -ffp-contract=off -fno-math-errno */\n"
        "#include <math.h>\n#include <stdint.h>\n#include <string.h>\n\n#include \"rodeo_kernel.h\"\n\n",
        model_.name, RODEO_VERSION_TEXT, text.model_fingerprint, text.interface_fingerprint);
  }

  [[nodiscard]] std::string tables() const {
    const auto drive_channel = [](const DriveChannel& drive) { return channel_text(drive.channel); };
    const auto parameter = [](const expr::Parameter& p) { return channel_text({p.name, ""}); };
    return table("rodeo_channel", "parameter_channels", model_.parameters, parameter) +
           table("rodeo_channel", "drive_channels", model_.drives, drive_channel) +
           table("rodeo_channel", "state_channels", model_.states, channel_text) +
           table("rodeo_channel", "output_channels", model_.outputs, channel_text) +
           table("double", "default_parameters", model_.parameters,
                 [](const expr::Parameter& p) { return number_text(p.number); }) +
           table("double", "start_drives", model_.drives,
                 [](const DriveChannel& d) { return number_text(d.start); }) +
           table("double", "start_states", model_.start_states, [](double x) { return number_text(x); }) +
           "\n";
  }

  [[nodiscard]] std::string sizes() const {
    const auto size = [](const char* name, std::size_t n) { return fmt::format("#define {} {}\n", name, n); };
    const auto room = [](std::size_t n) { return n == 0 ? 1 : n; };
    return size("N_PARAMETERS", model_.parameters.size()) + size("N_DERIVED", names_.derived().size()) +
           size("N_DRIVES", model_.drives.size()) + size("N_STATES", model_.states.size()) +
           size("N_OUTPUTS", model_.outputs.size()) + size("N_CLOSURES", model_.closure.results.size()) +
           size("ROOM_PARAMETERS", room(model_.parameters.size())) +
           size("ROOM_DERIVED", room(names_.derived().size())) +
           size("ROOM_STATES", room(model_.states.size())) +
           size("ROOM_OUTPUTS", room(model_.outputs.size())) +
           size("ROOM_CLOSURES", room(model_.closure.results.size())) +
           size("N_BLOCKS", model_.velocity_blocks.size()) + "\n";
  }

  /// Names, order and units of everything that crosses the interface.
  [[nodiscard]] std::string interface_text() const {
    std::string text;
    const auto add = [&](const char* kind, const Channel& c) {
      text += fmt::format("{} {} {}\n", kind, c.name, c.unit);
    };
    for (const DriveChannel& drive : model_.drives) add("drive", drive.channel);
    for (const Channel& state : model_.states) add("state", state);
    for (const Channel& output : model_.outputs) add("output", output);
    return text;
  }

  [[nodiscard]] std::string descriptor(const KernelText& text) const {
    return fmt::format(fmt::runtime(kernel_descriptor()), fmt::arg("name", quote(model_.name)),
                       fmt::arg("version", quote(RODEO_VERSION_TEXT)),
                       fmt::arg("model", quote(text.model_fingerprint)),
                       fmt::arg("interface", quote(text.interface_fingerprint)));
  }

  const KernelModel& model_;
  Names names_;
};

std::uint64_t fnv(const std::string& text, std::uint64_t hash) {
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL;
  return hash;
}

}  // namespace

std::string fingerprint_of(const std::string& text) {
  return fmt::format("{:016x}{:016x}", fnv(text, 0xcbf29ce484222325ULL), fnv(text, 0x84222325cbf29ce4ULL));
}

KernelText build_kernel_text(const KernelModel& model) { return KernelWriter(model).build(); }

}  // namespace rodeo::codegen
