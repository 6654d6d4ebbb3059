// SPDX-License-Identifier: MIT
// Differential-algebraic equations of index 1 by IDA: BDF of variable order and step. The start is made consistent by
// IDACalcIC and, where that gives up, by Newton steps of our own (consistent.cpp).
#include <fmt/format.h>
#include <ida/ida.h>

#include <algorithm>
#include <cmath>

#include "kinematics/solve/sundials.h"

namespace rodeo::solve {
namespace {

constexpr double kConsistent = 1e-12;  // rows this small need no correction
constexpr double kUntestedSize = 1e-3;
constexpr double kFirstLook = 1e-3;  // s: how far IDACalcIC looks to scale its rates

struct IdaEnd {
  void operator()(void* memory) const { IDAFree(&memory); }
};

Stop stop_of(int flag) {
  switch (flag) {
    case IDA_TOO_MUCH_WORK: return Stop::too_much_work;
    case IDA_TOO_MUCH_ACC: return Stop::too_much_accuracy;
    case IDA_ERR_FAIL: return Stop::error_test;
    case IDA_CONV_FAIL:
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
    case IDA_NLS_FAIL: return Stop::convergence;
    case IDA_RES_FAIL:
    case IDA_FIRST_RES_FAIL:
    case IDA_RTFUNC_FAIL:
    case IDA_REP_RES_ERR: return Stop::right_side;
    default: return Stop::other;
  }
}

class IdaIntegrator : public Integrator {
 public:
  IdaIntegrator(Dae& dae, const Options& options, double time, In state, In rates)
      : Integrator(time, state),
        dae_(dae),
        options_(options),
        work_(dae.size(), options),
        is_consistent_(options.starts_consistent) {
    rates_vector_ = work_.build_vector();
    kinds_ = work_.build_vector();
    for (std::size_t i = 0; i < dae.size(); ++i) {
      work_.edit(kinds_.get())[i] = dae.is_differential(i) ? 1.0 : 0.0;
    }
    if (dae.size() == 0) N_VConst(1.0, kinds_.get());
    rates_.assign(dae.size(), 0.0);
    if (!rates.empty()) rates_.assign(rates.begin(), rates.end());
    set_sizes();
    memory_.reset(IDACreate(work_.context.get()));
    if (!memory_) throw std::bad_alloc();
    IDASetErrHandlerFn(memory_.get(), be_silent, nullptr);
    give();
    check(IDAInit(memory_.get(), &calc, time, work_.state.get(), rates_vector_.get()), time);
    set_tolerances();
    set_options();
    const auto events = static_cast<int>(dae.event_count());
    if (events > 0) check(IDARootInit(memory_.get(), events, &calc_events), time);
    start();
  }

  void restart(double time, In state) override {
    add_counts(past_);
    time_ = time;
    state_.assign(state.begin(), state.end());
    is_consistent_ = false;
    start();
  }

  In calc_rates() override { return rates_; }

  [[nodiscard]] Statistics statistics() const override {
    Statistics sum = past_;
    add_counts(sum);
    sum.calls = guard_.calls;
    sum.seconds = seconds_;
    return sum;
  }

 private:
  static int calc(double t, N_Vector y, N_Vector rates, N_Vector out, void* self_pointer) {
    auto& self = *static_cast<IdaIntegrator*>(self_pointer);
    const Workspace& work = self.work_;
    if (work.size == 0) N_VLinearSum(1.0, y, 1.0, rates, out);
    return self.guard_.run(work.edit(out),
                           [&] { self.dae_.residual(t, work.view(y), work.view(rates), work.edit(out)); });
  }

  static int calc_events(double t, N_Vector y, N_Vector rates, double* out, void* self_pointer) {
    auto& self = *static_cast<IdaIntegrator*>(self_pointer);
    const Out values(out, self.dae_.event_count());
    return self.guard_.run(values,
                           [&] { self.dae_.events(t, self.work_.view(y), self.work_.view(rates), values); });
  }

  void set_options() {
    IDASetUserData(memory_.get(), this);
    IDASetMaxNumSteps(memory_.get(), options_.most_steps);
    IDASetMaxErrTestFails(memory_.get(), kMostRefusals);
    IDASetMaxConvFails(memory_.get(), kMostRefusals);
    IDASetMinStep(memory_.get(), options_.smallest_step);
    IDASetMaxStep(memory_.get(), options_.largest_step);
    if (options_.first_step > 0) IDASetInitStep(memory_.get(), options_.first_step);
    IDASetId(memory_.get(), kinds_.get());
    IDASetSuppressAlg(memory_.get(), options_.algebraic_tested ? SUNFALSE : SUNTRUE);
    IDASetLineSearchOffIC(memory_.get(), SUNFALSE);
    check(IDASetLinearSolver(memory_.get(), work_.solver.get(), work_.matrix.get()), time_);
  }

  /// At rest a component has no size yet, and no step would be small enough: it has that of its rate in a step of the log. An algebraic one
  /// that the error test leaves out, and that is zero, counts in Newton's norm only.
  void set_sizes() {
    for (std::size_t i = 0; i < dae_.size(); ++i) {
      const bool counts = dae_.is_differential(i) || options_.algebraic_tested;
      work_.largest[i] = counts ? std::abs(rates_[i]) * options_.step : kUntestedSize;
    }
  }

  void give() {
    work_.copy(state_, work_.state.get());
    work_.copy(rates_, rates_vector_.get());
  }
  void take() {
    const In state = work_.view(work_.state.get());
    const In rates = work_.view(rates_vector_.get());
    state_.assign(state.begin(), state.end());
    rates_.assign(rates.begin(), rates.end());
  }
  void begin_here() {
    give();
    check(IDAReInit(memory_.get(), time_, work_.state.get(), rates_vector_.get()), time_);
  }

  /// IDACalcIC stops where its error weights are content, which may be well above rounding: our own Newton polishes.
  void start() {
    begin_here();
    if (!is_consistent_ && calc_largest_row() > kConsistent) {
      const int flag = IDACalcIC(memory_.get(), IDA_YA_YDP_INIT, time_ + kFirstLook);
      guard_.rethrow();
      if (flag == IDA_SUCCESS &&
          IDAGetConsistentIC(memory_.get(), work_.state.get(), rates_vector_.get()) == IDA_SUCCESS) {
        take();
      }
      if (calc_largest_row() > kConsistent) make_consistent();
    }
    begin_here();
  }

  void make_consistent() {
    const Consistent found = build_consistent(dae_, time_, state_, rates_);
    guard_.calls += found.iterations * static_cast<long>(dae_.size() + 1);
    state_ = found.state;
    rates_ = found.rates;
  }

  double calc_largest_row() {
    std::vector<double> rows(dae_.size());
    (void)guard_.run(rows, [&] { dae_.residual(time_, state_, rates_, rows); });
    guard_.rethrow();
    double largest = 0.0;
    for (const double row : rows) largest = std::max(largest, std::isfinite(row) ? std::abs(row) : HUGE_VAL);
    return largest;
  }

  void set_tolerances() {
    if (!options_.against_largest) {
      check(IDASVtolerances(memory_.get(), options_.relative, work_.tolerance.get()), time_);
      return;
    }
    check(IDAWFtolerances(memory_.get(),
                          [](N_Vector now, N_Vector weights, void* self) {
                            static_cast<IdaIntegrator*>(self)->work_.calc_weights(now, weights);
                            return 0;
                          }),
          time_);
  }

  void move(double end) override {
    if (options_.lands) IDASetStopTime(memory_.get(), end);
    double reached = time_;
    const int flag =
        IDASolve(memory_.get(), end, &reached, work_.state.get(), rates_vector_.get(), IDA_NORMAL);
    if (flag < 0) IDAGetCurrentTime(memory_.get(), &reached);
    take();
    time_ = flag < 0 || flag == IDA_ROOT_RETURN ? reached : end;
    check(flag, end);
    if (flag != IDA_ROOT_RETURN) return;
    crossed_.resize(dae_.event_count());
    IDAGetRootInfo(memory_.get(), crossed_.data());
  }

  void check(int flag, double end) {
    guard_.rethrow();
    if (flag >= 0) return;
    const Stop stop = stop_of(flag);
    const bool named = stop == Stop::right_side && flag != IDA_RTFUNC_FAIL && guard_.bad >= 0;
    throw SolveError(time_, fmt::format("ida stopped at t = {:.6g} s: {}{}", time_,
                                        named ? dae_.row_name(guard_.bad) + " is not finite; " : "",
                                        stop_text(stop, end, options_, dae_.event_count() > 0)));
  }

  void add_counts(Statistics& sum) const {
    long n = 0;
    const auto add = [&](int (*get)(void*, long*), long& to) {
      if (get(memory_.get(), &n) == IDA_SUCCESS) to += n;
    };
    add(&IDAGetNumSteps, sum.steps);
    add(&IDAGetNumNonlinSolvIters, sum.newton_iterations);
    add(&IDAGetNumErrTestFails, sum.refused_steps);
    add(&IDAGetNumNonlinSolvConvFails, sum.refused_steps);
    add(&IDAGetNumJacEvals, sum.jacobians);
  }

  Dae& dae_;
  Options options_;
  Workspace work_;
  OwnedVector rates_vector_, kinds_;
  std::unique_ptr<void, IdaEnd> memory_;
  Guard guard_;
  bool is_consistent_;
  std::vector<double> rates_;
  Statistics past_;
};

}  // namespace

std::unique_ptr<Integrator> build_integrator(Dae& dae, const Options& options, double time, In state,
                                             In rates) {
  if (state.size() != dae.size() || (!rates.empty() && rates.size() != dae.size())) {
    throw std::invalid_argument("a start value for every variable");
  }
  return std::make_unique<IdaIntegrator>(dae, options, time, state, rates);
}

}  // namespace rodeo::solve
