// SPDX-License-Identifier: MIT
// `rodeo draw`: the machine at its start pose, points and bodies named, to scale; one in space in four views.
#include <fmt/format.h>

#include <memory>

#include "kinematics/machine/draw.h"
#include "kinematics/spatial/draw.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_spatial.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {

void add_draw(CLI::App& app);

namespace {

struct DrawOptions {
  ModelOptions model;
  std::string output;
};

template <class Loaded>
void check_assembled(const Loaded& loaded) {
  text::Faults faults;
  check_start(loaded, faults);
  faults.throw_if_any();
}

std::string build_picture(const DrawOptions& options, Progress& progress) {
  if (const std::optional<LoadedSpatial> loaded = load_spatial(options.model, progress)) {
    check_assembled(*loaded);
    return spatial::build_drawing(loaded->machine, loaded->assembly.pose);
  }
  if (const std::optional<LoadedMachine> loaded = load_machine(options.model, progress)) {
    check_assembled(*loaded);
    return machine::build_drawing(loaded->machine, loaded->assembly.pose);
  }
  throw text::ModelError(text::build_where(options.model.path),
                         fmt::format("this is a bond graph, and 'draw' is for machines: draw its bonds with "
                                     "'rodeo graph {} -o {}'",
                                     options.model.path, options.output));
}

void run_draw(const DrawOptions& options) {
  check_output(options.output, {options.model.path});
  Progress progress;
  const std::string picture = build_picture(options, progress);
  progress.begin(Progress::writing);
  write_file(options.output, picture);
}

}  // namespace

void add_draw(CLI::App& app) {
  auto options = std::make_shared<DrawOptions>();
  CLI::App* command = app.add_subcommand("draw", "The machine at its start pose, to scale");
  add_model_options(*command, options->model, "A machine file");
  command->add_option("-o", options->output, "Picture to write: .svg")
      ->required()
      ->check(ends_in({".svg", "/dev/stdout"}));
  command->footer("Example: rodeo draw configs/four_bar.yaml -o four_bar.svg -p L1=0.4");
  command->callback([options] { run_draw(*options); });
}

}  // namespace rodeo::tools
