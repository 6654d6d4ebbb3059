// SPDX-License-Identifier: MIT
// The four-bar of the contract as text, and what the reader says of a changed copy.
#pragma once
#include <gtest/gtest.h>

#include <string>

#include "kinematics/machine/machine.h"
#include "kinematics/text/yaml.h"

namespace rodeo::machine {

inline const std::string kFourBar =
    R"(name: four_bar
parameters: {L0: 1.4, L1: 0.5, L2: 1.2, L3: 1.0}
ground: {points: {O: [0, 0], Q: [L0, 0]}}
bodies:
  crank:   {points: {O: [0, 0], B: [L1, 0]}}
  coupler: {points: {B: [0, 0], C: [L2, 0], tracer: [0.4, 0.3]}}
  rocker:  {points: {Q: [0, 0], C: [L3, 0]}, mass: 4.0, com: [L3/2, 0], inertia: 0.3}
joints:
  - {revolute: [ground.O, crank.O]}
  - {revolute: [crank.B, coupler.B]}
  - {revolute: [coupler.C, rocker.C]}
  - {revolute: [ground.Q, rocker.Q], name: rocker_pin}
drives:
  crank: {angle: crank, range: [-10, 10], speed: 2.0, acceleration: 8.0}
start: {crank: 60 deg, coupler: 20 deg, rocker: 80 deg}
outputs: {tip: coupler.tracer}
)";

inline const std::string kDrawing =
    R"(name: four_bar
drawing:
  points: {O: [0, 0], Q: [1.4, 0], B: [0.25, 0.433], C: [1.35, 0.91], tracer: [0.6, 0.9]}
  ground: [O, Q]
  bodies: {crank: [O, B], coupler: [B, C, tracer], rocker: [C, Q]}
drives: {crank: {angle: crank}}
outputs: {tip: coupler.tracer}
)";

inline Machine read(const std::string& text, const std::vector<std::string>& overrides = {}) {
  return build_machine(text::build_yaml_from_text(text, "m.yaml"), "m.yaml", overrides);
}

/// The whole error text; empty when the file is well.
inline std::string faults_of(const std::string& text, const std::vector<std::string>& overrides = {}) {
  try {
    static_cast<void>(read(text, overrides));
  } catch (const text::ModelError& error) {
    return error.what();
  }
  return {};
}

/// The text with its one occurrence of `old` changed.
inline std::string with(std::string text, const std::string& old, const std::string& changed) {
  const std::size_t at = text.find(old);
  EXPECT_NE(at, std::string::npos) << old;
  EXPECT_EQ(text.find(old, at + 1), std::string::npos) << old;
  return at == std::string::npos ? text : text.replace(at, old.size(), changed);
}

}  // namespace rodeo::machine
