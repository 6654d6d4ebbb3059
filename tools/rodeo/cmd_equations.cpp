// SPDX-License-Identifier: MIT
// `rodeo equations`: the symbolic equations of a model, before and after reduction.
#include <fmt/format.h>

#include <memory>

#include "kinematics/reduction/equations.h"
#include "tools/rodeo/commands.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {

void add_equations(CLI::App& app);

namespace {

struct EquationOptions {
  ModelOptions model;
  std::string form;  // empty: vector for graphs with vector bonds, else reduced
  std::string format = "text";
  std::string output;
};

reduction::Format find_format(const std::string& name) {
  if (name == "latex") return reduction::Format::latex;
  if (name == "html") return reduction::Format::html;
  return reduction::Format::text;
}

std::string build_title(const LoadedModel& loaded, const EquationOptions& options) {
  const reduction::Model& model = loaded.model;
  const std::size_t blocks = reduction::find_moving_blocks(model).size();
  const auto count = [](std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
  };
  return fmt::format("{}, {} equations: {}, {}, {}", model.graph.name, options.form,
                     count(model.system.states.size(), "state"), count(model.system.inputs.size(), "input"),
                     count(blocks, "block"));
}

std::vector<reduction::ShownSection> build_sections(const reduction::Model& model,
                                                    const EquationOptions& options) {
  const reduction::Format format = find_format(options.format);
  if (options.form == "full") return reduction::build_full_sections(model, format);
  if (options.form == "reduced") return reduction::build_reduced_sections(model, format);
  if (!model.vector)
    throw text::ModelError(model.graph.where,
                           "all bonds of this graph are scalar: --form is full or reduced");
  if (format == reduction::Format::latex)
    throw text::ModelError(model.graph.where,
                           "the vector form is text or html: for LaTeX give --form full or reduced");
  return reduction::build_vector_sections(model);
}

void run_equations(EquationOptions options) {
  const bool to_file = !options.output.empty() && options.output != "-";
  if (to_file) check_output(options.output);
  Progress progress;
  const LoadedModel loaded = load_model(options.model, progress);
  if (options.form.empty()) options.form = loaded.model.vector ? "vector" : "reduced";
  const auto sections = build_sections(loaded.model, options);
  const std::string page =
      reduction::render(build_title(loaded, options), sections, find_format(options.format));
  progress.finish();
  if (to_file) return write_file(options.output, page);
  fmt::print("{}", page);
}

}  // namespace

void add_equations(CLI::App& app) {
  auto options = std::make_shared<EquationOptions>();
  CLI::App* command = app.add_subcommand("equations", "The symbolic equations, before and after reduction");
  add_model_options(*command, options->model);
  add_rod_options(*command, options->model);
  command
      ->add_option("--form", options->form,
                   "full: as causality gives them; reduced: the smallest set; vector: by vectors and "
                   "matrices, for graphs "
                   "with vector bonds (there the default)")
      ->check(CLI::IsMember({"full", "reduced", "vector"}));
  command->add_option("--format", options->format, "text, latex or html")
      ->check(CLI::IsMember({"text", "latex", "html"}))
      ->capture_default_str();
  command->add_option("-o", options->output, "File to write; standard output without it");
  command->footer(
      "Example: rodeo equations configs/four_bar.yaml --form full --format html -o four_bar.html");
  command->callback([options] { run_equations(*options); });
}

}  // namespace rodeo::tools
