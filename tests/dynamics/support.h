// SPDX-License-Identifier: MIT
// Machines for the tests of free motion, and one run of one method.
#pragma once
#include <gtest/gtest.h>

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "kinematics/dynamics/run.h"
#include "kinematics/machine/pose.h"
#include "kinematics/text/yaml.h"

namespace rodeo::dynamics::testing_support {

inline machine::Machine build_config(const std::string& name,
                                     const std::vector<std::string>& overrides = {}) {
  return machine::build_machine_from_file(std::string(RODEO_SOURCE_DIR) + "/configs/" + name + ".yaml",
                                          overrides);
}

inline machine::Machine build_text(const std::string& yaml) {
  return machine::build_machine(text::build_yaml_from_text(yaml, "test.yaml"), "test.yaml");
}

/// On the heap: methods keep references into it.
inline std::unique_ptr<Problem> build(const machine::Machine& machine, const ProblemOptions& options = {}) {
  return std::make_unique<Problem>(build_problem(machine, machine::build_start_pose(machine), options));
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

/// An ordinary equation of the second order in one variable, by Runge-Kutta 4: the tests' own reference.
class Reference {
 public:
  using Acceleration = std::function<double(double t, double x, double v)>;
  Reference(Acceleration a, double x, double v, double step) : a_(std::move(a)), x_(x), v_(v), step_(step) {}

  /// Steps to the whole step nearest to `t`.
  void advance(double t) {
    for (; (static_cast<double>(steps_) + 0.5) * step_ < t; ++steps_) step();
  }
  [[nodiscard]] double x() const { return x_; }
  [[nodiscard]] double v() const { return v_; }

 private:
  void step() {
    const double t = static_cast<double>(steps_) * step_, h = step_;
    const double k1 = a_(t, x_, v_);
    const double k2 = a_(t + h / 2, x_ + h / 2 * v_, v_ + h / 2 * k1);
    const double k3 = a_(t + h / 2, x_ + h / 2 * (v_ + h / 2 * k1), v_ + h / 2 * k2);
    const double k4 = a_(t + h, x_ + h * (v_ + h / 2 * k2), v_ + h * k3);
    x_ += h * v_ + h * h / 6 * (k1 + k2 + k3);
    v_ += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
  }
  Acceleration a_;
  double x_, v_, step_;
  long steps_ = 0;
};

}  // namespace rodeo::dynamics::testing_support
