// SPDX-License-Identifier: MIT
// `rodeo check`: the structure of a model. What is wrong with it, and what any later command would refuse, goes to stderr,
// after the report of what is known.
#include <fmt/format.h>

#include <memory>

#include "engine/io/printable.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_configurations.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_native.h"
#include "tools/rodeo/offline_notes.h"
#include "tools/rodeo/offline_report.h"
#include "tools/rodeo/offline_spatial.h"
#include "tools/rodeo/offline_trial.h"

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

/// `untried`: why the kernel was not tried.
void print(const CheckOptions& options, const std::string& report, const std::string& untried,
           Progress& progress) {
  progress.finish();
  engine::print_text(report);
  if (!untried.empty()) print_notes({"the kernel was not tried: " + untried});
  print_notes(build_file_notes(options.model.path, options.model.overrides));
}

void warn_of_step(const KernelTrial& trial) {
  if (!trial.long_step.empty()) engine::print_sentence("warning: {}", trial.long_step);
}

/// The bond graph of a machine, or why it has none.
struct CheckedGraph {
  std::optional<reduction::Hybrid> hybrid;
  std::optional<text::ModelError> refusal;
};

CheckedGraph build_graph(const CheckOptions& options, const std::optional<LoadedMachine>& machine,
                         Progress& progress) {
  CheckedGraph graph;
  try {
    graph.hybrid = build_configurations(options.model, machine, progress);
  } catch (const text::ModelError& error) {
    graph.refusal = error;
  }
  return graph;
}

/// Commands that need the bond graph, and that need masses.
std::vector<std::string> list_refusing(const LoadedSpatial& loaded, const CheckedGraph& graph) {
  std::vector<std::string> commands;
  if (graph.refusal) commands = {"equations", "graph", "scalar"};
  if (!has_masses(loaded.machine)) commands.emplace_back("compare");
  return commands;
}

/// `moves`: nothing keeps the machine from being built and run.
std::string build_spatial_report(const CheckOptions& options, const LoadedSpatial& loaded,
                                 const CheckedGraph& graph, bool moves) {
  const std::vector<std::string> refusing = list_refusing(loaded, graph);
  if (options.json) {
    nlohmann::ordered_json report{{"name", loaded.machine.name}};
    report.update(to_json(loaded));
    add_json(report, graph.hybrid);
    if (graph.refusal) report["no_bond_graph"] = graph.refusal->what();
    report["refused_by"] = refusing;
    return report.dump(2) + "\n";
  }
  std::string report = loaded.machine.name + "\n" + to_text(loaded) + build_text(graph.hybrid);
  if (graph.refusal) report += fmt::format("  {:<26}none: {}\n", "bond graph", graph.refusal->what());
  if (refusing.empty()) return report;
  return report + fmt::format("  {:<26}{}{}\n", "refused by", fmt::join(refusing, ", "),
                              moves ? "; build, simulate, run and view take it" : "");
}

/// False if MODEL is not a machine in space. Such a machine may be right without a bond graph: then the report says why.
bool run_spatial_check(const CheckOptions& options, Progress& progress) {
  const std::optional<LoadedSpatial> loaded = load_spatial(options.model, progress);
  if (!loaded) return false;
  text::Faults faults;
  const bool is_assembled = loaded->assembly.assembled;
  const CheckedGraph graph = is_assembled ? build_graph(options, std::nullopt, progress) : CheckedGraph{};
  const KernelTrial trial = try_kernel(options.model, faults);
  print(options, build_spatial_report(options, *loaded, graph, faults.empty()), trial.untried, progress);
  faults.throw_if_any();
  print_notes(loaded->assembly.missed_starts);
  print_notes(build_start_notes(loaded->machine, loaded->assembly.pose));
  warn_of_step(trial);
  return true;
}

/// Without its drives (--undriven) a machine has equations, and no kernel.
void run_machine_check(const CheckOptions& options, const std::optional<LoadedMachine>& machine,
                       Progress& progress) {
  text::Faults structure, faults;
  check_drives(*machine, options.model.undriven, structure);
  const CheckedGraph graph = structure.empty() ? build_graph(options, machine, progress) : CheckedGraph{};
  const KernelTrial trial = options.model.undriven ? KernelTrial{} : try_kernel(options.model, faults);
  if (options.model.undriven) faults = structure;
  if (graph.refusal) faults.add(*graph.refusal);
  print(options, build_report(options, machine->machine.name, machine, graph.hybrid), trial.untried,
        progress);
  faults.throw_if_any();
  print_notes(machine->assembly.missed_starts);
  print_notes(build_start_notes(machine->machine, machine->assembly.pose));
  warn_of_step(trial);
}

void run_check(const CheckOptions& options) {
  Progress progress;
  if (run_spatial_check(options, progress)) return;
  const std::optional<LoadedMachine> machine = load_machine(options.model, progress);
  if (machine) return run_machine_check(options, machine, progress);
  const reduction::Hybrid hybrid = build_configurations(options.model, machine, progress);
  text::Faults faults;
  try_graph(options.model, hybrid, faults);
  print(options, build_report(options, hybrid.configurations.front().model.graph.name, machine, hybrid), "",
        progress);
  print_notes(build_native_notes(hybrid.configurations.front().model.graph));
  faults.throw_if_any();
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
