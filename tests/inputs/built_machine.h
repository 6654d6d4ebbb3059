// SPDX-License-Identifier: MIT
// Machines of this folder, built once by the program, and what their loads are by hand.
#pragma once
#include <cmath>
#include <string>

#include "engine/session/session.h"
#include "tests/kernel/build_kernel.h"

namespace rodeo::inputs_testing {

inline std::string source(const std::string& name) {
  return std::string(RODEO_SOURCE_DIR) + "/tests/inputs/" + name + ".yaml";
}

/// `rodeo build` into a folder that stays as long as this program.
inline const engine::ModelFolder& built(const std::string& name) {
  static const engine::testing_support::TemporaryFolder folder;
  static std::map<std::string, engine::ModelFolder> models;
  const auto found = models.find(name);
  if (found != models.end()) return found->second;
  const std::string target = (folder / name).string();
  const std::string command =
      fmt::format("'{}' build '{}' -o '{}' >/dev/null", RODEO_PROGRAM, source(name), target);
  if (std::system(command.c_str()) != 0) throw std::runtime_error("cannot build " + name);
  return models.emplace(name, engine::ModelFolder::build_from(target)).first->second;
}

inline engine::Session start(const std::string& name) {
  const engine::ModelFolder& model = built(name);
  return {model, {}, {{"start", model.start}}};
}

/// The arm at rest at its start: moments about its pin. Boom 10 kg at 1.5 m, payload and tip force at 3 m, lever arm 1/√2 m.
inline double calc_lift_force(double payload, double dig_y) {
  return std::sqrt(2.0) * (9.81 * (10 * 1.5 + payload * 3) - 3 * dig_y);
}
constexpr double kLiftStart = 1.4142135623730951;

inline double find_load(const engine::Session& session, const std::string& name) {
  const auto names = engine::build_names(session.stepper().kernel().loads());
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::runtime_error("no load " + name);
  return session.stepper().loads()[static_cast<std::size_t>(found - names.begin())];
}

}  // namespace rodeo::inputs_testing
