// SPDX-License-Identifier: MIT
// `rodeo draw`: the machine at its start pose, points and bodies named, to scale.
#include <fmt/format.h>

#include <memory>

#include "kinematics/machine/draw.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {

void add_draw(CLI::App& app);

namespace {

struct DrawOptions {
  ModelOptions model;
  std::string output;
};

LoadedMachine load_drawable(const DrawOptions& options) {
  std::optional<LoadedMachine> loaded = load_machine(options.model);
  if (loaded) return std::move(*loaded);
  throw text::ModelError(text::build_where(options.model.path),
                         fmt::format("this is a bond graph, and 'draw' is for machines: draw its bonds with "
                                     "'rodeo graph {} -o {}'",
                                     options.model.path, options.output));
}

void check_assembled(const LoadedMachine& loaded) {
  const machine::Assembly& start = loaded.assembly;
  if (start.assembled) return;
  throw text::ModelError(
      start.where.file ? start.where : loaded.machine.where,
      fmt::format("{}: the start pose cannot be assembled, {:.3g} m are left open; check the "
                  "lengths and the values under 'start'",
                  start.worst, start.residual));
}

void run_draw(const DrawOptions& options) {
  const LoadedMachine loaded = load_drawable(options);
  check_assembled(loaded);
  write_file(options.output, machine::build_drawing(loaded.machine, loaded.assembly.pose));
}

}  // namespace

void add_draw(CLI::App& app) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App* command = app.add_subcommand("draw", "The machine at its start pose, to scale");
  add_model_options(*command, options->model);
  command->add_option("-o", options->output, "Picture to write: .svg")->required();
  command->footer("Example: rodeo draw configs/four_bar.yaml -o four_bar.svg");
  command->callback([options] { run_draw(*options); });
}

}  // namespace rodeo::tools
