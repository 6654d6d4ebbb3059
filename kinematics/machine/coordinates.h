// SPDX-License-Identifier: MIT
// Independent coordinates of a machine that has fewer drives than degrees of freedom, and their rates at the start. THEORY L5.
#pragma once
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "kinematics/machine/pose.h"

namespace rodeo::machine {

/// One of start.rates that the joints and drives did not allow, rad/s or m/s.
struct ChangedRate {
  std::string name;
  double asked = 0.0, got = 0.0;
};

[[nodiscard]] std::string describe(const ChangedRate& change);

/// A coordinate is a drive that nobody drives: a body's angle, or a position along a guide.
struct FreeCoordinates {
  std::vector<Drive> coordinates;  // one a degree of freedom that the drives leave
  std::vector<double> rates;       // at the start
  std::vector<double> velocities;  // at the start, of (x, y, angle) of every moving body
  std::vector<ChangedRate> changes;
  std::vector<std::pair<std::string, double>>
      all_rates;  // of bodies and slides that nobody drives; none without start.rates
};

/// Those that determine the motion best at the start pose. `start.rates` are taken as nearly as the joints allow, the others are
/// 0 where they can be. THEORY D5. No coordinates where angles and guides do not determine the motion.
[[nodiscard]] FreeCoordinates choose_coordinates(const Machine& machine, const Assembly& start,
                                                 const Mobility& mobility);

/// A slider or prismatic joint as a drive: the position along it.
[[nodiscard]] Drive build_slide(const Machine& machine, std::size_t joint);
/// That of the joint of this name; nothing if there is none, or none that slides.
[[nodiscard]] std::optional<Drive> find_slide(const Machine& machine, const std::string& name);

/// The machine with these coordinates behind its drives, and its start pose.
[[nodiscard]] Machine build_with_coordinates(Machine machine, const FreeCoordinates& free);
[[nodiscard]] Assembly build_with_coordinates(Assembly start, const Machine& machine,
                                              const FreeCoordinates& free);

}  // namespace rodeo::machine
