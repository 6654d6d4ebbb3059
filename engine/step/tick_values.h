// SPDX-License-Identifier: MIT
// All numbers of a machine after a tick, wherever they are: in a stepper, or read from a recording.
#pragma once
#include <cstdint>
#include <span>

#include "engine/step/stepper.h"

namespace rodeo::engine {

struct TickValues {
  std::span<const DriveState> drives;
  std::span<const double> outputs;
  std::span<const double> loads;
  std::span<const double> inputs;  // the time, then what comes from outside
  double residual = 0;             // m
  double margin = 0;
  std::uint32_t status = 0;  // of a session the session's, else the stepper's

  TickValues() = default;
  TickValues(
      const Stepper&
          stepper) noexcept  // NOLINT(google-explicit-constructor): a stepper is its values to a reader
      : drives(stepper.drives()),
        outputs(stepper.outputs()),
        loads(stepper.loads()),
        inputs(stepper.inputs()),
        residual(stepper.residual()),
        margin(stepper.margin()),
        status(stepper.status()) {}
};

}  // namespace rodeo::engine
