// SPDX-License-Identifier: MIT
// Stops and contacts in space (THEORY S14, X7): a ball on the ground against the damped oscillator, statics by hand, no force in the
// air, and a machine in the plane against its lift.
#include <cmath>

#include "kinematics/dynamics/equilibrium.h"
#include "tests/spatial/bounce.h"
#include "tests/spatial/support.h"

namespace rodeo::spatial {
namespace {

using dynamics::Sample;
using namespace bounce;
using testing_support::build;
using testing_support::build_config;
using testing_support::build_text;
using testing_support::find_fault;
using testing_support::system_of;

/// 0.2 m above the ground at z = 0.1.
const std::string kBall = R"(
name: ball
space: 3
bodies: {ball: {points: {c: [0, 0, 0], q: [0.1, -0.2, 0.3]}, mass: 2, inertia: [0.5, 0.6, 0.7]}}
forces: [{contact: ball.c, height: 0.1, stiffness: 8000, damping: 40, viscous: 30}]
start: {ball: {angles: [0, 0, 0], origin: [0, 0, 0.3]}}
gravity: [0, 0, -9.81]
outputs: {c: ball.c}
)";

/// kBall with some of its text replaced.
std::string build_ball(const std::string& from, const std::string& to) {
  std::string text = kBall;
  return text.replace(text.find(from), from.size(), to);
}

/// Calls back with time and height over the ground, every millisecond.
void drop(const std::string& text, double duration, double step,
          const std::function<void(double t, double x)>& look, const std::string& name = "minimal") {
  const auto problem = build(build_text(text));
  const auto method = build_method(name, *problem, {.step = step});
  double energy = HUGE_VAL;
  run(*method, duration, 1e-3, [&](const Sample& sample) {
    look(sample.t, system_of(*method).build_pose(sample.state.q).bodies[1].origin.z() - 0.1);
    EXPECT_LT(sample.energy.total(), energy + 1e-5);  // never given
    energy = sample.energy.total();
    return true;
  });
}

/// The damper's force jumps at the touch by damping times speed: solvers with steps of their own take one as short as that asks for.
TEST(ContactInSpace, DampedDropIsMetByTheMethodsThatChooseTheirSteps) {
  for (const std::string name : {"lagrange-implicit", "rc", "zcp"}) {
    double worst = 0;
    drop(
        kBall, 0.35, 1e-3,
        [&](double t, double x) { worst = std::max(worst, std::abs(x - calc_bounce(0.2, 40, t))); }, name);
    EXPECT_LT(worst, 2e-6) << name;
  }
}

TEST(ContactInSpace, BallOnASpringFallsSwingsAndFliesAsTheClosedFormSays) {
  double lowest = 0;
  drop(build_ball("damping: 40", "damping: 0"), 0.35, 1e-4, [&](double t, double x) {
    EXPECT_NEAR(x, calc_bounce(0.2, 0, t), 1e-6) << t;  // a corner in the force within a step
    lowest = std::min(lowest, x);
  });
  EXPECT_LT(lowest, -0.03);
}

/// The damper's force jumps on landing, which is seen a step of 10 µs late at most: 40 m/s² · 10 µs · 0.15 s.
TEST(ContactInSpace, BallWithADamperBouncesLess) {
  drop(kBall, 0.35, 1e-5,
       [&](double t, double x) { EXPECT_NEAR(x, calc_bounce(0.2, kDamping, t), 6e-5) << t; });
}

/// From 1 mm inside, at 2 m/s down. The force has a corner where it ends, within a step.
TEST(ContactInSpace, IsADampedOscillatorUntilItPushesNoMore) {
  const Oscillator ground{-0.001, -2, kDamping};
  const double end = ground.find_end();
  ASSERT_GT(end, 0.03);
  drop(build_ball("origin: [0, 0, 0.3]}", "origin: [0, 0, 0.099]}, rates: {ball: {velocity: [0, 0, -2]}}"),
       0.1, 1e-4, [&](double t, double x) {
         EXPECT_NEAR(x, t < end ? ground.at(t).x : calc_fall(ground.at(end), t - end), 1e-6) << t;
       });
}

/// Forces on the ball's body, and their power, at a place and speed.
struct Acting {
  Vector f;
  dynamics::Power power;
};
Acting calc_forces(const Machine& machine, const Pose& pose, const Vector& v) {
  System system(machine, {}, {});
  Workspace work;
  system.calc(0.0, system.build_coordinates(pose), v, work);
  return {work.f, work.power};
}

Pose ball_at(const Vector3& origin, const Quaternion& q = Quaternion::Identity()) {
  Pose pose;
  pose.bodies = {{}, {origin, q}};
  return pose;
}

TEST(ContactInSpace, HasNoForceInTheAirAndNeverPulls) {
  const Machine machine = build_text(kBall);
  const Vector weight = (Vector(6) << 0, 0, -kMass * kGravity, 0, 0, 0).finished();
  const Vector slides = (Vector(6) << 3, -2, -5, 0, 0, 0).finished();
  EXPECT_EQ(calc_forces(machine, ball_at({0, 0, 0.1 + 1e-9}), slides).f, weight);
  // 1 mm inside and off at 5 m/s: the damper would pull with 200 N, the spring pushes with 8 N.
  const Vector leaves = (Vector(6) << 3, -2, 5, 0, 0, 0).finished();
  EXPECT_EQ(calc_forces(machine, ball_at({0, 0, 0.099}), leaves).f, weight);
}

TEST(ContactInSpace, DragsAlongBothDirectionsOfTheGround) {
  const Vector v = (Vector(6) << 1.5, -2.5, -0.4, 0, 0, 0).finished();
  const Acting acting = calc_forces(build_text(kBall), ball_at({7, 8, 0.08}), v);
  EXPECT_NEAR(acting.f[0], -kViscous * 1.5, 1e-12);
  EXPECT_NEAR(acting.f[1], kViscous * 2.5, 1e-12);
  EXPECT_NEAR(acting.f[2], kStiffness * 0.02 + kDamping * 0.4 - kMass * kGravity, 1e-10);
  EXPECT_EQ(acting.f.tail<3>(), Vector3(0, 0, 0));
  EXPECT_NEAR(acting.power.dissipated, kDamping * 0.16 + kViscous * (1.5 * 1.5 + 2.5 * 2.5), 1e-10);
}

/// Turned by 90° about x, the point q = (0.1, −0.2, 0.3) is at (0.1, −0.3, −0.2) from the centre: moment (−0.3, −0.1, 0)·N in the
/// ground's axes, about the body's own (−0.3, 0, 0.1)·N.
TEST(ContactInSpace, TurnsABodyThatItTouchesAside) {
  const double half = std::sqrt(0.5);
  const Acting acting = calc_forces(build_text(build_ball("contact: ball.c", "contact: ball.q")),
                                    ball_at({0, 0, 0.29}, Quaternion(half, half, 0, 0)), Vector::Zero(6));
  const double N = kStiffness * 0.01;
  EXPECT_NEAR(acting.f[2], N - kMass * kGravity, 1e-9);
  EXPECT_NEAR(acting.f[3], -0.3 * N, 1e-9);
  EXPECT_NEAR(acting.f[4], 0, 1e-9);
  EXPECT_NEAR(acting.f[5], 0.1 * N, 1e-9);
}

TEST(ContactInSpace, RestsAtItsWeightOverTheStiffness) {
  const Machine machine = build_text(kBall);
  const auto problem = build(machine);
  ASSERT_TRUE(find_equilibrium(*problem).found);
  EXPECT_NEAR(problem->q[2], 0.1 - kMass * kGravity / kStiffness, 1e-10);
}

/// Four corners carry a box that has tumbled: Σ k δ = m g.
TEST(ContactInSpace, BoxComesToRestOnOneOfItsSides) {
  const Machine machine = build_config("dropped_box");
  const auto problem = build(machine);
  const auto method = build_method("minimal", *problem, {.step = 1e-3});
  Sample last;
  double energy = HUGE_VAL;
  run(*method, 4.0, 1e-2, [&](const Sample& sample) {
    last = sample;
    EXPECT_LT(sample.energy.total(), energy + 1e-3) << sample.t;
    energy = sample.energy.total();
    return true;
  });
  EXPECT_LT(last.state.v.norm(), 1e-3);
  const Pose pose = system_of(*method).build_pose(last.state.q);
  double carried = 0;
  int touching = 0;
  for (int corner = 0; corner < 8; ++corner) {
    const double depth = -calc_position(machine, pose, {1, corner}).z();
    if (depth > 0) carried += 2.0e4 * depth, ++touching;
  }
  EXPECT_EQ(touching, 4);
  EXPECT_NEAR(carried, 12 * 9.81, 0.1);
}

Vector3 normal_of(const std::string& gravity, const std::string& options) {
  const Machine machine = build_text("name: ball\nspace: 3\n" + gravity + R"(
bodies: {ball: {points: {c: [0, 0, 0], top: [0, 0, 1]}, mass: 2, inertia: [1, 1, 1]}}
forces: [{contact: ball.c, stiffness: 1)" +
                                     options + "}]\n");
  EXPECT_EQ(machine.forces[0].lower->value, 0.0);
  return machine.forces[0].normal.value();
}

TEST(ContactInSpace, GroundIsAcrossGravityUnlessItSaysOtherwise) {
  EXPECT_EQ(normal_of("gravity: [0, 0, -9.81]", ""), Vector3(0, 0, 1));
  EXPECT_EQ(normal_of("gravity: [0, -9.81]", ""), Vector3(0, 1, 0));
  EXPECT_EQ(normal_of("gravity: [1, 0, -9.7]", ""), Vector3(0, 0, 1));  // on a slope, in the slope's axes
  EXPECT_EQ(normal_of("", ""), Vector3(0, 0, 1));
  EXPECT_NEAR((normal_of("gravity: [0, 0, -9.81]", ", normal: [3, 0, 4]") - Vector3(0.6, 0, 0.8)).norm(), 0,
              1e-15);
}

/// A weight on a rod that slides by 0.5 m: it hangs on the one end of the stroke, or stands on the other.
std::string build_rod(const char* gravity) {
  return std::string(R"(
name: rod
ground: {points: {O: [0, 0, 0]}}
bodies: {rod: {points: {P: [0, 0, 0]}, mass: 20, inertia: [1, 1, 1]}}
joints: [{prismatic: [ground.O, rod.P], direction: [0.6, 0, 0.8], name: guide}]
forces: [{stop: [ground.O, rod.P], retracted: 0.2, stroke: 0.5, stiffness: 1.0e4, damping: 300}]
start: {guide: 0.4}
outputs: {rod: rod.P}
gravity: )") +
         gravity;
}

double calc_rest_length(const Machine& machine) {
  const auto problem = build(machine);
  EXPECT_TRUE(find_equilibrium(*problem).found);
  return problem->q.head<3>().norm();
}

/// Along the guide pulls 0.8 m g.
TEST(StopInSpace, HoldsAWeightAtEitherEndOfItsStroke) {
  const double give = 0.8 * 20 * 9.81 / 1.0e4;
  EXPECT_NEAR(calc_rest_length(build_text(build_rod("[0, 0, 9.81]"))), 0.7 + give, 1e-10);
  EXPECT_NEAR(calc_rest_length(build_text(build_rod("[0, 0, -9.81]"))), 0.2 - give, 1e-10);
}

TEST(StopInSpace, HasNoForceWithinItsStroke) {
  const Machine machine = build_text(build_rod("[0, 0, 0]"));
  const Vector v = (Vector(6) << 0.6, 0, 0.8, 0, 0, 0).finished();
  EXPECT_TRUE(calc_forces(machine, ball_at({0.3 * 0.6, 0, 0.3 * 0.8}), v).f.isZero(0.0));
  // 1 cm beyond the end at 1 m/s: 100 N of the spring and 300 N of the damper, back along the guide.
  const Vector f = calc_forces(machine, ball_at({0.71 * 0.6, 0, 0.71 * 0.8}), v).f;
  EXPECT_NEAR((f.head<3>() + 400 * Vector3(0.6, 0, 0.8)).norm(), 0, 1e-9);
}

TEST(StopInSpace, TakesTheEndsOfACylinder) {
  const Machine machine = build_text(R"(
name: rod
ground: {points: {O: [0, 0, 0]}}
bodies: {rod: {points: {P: [0, 0, 0]}, mass: 20, inertia: [1, 1, 1]}}
joints: [{prismatic: [ground.O, rod.P], direction: [0, 0, 1], name: guide}]
drives: {lift: {cylinder: [ground.O, rod.P], retracted: 0.2, stroke: 0.5}}
forces: [{stop: lift, stiffness: 1.0e4}]
start: {lift: 0.4}
)");
  EXPECT_EQ(machine.forces[0].lower->value, 0.2);
  EXPECT_EQ(machine.forces[0].upper->value, 0.7);
  EXPECT_EQ(machine.forces[0].second.body, 1);
}

TEST(StopInSpace, SaysWhatIsWrong) {
  EXPECT_EQ(find_fault([] {
              (void)build_text(R"(
name: ball
space: 3
bodies: {ball: {points: {c: [0, 0, 0]}, mass: 2, inertia: [1, 1, 1]}}
ground: {points: {O: [0, 0, 0]}}
forces:
  - {stop: lift, stiffness: 10}
  - {contact: ground.O, stiffness: 10}
  - {contact: ball.c, height: 0}
  - {stop: [ground.O, ball.c], stiffness: 10}
)");
            }),
            "test.yaml:7: force 1 (stop): there is no cylinder 'lift' under 'drives': name one, or its two "
            "pins, as "
            "in stop: [ground.P, boom.Q]\n"
            "test.yaml:8: force 2 (contact): the ground does not move: name another body\n"
            "test.yaml:9: force 3 (contact): key 'stiffness' is missing\n"
            "test.yaml:10: force 4 (stop): key 'retracted' is missing");
}

/// A bar that falls onto the ground and onto a stop, in the plane and lifted: the oracle is the planar system.
TEST(LiftedStops, ActAsInThePlane) {
  const std::string text = R"(
name: bar
ground: {points: {O: [0, 0.3], P: [0.4, 1.2]}}
bodies: {bar: {points: {O: [0, 0], tip: [2, 0], lug: [1, 0.1]}, mass: 12, com: [0.7, 0], inertia: 3}}
joints: [{revolute: [ground.O, bar.O]}]
gravity: [0, -9.81]
start: {bar: 20 deg}
forces:
  - {contact: bar.tip, height: 0.05, stiffness: 2.0e4, damping: 100, viscous: 20}
  - {stop: [ground.P, bar.lug], retracted: 0.2, stroke: 0.9, stiffness: 3.0e3, damping: 60}
)";
  const machine::Machine plane = machine::build_machine(text::build_yaml_from_text(text, "a.yaml"), "a.yaml");
  const Machine space = build_text(text + "space: 3\n");
  dynamics::Problem first = dynamics::build_problem(plane, machine::build_start_pose(plane));
  const auto second = build(space);
  const auto a = dynamics::build_method("minimal", first, {.step = 2e-4}),
             b = dynamics::build_method("minimal", *second, {.step = 2e-4});
  std::vector<Sample> samples;
  run(*a, 1.0, 0.01, [&](const Sample& sample) {
    samples.push_back(sample);
    return true;
  });
  std::size_t i = 0;
  run(*b, 1.0, 0.01, [&](const Sample& sample) {
    EXPECT_NEAR(sample.state.q[0], samples[i].state.q[0], 1e-9) << sample.t;
    EXPECT_NEAR(sample.state.q[1], samples[i].state.q[1], 1e-9) << sample.t;
    EXPECT_NEAR(sample.energy.total(), samples[i].energy.total(), 1e-8) << sample.t;
    EXPECT_NEAR(sample.state.work, samples[i].state.work, 1e-8) << sample.t;
    ++i;
    return true;
  });
  EXPECT_LT(samples.back().state.work, -1.0);  // something was hit
}

}  // namespace
}  // namespace rodeo::spatial
