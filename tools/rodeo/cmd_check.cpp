// SPDX-License-Identifier: MIT
// `rodeo check`: the structure of a model. What is wrong with it goes to stderr, after the report of what is known.
#include <fmt/format.h>

#include <memory>

#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_configurations.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_report.h"
#include "tools/rodeo/offline_spatial.h"

namespace rodeo::tools {

void add_check(CLI::App& app);

namespace {

struct CheckOptions {
  ModelOptions model;
  bool json = false;
};

void add_json(nlohmann::ordered_json& report, const std::optional<reduction::Hybrid>& hybrid) {
  if (!hybrid) return;
  report.update(to_json(build_graph_report(hybrid->configurations.front().model)));
  if (hybrid->is_switched()) report.update(to_json(*hybrid));
}

std::string build_text(const std::optional<reduction::Hybrid>& hybrid) {
  if (!hybrid) return "";
  const std::string report = to_text(build_graph_report(hybrid->configurations.front().model));
  return hybrid->is_switched() ? report + to_text(*hybrid) : report;
}

std::string build_report(const CheckOptions& options, const std::string& name,
                         const std::optional<LoadedMachine>& machine,
                         const std::optional<reduction::Hybrid>& hybrid) {
  if (options.json) {
    nlohmann::ordered_json report{{"name", name}};
    if (machine) report.update(to_json(build_machine_report(*machine)));
    add_json(report, hybrid);
    return report.dump(2) + "\n";
  }
  return name + "\n" + (machine ? to_text(build_machine_report(*machine)) : "") + build_text(hybrid);
}

void print(const std::string& report, Progress& progress) {
  progress.finish();
  fmt::print("{}", report);
}

/// The multibond graph of a machine in space, or why it has none: a machine may be right without.
struct SpatialGraph {
  std::optional<reduction::Hybrid> hybrid;
  std::string refusal;
};

SpatialGraph build_spatial_graph(const CheckOptions& options, Progress& progress) {
  try {
    return {build_configurations(options.model, std::nullopt, progress), ""};
  } catch (const text::ModelError& error) {
    return {std::nullopt, error.what()};
  }
}

std::string build_spatial_report(const CheckOptions& options, const LoadedSpatial& loaded,
                                 const SpatialGraph& graph) {
  if (options.json) {
    nlohmann::ordered_json report{{"name", loaded.machine.name}};
    report.update(to_json(loaded));
    add_json(report, graph.hybrid);
    return report.dump(2) + "\n";
  }
  const std::string report = loaded.machine.name + "\n" + to_text(loaded) + build_text(graph.hybrid);
  return graph.refusal.empty() ? report
                               : report + fmt::format("  {:<26}none: {}\n", "bond graph", graph.refusal);
}

/// False if MODEL is not a machine in space.
bool run_spatial_check(const CheckOptions& options, Progress& progress) {
  const std::optional<LoadedSpatial> loaded = load_spatial(options.model, progress);
  if (!loaded) return false;
  text::Faults faults;
  check_drives(*loaded, faults);
  const SpatialGraph graph = faults.empty() ? build_spatial_graph(options, progress) : SpatialGraph{};
  print(build_spatial_report(options, *loaded, graph), progress);
  faults.throw_if_any();
  return true;
}

void run_check(const CheckOptions& options) {
  Progress progress;
  if (run_spatial_check(options, progress)) return;
  const std::optional<LoadedMachine> machine = load_machine(options.model, progress);
  if (machine) {
    text::Faults faults;
    check_drives(*machine, options.model.undriven, faults);
    if (!faults.empty()) print(build_report(options, machine->machine.name, machine, std::nullopt), progress);
    faults.throw_if_any();
  }
  const reduction::Hybrid hybrid = build_configurations(options.model, machine, progress);
  print(build_report(options, hybrid.configurations.front().model.graph.name, machine, hybrid), progress);
}

}  // namespace

void add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command =
      app.add_subcommand("check", "Structure: mobility, loops, causality, blocks, singular poses");
  add_model_options(*command, options->model);
  add_rod_options(*command, options->model);
  command->add_flag("--json", options->json, "The report as JSON");
  command->footer("Example: rodeo check configs/wheel_loader.yaml -p L_boom=3.1 --json");
  command->callback([options] { run_check(*options); });
}

}  // namespace rodeo::tools
