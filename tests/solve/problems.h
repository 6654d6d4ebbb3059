// SPDX-License-Identifier: MIT
// Problems whose solutions are known in closed form.
#pragma once
#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include "kinematics/solve/solve.h"

namespace rodeo::solve {

/// ẋ = v, v̇ = −ω² x; from (1, 0) it is (cos ωt, −ω sin ωt).
struct Oscillator : Ode {
  double omega = 2.0;
  std::size_t size() const noexcept override { return 2; }
  void rate(double, In x, Out out) override {
    out[0] = x[1];
    out[1] = -omega * omega * x[0];
  }
};

/// Prothero and Robinson: ẋ = λ (x − sin t) + cos t; from 0 it is sin t, however stiff λ.
struct ProtheroRobinson : Ode {
  double lambda = -1e6;
  std::size_t size() const noexcept override { return 1; }
  void rate(double t, In x, Out out) override { out[0] = lambda * (x[0] - std::sin(t)) + std::cos(t); }
};

/// A function as a problem.
struct AnyOde : Ode {
  std::size_t count = 1;
  std::function<void(double, In, Out)> f;
  AnyOde(std::size_t n, std::function<void(double, In, Out)> g) : count(n), f(std::move(g)) {}
  std::size_t size() const noexcept override { return count; }
  void rate(double t, In x, Out out) override { f(t, x, out); }
  std::string name(std::size_t i) const override { return "'mass " + std::to_string(i + 1) + "'"; }
};

/// Index 1: ẏ₁ = −y₂, y₂ + y₂³ = y₁ + y₁³, so y₂ = y₁ = exp(−t).
struct Cubic : Dae {
  std::size_t size() const noexcept override { return 2; }
  bool is_differential(std::size_t i) const noexcept override { return i == 0; }
  void residual(double, In y, In rates, Out out) override {
    out[0] = rates[0] + y[1];
    out[1] = y[1] + std::pow(y[1], 3) - y[0] - std::pow(y[0], 3);
  }
};

struct AnyDae : Dae {
  std::size_t count, differential;
  std::function<void(double, In, In, Out)> f;
  AnyDae(std::size_t n, std::size_t d, std::function<void(double, In, In, Out)> g)
      : count(n), differential(d), f(std::move(g)) {}
  std::size_t size() const noexcept override { return count; }
  bool is_differential(std::size_t i) const noexcept override { return i < differential; }
  void residual(double t, In y, In rates, Out out) override { f(t, y, rates, out); }
};

}  // namespace rodeo::solve
