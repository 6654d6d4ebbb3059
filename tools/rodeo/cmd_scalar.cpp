// SPDX-License-Identifier: MIT
// `rodeo scalar`: a bond graph with vector bonds as one with scalar bonds (boudon-2019, 'Modelling with scalar bonds'), and both side
// by side.
#include <fmt/format.h>

#include <cmath>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <random>

#include "kinematics/bondgraph/components.h"
#include "kinematics/bondgraph/write_graph.h"
#include "kinematics/simulate/run.h"
#include "kinematics/spatial/pose.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_native.h"
#include "tools/rodeo/offline_scalar.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {

void add_scalar(CLI::App& app);

namespace {

constexpr int kSamples = 20;

struct ScalarOptions {
  ModelOptions model;
  std::string output;
  bool compare = false, json = false, allow_native = false;
  std::optional<double> duration;
  double rate = 100.0, tolerance = 1e-3;
  double seconds = 10.0;  // the duration that is taken
};

/// One form of the graph, run.
struct FormResult {
  std::size_t elements = 0, bonds = 0, states = 0, blocks = 0;
  long steps = 0;
  double seconds = 0.0;
  std::vector<double> end;  // states
};

simulate::InputTable build_no_inputs(const reduction::Model& model) {
  simulate::InputTable table;
  table.count = model.system.inputs.size();
  if (table.count > 0) {
    table.times = {0.0};
    table.values.assign(table.count, 0.0);
  }
  return table;
}

FormResult run_form(const reduction::Model& model, const bondgraph::Graph& shown,
                    const ScalarOptions& options) {
  FormResult result;
  result.elements = shown.elements.size();
  result.bonds = shown.bonds.size();
  result.states = model.system.states.size();
  result.blocks = reduction::find_coupled_blocks(model).size();
  simulate::RunOptions run_options;
  run_options.rate = options.rate;
  run_options.duration = options.seconds;
  run_options.method = simulate::MethodKind::cvode;  // springs in joints are stiff
  for (const reduction::State& state : model.system.states) run_options.columns.push_back(state.name);
  simulate::GraphRun run(model, build_no_inputs(model), run_options);
  run.run([&](std::span<const double> row) { result.end.assign(row.begin() + 1, row.end()); });
  result.steps = run.statistics().steps;
  result.seconds = run.statistics().seconds;
  return result;
}

/// The largest difference of the states' rates at random states, against the size of the rates.
double calc_difference(const reduction::Model& a, const reduction::Model& b) {
  simulate::Inputs inputs_a(build_no_inputs(a)), inputs_b(build_no_inputs(b));
  simulate::ReducedForm form_a(a, inputs_a), form_b(b, inputs_b);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> uniform(-0.5, 0.5);
  std::vector<double> x(form_a.size()), rate_a(x.size()), rate_b(x.size());
  double largest = 0.0;
  for (int sample = 0; sample < kSamples; ++sample) {
    double size = 0.0, difference = 0.0;
    for (std::size_t i = 0; i < x.size(); ++i) x[i] = a.system.states[i].start + uniform(random);
    form_a.rate(0.1 * sample, x, rate_a);
    form_b.rate(0.1 * sample, x, rate_b);
    for (std::size_t i = 0; i < x.size(); ++i) {
      size = std::max(size, std::abs(rate_a[i]));
      difference = std::max(difference, std::abs(rate_a[i] - rate_b[i]));
    }
    if (size > 0) largest = std::max(largest, difference / size);
  }
  return largest;
}

void print_table(const FormResult& vector, const FormResult& scalar) {
  fmt::print("{:<8} {:>9} {:>6} {:>7} {:>7} {:>8} {:>10}\n", "bonds", "elements", "bonds", "states", "blocks",
             "steps", "time (s)");
  for (const auto& [name, form] : {std::pair{"vector", vector}, std::pair{"scalar", scalar}}) {
    fmt::print("{:<8} {:>9} {:>6} {:>7} {:>7} {:>8} {:>10.4g}\n", name, form.elements, form.bonds,
               form.states, form.blocks, form.steps, form.seconds);
  }
}

/// Of a machine: how far each form goes from the library's motion.
struct LibraryResult {
  LargestDistance vector, scalar;
  double limit = 0.0;  // m
};

LibraryResult compare_with_library(const LoadedModel& loaded, const bondgraph::Graph& scalar,
                                   const ScalarOptions& options) {
  const spatial::Machine machine = load_spatial_machine(options.model);
  const MotionOptions motion{options.seconds, options.rate};
  const PointRows library = build_library_motion(machine, motion);
  const auto compare = [&](const bondgraph::Graph& graph, bool is_scalar) {
    const std::vector<TrackedPoint> points = list_tracked_points(machine, is_scalar);
    return find_largest_distance(library, build_graph_motion(graph, points, motion), points, options.rate);
  };
  return {compare(loaded.model.vector->graph, false), compare(scalar, true),
          options.tolerance * spatial::calc_size(machine)};
}

nlohmann::ordered_json to_json(const LargestDistance& largest) {
  return {{"distance", largest.distance}, {"t", largest.t}, {"point", largest.point}};
}

void print_library(const LibraryResult& result, const ScalarOptions& options) {
  for (const auto& [name, largest] :
       {std::pair{"vector", result.vector}, std::pair{"scalar", result.scalar}}) {
    fmt::print("{} form and library over {} s: {:.2g} m apart at most{}\n", name, options.seconds,
               largest.distance,
               largest.point.empty() ? "" : fmt::format(" ({} at {} s)", largest.point, largest.t));
  }
}

void check_library(const LibraryResult& result, const text::Where& where) {
  for (const LargestDistance& largest : {result.vector, result.scalar}) {
    if (largest.distance <= result.limit) continue;
    throw text::ModelError(
        where, fmt::format("'{}': the graph and the library are {:.2g} m apart at {} s, more than {:.2g} m: "
                           "stiffer joints (-p joint_stiffness=1e9), --hold multipliers or a shorter "
                           "--duration bring them together, if they are one machine",
                           largest.point, largest.distance, largest.t, result.limit));
  }
}

nlohmann::ordered_json to_json(const FormResult& form) {
  return {{"elements", form.elements}, {"bonds", form.bonds}, {"states", form.states},
          {"blocks", form.blocks},     {"steps", form.steps}, {"seconds", form.seconds}};
}

/// Both forms of one graph: what they cost, and how far they differ.
nlohmann::ordered_json compare_forms(const reduction::Model& model, const bondgraph::Graph& scalar,
                                     const ScalarOptions& options) {
  const reduction::Model other = reduction::build_model(scalar);
  if (other.system.states.size() != model.system.states.size()) {
    throw text::ModelError(
        model.vector->graph.where,
        fmt::format(
            "the scalar form has {} states and the vector form {}: rules C1 and C2 take the freedom to "
            "choose causality, and the forms cannot be compared state by state",
            other.system.states.size(), model.system.states.size()));
  }
  const double rates = calc_difference(model, other);
  const FormResult a = run_form(model, model.vector->graph, options);
  const FormResult b = run_form(other, scalar, options);
  double states = 0.0;
  for (std::size_t i = 0; i < a.end.size(); ++i) states = std::max(states, std::abs(a.end[i] - b.end[i]));
  if (!options.json) {
    print_table(a, b);
    fmt::print("rates at {} random states differ by {:.2g} of their size, states after {} s by {:.2g}\n",
               kSamples, rates, options.seconds, states);
  }
  return {{"vector", to_json(a)},
          {"scalar", to_json(b)},
          {"rate_difference", rates},
          {"state_difference", states}};
}

void compare(const LoadedModel& loaded, const bondgraph::Graph& scalar, const ScalarOptions& options) {
  nlohmann::ordered_json json = compare_forms(loaded.model, scalar, options);
  std::optional<LibraryResult> library;
  if (loaded.spatial) library = compare_with_library(loaded, scalar, options);
  if (library) {
    json["library"] = {{"vector", to_json(library->vector)},
                       {"scalar", to_json(library->scalar)},
                       {"limit", library->limit}};
    if (!options.json) print_library(*library, options);
  }
  if (options.json) fmt::print("{}\n", json.dump(2));
  if (library) check_library(*library, loaded.model.vector->graph.where);
}

void run_scalar(ScalarOptions options) {
  if (!options.output.empty()) check_output(options.output, {options.model.path});
  Progress progress;
  const LoadedModel loaded = load_model(options.model, progress);
  progress.finish();
  const reduction::Model& model = loaded.model;
  if (!model.vector)
    throw text::ModelError(model.graph.where,
                           "all bonds of this graph are scalar already: there is nothing to do");
  const bondgraph::Graph scalar =
      bondgraph::build_scalar(model.vector->graph, model.vector->causality.strokes);
  options.seconds = options.duration.value_or(loaded.spatial ? 1.0 : 10.0);
  if (options.compare) {
    allow_native(model.graph, options.allow_native);
    compare(loaded, scalar, options);
  }
  const std::string text = bondgraph::build_yaml(scalar);
  if (!options.output.empty()) return write_file(options.output, text);
  if (!options.compare) fmt::print("{}", text);
}

}  // namespace

void add_scalar(CLI::App& app) {
  auto options = std::make_shared<ScalarOptions>();
  CLI::App* command = app.add_subcommand("scalar", "A graph with vector bonds as one with scalar bonds");
  add_model_options(*command, options->model);
  add_hold_option(*command, options->model);
  command->add_option("-o", options->output, "File to write; standard output without it");
  command->add_flag(
      "--compare", options->compare,
      "Run both forms and print what they cost and how far they differ; of a machine also how far they go "
      "from the library's motion, with status 1 beyond the tolerance");
  command->add_flag("--allow-native", options->allow_native,
                    "Of --compare: run functions of shared libraries that the model names");
  command->add_flag("--json", options->json, "The comparison as JSON");
  command->add_option("--duration", options->duration,
                      "Of the comparison, s; 10 for a graph and 1 for a machine if not given");
  command
      ->add_option("--tolerance", options->tolerance,
                   "Of a machine: how far graph and library may be apart, in sizes of the machine")
      ->capture_default_str();
  command->add_option("--rate", options->rate, "Samples a second of the comparison")->capture_default_str();
  command->footer("Example: rodeo scalar configs/graphs/top.yaml --compare -o top_scalar.yaml");
  command->callback([options] { run_scalar(*options); });
}

}  // namespace rodeo::tools
