// SPDX-License-Identifier: MIT
// `rodeo doctor`: the findings of engine/doctor as a table or as JSON. Exit status 1 if one is a fail: a script gates on it.
#include <fmt/format.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "engine/doctor/doctor.h"
#include "tools/rodeo/commands.h"

namespace rodeo::tools {

void add_doctor(CLI::App& app);

namespace {

using engine::Finding;

struct DoctorOptions {
  std::string root;
  bool json = false;
};

void print_json(const std::vector<Finding>& findings) {
  auto list = nlohmann::ordered_json::array();
  for (const Finding& finding : findings) {
    list.push_back({{"check", finding.check},
                    {"verdict", verdict_name(finding.verdict)},
                    {"found", finding.found},
                    {"change", finding.change}});
  }
  const nlohmann::ordered_json report{{"fit", is_fit(findings)}, {"findings", list}};
  fmt::print("{}\n", report.dump(2, ' ', false, nlohmann::json::error_handler_t::replace));
}

void print_table(const std::vector<Finding>& findings) {
  for (const Finding& finding : findings) {
    fmt::print("{:4}  {:21}  {}\n", verdict_name(finding.verdict), finding.check, finding.found);
    if (!finding.change.empty()) fmt::print("{:29}-> {}\n", "", finding.change);
  }
  fmt::print("\n{}\n", is_fit(findings)
                           ? "This machine can run a real-time loop; each warn above costs jitter."
                           : "This machine cannot run a real-time loop until each fail is changed.");
}

void run_doctor(const DoctorOptions& options) {
  engine::Machine machine = engine::build_this_machine();
  if (!options.root.empty()) machine.root = options.root;
  const std::vector<Finding> findings = engine::build_findings(machine);
  options.json ? print_json(findings) : print_table(findings);
  if (!is_fit(findings)) throw CLI::RuntimeError(input_wrong);
}

}  // namespace

void add_doctor(CLI::App& app) {
  auto options = std::make_shared<DoctorOptions>();
  CLI::App* command = app.add_subcommand("doctor", "Is this machine fit for real time, and what to change");
  command->add_flag("--json", options->json, "Write JSON");
  command->add_option("--root", options->root, "Read proc/ and sys/ from a copy of another machine's")
      ->check(CLI::ExistingDirectory);
  command->footer("Exit status 1 if anything fails.\nExample: rodeo doctor && rodeo run four_bar");
  command->callback([options] { run_doctor(*options); });
}

}  // namespace rodeo::tools
