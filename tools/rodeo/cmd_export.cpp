// SPDX-License-Identifier: MIT
// `rodeo export`: a recording as a log, bit for bit what was recorded.
#include <fmt/format.h>

#include <memory>

#include "tools/rodeo/commands.h"
#include "tools/rodeo/output.h"
#include "tools/rodeo/recorded_rows.h"
#include "tools/rodeo/replay_run.h"
#include "tools/rodeo/run_model.h"

namespace rodeo::tools {

void add_export(CLI::App& app);

namespace {

struct ExportOptions {
  std::string recording;
  std::string columns;
  std::string output;
};

void run_export(const ExportOptions& options) {
  check_not_read(options.output, {options.recording});
  const RecordedRows rows(options.recording);
  engine::LogWriter log(options.output, {rows.recording().model().kernel, options.columns == "all"});
  rows.run([&](const RecordedRow& row) { log.write(row.time, row.values); });
  log.finish();
  print_missing(rows.recording());
  check_whole(rows.recording());
}

}  // namespace

void add_export(CLI::App& app) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* command = app.add_subcommand("export", "A recording as a log");
  command->add_option("RECORDING", options->recording, "A file that 'rodeo run --record' wrote")->required();
  command
      ->add_option("--columns", options->columns, "all: everything that is known, not the usual columns only")
      ->check(CLI::IsMember({"all"}));
  command->add_option("-o", options->output, "The log to write, CSV, or - for standard output")->required();
  command->footer(
      "Example: rodeo export run.mcap -o log.csv\n"
      "Rows that a damaged recording has not are left out and told, exit status 1. Nothing that the "
      "recording "
      "carries is run.");
  command->callback([options] { report_engine_errors([&] { run_export(*options); }); });
}

}  // namespace rodeo::tools
