// SPDX-License-Identifier: MIT
// Ordinary equations by CVODE: BDF with Newton's iteration for stiff problems, Adams with functional iteration for others.
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

#include <cmath>

#include "kinematics/solve/fixed.h"
#include "kinematics/solve/sundials.h"

namespace rodeo::solve {
namespace {

struct CvodeEnd {
  void operator()(void* memory) const { CVodeFree(&memory); }
};
struct FixedPointEnd {
  void operator()(SUNNonlinearSolver solver) const { SUNNonlinSolFree(solver); }
};

Stop stop_of(int flag) {
  switch (flag) {
    case CV_TOO_MUCH_WORK: return Stop::too_much_work;
    case CV_TOO_MUCH_ACC: return Stop::too_much_accuracy;
    case CV_ERR_FAILURE: return Stop::error_test;
    case CV_CONV_FAILURE:
    case CV_LSETUP_FAIL:
    case CV_LSOLVE_FAIL: return Stop::convergence;
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_RTFUNC_FAIL:
    case CV_UNREC_RHSFUNC_ERR: return Stop::right_side;
    default: return Stop::other;
  }
}

class CvodeIntegrator : public Integrator {
 public:
  CvodeIntegrator(Ode& ode, Method method, const Options& options, double time, In state)
      : Integrator(time, state), ode_(ode), method_(method), options_(options), work_(ode.size(), options) {
    rates_.resize(ode.size());
    work_.copy(state, work_.state.get());
    memory_.reset(CVodeCreate(method == Method::bdf ? CV_BDF : CV_ADAMS, work_.context.get()));
    if (!memory_) throw std::bad_alloc();
    CVodeSetErrHandlerFn(memory_.get(), be_silent, nullptr);
    check(CVodeInit(memory_.get(), &calc, time, work_.state.get()), time);
    set_tolerances();
    CVodeSetUserData(memory_.get(), this);
    CVodeSetMaxNumSteps(memory_.get(), options.most_steps);
    CVodeSetMaxErrTestFails(memory_.get(), kMostRefusals);
    CVodeSetMaxConvFails(memory_.get(), kMostRefusals);
    CVodeSetMinStep(memory_.get(), options.smallest_step);
    CVodeSetMaxStep(memory_.get(), options.largest_step);
    CVodeSetInitStep(memory_.get(), options.first_step);
    set_iteration();
    const auto events = static_cast<int>(ode.event_count());
    if (events > 0) check(CVodeRootInit(memory_.get(), events, &calc_events), time);
  }

  void restart(double time, In state) override {
    add_counts();
    time_ = time;
    state_.assign(state.begin(), state.end());
    work_.copy(state, work_.state.get());
    check(CVodeReInit(memory_.get(), time, work_.state.get()), time);
  }

  In calc_rates() override {
    (void)guard_.run(rates_, [&] { ode_.rate(time_, state_, rates_); });
    guard_.rethrow();
    return rates_;
  }

  [[nodiscard]] Statistics statistics() const override {
    Statistics sum = past_;
    add_counts(sum);
    sum.calls = guard_.calls;
    sum.seconds = seconds_;
    return sum;
  }

 private:
  static int calc(double t, N_Vector x, N_Vector out, void* self_pointer) {
    auto& self = *static_cast<CvodeIntegrator*>(self_pointer);
    if (self.work_.size == 0) N_VConst(0.0, out);
    return self.guard_.run(self.work_.edit(out),
                           [&] { self.ode_.rate(t, self.work_.view(x), self.work_.edit(out)); });
  }

  static int calc_events(double t, N_Vector x, double* out, void* self_pointer) {
    auto& self = *static_cast<CvodeIntegrator*>(self_pointer);
    const Out values(out, self.ode_.event_count());
    return self.guard_.run(values, [&] { self.ode_.events(t, self.work_.view(x), values); });
  }

  void set_iteration() {
    if (method_ == Method::bdf) {
      check(CVodeSetLinearSolver(memory_.get(), work_.solver.get(), work_.matrix.get()), time_);
      return;
    }
    fixed_point_.reset(SUNNonlinSol_FixedPoint(work_.state.get(), 0, work_.context.get()));
    check(CVodeSetNonlinearSolver(memory_.get(), fixed_point_.get()), time_);
  }

  void set_tolerances() {
    if (!options_.against_largest) {
      check(CVodeSVtolerances(memory_.get(), options_.relative, work_.tolerance.get()), time_);
      return;
    }
    check(CVodeWFtolerances(memory_.get(),
                            [](N_Vector now, N_Vector weights, void* self) {
                              static_cast<CvodeIntegrator*>(self)->work_.calc_weights(now, weights);
                              return 0;
                            }),
          time_);
  }

  void move(double end) override {
    if (options_.lands) CVodeSetStopTime(memory_.get(), end);
    double reached = time_;
    const int flag = CVode(memory_.get(), end, work_.state.get(), &reached, CV_NORMAL);
    if (flag < 0) CVodeGetCurrentTime(memory_.get(), &reached);
    const In now = work_.view(work_.state.get());
    state_.assign(now.begin(), now.end());
    time_ = flag < 0 || flag == CV_ROOT_RETURN ? reached : end;
    check(flag, end);
    if (flag != CV_ROOT_RETURN) return;
    crossed_.resize(ode_.event_count());
    CVodeGetRootInfo(memory_.get(), crossed_.data());
  }

  void check(int flag, double end) {
    guard_.rethrow();
    if (flag >= 0) return;
    const std::string text = stop_text(stop_of(flag), end, options_, ode_.event_count() > 0);
    const bool named = stop_of(flag) == Stop::right_side && flag != CV_RTFUNC_FAIL && guard_.bad >= 0;
    throw SolveError(
        time_, fmt::format("cvode ({}) stopped at t = {:.6g} s: {}{}", method_text(method_), time_,
                           named ? "the rate of " + ode_.name(guard_.bad) + " is not finite; " : "", text));
  }

  void add_counts() { add_counts(past_); }
  void add_counts(Statistics& sum) const {
    long n = 0;
    const auto add = [&](int (*get)(void*, long*), long& to) {
      if (get(memory_.get(), &n) == CV_SUCCESS) to += n;
    };
    add(&CVodeGetNumSteps, sum.steps);
    add(&CVodeGetNumNonlinSolvIters, sum.newton_iterations);
    add(&CVodeGetNumErrTestFails, sum.refused_steps);
    add(&CVodeGetNumNonlinSolvConvFails, sum.refused_steps);
    if (method_ == Method::bdf) add(&CVodeGetNumJacEvals, sum.jacobians);
  }

  Ode& ode_;
  Method method_;
  Options options_;
  Workspace work_;
  std::unique_ptr<std::remove_pointer_t<SUNNonlinearSolver>, FixedPointEnd> fixed_point_;
  std::unique_ptr<void, CvodeEnd> memory_;
  Guard guard_;
  std::vector<double> rates_;
  Statistics past_;
};

}  // namespace

std::unique_ptr<Integrator> build_integrator(Ode& ode, Method method, const Options& options, double time,
                                             In state) {
  if (state.size() != ode.size()) throw std::invalid_argument("a start value for every state");
  if (method == Method::euler || method == Method::rk4) return build_fixed(ode, method, options, time, state);
  return std::make_unique<CvodeIntegrator>(ode, method, options, time, state);
}

}  // namespace rodeo::solve
