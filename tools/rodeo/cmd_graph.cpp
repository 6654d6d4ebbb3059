// SPDX-License-Identifier: MIT
// `rodeo graph`: the bond graph of a model, drawn with causal strokes.
#include <fmt/format.h>

#include <memory>

#include "kinematics/bondgraph/draw.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_model.h"
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

void run_graph(const GraphOptions& options) {
  check_output(options.output);
  Progress progress;
  const LoadedModel loaded = load_model(options.model, progress);
  const reduction::Model& model = loaded.model;
  const bondgraph::Graph& graph = model.vector ? model.vector->graph : model.graph;
  const causality::Causality& causality = model.vector ? model.vector->causality : model.causality;
  const std::string dot =
      bondgraph::build_dot(graph, causality.strokes, find_colours(causality),
                           {.fold_subsets = options.fold, .draw_signals = !loaded.spatial});
  if (options.output.ends_with(".dot")) return write_file(options.output, dot);
  bondgraph::write_picture(dot, options.output);
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
