// SPDX-License-Identifier: MIT
// One problem, several ways to move it. A method turns (q, v) into a state of its own, says how that state changes
// (as an Ode or a Dae of kinematics/solve), and turns it back. THEORY D6-D9.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "kinematics/dynamics/problem.h"
#include "kinematics/solve/solve.h"

namespace rodeo::dynamics {

/// s. The force of a damper behind a stop jumps where it is touched, and a step across it is as short as the tolerance asks for.
inline constexpr double kSmallestStep = 1e-16;

/// What a user sees, whatever the method.
struct FullState {
  Vector q, v;
  Vector lambda;      // of the method's rows: Jᵀλ is what the joints take from the bodies
  double work = 0.0;  // ∫ (brought − dissipated) dt since the start
  double stored = 0.0,
         damped = 0.0;  // J in springs, and taken by dampers, that the method puts into the joints
};

enum class Solver { automatic, euler, rk4, cvode, ida };

struct MethodOptions {
  Solver solver = Solver::automatic;
  double step = 1e-3;            // s: of fixed steps, and between two samples
  double relative = 1e-8;        // of CVODE and IDA
  double absolute = 1e-10;       // the same
  double alpha = -1, beta = -1;  // 1/s, of Baumgarte; negative: what suits the step
  double frequency = -1;         // rad/s, of the parasitic springs; negative: the default
  double damping_ratio = -1;     // of the parasitic dampers
  bool has_jumps = false;        // there are stops or contacts: fixed steps look for the instant of touch
};

class Method {
 public:
  virtual ~Method() = default;
  [[nodiscard]] virtual const System& system() const noexcept = 0;
  /// Unknowns that the solver carries, the work left out.
  [[nodiscard]] virtual int equations() const noexcept = 0;
  /// `rk4`, `cvode adams` ...
  [[nodiscard]] virtual std::string solver_name() const = 0;
  /// What a user should know: the time scale that parasites add, the index, what was switched.
  [[nodiscard]] virtual std::vector<std::string> notes() const { return {}; }
  [[nodiscard]] virtual std::unique_ptr<solve::Integrator> build_integrator() = 0;
  /// The full state at a state of the integrator.
  virtual void read(double t, solve::In state, FullState& full) = 0;
  /// After every sample. Where the state has to be written anew (projected, other coordinates): true, and `state` is it.
  [[nodiscard]] virtual bool accept(double /*t*/, const FullState& /*full*/, std::vector<double>& /*state*/) {
    return false;
  }
};

/// `minimal`, `lagrange`, `lagrange-implicit`, `rc`, `zcp`.
[[nodiscard]] const std::vector<std::string>& method_names();
/// The problem must outlive it. Throws ModelError where the method cannot serve the problem, std::invalid_argument for
/// a solver that does not fit the method.
[[nodiscard]] std::unique_ptr<Method> build_method(const std::string& name, Problem& problem,
                                                   const MethodOptions& options);

/// An Ode by the solver that was asked for; `automatic` is `otherwise`. IDA throws std::invalid_argument.
[[nodiscard]] std::unique_ptr<solve::Integrator> build_ode_integrator(solve::Ode& ode,
                                                                      const MethodOptions& options,
                                                                      Solver otherwise, bool stiff,
                                                                      const std::vector<double>& state);
[[nodiscard]] std::string ode_solver_name(const MethodOptions& options, Solver otherwise, bool stiff);

}  // namespace rodeo::dynamics
