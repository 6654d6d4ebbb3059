// SPDX-License-Identifier: MIT
// Machines in space for the tests, and one run of one method.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <random>
#include <string>
#include <vector>

#include "kinematics/dynamics/run.h"
#include "kinematics/spatial/problem.h"
#include "kinematics/text/yaml.h"

namespace rodeo::spatial::testing_support {

inline Machine build_config(const std::string& name, const std::vector<std::string>& overrides = {}) {
  return build_machine_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/spatial/" + name + ".yaml",
                                 overrides);
}

inline Machine build_text(const std::string& yaml) {
  return build_machine(text::build_yaml_from_text(yaml, "test.yaml"), "test.yaml");
}

/// On the heap: methods keep references into it.
inline std::unique_ptr<dynamics::Problem> build(const Machine& machine,
                                                const dynamics::ProblemOptions& options = {}) {
  return std::make_unique<dynamics::Problem>(build_problem(machine, build_start_pose(machine), options));
}

inline const System& system_of(const dynamics::Method& method) {
  return dynamic_cast<const System&>(method.system());
}

/// The sentences of the ModelError that `work` throws; empty without one.
inline std::string find_fault(const std::function<void()>& work) {
  try {
    work();
  } catch (const text::ModelError& error) {
    return error.what();
  }
  return "";
}

inline double next_uniform(std::mt19937& random) {
  return static_cast<double>(random()) / 2147483648.0 - 1.0;
}

inline Vector build_random(Eigen::Index n, unsigned seed) {
  std::mt19937 random(seed);
  Vector x(n);
  for (Eigen::Index i = 0; i < n; ++i) x[i] = next_uniform(random);
  return x;
}

}  // namespace rodeo::spatial::testing_support
