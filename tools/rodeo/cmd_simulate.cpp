// SPDX-License-Identifier: MIT
// `rodeo simulate`: a model moved by an input, as fast as it can, into a log. What happened on the way (end stops, singular
// poses) is told on stderr at the end.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <memory>

#include "engine/io/log.h"
#include "engine/io/printable.h"
#include "engine/io/simulation.h"
#include "engine/record/recording.h"
#include "engine/step/step_length.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/fraction_bar.h"
#include "tools/rodeo/output.h"
#include "tools/rodeo/replay_simulate.h"
#include "tools/rodeo/run_model.h"
#include "tools/rodeo/signing.h"
#include "viz/app/in_range.h"
#ifdef RODEO_OFFLINE_BUILD
#include "tools/rodeo/offline_simulate_free.h"
#include "tools/rodeo/offline_simulate_graph.h"
#endif

namespace rodeo::tools {

void add_simulate(CLI::App& app);

namespace {

constexpr double kNano = 1e9;
constexpr double kFastest = 1e6;   // Hz
constexpr double kSlowest = 1e-3;  // Hz
constexpr double kLongest = 1e9;   // s: what fits into nanoseconds, and then some

struct SimulateOptions {
  RunModelOptions model;
  std::string input;
  double rate = 1000;
  double duration = -1;
  std::string method = "rk4";
  std::string closure = "exact";
  std::string form = "reduced";
  double gain = engine::StepperOptions{}.gain;
  double tolerance = 1e-8;
  std::string columns;
  std::string output;
  bool strict = false;
  bool allow_native = false;
#ifdef RODEO_OFFLINE_BUILD
  FreeOptions free;
#endif
};

volatile std::sig_atomic_t interrupted = 0;

rodeo_method find_method(const std::string& name) {
  if (name == "euler") return RODEO_EULER;
  return name == "heun" ? RODEO_HEUN : RODEO_RK4;
}

rodeo_closure find_closure(const std::string& name) {
  if (name == "none") return RODEO_NONE;
  return name == "baumgarte" ? RODEO_BAUMGARTE : RODEO_EXACT;
}

engine::SimulationOptions build_options(const SimulateOptions& options) {
  engine::SimulationOptions result;
  result.stepper.method = find_method(options.method);
  result.stepper.closure = find_closure(options.closure);
  result.stepper.gain = options.gain;
  result.period = std::llround(kNano / options.rate);
  if (options.duration >= 0) result.duration = std::llround(options.duration * kNano);
  return result;
}

void check_options(const SimulateOptions& options) {
  if (options.input.empty() && options.duration < 0) {
    throw CLI::ValidationError("--duration", "is needed without --input: the drives stay at the start");
  }
  if (options.method == "exact" && options.closure != "exact") {
    throw CLI::ValidationError("--method", "exact does not integrate: with --closure " + options.closure +
                                               " choose euler, heun or rk4");
  }
  if (options.form == "full") {
    throw engine::KernelError(options.model.path +
                              ": a kernel holds the reduced form only, --form full is not there yet");
  }
}

/// Runs into the log; false if the user stopped it.
bool run_into(engine::Simulation& simulation, const SimulateOptions& options) {
  engine::LogColumns columns(simulation.stepper().kernel(), options.columns == "all");
  engine::LogWriter log(options.output, std::move(columns));
  FractionBar bar;
  std::signal(SIGINT, [](int) { interrupted = 1; });
  std::signal(SIGTERM, [](int) { interrupted = 1; });
  const bool is_whole = simulation.run(log, [&](double fraction) {
    bar.show(fraction);
    return interrupted == 0;
  });
  if (is_whole) log.finish();
  return is_whole;
}

/// A recording has the rate and the stepping of its run.
void check_recorded_options(const CLI::App& command) {
  for (const char* option : {"--rate", "--method", "--closure", "--gain"}) {
    if (command.count(option) > 0) throw CLI::ValidationError(option, "is what the recording says");
  }
}

#ifdef RODEO_OFFLINE_BUILD
/// Options that would do nothing.
void check_free_options(const CLI::App& command, const std::string& method) {
  const auto refuse = [&](const char* option, const std::string& why) {
    if (command.count(option) > 0) throw CLI::ValidationError(option, why);
  };
  for (const char* option : {"--closure", "--gain"})
    refuse(option, "is for imposed motion: method " + method + " keeps the joints closed in its own way");
  refuse("--form", "is for bond graphs: method " + method + " has a form of its own");
  for (const char* option : {"--alpha", "--beta"})
    if (method != "lagrange") refuse(option, "is a gain of method lagrange: " + method + " has none");
  for (const char* option : {"--frequency", "--damping-ratio"})
    if (method != "rc")
      refuse(option, "is of the springs in the joints of method rc: " + method + " has none");
}

/// The same, of what does not move by such a method.
void check_no_free_options(const CLI::App& command) {
  for (const char* option : {"--free", "--solver", "--settle", "--equilibrium", "--alpha", "--beta",
                             "--frequency", "--damping-ratio"}) {
    if (command.count(option) > 0) {
      throw CLI::ValidationError(
          option,
          "is for machines that move by their forces, with --method minimal, lagrange, "
          "lagrange-implicit, rc or zcp");
    }
  }
}
#endif

/// Whether MODEL was a bond graph, and is done.
bool run_graph([[maybe_unused]] const CLI::App& command, [[maybe_unused]] const SimulateOptions& options) {
#ifdef RODEO_OFFLINE_BUILD
  if (!is_graph_file(options.model.path)) return false;
  check_no_free_options(command);
  simulate_graph(command, {options.model.path, options.model.overrides, options.input, options.rate,
                           options.duration, options.form, options.method, options.tolerance, options.columns,
                           options.output, options.allow_native});
  return true;
#else
  return false;
#endif
}

#ifdef RODEO_OFFLINE_BUILD
bool is_free_asked(const SimulateOptions& options) {
  return is_free_method(options.method) || !options.free.released.empty() || !options.free.solver.empty() ||
         options.free.settle || options.free.equilibrium;
}
#endif

/// Whether MODEL was a machine that moves by its forces, and is done.
bool run_free([[maybe_unused]] const CLI::App& command, [[maybe_unused]] const SimulateOptions& options) {
#ifdef RODEO_OFFLINE_BUILD
  const ModelOptions model{.path = options.model.path, .overrides = options.model.overrides};
  const bool has_method = command.count("--method") > 0;
  // Without one of these it is the compiled kernel, which knows free motion too: the arithmetic of `rodeo run`.
  if (!is_free_asked(options)) {
    check_no_free_options(command);
    return false;
  }
  if (has_method && !is_free_method(options.method)) {
    throw CLI::ValidationError("--method",
                               options.method +
                                   " is a step of the compiled kernel: with --free or --solver choose "
                                   "minimal, lagrange, lagrange-implicit, rc or zcp");
  }
  check_free_options(command, is_free_method(options.method) ? options.method : "minimal");
  if (options.free.equilibrium && !options.input.empty()) check_equilibrium_input(model);
  if (options.duration < 0)
    throw CLI::ValidationError("--duration", "is needed: the machine moves by its forces");
  FreeOptions free = options.free;
  free.tolerance = options.tolerance;
  simulate_free({model, is_free_method(options.method) ? options.method : "", free, options.rate,
                 options.duration, options.columns == "all", options.input, options.output});
  return true;
#else
  return false;
#endif
}

/// What bond graphs alone take.
void check_machine_options(const CLI::App& command, const SimulateOptions& options) {
  for (const char* method : {"cvode", "adams", "ida"}) {
    if (options.method == method)
      throw CLI::ValidationError(
          "--method", std::string(method) + " is for bond graphs: choose euler, heun, rk4 or exact");
  }
  if (command.count("--tolerance") > 0)
    throw CLI::ValidationError("--tolerance", "is for cvode, adams and ida");
  if (!options.columns.empty() && options.columns != "all") {
    throw CLI::ValidationError("--columns", "takes 'all'; names of columns are for bond graphs");
  }
}

/// Of what forces move, the kernel keeps the joints closed itself.
void check_closure_options(const CLI::App& command, const engine::Kernel& kernel) {
  if (kernel.free_count() == 0) return;
  for (const char* option : {"--closure", "--gain"}) {
    if (command.count(option) > 0)
      throw CLI::ValidationError(option,
                                 "is for motion that drives impose altogether: this machine moves by its "
                                 "forces and keeps its joints closed in its own way; leave the option out");
  }
}

/// What should be known of the step before anything moves.
void warn_of_step(const engine::ModelFolder& model, engine::Input* input,
                  const engine::SimulationOptions& options, engine::Simulation& simulation) {
  const engine::StepperOptions& step = simulation.stepper().options();
  const std::string why = engine::describe_long_step(model.stiff, step.method, step.period);
  if (why.empty()) return;
  simulation.set_remedy(find_remedy(model, input, options));
  engine::print_sentence("warning: {}: {}", why,
                         engine::describe_remedy(simulation.remedy(), step.method, step.period));
}

/// Free motion that is at fault or loses energy: what would do instead, unless that is known.
void set_remedy(const engine::ModelFolder& model, engine::Input* input,
                const engine::SimulationOptions& options, engine::Simulation& simulation) {
  if (model.kernel.free_count() == 0 || simulation.remedy().tried > 0) return;
  const auto& events = simulation.events();
  const bool is_faulty = std::any_of(events.begin(), events.end(), [&](const engine::Event& event) {
    return is_fault(event, model.kernel);
  });
  if (is_faulty || simulation.stepper().audit().has_lost())
    simulation.set_remedy(find_remedy(model, input, options));
}

/// Notes, and then faults, which end the program.
void report_events(const std::string& path, const engine::ModelFolder& model, engine::Input* input,
                   const engine::SimulationOptions& options, engine::Simulation& simulation) {
  set_remedy(model, input, options, simulation);
  for (const std::string& note : model.notes) engine::print_sentence("note: {}", note);
  bool is_faulty = false;
  for (const engine::Event& event : simulation.events()) {
    const bool is_fault = engine::is_fault(event, model.kernel);
    engine::print_sentence("{}: {}", is_fault ? path : "note", describe(event, simulation));
    is_faulty = is_faulty || is_fault;
  }
  if (is_faulty) throw CLI::RuntimeError(fault);
  const std::string loss = describe_loss(simulation);
  if (!loss.empty()) engine::print_sentence("note: {}", loss);
}

void run_simulate(const CLI::App& command, const SimulateOptions& options) {
  check_not_read(options.output, {options.model.path, options.input});
  const bool is_recorded = !options.input.empty() && engine::is_recording(options.input);
  check_required_signature(options.model.path, options.model.public_keys);
  if (is_recorded) check_required_signature(options.input, options.model.public_keys);
  if (run_graph(command, options) || run_free(command, options)) return;
  check_machine_options(command, options);
  check_options(options);
  if (is_recorded) check_recorded_options(command);
  const engine::ModelFolder model = load_run_model(options.model);
  if (is_recorded) {
    return simulate_recording({options.input, options.output, options.columns == "all", options.duration},
                              model);
  }
  check_closure_options(command, model.kernel);
  std::unique_ptr<engine::Input> input;
  bool is_beyond = false;
  if (!options.input.empty()) input = load_input(options.input, model, &is_beyond);
  engine::Simulation simulation(model, input.get(), build_options(options));
  warn_of_step(model, input.get(), build_options(options), simulation);
  if (!run_into(simulation, options)) {
    engine::print_sentence("rodeo: stopped before the end, no log was written");
    throw CLI::RuntimeError(fault);
  }
  report_events(options.model.path, model, input.get(), build_options(options), simulation);
  if (options.strict && (is_beyond || !simulation.events().empty())) throw CLI::RuntimeError(input_wrong);
}

void add_stepping_options(CLI::App& command, SimulateOptions& options) {
  command
      .add_option("--method", options.method,
                  "Integration. Machines, for --closure none and baumgarte and by their forces: euler, heun, "
                  "rk4, exact. Bond graphs: euler, rk4, cvode, adams, ida. Machines that move by their "
                  "forces, not by the compiled kernel: minimal, lagrange, lagrange-implicit, rc, zcp")
      ->check(CLI::IsMember({"euler", "heun", "rk4", "exact", "cvode", "adams", "ida", "minimal", "lagrange",
                             "lagrange-implicit", "rc", "zcp"}))
      ->capture_default_str();
  command.add_option("--tolerance", options.tolerance, "Of cvode, adams and ida: relative error a step")
      ->check(viz::in_range(1e-14, 0.1))
      ->capture_default_str();
  command
      .add_option("--closure", options.closure,
                  "exact: positions in closed form, whatever the method; none: the reduced equations alone; "
                  "baumgarte: closure error fed back")
      ->check(CLI::IsMember({"exact", "none", "baumgarte"}))
      ->capture_default_str();
  command.add_option("--gain", options.gain, "Of baumgarte, 1/s")
      ->check(viz::in_range(0.0, kFastest))
      ->capture_default_str();
  command.add_option("--form", options.form, "The equations: full or reduced")
      ->check(CLI::IsMember({"full", "reduced"}))
      ->capture_default_str();
}

void add_run_options(CLI::App& command, SimulateOptions& options) {
  command.add_option("--input", options.input,
                     "A CSV file, a cycle of configs/cycles by its name, a recording, or -");
  command.add_option("--rate", options.rate, "Ticks a second")
      ->check(viz::in_range(kSlowest, kFastest))
      ->capture_default_str();
  command.add_option("--duration", options.duration, "Seconds; to the end of the input if not given")
      ->check(viz::in_range(0.0, kLongest));
  command.add_option("--columns", options.columns,
                     "all: everything that is known, not the usual columns only; of a bond graph also names, "
                     "as in spring.effort,tyre.flow");
  command.add_option("-o", options.output, "The log to write, CSV, or - for standard output")->required();
  command.add_flag("--strict", options.strict,
                   "Exit status 1 if the machine did not do what the input asked (a note says what): values "
                   "beyond a limit, an end stop, a singular pose; the log is written all the same");
}

}  // namespace

void add_simulate(CLI::App& app) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* command =
      app.add_subcommand("simulate", "A model moved by an input, as fast as it can, into a log");
  add_run_model_options(*command, options->model, true);
  add_run_options(*command, *options);
  add_stepping_options(*command, *options);
#ifdef RODEO_OFFLINE_BUILD
  command->add_flag(
      "--allow-native", options->allow_native,
      "Of bond graphs: run functions of shared libraries that the model names, which are native code");
  add_free_options(*command, options->free);
  command->add_flag("--equilibrium", options->free.equilibrium,
                    "Begin at rest in the static equilibrium that the forces lead to from the start; drives "
                    "that hold stay where they are");
  command->add_option("--solver", options->free.solver, "Of free motion; the method's own if not given")
      ->check(CLI::IsMember({"euler", "rk4", "cvode", "ida"}));
#endif
  command->footer(
      "Example: rodeo simulate configs/wheel_loader.yaml --input loading --rate 1000 -o log.csv\n"
      "A bond graph: rodeo simulate configs/graphs/quarter_car.yaml --duration 5 --method cvode -o log.csv\n"
      "By its forces: rodeo simulate configs/free/wheel_loader_free.yaml --method minimal --duration 5 -o "
      "log.csv");
  command->callback([options, command] { report_engine_errors([&] { run_simulate(*command, *options); }); });
}

}  // namespace rodeo::tools
