// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/method.h"

#include <stdexcept>

#include "kinematics/dynamics/implicit.h"
#include "kinematics/dynamics/jump_steps.h"
#include "kinematics/dynamics/lagrange.h"
#include "kinematics/dynamics/minimal.h"
#include "kinematics/dynamics/rc.h"

namespace rodeo::dynamics {
namespace {

solve::Method find_step(Solver solver, bool stiff) {
  if (solver == Solver::euler) return solve::Method::euler;
  if (solver == Solver::rk4) return solve::Method::rk4;
  return stiff ? solve::Method::bdf : solve::Method::adams;
}

void check_solver(const std::string& name, Solver solver) {
  const bool is_implicit = name == "lagrange-implicit" || name == "zcp";
  if (solver == Solver::automatic || is_implicit == (solver == Solver::ida)) return;
  throw std::invalid_argument(
      is_implicit ? "method " + name + " is a differential-algebraic system: it takes ida only"
                  : "method " + name + " is an ordinary equation: it takes euler, rk4 or cvode");
}

/// Coordinates that no equation of position binds, springs that have nothing to pull back to, a second multiplier without a row.
void check_blades(const std::string& name, const System& system) {
  if (name == "lagrange" || name == "zcp") return;
  for (Eigen::Index row = 0; row < system.row_count(); ++row) {
    if (system.is_holonomic(row)) continue;
    throw text::ModelError(system.body_label(0).where,
                           "a blade binds velocities and no position, for which method " + name +
                               " has no place: use lagrange or zcp");
  }
}

}  // namespace

const std::vector<std::string>& method_names() {
  static const std::vector<std::string> names{"minimal", "lagrange", "lagrange-implicit", "rc", "zcp"};
  return names;
}

std::unique_ptr<Method> build_method(const std::string& name, Problem& problem,
                                     const MethodOptions& options) {
  check_solver(name, options.solver);
  check_blades(name, problem.system);
  if (name == "minimal") return std::make_unique<Minimal>(problem, options);
  if (name == "lagrange") return std::make_unique<Lagrange>(problem, options);
  if (name == "lagrange-implicit") return std::make_unique<LagrangeImplicit>(problem, options);
  if (name == "rc") return std::make_unique<Rc>(problem, options);
  if (name == "zcp") return std::make_unique<Zcp>(problem, options);
  throw std::invalid_argument("there is no method '" + name + "'");
}

std::unique_ptr<solve::Integrator> build_ode_integrator(solve::Ode& ode, const MethodOptions& options,
                                                        Solver otherwise, bool stiff,
                                                        const std::vector<double>& state) {
  const Solver solver = options.solver == Solver::automatic ? otherwise : options.solver;
  const solve::Method step = find_step(solver, stiff);
  const bool is_fixed = step == solve::Method::euler || step == solve::Method::rk4;
  // The last component is the work, which is not a motion.
  if (options.has_jumps && is_fixed)
    return build_jump_steps(ode, step, options.step, state.size() - 1, state);
  solve::Options settings;
  settings.step = options.step;
  settings.relative = options.relative;
  settings.absolute = {options.absolute};
  settings.smallest_step = kSmallestStep;
  return solve::build_integrator(ode, step, settings, 0.0, state);
}

std::string ode_solver_name(const MethodOptions& options, Solver otherwise, bool stiff) {
  const Solver solver = options.solver == Solver::automatic ? otherwise : options.solver;
  const std::string step = solve::method_text(find_step(solver, stiff));
  return solver == Solver::cvode ? "cvode " + step : step;
}

}  // namespace rodeo::dynamics
