// SPDX-License-Identifier: MIT
// The folder that `rodeo build` makes, as the run-time side reads it: interface.json and the kernel beside it.
//
// interface.json: {"name": "four_bar", "kernel": "kernel.so", "model_fingerprint": "3f…", "drives": [{"name": "crank",
// "unit": "rad", "lower": -10, "upper": 10, "speed": 2, "acceleration": 8, "jerk": 160}]}, null or nothing where there is no limit.
// Optional: "method", "notes", "finds_jumps" (true or false), "stiff_elements" (of free motion: [{"name": "spring 'shock'",
// "real": -12.5, "imaginary": 880}], 1/s); "start" of a drive, its position at the start pose; "parameters": [{"name": "L1",
// "value": 0.5}]. They stand in
// for the kernel's own start and default parameters. Other keys are for other readers.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "engine/kernel/kernel.h"
#include "engine/step/limiter.h"
#include "engine/step/step_length.h"

namespace rodeo::engine {

struct ModelFolder {
  std::string name;
  Kernel kernel;
  std::vector<DriveLimits> limits;    // one a drive, in the kernel's order
  std::vector<double> parameters;     // in the kernel's order
  std::vector<double> start;          // drive positions, within the limits
  std::string folder{};               // where it was read from
  std::string method{};               // of free motion: minimal or lagrange
  std::vector<std::string> notes{};   // what the builder had to say about the start
  std::vector<StiffElement> stiff{};  // of free motion: what its step has to follow
  bool finds_jumps = false;           // of free motion: has stops or contacts whose instant a step looks for

  /// Reads and checks everything, first that every file is as it was built; throws KernelError.
  [[nodiscard]] static ModelFolder build_from(const std::string& folder);

  /// The same from the text of interface.json and the bytes of its kernel; errors begin with `where`.
  [[nodiscard]] static ModelFolder build_from_parts(const std::string& interface_text,
                                                    std::string_view kernel, const std::string& where);
  /// The same from the text of interface.json alone, with a kernel that computes nothing. `where` is what errors begin with.
  [[nodiscard]] static ModelFolder build_inert(const std::string& interface_text, const std::string& where);

  /// Another value for a parameter; throws KernelError if the kernel has no such parameter (left symbolic).
  void set_parameter(const std::string& parameter, double value);
};

}  // namespace rodeo::engine
