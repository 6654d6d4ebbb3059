// SPDX-License-Identifier: MIT
// `rodeo compare`: one machine moved by its forces, by every method; what each costs and how far it is off.
#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "engine/io/printable.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/csv_rows.h"
#include "tools/rodeo/fraction_bar.h"
#include "tools/rodeo/offline_free.h"
#include "tools/rodeo/offline_free_inputs.h"
#include "tools/rodeo/output.h"
#include "viz/app/in_range.h"

namespace rodeo::tools {

void add_compare(CLI::App& app);

namespace {

struct CompareOptions {
  ModelOptions model;
  FreeOptions free;
  std::vector<std::string> methods;
  double duration = 0, rate = 1000;
  std::string output;
  bool json = false;
};

struct Outcome {
  std::string method, solver;
  std::string refusal;  // why it did not run, or not to the end
  int equations = 0;
  dynamics::RunReport report;
  double angle_difference = 0, rate_difference = 0, output_difference = 0;  // from the first method
  std::vector<std::string> notes;
};

/// Angles, rates, places and velocities of outputs over time; a row a sample.
struct Track {
  std::vector<std::vector<double>> rows;
};

Outcome run_method(const std::string& name, FreeMachine& free, const CompareOptions& options, Track& track,
                   FractionBar& bar) {
  Outcome outcome;
  outcome.method = name;
  try {
    const auto method =
        dynamics::build_method(name, free.problem, build_method_options(options.free, options.rate));
    outcome.solver = method->solver_name();
    outcome.equations = method->equations();
    outcome.report =
        dynamics::run(*method, options.duration, 1 / options.rate, [&](const dynamics::Sample& sample) {
          free.view->gather_track(method->system(), sample, track.rows.emplace_back());
          bar.show(sample.t / options.duration);
          return true;
        });
    outcome.notes = method->notes();
  } catch (const text::ModelError& error) {
    outcome.refusal = error.what();
  } catch (const solve::SolveError& error) {
    outcome.refusal = error.what();
  }
  return outcome;
}

void compare_with(const Track& first, const Track& track, const std::vector<TrackColumn>& columns,
                  Outcome& outcome) {
  for (std::size_t i = 0; i < std::min(first.rows.size(), track.rows.size()); ++i) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double difference = std::abs(track.rows[i][c] - first.rows[i][c]);
      double unused = 0;
      double& largest = columns[c].kind == TrackKind::rate    ? outcome.rate_difference
                        : columns[c].kind == TrackKind::place ? outcome.output_difference
                        : columns[c].kind == TrackKind::other ? unused  // in the CSV only
                                                              : outcome.angle_difference;
      largest = std::max(largest, columns[c].kind == TrackKind::half_angle ? 2 * difference : difference);
    }
  }
}

void write_differences(const CompareOptions& options, const std::vector<Outcome>& outcomes,
                       const std::vector<Track>& tracks, const std::vector<TrackColumn>& columns) {
  std::vector<std::string> names{"t"};
  std::size_t samples = tracks[0].rows.size();
  for (std::size_t m = 1; m < tracks.size(); ++m) {
    if (!outcomes[m].refusal.empty()) continue;
    samples = std::min(samples, tracks[m].rows.size());
    for (const TrackColumn& column : columns) names.push_back(outcomes[m].method + "." + column.name);
  }
  CsvRows csv(options.output, names);
  for (std::size_t i = 0; i < samples; ++i) {
    std::vector<double> row{static_cast<double>(i) / options.rate};
    for (std::size_t m = 1; m < tracks.size(); ++m) {
      if (!outcomes[m].refusal.empty()) continue;
      for (std::size_t c = 0; c < columns.size(); ++c)
        row.push_back(tracks[m].rows[i][c] - tracks[0].rows[i][c]);
    }
    csv.write(row);
  }
  csv.finish();
}

std::string build_table(const std::string& name, const std::vector<Outcome>& outcomes) {
  std::string text =
      fmt::format("{}\n{:<18} {:<12} {:>9} {:>9} {:>9} {:>8}  {:>10} {:>10} {:>10} {:>10} {:>10}\n", name,
                  "method", "solver", "equations", "steps", "calls", "time s", "joints m", "energy J",
                  "angle rad", "rate rad/s", "outputs m");
  for (const Outcome& o : outcomes) {
    if (!o.refusal.empty()) {
      text += fmt::format("{:<18} {}\n", o.method, o.refusal);
      continue;
    }
    text += fmt::format(
        "{:<18} {:<12} {:>9} {:>9} {:>9} {:>8.3f}  {:>10.2e} {:>10.2e} {:>10.2e} {:>10.2e} {:>10.2e}\n",
        o.method, o.solver, o.equations, o.report.statistics.steps, o.report.statistics.calls,
        o.report.seconds, o.report.largest_residual, o.report.largest_energy_error, o.angle_difference,
        o.rate_difference, o.output_difference);
  }
  for (const Outcome& o : outcomes) {
    for (const std::string& note : o.notes) text += fmt::format("{}: {}\n", o.method, note);
  }
  return text;
}

nlohmann::ordered_json to_json(const Outcome& o) {
  nlohmann::ordered_json json{{"method", o.method}};
  if (!o.refusal.empty()) {
    json["refusal"] = o.refusal;
    return json;
  }
  json.update({{"solver", o.solver},
               {"equations", o.equations},
               {"steps", o.report.statistics.steps},
               {"calls", o.report.statistics.calls},
               {"seconds", o.report.seconds},
               {"constraint_error", o.report.largest_residual},
               {"energy_error", o.report.largest_energy_error},
               {"angle_difference", o.angle_difference},
               {"rate_difference", o.rate_difference},
               {"output_difference", o.output_difference},
               {"notes", o.notes}});
  return json;
}

void run_compare(const CompareOptions& options) {
  check_not_read(options.output, {options.model.path});
  FreeMachine free = load_free(options.model, options.free);
  std::vector<std::string> methods = options.methods.empty() ? dynamics::method_names() : options.methods;
  std::erase(methods, "minimal");
  methods.insert(methods.begin(), "minimal");
  std::vector<TrackColumn> columns;
  std::vector<Track> tracks(methods.size());
  std::vector<Outcome> outcomes;
  FractionBar bar;
  for (std::size_t m = 0; m < methods.size(); ++m) {
    columns = free.view->build_track();  // anew: quaternions keep their sign from sample to sample
    outcomes.push_back(run_method(methods[m], free, options, tracks[m], bar));
    compare_with(tracks[0], tracks[m], columns, outcomes.back());
  }
  bar.finish();
  if (!options.output.empty()) write_differences(options, outcomes, tracks, columns);
  if (options.json) {
    nlohmann::ordered_json report{{"name", free.names.machine},
                                  {"duration", options.duration},
                                  {"rate", options.rate},
                                  {"redundant", free.problem.redundant}};
    for (const Outcome& outcome : outcomes) report["methods"].push_back(to_json(outcome));
    fmt::print("{}\n", report.dump(2));
  } else {
    engine::print_text(build_table(free.names.machine, outcomes));
  }
  for (const std::string& note : free.notes) engine::print_sentence("note: {}", note);
  for (const std::string& note : build_input_notes(free.names, false))
    engine::print_sentence("note: {}", note);
  for (const std::string& note : build_start_notes(free.problem)) engine::print_sentence("note: {}", note);
}

}  // namespace

void add_compare(CLI::App& app) {
  auto options = std::make_shared<CompareOptions>();
  CLI::App* command =
      app.add_subcommand("compare", "A machine moved by its forces, by every method: cost and error");
  add_model_options(*command, options->model, "A machine file");
  add_free_options(*command, options->free);
  command->add_option("--duration", options->duration, "Seconds")
      ->required()
      ->check(viz::in_range(1e-6, 1e6));
  command->add_option("--rate", options->rate, "Samples a second, and fixed steps")
      ->check(viz::in_range(1.0, 1e6))
      ->capture_default_str();
  command
      ->add_option("--method", options->methods,
                   "One or several; all of them if not given. minimal always runs")
      ->check(CLI::IsMember(dynamics::method_names()))
      ->allow_extra_args(false);
  command->add_option("--tolerance", options->free.tolerance, "Of cvode and ida: relative error a step")
      ->check(viz::in_range(1e-14, 0.1))
      ->capture_default_str();
  command->add_option("-o", options->output, "CSV: differences from minimal over time, for 'rodeo plot'");
  command->add_flag("--json", options->json, "The table as JSON");
  command->footer("Example: rodeo compare configs/free/slider_crank.yaml --duration 5 -o differences.csv");
  command->callback([options] { run_compare(*options); });
}

}  // namespace rodeo::tools
