// SPDX-License-Identifier: MIT
// `rodeo export`: a recording as a log. The rows are computed again from the recorded inputs and checked, tick by tick, against
// the recorded checksums: they are those of the run, bit for bit, also where the recording has thinned states.
#include <fmt/format.h>

#include <memory>

#include "tools/rodeo/commands.h"
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
  const engine::Recording recording = engine::Recording::build_from_file(options.recording);
  engine::Replay replay(recording);
  engine::LogWriter log(options.output, {recording.model().kernel, options.columns == "all"});
  const ReplayResult result = run_replay_into(log, replay, recording.tick_count());
  if (result.first_difference) {
    throw engine::IoError(fmt::format(
        "{}: computed again it differs from tick {} on, no log was written: see 'rodeo replay --verify'",
        options.recording, *result.first_difference));
  }
  log.finish();
  print_missing(recording);
  check_whole(recording);
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
      "Rows that a damaged recording has not are left out and told, exit status 1. A recording carries its "
      "kernel, which is\nrun: export only what you trust.");
  command->callback([options] { report_engine_errors([&] { run_export(*options); }); });
}

}  // namespace rodeo::tools
