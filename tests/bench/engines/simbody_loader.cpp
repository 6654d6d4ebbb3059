// SPDX-License-Identifier: MIT
// The driven loader in Simbody: a tree of pins, the two drives as prescribed motions, each closing pin as two equations in
// the plane. No integrator: every degree of freedom is driven, so that a tick is a time, the prescribed coordinates, a
// projection of positions and velocities onto the constraints, and accelerations.
#include "tests/bench/engines/simbody_loader.h"

#include <Simbody.h>

#include "tests/bench/engines/engine_run.h"

namespace loader {

class SimbodyLoader::Linkage {
 public:
  explicit Linkage(double tolerance) : matter_(system_), options_(tolerance), pins_(build_tree()) {
    close_at(pins_[2], {kRear, 0}, pins_[3], {kLever, 0});
    close_at(pins_[4], {kFront, 0}, pins_[5], {kKx, kKy});
    add_motion(0, 0.66, 0.45, -1.2);
    add_motion(1, 0.51, 1.15, 1.4);
    options_.setOption(SimTK::ProjectOptions::UseInfinityNorm);
    state_ = system_.realizeTopology();
    const auto q = find_start_angles();
    const double relative[] = {q[0] - kMiddle[0], q[1] - kMiddle[1], q[2] - q[1],
                               q[3] - q[0],       q[4] - q[3],       q[5] - q[0]};
    for (int i = 0; i < 6; ++i) pins_[i].setOneQ(state_, 0, relative[i]);
    advance(0);
  }

  void advance(int tick) {
    const double t = kTick * tick;
    state_.updQ() += (t - state_.getTime()) * state_.getU();
    state_.setTime(t);
    system_.realize(state_, SimTK::Stage::Time);
    system_.prescribeQ(state_);
    system_.realize(state_, SimTK::Stage::Position);
    project_positions();
    system_.prescribeU(state_);
    system_.realize(state_, SimTK::Stage::Velocity);
    project_velocities();
    system_.realize(state_, SimTK::Stage::Acceleration);
  }
  [[nodiscard]] double closure_error() const {
    return std::max(distance(2, {kRear, 0}, 3, {kLever, 0}), distance(4, {kFront, 0}, 5, {kKx, kKy}));
  }
  [[nodiscard]] double bucket_angle() const {
    return kMiddle[0] + pins_[0].getOneQ(state_, 0) + pins_[5].getOneQ(state_, 0);
  }

 private:
  using Pin = SimTK::MobilizedBody::Pin;
  static constexpr double kMiddle[2] = {0.09, 2.21};  // of the motions, find_drives

  Pin pin(SimTK::MobilizedBody& parent, Vec at, double angle) {
    const SimTK::Body::Rigid body(
        SimTK::MassProperties(100, SimTK::Vec3(0.3, 0, 0),
                              SimTK::Inertia(20, 20, 20).shiftFromMassCenter(SimTK::Vec3(0.3, 0, 0), 100)));
    const SimTK::Transform place(SimTK::Rotation(angle, SimTK::ZAxis), SimTK::Vec3(at.x, at.y, 0));
    return Pin(parent, place, body, SimTK::Transform());
  }
  /// boom, tilt lever, rear strut, lever, front strut, bucket; an angle of 0 is the middle of a drive.
  std::vector<Pin> build_tree() {
    std::vector<Pin> pins;
    pins.push_back(pin(matter_.updGround(), {kAx, kAy}, kMiddle[0]));
    pins.push_back(pin(matter_.updGround(), {kDx, kDy}, kMiddle[1]));
    pins.push_back(pin(pins[1], {kTilt, 0}, 0));
    pins.push_back(pin(pins[0], {kEx, kEy}, 0));
    pins.push_back(pin(pins[3], {kFx, kFy}, 0));
    pins.push_back(pin(pins[0], {kBoom, 0}, 0));
    return pins;
  }
  /// The point b of B lies in two planes through a, fixed on A.
  void close_at(Pin& A, Vec a, Pin& B, Vec b) {
    using SimTK::Constraint;
    const SimTK::Vec3 point(b.x, b.y, 0);
    Constraint::PointInPlane(A, SimTK::UnitVec3(SimTK::XAxis), a.x, B, point);
    Constraint::PointInPlane(A, SimTK::UnitVec3(SimTK::YAxis), a.y, B, point);
  }
  void add_motion(int which, double reach, double rate, double phase) {
    SimTK::Motion::Sinusoid(pins_[which], SimTK::Motion::Position, reach, rate, phase);
  }

  void project_positions() {
    SimTK::Vector no_estimate;
    SimTK::ProjectResults results;
    system_.projectQ(state_, no_estimate, options_, results);
  }
  void project_velocities() {
    SimTK::Vector no_estimate;
    SimTK::ProjectResults results;
    system_.projectU(state_, no_estimate, options_, results);
  }
  [[nodiscard]] double distance(int A, Vec a, int B, Vec b) const {
    const SimTK::Vec3 p = pins_[A].findStationLocationInGround(state_, SimTK::Vec3(a.x, a.y, 0));
    const SimTK::Vec3 q = pins_[B].findStationLocationInGround(state_, SimTK::Vec3(b.x, b.y, 0));
    return (p - q).norm();
  }

  SimTK::MultibodySystem system_;
  SimTK::SimbodyMatterSubsystem matter_;
  SimTK::ProjectOptions options_;
  std::vector<Pin> pins_;
  SimTK::State state_;
};

SimbodyLoader::SimbodyLoader(double tolerance) : linkage_(std::make_unique<Linkage>(tolerance)) {}
SimbodyLoader::~SimbodyLoader() = default;
void SimbodyLoader::advance(int tick) { linkage_->advance(tick); }
double SimbodyLoader::closure_error() const { return linkage_->closure_error(); }
double SimbodyLoader::bucket_angle() const { return linkage_->bucket_angle(); }

}  // namespace loader
