// SPDX-License-Identifier: MIT
// Legs hang from the ground and bars from the legs, by pins, which need no constraint; where a bar meets the next leg two equations
// in the plane close the window. The state is looked at after every step of the integrator, as ours is.
#include "tests/bench/engines/simbody_iftomm.h"

#include <Simbody.h>

#include <memory>

namespace iftomm {
namespace {

using SimTK::MobilizedBody;
using SimTK::Vec3;

class Chain {
 public:
  explicit Chain(const Problem& problem) : matter_(system_), forces_(system_) {
    SimTK::Force::UniformGravity(forces_, matter_, Vec3(0, -kGravity, 0));
    for (int i = 0; i <= problem.windows; ++i) {
      const SimTK::Transform place(Vec3(i, 0, 0));
      legs_.push_back(
          MobilizedBody::Pin(matter_.updGround(), place, build_body(problem), SimTK::Transform()));
    }
    for (int i = 0; i < problem.windows; ++i) close_window(problem, i);
    state_ = system_.realizeTopology();
    system_.realizeModel(state_);
    for (const auto& leg : legs_) set(leg, problem.start_angle(), problem.start_rate());
    for (const auto& bar : bars_) set(bar, -problem.start_angle(), -problem.start_rate());
  }

  [[nodiscard]] SimTK::MultibodySystem& system() { return system_; }
  [[nodiscard]] const SimTK::State& state() const { return state_; }

  [[nodiscard]] Sample measure(const SimTK::State& state) const {
    system_.realize(state, SimTK::Stage::Dynamics);
    Sample sample;
    sample.t = state.getTime();
    sample.energy = system_.calcEnergy(state);
    for (std::size_t i = 0; i < bars_.size(); ++i) {
      const Vec3 end(1, 0, 0);
      const Vec3 gap = bars_[i].findStationLocationInGround(state, end) -
                       legs_[i + 1].findStationLocationInGround(state, end);
      sample.open = std::max(sample.open, gap.norm());
    }
    sample.least = sample.largest = legs_[0].getOneQ(state, 0);
    for (const auto& leg : legs_) {
      sample.least = std::min(sample.least, leg.getOneQ(state, 0));
      sample.largest = std::max(sample.largest, leg.getOneQ(state, 0));
    }
    return sample;
  }

 private:
  static SimTK::Body::Rigid build_body(const Problem& problem) {
    const Vec3 centre(problem.is_pendulum() ? 1 : 0.5, 0, 0);
    const double own = problem.is_pendulum() ? 0 : 1.0 / 12;
    const SimTK::Inertia about_centre(0, own, own);
    return SimTK::Body::Rigid(SimTK::MassProperties(1, centre, about_centre.shiftFromMassCenter(centre, 1)));
  }
  void close_window(const Problem& problem, int i) {
    using Plane = SimTK::Constraint::PointInPlane;
    const Vec3 end(1, 0, 0);
    bars_.push_back(
        MobilizedBody::Pin(legs_[i], SimTK::Transform(end), build_body(problem), SimTK::Transform()));
    Plane(legs_[i + 1], SimTK::UnitVec3(SimTK::XAxis), 1, bars_.back(), end);
    Plane(legs_[i + 1], SimTK::UnitVec3(SimTK::YAxis), 0, bars_.back(), end);
  }
  void set(const MobilizedBody::Pin& pin, double angle, double rate) {
    pin.setOneQ(state_, 0, angle);
    pin.setOneU(state_, 0, rate);
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::GeneralForceSubsystem forces_;
  std::vector<MobilizedBody::Pin> legs_, bars_;
  SimTK::State state_;
};

std::unique_ptr<SimTK::Integrator> build_integrator(const std::string& name, const SimTK::System& system) {
  if (name == "RungeKuttaFeldberg") return std::make_unique<SimTK::RungeKuttaFeldbergIntegrator>(system);
  return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
}

/// The line of Simbody's text that says what was wrong.
std::string describe(const std::string& what) {
  const auto at = what.rfind("Error detected by ");
  return at == std::string::npos ? what : what.substr(at, what.find('\n', at) - at);
}

void step_to_end(const Chain& chain, double duration, SimTK::Integrator& integrator, Run& run) {
  const Stopwatch watch;
  integrator.initialize(chain.state());
  run.samples.push_back(chain.measure(integrator.getState()));
  while (integrator.getTime() < duration) {
    integrator.stepTo(duration);
    run.samples.push_back(chain.measure(integrator.getState()));
    watch.read(run);
    if (run.processor > kGiveUp) throw std::runtime_error("given up: more than a minute of a processor");
  }
}

}  // namespace

std::vector<std::string> simbody_integrators() { return {"RungeKuttaMerson", "RungeKuttaFeldberg"}; }

Run run_simbody(const Problem& problem, const std::string& name, const SimbodyStep& step) {
  Chain chain(problem);
  const auto integrator = build_integrator(name, chain.system());
  integrator->setAccuracy(step.accuracy);
  if (step.fixed > 0) integrator->setFixedStepSize(step.fixed);
  integrator->setFinalTime(problem.duration);
  integrator->setReturnEveryInternalStep(true);
  Run run;
  try {
    step_to_end(chain, problem.duration, *integrator, run);
  } catch (const std::exception& error) {
    run.failure = describe(error.what());
  }
  run.steps = integrator->getNumStepsTaken();
  return run;
}

}  // namespace iftomm
