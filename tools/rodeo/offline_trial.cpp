// SPDX-License-Identifier: MIT
#include "tools/rodeo/offline_trial.h"

#include <fmt/format.h>
#include <stdlib.h>

#include <filesystem>

#include "engine/io/simulation.h"
#include "kinematics/codegen/build.h"
#include "kinematics/simulate/run.h"
#include "tools/rodeo/offline_build.h"
#include "tools/rodeo/output.h"

namespace rodeo::tools {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t kUsualDuration = 10'000'000'000;  // ns, of a motion that is tried

/// A folder of its own, gone at the end.
class TrialFolder {
 public:
  TrialFolder() {
    std::string name = (fs::temp_directory_path() / "rodeo-check-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw OutputError(fmt::format("cannot make a folder in '{}' to try the kernel in",
                                    fs::temp_directory_path().string()));
    path_ = name;
  }
  ~TrialFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }

 private:
  std::string path_;
};

/// As simulate begins; what it would say of the step.
std::string start_kernel(const std::string& folder) {
  const engine::ModelFolder model = engine::ModelFolder::build_from(folder);
  engine::SimulationOptions options;
  options.duration = kUsualDuration;
  const engine::Simulation simulation(model, nullptr, options);
  const engine::StepperOptions& step = simulation.stepper().options();
  const std::string why = engine::describe_long_step(model.stiff, step.method, step.period);
  if (why.empty()) return "";
  return why + ": " +
         engine::describe_remedy(engine::find_remedy(model, nullptr, options), step.method, step.period);
}

simulate::InputTable build_zeros(const reduction::Model& model) {
  const std::size_t count = model.system.inputs.size();
  if (count == 0) return {};
  return {{0.0}, std::vector<double>(count, 0.0), count};
}

}  // namespace

KernelTrial try_kernel(const ModelOptions& options, text::Faults& faults) {
  try {
    const TrialFolder folder;
    build_trial(options.path, options.overrides, folder.path());
    return {"", start_kernel(folder.path())};
  } catch (const text::ModelError& error) {
    faults.add(error);
  } catch (const engine::KernelError& error) {
    faults.add({}, error.what());
  } catch (const codegen::NoCompiler& error) {
    return {error.what(), ""};
  }
  return {};
}

void try_graph(const ModelOptions& options, const reduction::Hybrid& hybrid, text::Faults& faults) {
  const reduction::Model& model = hybrid.configurations.front().model;
  try {
    Progress progress;
    if (!model.graph.native.empty()) return;  // looking at a model runs none of its code
    if (hybrid.is_switched()) static_cast<void>(build_equations(options, std::nullopt, progress));
    const simulate::GraphRun run(hybrid, build_zeros(model), {});
  } catch (const text::ModelError& error) {
    faults.add(error);
  } catch (const solve::SolveError& error) {
    // inputs of 0 are a guess: what fails by them is not the model's fault
    if (model.system.inputs.empty()) faults.add({}, error.what());
  }
}

}  // namespace rodeo::tools
