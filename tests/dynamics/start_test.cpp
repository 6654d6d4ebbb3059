// SPDX-License-Identifier: MIT
// The start: rates that do not fit, redundant rows, drives that hold or not, and what cannot move at all.
#include <fstream>

#include "kinematics/dynamics/equilibrium.h"
#include "kinematics/dynamics/implicit.h"
#include "kinematics/dynamics/lagrange.h"
#include "kinematics/dynamics/rc.h"
#include "kinematics/dynamics/settle.h"
#include "tests/dynamics/support.h"

namespace rodeo::dynamics {
namespace {

using testing_support::build;
using testing_support::build_config;
using testing_support::build_text;
using testing_support::find_fault;

/// Three equal legs under one bar: the third leg follows from the other two.
const char* const kTable = R"(
name: table
ground: {points: {A: [0, 0], B: [1, 0], C: [2, 0]}}
bodies:
  leg1: {points: {O: [0, 0], P: [0.5, 0]}, mass: 1, com: [0.25, 0], inertia: 0.02}
  leg2: {points: {O: [0, 0], P: [0.5, 0]}, mass: 1, com: [0.25, 0], inertia: 0.02}
  leg3: {points: {O: [0, 0], P: [0.5, 0]}, mass: 1, com: [0.25, 0], inertia: 0.02}
  bar: {points: {P: [0, 0], Q: [1, 0], R: [2, 0]}, mass: 3, com: [1, 0], inertia: 1}
joints:
  - {revolute: [ground.A, leg1.O], name: a}
  - {revolute: [ground.B, leg2.O], name: b}
  - {revolute: [ground.C, leg3.O], name: c}
  - {revolute: [leg1.P, bar.P], name: p}
  - {revolute: [leg2.P, bar.Q], name: q}
  - {revolute: [leg3.P, bar.R], name: r}
gravity: [0, -9.81]
start: {leg1: -60 deg, leg2: -60 deg, leg3: -60 deg, bar: 0}
)";

TEST(RedundantRows, AreNamedAndLeftOutButForRc) {
  const auto problem = build(build_text(kTable));
  ASSERT_EQ(problem->redundant.size(), 1U);
  EXPECT_TRUE(problem->redundant[0].starts_with("joint '")) << problem->redundant[0];
  EXPECT_EQ(problem->mobility, 1);
  EXPECT_EQ(problem->system.row_count(), 11);
  EXPECT_EQ(problem->redundant_system.row_count(), 12);
}

TEST(RedundantRows, LeaveTheMotionAsItIsByEveryMethod) {
  // On its parallelogram: (3·J₀ + m_bar L²) θ̈ = −g cos θ (3 m L/2 + m_bar L), with J₀ = 0.02 + 1/16 of a leg about its pin.
  const double inertia = 3 * (0.02 + 0.0625) + 3 * 0.25, weight = 9.81 * (3 * 0.25 + 3 * 0.5);
  for (const std::string& name : method_names()) {
    const auto problem = build(build_text(kTable));
    const auto method = build_method(name, *problem, {});
    testing_support::Reference reference(
        [=](double, double x, double) { return -weight / inertia * std::cos(x); }, -std::acos(-1.0) / 3, 0,
        1e-4);
    double worst = 0;
    run(*method, 2, 1e-3, [&](const Sample& sample) {
      reference.advance(sample.t);
      worst = std::max(worst, std::abs(sample.state.q[2] - reference.x()));
      return true;
    });
    EXPECT_LT(worst, name == "rc" ? 1e-3 : 1e-5) << name;
  }
}

TEST(StartRates, ThatFitAreTaken) {
  const auto problem = build(build_config("free/slider_crank"));
  EXPECT_TRUE(problem->changes.empty());
  EXPECT_NEAR(problem->v[2], 4, 1e-12);
  Workspace work;
  problem->system.calc_rows(problem->q, problem->v, work);
  EXPECT_LT(calc_product(work.rows.terms, problem->v).cwiseAbs().maxCoeff(), 1e-13);
}

TEST(StartRates, ThatDoNotFitAreProjectedAndToldOf) {
  machine::Machine machine = build_config("free/slider_crank");
  machine.start_rates.push_back({"rod", 5.0, {}});
  const auto problem = build(machine);
  ASSERT_EQ(problem->changes.size(), 2U);
  EXPECT_EQ(problem->changes[0].name, "crank");
  EXPECT_EQ(problem->changes[0].asked, 4);
  EXPECT_NEAR(problem->changes[0].got, problem->v[2], 1e-12);
  EXPECT_EQ(problem->changes[1].name, "rod");
  // What came out is one of the machine's own velocities: cos β · L2 β̇ = −L1 cos θ · θ̇.
  const double theta = problem->q[2], beta = problem->q[5];
  EXPECT_NEAR(0.6 * std::cos(beta) * problem->v[5], -0.2 * std::cos(theta) * problem->v[2], 1e-12);
}

TEST(Rc, FindsTheConsistentStartThatProjectionFinds) {
  // The parasites' push is in the span of the rows, so that they change momenta as the mass-weighted projection does.
  const auto problem = build(build_config("free/slider_crank"));
  Vector v = problem->v;
  v[6] += 0.3;  // the piston ahead of its rod
  Vector projected = v;
  Workspace work;
  problem->system.calc_rows(problem->q, v, work);
  Saddle saddle(problem->system.metric());
  close_velocity(saddle, work, projected);
  const Settled settled = build_settled(*problem, problem->q, v);
  EXPECT_LT(settled.residual, 1e-5);
  EXPECT_LT(settled.rate, 1e-3);
  // The machine moves on while it settles, some milliseconds, but without forces its energy stays what the projection left of it.
  const auto energy = [&](const Vector& speed) {
    return 0.5 * speed.dot(problem->system.mass().cwiseProduct(speed));
  };
  EXPECT_NEAR(energy(settled.v), energy(projected), 1e-3 * energy(projected));
  EXPECT_GT(energy(v), 1.02 * energy(projected));
  EXPECT_GT(std::abs(v[6] - projected[6]), 0.1);
}

TEST(Drives, HoldUnlessTheyAreLetGo) {
  const machine::Machine machine = build_config("double_pendulum");
  const auto held = build(machine, {{"rod2"}});
  EXPECT_EQ(held->mobility, 1);
  EXPECT_EQ(held->held, std::vector<std::string>{"rod1"});
  const auto method = build_method("minimal", *held, {});
  double first = 0, second = 0;
  run(*method, 0.5, 1e-3, [&](const Sample& sample) {
    first = std::max(first, std::abs(sample.state.q[2] - held->q[2]));
    second = std::max(second, std::abs(sample.state.q[5] - held->q[5]));
    return true;
  });
  EXPECT_LT(first, 1e-13);
  EXPECT_GT(second, 0.1);
}

std::unique_ptr<Problem> build_skate() {
  auto problem = build(build_text(R"(
name: skate
ground: {points: {O: [0, 0]}}
bodies: {skate: {points: {C: [0, 0]}, mass: 2, inertia: 0.1}}
joints: []
gravity: [2.0, 0]
start: {skate: 0, rates: {skate: 3}}
)"));
  dynamic_cast<PlanarSystem&>(problem->system).add_knife_edge(1, {0, 0}, {1, 0});
  return problem;
}

class KnifeEdgeBy : public testing::TestWithParam<std::pair<const char*, double>> {};

TEST_P(KnifeEdgeBy, SkatesDownASlopeOnACycloid) {
  // A blade that spins at ω on a slope of g sin: x = g/(2ω²) sin² ωt and y = g/(2ω²) (ωt − ½ sin 2ωt) are its closed form; the
  // corrector for non-holonomic rows keeps it from slipping.
  const auto problem = build_skate();
  const auto method = build_method(GetParam().first, *problem, {});
  const double g = 2.0, w = 3.0;
  double worst = 0, slip = 0;
  run(*method, 5, 1e-3, [&](const Sample& sample) {
    const double a = w * sample.t;
    const double x = g / (2 * w * w) * std::sin(a) * std::sin(a);
    const double y = g / (2 * w * w) * (a - 0.5 * std::sin(2 * a));
    worst = std::max({worst, std::abs(sample.state.q[0] - x), std::abs(sample.state.q[1] - y)});
    const double angle = sample.state.q[2];
    slip =
        std::max(slip, std::abs(-std::sin(angle) * sample.state.v[0] + std::cos(angle) * sample.state.v[1]));
    return true;
  });
  EXPECT_LT(worst, GetParam().second);
  EXPECT_LT(slip, 10 * GetParam().second);  // m/s
}

// RK4 at 1 ms; IDA at 1e-8.
INSTANTIATE_TEST_SUITE_P(Method, KnifeEdgeBy,
                         testing::Values(std::pair{"lagrange", 1e-9}, std::pair{"zcp", 1e-5}),
                         [](const auto& test) { return std::string(test.param.first); });

TEST(KnifeEdge, IsRefusedByMethodsThatHaveNoPlaceForIt) {
  const auto problem = build_skate();
  for (const std::string name : {"minimal", "lagrange-implicit", "rc"}) {
    EXPECT_EQ(find_fault([&] { (void)build_method(name, *problem, {}); }),
              "test.yaml:4: a blade binds velocities and no position, for which method " + name +
                  " has no place: use lagrange or zcp");
  }
}

TEST(Rc, SettlesAStartFromItsAnglesAsWritten) {
  // As written the rod is 17 degrees down and the crank 60 up, which closes to 2 mm only: 0.6 sin 17° against 0.2 sin 60°.
  const machine::Machine machine = build_config("free/slider_crank");
  const auto problem = build(machine);
  const Vector projected = problem->q;
  const SettledStart settled = settle_start(*problem, machine, machine::build_start_pose(machine));
  const double degree = std::acos(-1.0) / 180;
  EXPECT_NEAR(settled.open_before, 0.6 * std::sin(17 * degree) - 0.2 * std::sin(60 * degree), 1e-12);
  EXPECT_LT(settled.open_after, 1e-9);
  EXPECT_GT(settled.moved, 1e-5);
  EXPECT_LT(settled.moved, 1e-2);
  EXPECT_NEAR(0.6 * std::sin(problem->q[5]) + 0.2 * std::sin(problem->q[2]), 0, 1e-12);  // closed
  EXPECT_NEAR(problem->v[2], 4, 1e-12);                                                  // as asked
  EXPECT_GT((problem->q - projected).norm(), 1e-5);
}

/// E = g sin θ (m₁ + m₂) L₁/2, the rod's end being on the guide: the crank hangs.
TEST(Equilibrium, SliderCrankRestsWithItsCrankDown) {
  const auto problem = build(build_config("free/slider_crank"));
  const Equilibrium result = find_equilibrium(*problem);
  ASSERT_TRUE(result.found) << result.left;
  EXPECT_NEAR(std::sin(problem->q[2]), -1, 1e-12);
  EXPECT_NEAR(std::cos(problem->q[2]), 0, 1e-8);
  EXPECT_NEAR(0.6 * std::sin(problem->q[5]), 0.2, 1e-8);
  EXPECT_TRUE(problem->v.isZero(0.0));
}

/// The line of a configuration that begins with `text`.
int find_line(const std::string& name, const std::string& text) {
  std::ifstream file(std::string(RODEO_SOURCE_DIR) + "/configs/" + name + ".yaml");
  std::string line;
  for (int number = 1; std::getline(file, line); ++number)
    if (line.starts_with(text)) return number;
  return 0;
}

TEST(BadInput, IsSaidInSentences) {
  const auto with = [](const std::string& from, const std::string& to) {
    std::string text = kTable;
    return text.replace(text.find(from), from.size(), to);
  };
  const auto fault = [](const std::string& yaml) {
    return find_fault([&] { (void)build(build_text(yaml)); });
  };
  EXPECT_EQ(fault(with("mass: 3,", "mass: 0,")), "test.yaml:8: body 'bar': mass must be positive, not 0");
  EXPECT_EQ(fault(with("mass: 3,", "mass: -3,")), "test.yaml:8: body 'bar': mass must be positive, not -3");
  EXPECT_EQ(fault(with("inertia: 1}", "inertia: -1}")),
            "test.yaml:8: body 'bar': inertia must not be negative, not -1");
  EXPECT_EQ(
      fault(with("mass: 3, com: [1, 0], inertia: 1}", "}")),
      "test.yaml:8: body 'bar' has no mass: a machine that moves by its forces needs that of every body "
      "(kg; and inertia, kg m² about the centre of mass, unless it is a point mass)");
  EXPECT_EQ(
      fault(with("mass: 3, com: [1, 0], inertia: 1}", "inertia: 1}")),
      "test.yaml:8: body 'bar': inertia without mass means nothing: give its mass (kg), or leave it out");
  EXPECT_EQ(fault(with("gravity: [0, -9.81]", "")),
            "test.yaml: there is no gravity, no force and no start rate, so nothing would move: add "
            "'gravity: [0, -9.81]', "
            "'forces:' or 'start: {rates: ...}'");
  EXPECT_EQ(find_fault([] { (void)build(build_config("double_pendulum")); }),
            std::string(RODEO_SOURCE_DIR) + "/configs/double_pendulum.yaml:" +
                std::to_string(find_line("double_pendulum", "  rod1: {angle")) +
                ": nothing is left to move freely: the joints and drives fix mobility 2; let a drive go with "
                "--free NAME");
  EXPECT_EQ(find_fault([] { (void)build(build_config("double_pendulum"), {{"rod3"}}); }),
            std::string(RODEO_SOURCE_DIR) +
                "/configs/double_pendulum.yaml: --free rod3: there is no such drive (there are rod1, rod2)");
}

TEST(BadInput, InertiaThatNoBodyCanHave) {
  // A wheel without inertia on a pin through its centre of mass: nothing resists its turning.
  EXPECT_EQ(find_fault([] {
              (void)build(build_text(R"(
name: wheel
ground: {points: {O: [0, 0]}}
bodies:
  wheel: {points: {O: [0, 0], rim: [1, 0]}, mass: 1, inertia: 0}
joints: [{revolute: [ground.O, wheel.O]}]
gravity: [0, -9.81]
start: {wheel: 0, rates: {wheel: 1}}
)"));
            }),
            "test.yaml:5: body 'wheel': inertia 0, and the joints let it turn about its centre of mass, "
            "which no body does "
            "without inertia; give it one (kg m²)");
}

TEST(BadInput, APointMassOnAnArmNeedsNoInertia) {
  // A body whose inertia is left out is a point mass, as in the compiled kernel: θ̈ = −g/l cos θ.
  const auto problem = build(build_text(R"(
name: arm
ground: {points: {O: [0, 0]}}
bodies:
  arm: {points: {O: [0, 0]}, mass: 2, com: [0.5, 0]}
joints: [{revolute: [ground.O, arm.O]}]
gravity: [0, -9.81]
start: {arm: 0}
)"));
  const auto method = build_method("minimal", *problem, {});
  testing_support::Reference reference([](double, double x, double) { return -9.81 / 0.5 * std::cos(x); }, 0,
                                       0, 1e-4);
  double worst = 0;
  run(*method, 1, 1e-3, [&](const Sample& sample) {
    reference.advance(sample.t);
    worst = std::max(worst, std::abs(sample.state.q[2] - reference.x()));
    return true;
  });
  EXPECT_LT(worst, 1e-9);
}

TEST(BadInput, AMethodThatIsNoneIsNamed) {
  const auto problem = build(build_config("free/pendulum"));
  try {
    (void)build_method("newmark", *problem, {});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "there is no method 'newmark'");
  }
}

TEST(BadInput, AMethodThatCannotServeSaysWhichCan) {
  const auto problem = build(build_config("free/pendulum", {"J=0"}));
  EXPECT_EQ(
      find_fault([&] { (void)build_method("rc", *problem, {}); }),
      std::string(RODEO_SOURCE_DIR) +
          "/configs/free/pendulum.yaml:19: body 'rod': method rc needs an inertia above 0 of every body, as "
          "its joints give "
          "way; use minimal, lagrange or zcp, or give it one (kg m²)");
}

}  // namespace
}  // namespace rodeo::dynamics
