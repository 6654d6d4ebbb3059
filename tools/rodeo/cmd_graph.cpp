// SPDX-License-Identifier: MIT
// `rodeo graph`: the bond graph of a model, drawn with causal strokes.
#include <fmt/format.h>

#include <map>
#include <memory>

#include "kinematics/bondgraph/draw.h"
#include "kinematics/spatial/view.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_scalar.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {

void add_graph(CLI::App& app);

namespace {

struct GraphOptions {
  ModelOptions model;
  std::string output;
  bool fold = false;
};

/// Pink where causality was chosen, blue where it follows (Bondin, figure 4).
std::vector<bondgraph::BondColour> find_colours(const causality::Causality& causality) {
  std::vector<bondgraph::BondColour> colours;
  for (const causality::Origin origin : causality.origins) {
    const bool imposed = origin == causality::Origin::arbitrary || origin == causality::Origin::resistive;
    colours.push_back(imposed ? bondgraph::BondColour::imposed : bondgraph::BondColour::derived);
  }
  return colours;
}

constexpr std::size_t kMostBodies = 40;  // that a page has room for

using Places = std::map<std::string, bondgraph::Spot>;

Places find_planar_places(const LoadedMachine& loaded) {
  Places places;
  const machine::Machine& machine = loaded.machine;
  for (int b = 1; b < static_cast<int>(machine.bodies.size()); ++b) {
    const int count = static_cast<int>(machine.bodies[b].points.size());
    bondgraph::Spot& at = places[machine.bodies[b].name];
    for (int p = 0; p < count; ++p) {
      const machine::Vec2 point = calc_position(machine, loaded.assembly.pose, {b, p});
      at.x += point.x / count, at.y += point.y / count;
    }
  }
  return places;
}

/// As the isometric view of `rodeo draw` has them.
Places find_spatial_places(const ModelOptions& options) {
  Places places;
  const spatial::Machine machine = load_spatial_machine(options);
  const spatial::Pose pose = spatial::build_start_pose(machine).pose;
  for (int b = 0; b < static_cast<int>(machine.bodies.size()); ++b) {
    spatial::Vector3 middle = spatial::Vector3::Zero();
    const std::vector<spatial::Vector3> corners = spatial::build_corners(machine, pose, b);
    for (const spatial::Vector3& p : corners) middle += p / static_cast<double>(corners.size());
    const machine::Vec2 at = spatial::isometric_view().flat(middle);
    places[machine.bodies[b].name] = {at.x, -at.y};
  }
  return places;
}

/// Bodies where they are at the start; none where they are too many for a page, or where there is no machine.
Places find_places(const LoadedModel& loaded, const ModelOptions& options) {
  if (!loaded.machine && !loaded.spatial) return {};
  const Places places = loaded.machine ? find_planar_places(*loaded.machine) : find_spatial_places(options);
  return places.size() > kMostBodies ? Places{} : places;
}

void run_graph(const GraphOptions& options) {
  check_output(options.output, {options.model.path});
  Progress progress;
  const LoadedModel loaded = load_model(options.model, progress);
  const reduction::Model& model = loaded.model;
  const bondgraph::Graph& graph = model.vector ? model.vector->graph : model.graph;
  const causality::Causality& causality = model.vector ? model.vector->causality : model.causality;
  bondgraph::DrawOptions drawing{.fold_subsets = options.fold, .draw_signals = !loaded.spatial};
  // A .dot file is for somebody who lays it out himself.
  if (!options.output.ends_with(".dot")) drawing.places = find_places(loaded, options.model);
  const std::string dot = bondgraph::build_dot(graph, causality.strokes, find_colours(causality), drawing);
  const std::string format = options.output.substr(options.output.rfind('.') + 1);
  write_file(options.output, format == "dot" ? dot : bondgraph::build_picture(dot, format));
}

}  // namespace

void add_graph(CLI::App& app) {
  auto options = std::make_shared<GraphOptions>();
  CLI::App* command = app.add_subcommand("graph", "The bond graph drawn with causal strokes");
  add_model_options(*command, options->model);
  add_rod_options(*command, options->model);
  command->add_option("-o", options->output, "Picture to write: .svg, .png, .pdf or .dot")
      ->required()
      ->check(ends_in({".svg", ".png", ".pdf", ".dot"}));
  command->add_flag("--fold", options->fold, "Subsets as boxes");
  command->footer("Example: rodeo graph configs/four_bar.yaml -o four_bar_graph.svg");
  command->callback([options] { run_graph(*options); });
}

}  // namespace rodeo::tools
