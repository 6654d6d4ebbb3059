// SPDX-License-Identifier: MIT
// `rodeo check`: the structure of a model. What is wrong with it goes to stderr, after the report of what is known.
#include <fmt/format.h>

#include <memory>

#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_report.h"

namespace rodeo::tools {

void add_check(CLI::App& app);

namespace {

struct CheckOptions {
  ModelOptions model;
  bool json = false;
};

void print(const CheckOptions& options, const std::string& name, const std::optional<LoadedMachine>& machine,
           const std::optional<reduction::Model>& model) {
  if (options.json) {
    nlohmann::ordered_json report{{"name", name}};
    if (machine) report.update(to_json(build_machine_report(*machine)));
    if (model) report.update(to_json(build_graph_report(*model)));
    fmt::print("{}\n", report.dump(2));
    return;
  }
  fmt::print("{}\n", name);
  if (machine) fmt::print("{}", to_text(build_machine_report(*machine)));
  if (model) fmt::print("{}", to_text(build_graph_report(*model)));
}

void run_check(const CheckOptions& options) {
  const std::optional<LoadedMachine> machine = load_machine(options.model);
  if (machine) {
    text::Faults faults;
    check_drives(*machine, options.model.undriven, faults);
    if (!faults.empty()) print(options, machine->machine.name, machine, std::nullopt);
    faults.throw_if_any();
  }
  const reduction::Model model = build_equations(options.model, machine);
  print(options, model.graph.name, machine, model);
}

}  // namespace

void add_check(CLI::App& app) {
  auto options = std::make_shared<CheckOptions>();
  CLI::App* command = app.add_subcommand("check", "Structure: mobility, loops, causality, blocks, singular poses");
  add_model_options(*command, options->model);
  add_rod_options(*command, options->model);
  command->add_flag("--json", options->json, "The report as JSON");
  command->footer("Example: rodeo check configs/wheel_loader.yaml --json");
  command->callback([options] { run_check(*options); });
}

}  // namespace rodeo::tools
