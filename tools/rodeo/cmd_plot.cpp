// SPDX-License-Identifier: MIT
// `rodeo plot`: pictures of logs.
#include <memory>

#include "tools/rodeo/commands.h"
#include "tools/rodeo/plot_input.h"
#include "tools/rodeo/plot_output.h"
#include "tools/rodeo/run_model.h"
#include "tools/rodeo/signing.h"
#include "viz/plot/layout.h"

namespace rodeo::tools {

void add_plot(CLI::App& app);

namespace {

struct PlotOptions {
  std::vector<std::string> logs;
  std::string phases;
  plot::Request request;
  PictureOptions picture;
  std::string public_keys;
};

void run_plot(const CLI::App& command, PlotOptions& options) {
  if (command.count("--x") > 0 && options.request.y.empty()) {
    throw CLI::ValidationError("--x", "needs a --y: what is to be drawn over it");
  }
  std::vector<std::string> read = options.logs;
  read.push_back(options.phases);
  check_picture(options.picture, read);
  std::vector<plot::Table> logs;
  bool is_whole = true;
  for (const std::string& path : options.logs) {
    check_required_signature(path, options.public_keys);
    LoadedLog log = load_log(path);
    is_whole = is_whole && log.is_whole;
    logs.push_back(std::move(log.table));
  }
  if (!options.phases.empty()) options.request.phases = plot::build_phases_from_file(options.phases);
  write_picture(plot::build_figure(logs, options.request), options.picture);
  if (!is_whole) throw CLI::RuntimeError(input_wrong);
}

void add_axis_options(CLI::App& command, plot::Request& request) {
  command.add_option("--x", request.x, "Column along the x axis")->capture_default_str();
  command
      .add_option(
          "--y", request.y,
          "Column to draw; may be repeated, those of one unit share a panel; drives and outputs if not given")
      ->allow_extra_args(false);
  command.add_option("--x-label", request.x_label, "Instead of the column's name and unit");
  command.add_option("--y-label", request.y_labels, "The same; may be repeated, one a panel from the top")
      ->allow_extra_args(false);
  command.add_flag("--radians", request.radians, "Angles in radians, not in degrees");
  command.add_flag("--log", request.log, "Magnitudes on a logarithmic axis");
}

}  // namespace

void add_plot(CLI::App& app) {
  auto options = std::make_shared<PlotOptions>();
  CLI::App* command = app.add_subcommand("plot", "Pictures of logs");
  command
      ->add_option("LOG", options->logs,
                   "A log (CSV, or - for standard input) or a recording; several are laid over each other")
      ->required();
  add_picture_options(*command, options->picture);
  add_require_signature_option(*command, options->public_keys);
  add_axis_options(*command, options->request);
  command->add_option("--phases", options->phases, "CSV with columns t,phase: marked in the picture");
  command->footer(
      "Example: rodeo plot log.csv -o path.svg --x tip.x --y tip.y --phases "
      "configs/cycles/loading_phases.csv\n"
      "Drawn by gnuplot, but for .html.");
  command->callback([options, command] { report_engine_errors([&] { run_plot(*command, *options); }); });
}

}  // namespace rodeo::tools
