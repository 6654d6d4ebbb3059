// SPDX-License-Identifier: MIT
#include "tools/rodeo/run_faults.h"

#include <fmt/format.h>

#include "engine/io/simulation.h"
#include "engine/step/step_length.h"

namespace rodeo::tools {
namespace {

/// Of a run without inputs; `duration` in ns.
engine::Remedy find_remedy(const engine::ModelFolder& model, const engine::Session& session,
                           std::int64_t duration) {
  return engine::find_remedy(model, nullptr,
                             {session.stepper().options(), session.options().period, duration});
}

}  // namespace

std::vector<std::string> describe_long_step(const engine::ModelFolder& model, const engine::Session& session,
                                            std::int64_t duration) {
  const engine::StepperOptions& options = session.stepper().options();
  const std::string why = engine::describe_long_step(model.stiff, options.method, options.period);
  if (why.empty()) return {};
  return {why + ": " +
          engine::describe_remedy(find_remedy(model, session, duration), options.method, options.period)};
}

std::vector<std::string> describe_faults(const engine::ModelFolder& model, const engine::Session& session,
                                         std::uint32_t seen) {
  std::vector<std::string> faults;
  const engine::StepperOptions& options = session.stepper().options();
  const engine::EnergyAudit& audit = session.stepper().audit();
  const std::string hold = engine::describe_free_hold(seen, session.stepper().margin(), session.stepper());
  const bool has_gained = (seen & engine::kEnergyGain) != 0;
  const engine::Remedy remedy =
      has_gained || !hold.empty() ? find_remedy(model, session, session.time()) : engine::Remedy{};
  const std::string advice = engine::describe_fault(model.stiff, remedy, options.method, options.period);
  if (has_gained) {
    faults.push_back(fmt::format("the motion has {:.3g} J that no source gave, from {:.6g} s on ({})",
                                 audit.largest_gain(), audit.first_gain() * options.period, advice));
  }
  if (!hold.empty()) faults.push_back(fmt::format("{} ({})", hold, advice));
  if ((seen & engine::kJointOpen) != 0)
    faults.push_back(
        fmt::format("held: a joint of a commanded pose was open by more than {} m", engine::kLargestOpening));
  return faults;
}

}  // namespace rodeo::tools
