// SPDX-License-Identifier: MIT
// The report of `rodeo check`, as a table and as JSON (names fixed by the contract).
#include "tools/rodeo/offline_report.h"

#include <fmt/format.h>

#include <cmath>
#include <map>
#include <numbers>
#include <numeric>
#include <set>

#include "kinematics/bondgraph/components.h"
#include "kinematics/machine/coordinates.h"
#include "kinematics/reduction/full.h"

namespace rodeo::tools {
namespace {

using nlohmann::ordered_json;

constexpr double kDegrees = 180 / std::numbers::pi;

std::size_t at(int index) { return static_cast<std::size_t>(index); }

/// Independent loops of the joints: edges - nodes + connected parts.
int count_loops(const machine::Machine& m) {
  std::vector<int> part(m.bodies.size());
  std::iota(part.begin(), part.end(), 0);
  const auto root = [&](int b) {
    while (part[at(b)] != b) b = part[at(b)] = part[at(part[at(b)])];
    return b;
  };
  int loops = 0;
  for (const machine::Joint& joint : m.joints) {
    const int a = root(joint.first.body);
    const int b = root(joint.second.body);
    if (a == b) ++loops;
    part[at(a)] = b;
  }
  return loops;
}

std::string start_of(const LoadedMachine& loaded, std::size_t drive) {
  const machine::Drive& d = loaded.machine.drives[drive];
  const bool angular = d.kind == machine::DriveKind::angle || d.kind == machine::DriveKind::relative_angle;
  const double value = round_to_zero(loaded.assembly.drive_values[drive]);
  if (!angular) return fmt::format("{} = {:.6g} m", d.name, value);
  return fmt::format("{} = {:.6g} rad ({:.6g} deg)", d.name, value, value * kDegrees);
}

std::string bond_name(const bondgraph::Graph& graph, int bond) {
  const bondgraph::Bond& b = graph.bonds[at(bond)];
  return fmt::format("{} -> {}", graph.elements[at(b.tail)].name, graph.elements[at(b.head)].name);
}

std::string line(const char* label, const std::string& value) {
  return fmt::format("  {:<26}{}\n", label, value);
}

std::string list_or_none(const std::vector<std::string>& items, const char* separator = ", ",
                         std::size_t most = 12) {
  if (items.empty()) return "none";
  if (items.size() <= most) return fmt::format("{}", fmt::join(items, separator));
  const auto cut = items.begin() + static_cast<std::ptrdiff_t>(most);
  return fmt::format("{}{}... {} in all", fmt::join(items.begin(), cut, separator), separator, items.size());
}

/// `2 of 2, 1 of 1` rather than a thousand numbers.
std::string describe_blocks(const std::vector<std::size_t>& blocks) {
  std::map<std::size_t, std::size_t> count;
  for (const std::size_t size : blocks) ++count[size];
  std::vector<std::string> parts;
  for (const auto& [size, times] : count) parts.push_back(fmt::format("{} of size {}", times, size));
  return list_or_none(parts);
}

std::string describe_path(const causality::ZeroOrderPath& path) {
  return fmt::format("class {}: {}", path.zcp_class, list_or_none(path.elements, " - ", 10));
}

/// Names of storage elements in differential causality.
std::set<std::string> find_differential(const bondgraph::Graph& graph,
                                        const causality::Causality& causality) {
  std::set<std::string> names;
  for (std::size_t e = 0; e < graph.elements.size(); ++e) {
    if (!graph.elements[e].is_storage()) continue;
    for (const int bond : graph.elements[e].bonds) {
      if (!causality::is_integral(graph, causality.strokes, bond, static_cast<int>(e)))
        names.insert(graph.elements[e].name);
    }
  }
  return names;
}

/// Ports of subsets may be left open; one that was forgotten looks the same.
std::vector<std::string> find_free_ends(const bondgraph::Graph& graph) {
  std::vector<std::string> names;
  for (const bondgraph::Element& element : graph.elements) {
    if (element.is_junction() && element.bonds.size() == 1) names.push_back(element.name);
  }
  return names;
}

/// What the rules of vector bonds do: two-ports of one way (C2), and differential ports that the same graph with scalar bonds does
/// not have (C1: all components of a bond have one causality).
void add_rules(const reduction::VectorForm& vector, GraphReport& report) {
  std::map<int, std::size_t> count;
  for (const bondgraph::Bond& bond : vector.graph.bonds) ++count[bond.dimension];
  for (const auto& [dimension, times] : count) {
    if (dimension > 1) report.vector_bonds.push_back(fmt::format("{} of dimension {}", times, dimension));
  }
  for (const int e : vector.causality.fixed) report.fixed.push_back(vector.graph.elements[at(e)].name);
  const std::set<std::string> differential = find_differential(vector.graph, vector.causality);
  if (differential.empty()) return;
  const bondgraph::Graph scalar = bondgraph::build_scalar(vector.graph, vector.causality.strokes);
  const std::set<std::string> left = find_differential(scalar, causality::assign_causality(scalar));
  if (left.size() < differential.size()) report.bitten.assign(differential.begin(), differential.end());
}

}  // namespace

std::string describe_start_pose(bool is_assembled, double residual) {
  constexpr double kClosed = 1e-9;  // m
  if (is_assembled) return fmt::format("assembles, closed to {:.2g} m", residual);
  if (residual < kClosed) return "does NOT assemble with its start angles";
  return fmt::format("does NOT assemble, {:.3g} m open", residual);
}

std::string describe_drives(std::size_t drives, int free_motions) {
  if (free_motions <= 0) return fmt::format("{}", drives);
  return fmt::format("{}, and {} degree{} of freedom without one", drives, free_motions,
                     free_motions == 1 ? "" : "s");
}

std::string to_text(const std::vector<StartOutput>& outputs) {
  std::vector<std::string> list;
  for (const StartOutput& output : outputs)
    list.push_back(output.is_angle ? fmt::format("{} = {:.6g} rad ({:.6g} deg)", output.name, output.value,
                                                 output.value * kDegrees)
                                   : fmt::format("{} = {:.6g} m", output.name, output.value));
  return list.empty() ? "" : line("outputs at the start", list_or_none(list));
}

std::string describe_rates(const StartRates& rates) {
  std::vector<std::string> list;
  for (const auto& [name, rate] : rates)
    list.push_back(fmt::format("{} {:.6g}", name, std::abs(rate) < 5e-9 ? 0.0 : rate));
  return list.empty() ? "" : line("rates at the start", list_or_none(list) + " (rad/s, m/s)");
}

ordered_json to_json(const StartRates& rates) {
  ordered_json json = ordered_json::object();
  for (const auto& [name, rate] : rates) json[name] = rate;
  return json;
}

ordered_json to_json(const std::vector<StartOutput>& outputs) {
  ordered_json json = ordered_json::object();
  for (const StartOutput& output : outputs) json[output.name] = output.value;
  return json;
}

MachineReport build_machine_report(const LoadedMachine& loaded) {
  const machine::Machine& m = loaded.machine;
  MachineReport report;
  report.bodies = m.bodies.size() - 1;
  report.joints = m.joints.size();
  report.drives = m.drives.size();
  report.gruebler = loaded.mobility.gruebler;
  report.mobility = loaded.mobility.mobility;
  report.free_motions = loaded.mobility.free_motions;
  report.loops = count_loops(m);
  for (const machine::Row& row : loaded.mobility.redundant)
    report.redundant.push_back(machine::row_name(m, row));
  report.assembled = loaded.assembly.assembled;
  report.residual = loaded.assembly.residual;
  for (std::size_t d = 0; d < m.drives.size(); ++d) report.start.push_back(start_of(loaded, d));
  report.outputs = build_start_outputs(m, loaded.assembly.pose);
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    report.angles.emplace_back(m.bodies[b].name, loaded.assembly.pose.bodies[b].angle * kDegrees);
  if (loaded.mobility.free_motions <= 0 || !report.assembled || m.start_rates.empty()) return report;
  const machine::FreeCoordinates free = machine::choose_coordinates(m, loaded.assembly, loaded.mobility);
  report.rates = free.all_rates;
  for (const auto& change : free.changes) report.changed_rates.push_back(machine::describe(change));
  return report;
}

GraphReport build_graph_report(const reduction::Model& model) {
  GraphReport report;
  report.elements = model.graph.elements.size();
  report.bonds = model.graph.bonds.size();
  report.states = model.system.states.size();
  report.inputs = model.system.inputs.size();
  const reduction::FullEquations full =
      reduction::build_full(model.graph, model.causality, model.system, model.solution);
  report.algebraic = full.breaks.size() + full.dependent.size() + full.stored.size();
  for (const int b : reduction::find_coupled_blocks(model))
    report.blocks.push_back(model.solution.blocks[at(b)].unknowns.size());
  const bool first = model.causality.algorithm == causality::Algorithm::sequential;
  report.algorithm = first ? "sequential" : "backtracking: " + model.causality.reason;
  for (const int bond : model.causality.arbitrary_bonds)
    report.arbitrary_bonds.push_back(bond_name(model.graph, bond));
  for (const reduction::DifferentialPort& port : model.system.differential_ports) {
    report.differential_ports.push_back(model.graph.elements[at(port.element)].name);
  }
  report.paths = causality::find_zero_order_paths(model.graph, model.causality);
  report.singular_when = reduction::find_singular_conditions(model);
  report.free_ends = find_free_ends(model.vector ? model.vector->graph : model.graph);
  if (model.vector) add_rules(*model.vector, report);
  return report;
}

ordered_json to_json(const MachineReport& report) {
  ordered_json angles = ordered_json::object();
  for (const auto& [body, degrees] : report.angles) angles[body] = degrees;
  return {{"bodies", report.bodies},
          {"joints", report.joints},
          {"drives", report.drives},
          {"gruebler", report.gruebler},
          {"mobility", report.mobility},
          {"redundant_constraints", report.redundant.size()},
          {"redundant", report.redundant},
          {"loops", report.loops},
          {"assembled", report.assembled},
          {"residual", report.residual},
          {"start_angles_deg", angles},
          {"start_rates", to_json(report.rates)},
          {"changed_rates", report.changed_rates},
          {"start_outputs", to_json(report.outputs)}};
}

ordered_json to_json(const GraphReport& report) {
  ordered_json paths = ordered_json::array();
  for (const causality::ZeroOrderPath& path : report.paths) {
    paths.push_back({{"class", path.zcp_class}, {"path", path.elements}});
  }
  ordered_json json = {{"elements", report.elements},
                       {"bonds", report.bonds},
                       {"inputs", report.inputs},
                       {"states", report.states},
                       {"algebraic", report.algebraic},
                       {"blocks", report.blocks},
                       {"causality", report.algorithm},
                       {"arbitrary_bonds", report.arbitrary_bonds},
                       {"differential_ports", report.differential_ports},
                       {"zero_order_causal_paths", paths},
                       {"singular_when", report.singular_when}};
  if (!report.free_ends.empty()) json["free_ends"] = report.free_ends;
  if (!report.vector_bonds.empty()) {
    json["vector_bonds"] = report.vector_bonds;
    json["fixed_two_ports"] = report.fixed;
    json["differential_by_vector_rules"] = report.bitten;
  }
  return json;
}

std::string to_text(const MachineReport& report) {
  std::string text;
  text += line("bodies", fmt::format("{}", report.bodies));
  text += line("joints", fmt::format("{}", report.joints));
  text += line("drives", describe_drives(report.drives, report.free_motions));
  text += line("mobility", fmt::format("{} (Gruebler's count {}){}", report.mobility, report.gruebler,
                                       report.mobility <= 0 ? ", locked: nothing can move" : ""));
  text += line("loops", fmt::format("{}", report.loops));
  text += line("redundant constraints", list_or_none(report.redundant));
  text += line("start pose", describe_start_pose(report.assembled, report.residual));
  if (!report.start.empty()) text += line("drives at the start", list_or_none(report.start));
  text += to_text(report.outputs);
  std::vector<std::string> angles;
  for (const auto& [body, degrees] : report.angles)
    angles.push_back(fmt::format("{} {:.6g}", body, std::abs(degrees) < 5e-7 ? 0.0 : degrees));
  text += line("angles at the start, deg", list_or_none(angles));
  text += describe_rates(report.rates);
  for (const std::string& change : report.changed_rates) text += line("start rates", change);
  return text;
}

std::string to_text(const GraphReport& report) {
  std::string text;
  text += line("bond graph", fmt::format("{} elements, {} bonds", report.elements, report.bonds));
  if (!report.free_ends.empty()) text += line("ports left open", list_or_none(report.free_ends));
  if (!report.vector_bonds.empty()) {
    text += line("vector bonds", list_or_none(report.vector_bonds));
    text += line("fixed by rule C2", list_or_none(report.fixed));
    text += line("differential by rule C1", list_or_none(report.bitten));
  }
  text += line("causality", report.algorithm);
  text += line("arbitrary bonds", list_or_none(report.arbitrary_bonds));
  text += line("differential causality", list_or_none(report.differential_ports));
  text += line("before reduction",
               fmt::format("{} differential, {} algebraic equations", report.states, report.algebraic));
  text += line("after reduction",
               fmt::format("{} differential equation{}, {} input{}", report.states,
                           report.states == 1 ? "" : "s", report.inputs, report.inputs == 1 ? "" : "s"));
  text += line("blocks", describe_blocks(report.blocks));
  std::vector<std::string> paths;
  for (const causality::ZeroOrderPath& path : report.paths) paths.push_back(describe_path(path));
  const std::string indent = "\n" + std::string(28, ' ');
  text += line("zero-order causal paths", list_or_none(paths, indent.c_str(), 8));
  std::vector<std::string> conditions;
  for (const std::string& condition : report.singular_when) conditions.push_back(condition + " = 0");
  text += line("singular when", list_or_none(conditions, indent.c_str(), 8));
  return text;
}

}  // namespace rodeo::tools
