// SPDX-License-Identifier: MIT
// The kernel computes with any parameters; limits and start are beside it, and of free motion the start is in it.
#include "tools/rodeo/offline_overrides.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/record/model_files.h"
#include "engine/step/stepper.h"
#include "kinematics/dynamics/problem.h"
#include "kinematics/text/yaml.h"
#include "tools/rodeo/offline_model.h"
#include "tools/rodeo/offline_stiff.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;
using engine::ModelFolder;

struct Source {
  std::string file, text;
  std::vector<std::string> overrides;
};

Source read_source(const std::string& folder) try {
  std::ifstream file(fs::path(folder) / engine::kSourceFile);
  const auto root = nlohmann::json::parse(file);
  return {root.at("file"), root.at("text"), root.at("overrides")};
} catch (const nlohmann::json::exception&) {
  throw engine::KernelError(
      fmt::format("{}: is no source of a machine, which -p needs: build the folder again",
                  (fs::path(folder) / engine::kSourceFile).string()));
}

LoadedMachine load_source(const Source& source, const std::vector<std::string>& overrides) {
  ModelOptions options{.path = source.file, .overrides = source.overrides};
  options.overrides.insert(options.overrides.end(), overrides.begin(), overrides.end());
  Progress progress;
  LoadedMachine loaded = load_planar(text::build_yaml_from_text(source.text, source.file), options, progress);
  text::Faults faults;
  check_start(loaded, faults);
  check_ranges(loaded, faults);
  faults.throw_if_any();
  return loaded;
}

std::optional<double> number_of(const std::optional<machine::Quantity>& quantity) {
  return quantity ? std::optional(quantity->value) : std::nullopt;
}

void apply_drives(ModelFolder& model, const LoadedMachine& loaded) {
  for (std::size_t d = 0; d < model.start.size(); ++d) {
    const machine::Drive& drive = loaded.machine.drives[d];
    model.start[d] = loaded.assembly.drive_values[d];
    model.limits[d] = {number_of(drive.lower), number_of(drive.upper), number_of(drive.speed),
                       number_of(drive.acceleration), number_of(drive.jerk)};
  }
}

/// A position and an angle, and their rates: of the body's origin, or of its centre of mass.
using BodyState = std::array<double, 6>;

std::vector<BodyState> find_wanted(const LoadedMachine& loaded) {
  std::vector<BodyState> states;
  for (const machine::BodyPose& pose : loaded.assembly.pose.bodies)
    states.push_back({pose.x, pose.y, pose.angle, 0, 0, 0});
  if (loaded.mobility.free_motions <= 0) return states;
  const dynamics::Problem problem = dynamics::build_problem(loaded.machine, loaded.assembly, {});
  for (std::size_t b = 1; b < states.size(); ++b) {
    for (std::size_t i = 0; i < 3; ++i)
      states[b][3 + i] = problem.v[static_cast<Eigen::Index>(3 * (b - 1) + i)];
  }
  return states;
}

/// Positions of the origin and rates of the centre of mass, as the wanted ones have them.
BodyState find_taken(const machine::Body& body, const std::function<double(const char*)>& output) {
  const double angle = output(".angle"), rate = output(".rate");
  const double x = body.com_x ? body.com_x->value : 0, y = body.com_y ? body.com_y->value : 0;
  return {output(".origin.x"),
          output(".origin.y"),
          angle,
          output(".origin.vx") - rate * (std::sin(angle) * x + std::cos(angle) * y),
          output(".origin.vy") + rate * (std::cos(angle) * x - std::sin(angle) * y),
          rate};
}

/// The first body that the kernel puts elsewhere, or moves otherwise, than the machine file does; empty for none, and where the
/// kernel takes no pose at all, of which the run speaks.
std::string find_astray(const ModelFolder& model, const LoadedMachine& loaded) {
  constexpr double kSame = 1e-6;  // m, rad and these a second: far below a branch, far above rounding
  engine::Stepper stepper(model.kernel, model.limits, {});
  if (stepper.try_start(model.parameters, model.start) != engine::KernelStatus::ok) return "";
  const std::vector<std::string> names = engine::build_names(model.kernel.outputs());
  const std::vector<BodyState> wanted = find_wanted(loaded);
  for (std::size_t b = 1; b < wanted.size(); ++b) {
    const machine::Body& body = loaded.machine.bodies[b];
    const BodyState taken = find_taken(body, [&](const char* which) {
      const auto found = std::find(names.begin(), names.end(), body.name + which);
      if (found == names.end()) return std::nan("");
      return stepper.outputs()[static_cast<std::size_t>(found - names.begin())];
    });
    for (std::size_t i = 0; i < taken.size(); ++i) {
      if (!(std::abs(taken[i] - wanted[b][i]) <= kSame * (1 + std::abs(wanted[b][i])))) return body.name;
    }
  }
  return "";
}

}  // namespace

void apply_to_source(ModelFolder& model, const std::vector<std::string>& overrides) {
  const LoadedMachine loaded = load_source(read_source(model.folder), overrides);
  for (const expr::Parameter& parameter : loaded.machine.parameters)
    model.set_parameter(parameter.name, parameter.number);
  apply_drives(model, loaded);
  model.stiff = find_stiff_elements(loaded);
  const std::string body = find_astray(model, loaded);
  if (body.empty()) return;
  throw engine::KernelError(fmt::format(
      "{0}: with -p {1} body '{2}' starts otherwise than when the folder was built, which is in its kernel: "
      "build it again from the machine file with -p {1}",
      model.folder, fmt::join(overrides, " -p "), body));
}

}  // namespace rodeo::tools
