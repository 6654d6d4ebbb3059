// SPDX-License-Identifier: MIT
// `rodeo workspace`: every place that an output can reach within the drives' strokes, shaded by singularity margin.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "engine/io/printable.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/fraction_bar.h"
#include "tools/rodeo/plot_output.h"
#include "tools/rodeo/run_model.h"
#include "tools/rodeo/workspace_figure.h"

namespace rodeo::tools {

void add_workspace(CLI::App& app);

namespace {

struct WorkspaceOptions {
  RunModelOptions model;
  std::string output;
  bool json = false;
  PictureOptions picture;
};

/// The output that is asked for, or the first that the machine has.
std::string find_output(const engine::ModelFolder& model, const std::string& where,
                        const std::string& wanted) {
  if (!wanted.empty()) return wanted;
  const std::vector<std::string> names = engine::build_names(model.kernel.outputs());
  for (const std::string& name : names) {
    if (name.ends_with(".x") && std::count(name.begin(), name.end(), '.') == 1)
      return name.substr(0, name.size() - 2);
  }
  throw engine::KernelError(
      fmt::format("{}: has no outputs: name a point under 'outputs:' in the machine file", where));
}

/// What is needed to draw the machine. A folder's scene has the points of the parameters that it was built with.
std::optional<viz::Scene> find_scene(const engine::ModelFolder& model, const RunModelOptions& options) {
  std::error_code ignored;
  const bool is_folder = std::filesystem::is_directory(options.path, ignored);
  if (is_folder && !options.overrides.empty()) return std::nullopt;
  try {
    return viz::build_scene(model.folder);
  } catch (const viz::SceneError& error) {
    engine::print_sentence("note: the machine is not drawn: {}", error.what());
    return std::nullopt;
  }
}

Workspace find_workspace(const engine::ModelFolder& model, const std::string& where,
                         const std::string& output) {
  FractionBar bar;
  Reach reach = find_reach(model, where, output, [&](double fraction) { bar.show(fraction); });
  return build_workspace(std::move(reach), output);
}

/// What a picture does not show: its outline is jagged where neighbours of the grid are far from each other.
void print_accuracy(const Workspace& workspace) {
  constexpr double kPoor = 0.1;
  for (const Projection& view : workspace.projections) {
    if (!(view.area_accuracy > kPoor * view.area)) continue;
    engine::print_sentence(
        "note: the area of {:.3g} m² in {} and {} is known to {:.2g} m² only: neighbours of the grid of "
        "drive positions are far "
        "apart there, or drive positions have several poses, of which the one that was reached first is "
        "shown",
        view.area, "xyz"[view.across], "xyz"[view.up], view.area_accuracy);
  }
}

void run_workspace(const WorkspaceOptions& options) {
  const bool has_picture = !options.picture.output.empty();
  if (!has_picture && !options.json) throw CLI::ValidationError("-o", "is needed, or --json");
  if (has_picture) check_picture(options.picture, {options.model.path});
  const engine::ModelFolder model = load_run_model(options.model);
  const std::string& where = options.model.path;
  const Workspace workspace = find_workspace(model, where, find_output(model, where, options.output));
  print_accuracy(workspace);
  if (has_picture) {
    const std::optional<viz::Scene> scene = find_scene(model, options.model);
    write_picture(build_workspace_figure(workspace, scene ? &*scene : nullptr), options.picture);
  }
  if (options.json) fmt::print("{}\n", build_workspace_json(workspace, model.name));
}

}  // namespace

void add_workspace(CLI::App& app) {
  auto options = std::make_shared<WorkspaceOptions>();
  CLI::App* command = app.add_subcommand("workspace", "Every place that a point of the machine can reach");
  add_run_model_options(*command, options->model);
  add_picture_options(*command, options->picture)->required(false);
  command->add_option("--output", options->output,
                      "The point, an output of the machine; the first if not given");
  command->add_flag("--json", options->json,
                    "Area, bounds and smallest singularity margin on standard output");
  command->footer(
      "Example: rodeo workspace configs/wheel_loader.yaml -o workspace.svg --output tip\n"
      "The picture and the area have the resolution of a grid of drive positions (spacing in --json); the "
      "smallest margin is\nsearched between its nodes too, over all drives of the machine, and is 0.01, "
      "where the "
      "kernel stops, if a singular pose\nis within the strokes.\n"
      "An angle without a range goes once around. What lies beyond a singular pose is not reached, unless "
      "two branches only meet there (a parallelogram that lies flat). Of a "
      "machine "
      "in space three projections are drawn: x and y, x and z, y and z.");
  command->callback([options] { report_engine_errors([&] { run_workspace(*options); }); });
}

}  // namespace rodeo::tools
