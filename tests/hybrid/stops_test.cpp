// SPDX-License-Identifier: MIT
// End stops of cylinders and a bucket on the ground (THEORY X7): rest against statics by hand, energy that never grows, and the compiled
// kernel against the library.
#include <Eigen/Dense>
#include <cmath>

#include "tests/dynamics/support.h"
#include "tests/free/free_run.h"

namespace rodeo::dynamics {
namespace {

using testing_support::build;
using testing_support::build_config;
using testing_support::build_text;
using testing_support::find_fault;

struct Rest {
  std::vector<Sample> samples;
  machine::Machine machine;
};

Rest run_to_rest(machine::Machine machine, double duration, double period = 1e-3) {
  Rest rest;
  rest.machine = std::move(machine);
  const auto problem = build(rest.machine);
  const auto method = build_method("minimal", *problem, {});
  run(*method, duration, period, [&](const Sample& sample) {
    rest.samples.push_back(sample);
    return true;
  });
  return rest;
}

/// A bar of 2 m that falls onto the ground 0.3 m below its pin, tip first.
const std::string kBar = R"(
name: bar
ground: {points: {O: [0, 0.3]}}
bodies: {bar: {points: {O: [0, 0], tip: [2, 0]}, mass: 12, com: [0.7, 0], inertia: 3}}
joints: [{revolute: [ground.O, bar.O]}]
gravity: [0, -9.81]
start: {bar: 20 deg}
forces:
  - {contact: bar.tip, height: 0.05, stiffness: 2.0e5, damping: 800}
)";

TEST(Contact, CarriesWhatTheMomentsAboutThePinSay) {
  const Rest rest = run_to_rest(build_text(kBar), 4);
  const FullState& end = rest.samples.back().state;  // q: centre of mass and angle
  const double angle = end.q[2], tip = 0.3 + 2 * std::sin(angle);
  EXPECT_LT(std::abs(end.v[2]), 1e-6);
  // N · 2 cos = m g · 0.7 cos
  EXPECT_NEAR(2.0e5 * (0.05 - tip), 12 * 9.81 * 0.7 / 2, 1e-3);
}

/// A blow that is over: the bar leaves the ground slower than it came, and is never held back.
TEST(Contact, NeverPullsAndNeverGivesEnergy) {
  const Rest rest = run_to_rest(build_text(kBar), 2, 1e-4);
  double energy = rest.samples.front().energy.total();
  for (const Sample& sample : rest.samples) {
    EXPECT_LT(sample.energy.total(), energy + 1e-6) << sample.t;
    energy = sample.energy.total();
    EXPECT_LT(std::abs(sample.energy_error),
              0.1);  // of 40 J: the force jumps within a step, at each of the blows
  }
}

struct Placed {
  Eigen::Vector2d origin;
  double angle;
  [[nodiscard]] Eigen::Vector2d at(double x, double y) const {
    return origin + Eigen::Rotation2Dd(angle) * Eigen::Vector2d(x, y);
  }
};

class Loader : public testing::Test {
 protected:
  static const Rest& rest() {
    static const Rest made = run_to_rest(build_config("free/wheel_loader_stops"), 10);
    return made;
  }
  static Placed place(int body) {
    if (body == 0) return {Eigen::Vector2d::Zero(), 0.0};
    const machine::Body& b = rest().machine.bodies[static_cast<std::size_t>(body)];
    const Vector& q = rest().samples.back().state.q;
    const double angle = q[3 * body - 1];
    const Eigen::Vector2d com(b.com_x->value, b.com_y->value);
    return {Eigen::Vector2d(q[3 * body - 3], q[3 * body - 2]) - Eigen::Rotation2Dd(angle) * com, angle};
  }
  static Eigen::Vector2d point(machine::PointRef ref) {
    const machine::Point& p = rest().machine.point(ref);
    return place(ref.body).at(p.x.value, p.y.value);
  }
};

/// Six bodies, eighteen equations; sixteen forces of pins are unknown, stops and ground push with stiffness times depth. The two
/// equations too many hold if and only if these pushes are what statics asks for.
TEST_F(Loader, RestsWithTheForcesThatStaticsAsksFor) {
  const machine::Machine& m = rest().machine;
  for (Eigen::Index i = 0; i < rest().samples.back().state.v.size(); ++i)
    EXPECT_LT(std::abs(rest().samples.back().state.v[i]), 1e-3);
  const auto rows = static_cast<Eigen::Index>(3 * (m.bodies.size() - 1));
  Eigen::MatrixXd pins = Eigen::MatrixXd::Zero(rows, static_cast<Eigen::Index>(2 * m.joints.size()));
  Eigen::VectorXd given = Eigen::VectorXd::Zero(rows);
  const auto push = [](auto&& column, int body, const Eigen::Vector2d& p, const Eigen::Vector2d& f) {
    if (body == 0) return;
    column[3 * body - 3] += f.x();
    column[3 * body - 2] += f.y();
    column[3 * body - 1] += p.x() * f.y() - p.y() * f.x();
  };
  for (std::size_t j = 0; j < m.joints.size(); ++j) {
    const Eigen::Vector2d p = point(m.joints[j].first);
    for (int k = 0; k < 2; ++k) {
      const auto column = static_cast<Eigen::Index>(2 * j) + k;
      push(pins.col(column), m.joints[j].first.body, p, Eigen::Vector2d::Unit(k));
      push(pins.col(column), m.joints[j].second.body, p, -Eigen::Vector2d::Unit(k));
    }
  }
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    const int body = static_cast<int>(b);
    push(given, body, place(body).at(m.bodies[b].com_x->value, m.bodies[b].com_y->value),
         {0, -9.81 * m.bodies[b].mass->value});
  }
  int closed = 0;
  for (const machine::Force& force : m.forces) {
    if (force.kind == machine::ForceKind::contact) {
      const Eigen::Vector2d p = point(force.first);
      const double n = std::max(0.0, -6.0e6 * p.y());
      closed += n > 0;
      EXPECT_LT(-p.y(), 0.02);  // hardly sunk in
      push(given, force.first.body, p, {0, n});
    } else if (force.kind == machine::ForceKind::stop) {
      const Eigen::Vector2d a = point(force.first), b = point(force.second), u = (b - a).normalized();
      const double lower = force.lower->value, upper = force.upper->value, length = (b - a).norm();
      const double apart = 2.0e7 * (std::max(0.0, lower - length) - std::max(0.0, length - upper));
      closed += apart != 0;
      EXPECT_LT(std::abs(apart), 2.0e7 * 0.02);
      push(given, force.first.body, a, -apart * u);
      push(given, force.second.body, b, apart * u);
    }
  }
  EXPECT_GE(closed, 2);  // mobility 2
  const Eigen::VectorXd solved = pins.colPivHouseholderQr().solve(-given);
  const double weight = 3750 * 9.81;
  EXPECT_LT((pins * solved + given).cwiseAbs().maxCoeff(),
            2e-4 * weight);  // what still creeps through the valves
}

TEST_F(Loader, LosesEnergyOnly) {
  double energy = rest().samples.front().energy.total();
  const double first = energy;
  for (const Sample& sample : rest().samples) {
    EXPECT_LT(sample.energy.total(), energy + 1e-6 * first) << sample.t;
    energy = sample.energy.total();
  }
  EXPECT_LT(energy, first);
}

/// The kernel has the same stops: they agree while nothing is closed, through the blows and at rest.
TEST_F(Loader, SinksTheSameCompiled) {
  codegen::FreeRun compiled(codegen::read_text(codegen::config("free/wheel_loader_stops")));
  for (int tick = 1; tick <= 4000; ++tick) {
    ASSERT_EQ(compiled.move(1e-3), RODEO_OK) << tick;
    const Vector& q = rest().samples[static_cast<std::size_t>(tick)].state.q;
    if (tick % 10 == 0) {
      ASSERT_NEAR(compiled.output("boom.angle"), q[2], 1e-6) << tick;
    }
  }
  const double lost = compiled.energy() - rest().samples[4000].energy.total();
  EXPECT_LT(std::abs(lost), 1.0);  // J of 70 kJ
}

TEST(Stop, NeedsACylinderOrTwoPins) {
  const std::string text = R"(
name: bar
ground: {points: {O: [0, 0]}}
bodies: {bar: {points: {O: [0, 0], tip: [2, 0]}, mass: 12, com: [0.7, 0], inertia: 3}}
joints: [{revolute: [ground.O, bar.O]}]
start: {bar: 20 deg}
forces:
  - {stop: lift, stiffness: 2.0e5}
)";
  EXPECT_EQ(find_fault([&] { (void)build_text(text); }),
            "test.yaml:8: force 1 (stop): there is no cylinder 'lift' under 'drives': name one, or its two "
            "pins, as in stop: "
            "[ground.P, boom.Q]");
}

}  // namespace
}  // namespace rodeo::dynamics
