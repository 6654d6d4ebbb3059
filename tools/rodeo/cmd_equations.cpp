// SPDX-License-Identifier: MIT
// `rodeo equations`: the symbolic equations of a model, before and after reduction.
#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <memory>

#include "engine/io/printable.h"
#include "kinematics/reduction/hybrid_equations.h"
#include "kinematics/reduction/latex.h"
#include "kinematics/reduction/page_values.h"
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
  bool is_fragment = false;
};

reduction::Format find_format(const std::string& name) {
  if (name == "latex") return reduction::Format::latex;
  if (name == "html") return reduction::Format::html;
  return reduction::Format::text;
}

std::string count(std::size_t n, const char* what) {
  return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string count_configurations(const reduction::Hybrid& hybrid) {
  if (hybrid.is_gated()) return fmt::format("{:.0f} configurations", hybrid.reachable.count);
  return count(hybrid.configurations.size(), "configuration");
}

std::string build_title(const reduction::Hybrid& hybrid, const EquationOptions& options) {
  const reduction::Model& model = hybrid.configurations.front().model;
  const std::size_t blocks = reduction::find_coupled_blocks(model).size();
  const std::string switched =
      hybrid.is_switched() ? fmt::format(", {}, {}", count(hybrid.conditions.booleans.size(), "Boolean"),
                                         count_configurations(hybrid))
                           : "";
  return fmt::format("{}, {} equations: {}, {}, {}{}", model.graph.name, options.form,
                     count(model.system.states.size(), "state"), count(model.system.inputs.size(), "input"),
                     count(blocks, "block"), switched);
}

std::vector<reduction::ShownSection> build_vector(const reduction::Hybrid& hybrid, reduction::Format format) {
  const reduction::Model& model = hybrid.configurations.front().model;
  if (hybrid.is_switched() && !hybrid.is_gated())
    throw text::ModelError(model.graph.where,
                           "the junctions of this graph switch: --form is full or reduced");
  if (!model.vector)
    throw text::ModelError(model.graph.where,
                           "all bonds of this graph are scalar: --form is full or reduced");
  auto sections = reduction::build_vector_switched_sections(hybrid);
  if (format != reduction::Format::latex) return sections;
  for (reduction::ShownSection& section : sections) {
    for (reduction::ShownEquation& equation : section.equations) {
      equation.left = reduction::latex_of_text(equation.left);
      equation.right = reduction::latex_of_text(equation.right);
    }
  }
  return sections;
}

std::vector<reduction::ShownSection> build_sections(const reduction::Hybrid& hybrid,
                                                    const EquationOptions& options) {
  const reduction::Format format = find_format(options.format);
  if (options.form == "full") return reduction::build_full_switched_sections(hybrid, format);
  if (options.form == "vector") return build_vector(hybrid, format);
  if (hybrid.is_switched()) return reduction::build_switched_sections(hybrid, format);
  return reduction::build_reduced_sections(hybrid.configurations.front().model, format);
}

/// A machine that its drives move: accelerations of its states, and with masses the drives' loads.
void add_accelerations(const reduction::Model& model, const reduction::Model& loaded,
                       const LoadedMachine& machine, reduction::Format format,
                       std::vector<reduction::ShownSection>& sections) {
  const auto add = [&](const char* heading, const std::vector<reduction::Wanted>& wanted) {
    for (auto& section : reduction::build_wanted_sections(loaded, heading, wanted, sections, format))
      sections.push_back(std::move(section));
  };
  std::vector<std::string> states;
  for (const reduction::State& state : model.system.states) states.push_back(state.name);
  add("accelerations", reduction::list_accelerations(loaded, states));
  std::vector<std::pair<std::string, std::string>> sources;
  for (const machine::Drive& drive : machine.machine.drives)
    sources.emplace_back(drive.name + ".input", drive.name);
  if (has_all_masses(machine)) add("loads of the drives", reduction::list_efforts(loaded, sources));
}

/// Pins of two bodies and nothing else, where the force of the one on the pin is that on the other.
bool is_simple_pin(const machine::Machine& machine, const machine::Joint& joint) {
  if (joint.kind != machine::JointKind::revolute) return false;
  const auto is_at = [](machine::PointRef a, machine::PointRef b) {
    return a.body == b.body && a.point == b.point;
  };
  const auto touches = [&](const machine::Joint& other) {
    return is_at(other.first, joint.first) || is_at(other.first, joint.second) ||
           is_at(other.second, joint.first) || is_at(other.second, joint.second);
  };
  return std::count_if(machine.joints.begin(), machine.joints.end(), touches) == 1;
}

/// F_boom.A.x, the force of the boom on its pin A, as the log has it: `A.fx`, the force on the joint's second body.
reduction::ShownSection build_reactions(const reduction::Model& model, const machine::Machine& machine,
                                        const std::vector<reduction::ShownSection>& sections,
                                        reduction::Format format) {
  std::vector<reduction::Relation> relations, symbols;
  for (const machine::Joint& joint : machine.joints) {
    if (!is_simple_pin(machine, joint)) continue;
    for (const machine::PointRef ref : {joint.first, joint.second}) {
      for (const std::string axis : {"x", "y"}) {
        const expr::Expr force = expr::variable("F_" + machine.point_name(ref) + "." + axis);
        const expr::Expr logged = expr::variable(joint.name + ".f" + axis);
        const bool is_second = ref.body == joint.second.body;
        symbols.push_back({logged, force, "N"});
        relations.push_back({logged, is_second ? -force : force, "N"});
      }
    }
  }
  reduction::ShownSection shown;
  for (std::size_t i = 0; i < relations.size(); ++i) {
    const auto symbol = reduction::build_relations(model, "", {symbols[i]}, format).equations;
    const auto relation = reduction::build_relations(model, "", {relations[i]}, format).equations;
    if (symbol.empty() || relation.empty() || !reduction::has_symbol(sections, symbol[0].right)) continue;
    shown.heading =
        "reactions: F_body.point is the force of the body on its pin; JOINT.fx and .fy of the log are the "
        "force "
        "on the joint's second body";
    const bool is_name = relation[0].left.find('-') == std::string::npos;  // no crank.B-coupler.B
    if (is_name) shown.equations.push_back(relation[0]);
  }
  return shown;
}

/// What one needs to compute with them: accelerations, positions, inputs, starts, parameters.
void add_values(const reduction::Hybrid& hybrid, const EquationOptions& options,
                const std::optional<LoadedMachine>& machine, std::vector<reduction::ShownSection>& sections) {
  const reduction::Model& model = hybrid.configurations.front().model;
  const bool is_reduced = options.form == "reduced";
  reduction::PageOptions page;
  page.format = find_format(options.format);
  page.by_flows = is_reduced && (!hybrid.is_switched() || hybrid.is_gated());
  std::vector<reduction::Relation> relations;
  reduction::Starts starts;
  std::optional<reduction::Model> loaded;
  if (machine) {
    const MachinePositions positions = build_machine_positions(options.model, *machine);
    for (const auto& equation : positions.equations)
      relations.push_back({equation.left, equation.right, equation.unit});
    for (const auto& start : positions.starts) starts[start.state] = start.value;
    if (is_reduced) loaded = build_loaded_model(options.model, *machine);
    if (loaded) {
      add_accelerations(model, *loaded, *machine, page.format, sections);
      page.more = &*loaded;
    }
    auto reactions = build_reactions(model, machine->machine, sections, page.format);
    if (!reactions.heading.empty()) sections.push_back(std::move(reactions));
    sections.push_back(reduction::build_relations(model, "positions", relations, page.format));
  }
  page.shown = sections;
  for (reduction::ShownSection& section : reduction::build_values(hybrid, starts, relations, page))
    sections.push_back(std::move(section));
}

void run_equations(EquationOptions options) {
  if (options.is_fragment && options.format != "latex")
    throw CLI::ValidationError("--fragment", "is for --format latex");
  const bool to_file = !options.output.empty() && options.output != "-";
  if (to_file) check_output(options.output, {options.model.path});
  Progress progress;
  const std::optional<LoadedMachine> machine = load_checked_machine(options.model, progress);
  const reduction::Hybrid hybrid = build_configurations(options.model, machine, progress);
  const bool is_one_model = !hybrid.is_switched() || hybrid.is_gated();
  const bool is_vector = hybrid.configurations.front().model.vector && is_one_model;
  if (options.form.empty()) options.form = is_vector ? "vector" : "reduced";
  std::vector<reduction::ShownSection> sections = build_sections(hybrid, options);
  if (options.form != "vector") add_values(hybrid, options, machine, sections);
  const std::string page = reduction::render(build_title(hybrid, options), sections,
                                             find_format(options.format), options.is_fragment);
  progress.finish();
  if (to_file) return write_file(options.output, page);
  engine::print_text(page);
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
  command->add_flag("--fragment", options->is_fragment, "LaTeX without preamble, to be put into a document");
  command->add_option("-o", options->output, "File to write; standard output without it");
  command->footer(
      "Example: rodeo equations configs/four_bar.yaml --form full --format html -o four_bar.html");
  command->callback([options] { run_equations(*options); });
}

}  // namespace rodeo::tools
