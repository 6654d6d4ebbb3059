// SPDX-License-Identifier: MIT
// `rodeo export`: a recording as a log, bit for bit what was recorded.
#include <fmt/format.h>

#include <memory>

#include "engine/io/printable.h"
#include "engine/net/status_names.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/output.h"
#include "tools/rodeo/recorded_rows.h"
#include "tools/rodeo/replay_run.h"
#include "tools/rodeo/run_model.h"
#include "tools/rodeo/signing.h"

namespace rodeo::tools {

void add_export(CLI::App& app);

namespace {

struct ExportOptions {
  std::string recording;
  std::string public_keys;
  std::string columns;
  std::string output;
};

/// The first row of a motion that must not be trusted.
struct RecordedFault {
  std::uint32_t bits = 0;
  double time = 0;  // s

  void look_at(const RecordedRow& row, bool is_free) {
    const std::uint32_t of_free = engine::kBadInput | engine::kHoldOpen | engine::kHoldBranch;
    const std::uint32_t found =
        row.status & (engine::kEnergyGain | engine::kJointOpen | (is_free ? of_free : 0U));
    if (bits == 0 && found != 0) time = row.time;
    if (bits == 0) bits = found;
  }
};

/// The log is whole, and what it has is at fault: it ends as its run did.
void check_fault(const RecordedFault& found, const std::string& recording) {
  if (found.bits == 0) return;
  engine::print_sentence("{}: its run is at fault from {:.6g} s on ({}), and so is this log", recording,
                         found.time, fmt::join(engine::list_status(found.bits), ", "));
  throw CLI::RuntimeError(fault);
}

void run_export(const ExportOptions& options) {
  check_not_read(options.output, {options.recording});
  check_required_signature(options.recording, options.public_keys);
  const RecordedRows rows(options.recording);
  engine::LogWriter log(options.output, {rows.recording().model().kernel, options.columns == "all"});
  const bool is_free = rows.recording().model().kernel.free_count() > 0;
  RecordedFault found;
  rows.run([&](const RecordedRow& row) {
    log.write(row.time, row.values);
    found.look_at(row, is_free);
  });
  log.finish();
  print_missing(rows.recording());
  check_whole(rows.recording());
  check_fault(found, options.recording);
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
  add_require_signature_option(*command, options->public_keys);
  command->footer(
      "Example: rodeo export run.mcap -o log.csv\n"
      "Rows that a damaged recording has not are left out and told, exit status 1. Nothing that the "
      "recording "
      "carries is run.");
  command->callback([options] { report_engine_errors([&] { run_export(*options); }); });
}

}  // namespace rodeo::tools
