// SPDX-License-Identifier: MIT
// What the commands on free motion share: a machine made ready to move by its forces, its options, its columns.
#pragma once
#include <CLI/CLI.hpp>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "kinematics/dynamics/run.h"
#include "kinematics/dynamics/settle.h"
#include "tools/rodeo/offline_model.h"

namespace rodeo::tools {

/// How to move, beside the method's name.
struct FreeOptions {
  std::vector<std::string> released;  // --free
  std::string solver;                 // empty: the method's own
  double tolerance = 1e-8;
  bool settle = false;                                               // --settle
  bool equilibrium = false;                                          // --equilibrium, of simulate
  double alpha = -1, beta = -1, frequency = -1, damping_ratio = -1;  // negative: the method's own
};

/// --free, --settle, --alpha, --beta, --frequency, --damping-ratio.
void add_free_options(CLI::App& command, FreeOptions& options);
[[nodiscard]] dynamics::MethodOptions build_method_options(const FreeOptions& options, double rate);

/// What a column of a comparison is: differences of one kind are told together. half_angle: a component of a quaternion.
enum class TrackKind { angle, half_angle, rate, place, other };
struct TrackColumn {
  std::string name;
  TrackKind kind = TrackKind::other;
};

/// Numbers of a sample, of a machine in the plane or in space: columns of a log (and more on request: origins, parts of the
/// energy, the joints' loads on the second body), and columns of a comparison. Rows are appended to.
class FreeView {
 public:
  virtual ~FreeView() = default;
  [[nodiscard]] virtual std::vector<std::string> build_names(const dynamics::System& system, bool all) = 0;
  virtual void gather(const dynamics::System& system, const dynamics::Sample& sample, bool all,
                      std::vector<double>& row) = 0;
  [[nodiscard]] virtual std::vector<TrackColumn> build_track() = 0;
  virtual void gather_track(const dynamics::System& system, const dynamics::Sample& sample,
                            std::vector<double>& row) = 0;
};

/// Names of what a machine, in the plane or in space, is moved by from outside.
struct FreeNames {
  std::string machine;
  text::Where where;
  std::vector<std::string> drives, inputs;
  std::vector<std::string> payloads;  // of forces that are
};
template <typename Machine>
[[nodiscard]] FreeNames build_free_names(const Machine& machine) {
  FreeNames names{machine.name, machine.where, {}, {}, {}};
  for (const auto& drive : machine.drives) names.drives.push_back(drive.name);
  for (const auto& input : machine.inputs) names.inputs.push_back(input.name);
  for (const auto& force : machine.forces) {
    if (force.kind == decltype(force.kind)::payload) names.payloads.push_back(force.name);
  }
  return names;
}

struct FreeMachine {
  FreeNames names;
  dynamics::Problem problem;
  std::unique_ptr<FreeView> view;
  std::vector<std::string> notes;  // of how the start was found
};
/// Throws ModelError; a bond graph is one.
[[nodiscard]] FreeMachine load_free(const ModelOptions& model, const FreeOptions& options);
/// Nothing for a machine in the plane.
[[nodiscard]] std::optional<FreeMachine> load_spatial_free(const ModelOptions& model,
                                                           const FreeOptions& options, Progress& progress);
/// What settling a start has to say.
[[nodiscard]] std::string build_settled_note(const dynamics::SettledStart& settled);
/// Begins at rest where the forces balance; throws ModelError if they do so nowhere near. After the inputs are set.
void set_equilibrium(FreeMachine& free);
/// `machine` as written, with all its drives.
[[nodiscard]] std::unique_ptr<FreeView> build_planar_view(machine::Machine machine);
/// What a user should know of the start: rates that were changed, redundant rows, drives that hold.
[[nodiscard]] std::vector<std::string> build_start_notes(const dynamics::Problem& problem);

}  // namespace rodeo::tools
