// SPDX-License-Identifier: MIT
// Equations in time and what moves them on: ordinary equations by fixed steps or CVODE, differential-algebraic ones by
// IDA. Who has a problem derives from Ode or Dae and never sees SUNDIALS. A rate or residual that cannot be computed at
// a point is given back as not finite: fixed steps stop there, the others try a smaller step first.
#pragma once
#include <cstddef>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <vector>

namespace rodeo::solve {

using In = std::span<const double>;
using Out = std::span<double>;

/// ẋ = f(t, x).
class Ode {
 public:
  virtual ~Ode() = default;
  [[nodiscard]] virtual std::size_t size() const noexcept = 0;
  /// May throw; what it throws comes out of Integrator::advance.
  virtual void rate(double t, In x, Out out) = 0;
  /// How an error names a component.
  [[nodiscard]] virtual std::string name(std::size_t component) const;
  /// Events: CVODE ends an advance where one of these functions changes its sign; fixed steps do not look at them.
  [[nodiscard]] virtual std::size_t event_count() const noexcept { return 0; }
  virtual void events(double t, In x, Out out);
};

/// 0 = F(t, y, ẏ) of index 1: F by (ẏ of the differential, y of the algebraic components) is regular.
class Dae {
 public:
  virtual ~Dae() = default;
  [[nodiscard]] virtual std::size_t size() const noexcept = 0;
  virtual void residual(double t, In y, In rates, Out out) = 0;
  /// Whether F depends on the rate of this component.
  [[nodiscard]] virtual bool is_differential(std::size_t component) const noexcept = 0;
  [[nodiscard]] virtual std::string name(std::size_t component) const;
  /// How an error names a row of F.
  [[nodiscard]] virtual std::string row_name(std::size_t row) const;
  /// Events, as those of an Ode.
  [[nodiscard]] virtual std::size_t event_count() const noexcept { return 0; }
  virtual void events(double t, In y, In rates, Out out);
};

struct Statistics {
  long steps = 0;
  long calls = 0;              // of rate or residual, those for Jacobians too
  long newton_iterations = 0;  // 0 for explicit steps
  long jacobians = 0;
  long refused_steps = 0;  // error tests and Newton iterations that failed
  double seconds = 0.0;    // spent in advance()
  Statistics& operator+=(const Statistics& more);
};

/// One sentence: what failed, when, what to do. Lower case at its start, so that a file's name may stand before it.
class SolveError : public std::runtime_error {
 public:
  SolveError(double time, const std::string& sentence) : std::runtime_error(sentence), time_(time) {}
  [[nodiscard]] double time() const noexcept { return time_; }

 private:
  double time_;
};

enum class Method { euler, rk4, bdf, adams };

struct Options {
  double step = 1e-3;      // fixed steps: the largest; an advance is divided into equal ones
  double relative = 1e-8;  // CVODE and IDA: error a step, against each component's size
  /// CVODE and IDA: error a step that counts as none, one for all components or one each.
  std::vector<double> absolute{1e-10};
  /// CVODE and IDA: `relative` counts against the largest value that a component has had, not the present one. For states whose
  /// sizes nobody knows beforehand and that pass through zero; `absolute` may then be tiny.
  bool against_largest = false;
  double first_step = 0.0;       // CVODE and IDA: 0 lets them choose
  double smallest_step = 1e-12;  // CVODE and IDA: in seconds; what needs a smaller one is a singularity
  double largest_step = 0.0;     // CVODE and IDA: 0 is any
  long most_steps = 1'000'000;   // in one advance
  /// CVODE and IDA: end a step at the end of each advance rather than interpolate. For right-hand sides that must not be asked
  /// beyond it, or that have a kink there.
  bool lands = false;
  bool starts_consistent =
      false;                     // IDA: state and rates fulfil the equations to rounding; do not correct them
  bool algebraic_tested = true;  // IDA: whether the error test counts algebraic components; no for index 2
};

/// Moves one problem, which must outlive it, on in time.
class Integrator {
 public:
  virtual ~Integrator() = default;
  Integrator(const Integrator&) = delete;
  Integrator& operator=(const Integrator&) = delete;

  /// To `end`, not before time(), or to the first event before it. Throws SolveError; the state is then where the last whole step
  /// ended.
  void advance(double end);
  /// The events that ended the last advance: +1 where a function rose through zero, -1 where it fell; empty without an event. The
  /// state is just behind them.
  [[nodiscard]] std::span<const int> crossed() const noexcept { return crossed_; }
  /// From another state, as after an impact: nothing of the past is used. A Dae is made consistent again.
  virtual void restart(double time, In state) = 0;

  [[nodiscard]] double time() const noexcept { return time_; }
  [[nodiscard]] In state() const noexcept { return state_; }
  /// ẏ of a Dae and of CVODE's state; of fixed steps too, at one call of rate.
  [[nodiscard]] virtual In calc_rates() = 0;
  [[nodiscard]] virtual Statistics statistics() const = 0;

 protected:
  Integrator(double time, In state) : time_(time), state_(state.begin(), state.end()) {}
  virtual void move(double end) = 0;

  double time_;
  std::vector<double> state_;
  std::vector<int> crossed_;
  double seconds_ = 0.0;
};

[[nodiscard]] std::unique_ptr<Integrator> build_integrator(Ode& ode, Method method, const Options& options,
                                                           double time, In state);
/// `state`: the differential components count, the algebraic ones are guesses; `rates` may be empty. Throws SolveError where no
/// consistent start is near.
[[nodiscard]] std::unique_ptr<Integrator> build_integrator(Dae& dae, const Options& options, double time,
                                                           In state, In rates = {});

struct Consistent {
  std::vector<double> state, rates;
  double residual = 0.0;  // the largest row that is left
  int iterations = 0;
};

/// Solves F = 0 for the rates of differential and the values of algebraic components, by damped Newton steps of least norm, so that
/// a redundant row does no harm. Throws SolveError.
[[nodiscard]] Consistent build_consistent(Dae& dae, double time, In state, In rates,
                                          double tolerance = 1e-10);

/// `euler`, `rk4`, `bdf`, `adams`.
[[nodiscard]] const char* method_text(Method method);

}  // namespace rodeo::solve
