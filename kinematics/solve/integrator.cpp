// SPDX-License-Identifier: MIT
// What all integrators share.
#include <fmt/format.h>

#include <chrono>
#include <cmath>

#include "kinematics/solve/solve.h"

namespace rodeo::solve {

std::string Ode::name(std::size_t component) const { return fmt::format("state {}", component + 1); }
std::string Dae::name(std::size_t component) const { return fmt::format("variable {}", component + 1); }
std::string Dae::row_name(std::size_t row) const { return fmt::format("equation {}", row + 1); }

Statistics& Statistics::operator+=(const Statistics& more) {
  steps += more.steps;
  calls += more.calls;
  newton_iterations += more.newton_iterations;
  jacobians += more.jacobians;
  refused_steps += more.refused_steps;
  seconds += more.seconds;
  return *this;
}

void Ode::events(double, In, Out) {}
void Dae::events(double, In, In, Out) {}

const char* method_text(Method method) {
  switch (method) {
    case Method::euler: return "euler";
    case Method::rk4: return "rk4";
    case Method::bdf: return "bdf";
    case Method::adams: return "adams";
  }
  return "";
}

void Integrator::advance(double end) {
  if (!(end >= time_)) {
    throw SolveError(
        time_,
        fmt::format("the simulation is at t = {:.6g} s and cannot go back to t = {:.6g} s", time_, end));
  }
  crossed_.clear();
  if (end == time_) return;
  const auto begin = std::chrono::steady_clock::now();
  const auto count = [&] {
    seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  };
  try {
    move(end);
  } catch (...) {
    count();
    throw;
  }
  count();
}

}  // namespace rodeo::solve
