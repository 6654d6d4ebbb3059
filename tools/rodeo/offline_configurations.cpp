// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_configurations.h"

#include <fmt/format.h>

#include "kinematics/expr/short_text.h"
#include "kinematics/text/fault.h"

namespace rodeo::tools {
namespace {

using nlohmann::ordered_json;
using reduction::Changes;
using reduction::Hybrid;

constexpr std::size_t kMostNames = 12, kMostStrokes = 4;

std::string line(const std::string& label, const std::string& value) {
  return fmt::format("  {:<26}{}\n", label, value);
}

std::string list(const std::vector<std::string>& names) {
  return names.empty() ? "none" : text::join_names(names, kMostNames);
}

std::string list_junctions(const Hybrid& hybrid, std::size_t boolean) {
  std::vector<std::string> names;
  for (const reduction::Control& control : hybrid.drawn) {
    if (static_cast<std::size_t>(control.boolean) == boolean)
      names.push_back((control.negated ? "not " : "") + control.junction);
  }
  return list(names);
}

std::string describe(const Changes& changes) {
  std::string text = fmt::format("{} state{}", changes.states, changes.states == 1 ? "" : "s");
  if (!changes.off.empty()) text += "; off: " + list(changes.off);
  if (!changes.strokes.empty())
    text += "; strokes turned: " + text::join_names(changes.strokes, kMostStrokes);
  if (!changes.differential.empty()) text += "; differential: " + list(changes.differential);
  return text;
}

std::string name_of(const Hybrid& hybrid, std::size_t boolean) {
  return hybrid.is_gated() ? hybrid.coefficients[boolean] : fmt::format("b{}", boolean + 1);
}

ordered_json to_json(const Hybrid& hybrid, const reduction::Configuration& configuration) {
  const Changes changes = find_changes(hybrid, configuration);
  return {{"when", reduction::describe(configuration)},
          {"on", changes.on},
          {"off", changes.off},
          {"states", changes.states},
          {"strokes_turned", changes.strokes},
          {"differential_ports", changes.differential}};
}

/// Of coefficients: only what is on and off differs.
ordered_json to_json(const Hybrid& hybrid, const std::vector<bool>& values) {
  std::vector<std::string> on, off;
  for (const reduction::Control& control : hybrid.drawn) {
    const bool is_on = values[static_cast<std::size_t>(control.boolean)] != control.negated;
    (is_on ? on : off).push_back(control.junction);
  }
  return {{"when", reduction::describe(values)}, {"on", on}, {"off", off}};
}

std::string list_configurations(const Hybrid& hybrid) {
  if (hybrid.is_gated())
    return line("configurations",
                fmt::format("{:.0f} can be reached; the junctions are coefficients, no stroke "
                            "turns when they switch",
                            hybrid.reachable.count));
  std::string text =
      line("configurations", fmt::format("{}, all above is told of the first", hybrid.configurations.size()));
  for (const reduction::Configuration& configuration : hybrid.configurations)
    text += fmt::format("    {}: {}\n", reduction::describe(configuration),
                        describe(find_changes(hybrid, configuration)));
  return text;
}

}  // namespace

ordered_json to_json(const Hybrid& hybrid) {
  ordered_json booleans = ordered_json::array(), configurations = ordered_json::array();
  for (std::size_t b = 0; b < hybrid.conditions.booleans.size(); ++b) {
    booleans.push_back({{"name", name_of(hybrid, b)},
                        {"condition", expr::to_short_text(hybrid.conditions.booleans[b].condition)}});
  }
  if (hybrid.is_gated()) {
    for (const std::vector<bool>& values : hybrid.reachable.values)
      configurations.push_back(to_json(hybrid, values));
  } else {
    for (const reduction::Configuration& configuration : hybrid.configurations)
      configurations.push_back(to_json(hybrid, configuration));
  }
  return {{"booleans", booleans},
          {"reachable", hybrid.reachable.count},
          {"coefficients", hybrid.is_gated()},
          {"configurations", configurations},
          {"cut_off", hybrid.cut},
          {"scalar_form", hybrid.is_scalar}};
}

std::string to_text(const Hybrid& hybrid) {
  std::string text;
  for (std::size_t b = 0; b < hybrid.conditions.booleans.size(); ++b) {
    text += line(name_of(hybrid, b),
                 fmt::format("[{}] switches {}", expr::to_short_text(hybrid.conditions.booleans[b].condition),
                             list_junctions(hybrid, b)));
  }
  if (hybrid.is_scalar)
    text += line("vector bonds", "taken apart: rules C1 and C2 leave no causality when off");
  if (!hybrid.cut.empty()) text += line("cut off when off", list(hybrid.cut));
  text += list_configurations(hybrid);
  return text;
}

}  // namespace rodeo::tools
