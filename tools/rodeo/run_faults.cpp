// SPDX-License-Identifier: MIT
#include "tools/rodeo/run_faults.h"

#include <fmt/format.h>

#include "engine/io/simulation.h"
#include "engine/step/step_length.h"

namespace rodeo::tools {

std::vector<std::string> describe_long_step(const engine::ModelFolder& model,
                                            const engine::Session& session) {
  const engine::StepperOptions& options = session.stepper().options();
  const std::string why = engine::describe_long_step(model.stiff, options.method, options.period);
  return why.empty() ? std::vector<std::string>{} : std::vector{why};
}

std::vector<std::string> describe_faults(const engine::ModelFolder& model, const engine::Session& session,
                                         std::uint32_t seen) {
  std::vector<std::string> faults;
  const engine::StepperOptions& options = session.stepper().options();
  const engine::EnergyAudit& audit = session.stepper().audit();
  if ((seen & engine::kEnergyGain) != 0) {
    const engine::SimulationOptions same{options, session.options().period, session.time()};
    const double rate = engine::find_good_rate(model, nullptr, same);
    faults.push_back(fmt::format("the motion has {:.3g} J that no source gave, from {:.6g} s on ({})",
                                 audit.gain(), audit.first_gain() * options.period,
                                 engine::describe_remedy(model.stiff, options.method, options.period, rate)));
  }
  const std::string hold = engine::describe_free_hold(seen, session.stepper().margin(), session.stepper());
  if (!hold.empty()) {
    faults.push_back(
        fmt::format("{} ({})", hold, engine::describe_remedy(model.stiff, options.method, options.period)));
  }
  if ((seen & engine::kJointOpen) != 0)
    faults.push_back(
        fmt::format("held: a joint of a commanded pose was open by more than {} m", engine::kLargestOpening));
  return faults;
}

}  // namespace rodeo::tools
