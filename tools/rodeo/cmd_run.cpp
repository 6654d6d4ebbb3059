// SPDX-License-Identifier: MIT
// `rodeo run`: the real-time loop. Its parts are run_*.h; this is the command.
#include <fmt/format.h>

#include <memory>

#include "engine/io/printable.h"
#include "engine/loop/rights.h"
#include "engine/session/key_map.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/output.h"
#include "tools/rodeo/run_live.h"

namespace rodeo::tools {

void add_run(CLI::App& app);

namespace {

void run_run(const RunOptions& options) {
  check_not_read(options.record, {options.model.path, options.input});
  LoopThread thread(build_realtime_options(options));
  engine::drop_capabilities();
  const engine::ModelFolder model = load_run_model(options.model);
  for (const std::string& note : model.notes) engine::print_sentence("note: {}", note);
  auto conditions = build_conditions(model, options.initial);
  std::unique_ptr<engine::Input> input;
  if (!options.input.empty()) {
    input = load_input(options.input, model);
    start_at_input(model, *input, conditions.front());
  }
  engine::Session session(model, build_session_options(options), std::move(conditions));
  run_live(options, model, session, thread, nullptr, std::move(input));
}

}  // namespace

void add_run(CLI::App& app) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = app.add_subcommand("run", "The real-time loop: a machine at a fixed rate, over UDP");
  add_run_model_options(*command, options->model);
  add_kernel_method_option(*command, options->model);
  add_loop_options(*command, *options);
  command->footer(fmt::format(
      "Example: rodeo run wheel_loader --rate 1000 --listen 127.0.0.1:5005 --record run.mcap\n"
      "SIGINT and SIGTERM brake the machine to rest and end the run; SIGUSR1 writes the report to standard "
      "error.\nKeys, small or capital: {}, ? report.",
      engine::key_map_line()));
  command->callback([options] { report_live_errors([&] { run_run(*options); }); });
}

}  // namespace rodeo::tools
