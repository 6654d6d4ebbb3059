// SPDX-License-Identifier: MIT
// Closed chains: mobility, redundant constraints by name, and motion imposed by drives against each mechanism's own closure.
#include <numbers>

#include "kinematics/spatial/driven.h"
#include "tests/spatial/support.h"

namespace rodeo::spatial {
namespace {

using testing_support::build_config;
using testing_support::build_text;

constexpr double kPi = std::numbers::pi;

struct Loaded {
  explicit Loaded(Machine m)
      : machine(std::move(m)), start(build_start_pose(machine)), mobility(calc_mobility(machine, start)) {}
  Machine machine;
  Assembly start;
  Mobility mobility;

  [[nodiscard]] std::vector<std::string> redundant() const {
    std::vector<std::string> names;
    for (const Row& row : mobility.redundant) names.push_back(row_name(machine, row));
    return names;
  }
};

TEST(SliderCrank, OfThreeRevoluteAndOnePrismaticJointIsHyperstatic) {
  const Loaded crank(build_config("slider_crank_hyperstatic"));
  EXPECT_TRUE(crank.start.assembled);
  EXPECT_EQ(crank.mobility.gruebler, -2);  // 18 − 20
  EXPECT_EQ(crank.mobility.mobility, 1);
  // All joints hold the chain in its plane: once too often along z, and about x and y.
  EXPECT_EQ(crank.redundant(),
            (std::vector<std::string>{"joint 'guide' (z)", "joint 'guide' (rotation about x)",
                                      "joint 'guide' (rotation about y)"}));
}

TEST(SliderCrank, WithACylindricalPinAndABallIsIsostatic) {
  const Loaded crank(build_config("slider_crank_isostatic"));
  EXPECT_TRUE(crank.start.assembled);
  EXPECT_EQ(crank.mobility.gruebler, 1);  // 18 − 17
  EXPECT_EQ(crank.mobility.mobility, 1);
  EXPECT_TRUE(crank.mobility.redundant.empty());
}

TEST(Rssr, HasOneDegreeOfFreedomAndTwoWithTwoBalls) {
  const Loaded rssr(build_config("rssr"));
  EXPECT_TRUE(rssr.start.assembled) << rssr.start.worst;
  EXPECT_EQ(rssr.mobility.mobility, 1);
  Machine two = rssr.machine;
  two.joints[2].kind = JointKind::spherical;
  const Loaded idle(two);
  EXPECT_EQ(idle.mobility.mobility, 2);  // the rod spins about its own line
  EXPECT_EQ(idle.mobility.free_motions, 1);
}

TEST(Rssr, FollowsItsClosedFormOverAFullTurn) {
  // |C − B|² = L² with B = (0, r cos θ, r sin θ), C = (X − s sin φ, Y + s cos φ, 0): linear in cos φ and sin φ.
  const double r = 0.2, s = 0.6, L = 1.0, X = 0.7, Y = 0.3;
  const Loaded rssr(build_config("rssr"));
  Driven driven(rssr.machine, rssr.start, rssr.mobility);
  double worst = 0, open = 0,
         before = calc_joint_value(rssr.machine, rssr.start.pose, rssr.machine.joints[3]);
  for (int i = 0; i <= 720; ++i) {
    const double theta = i * kPi / 360;
    ASSERT_EQ(driven.step({theta}, {1.0}, {0.0}), DrivenStatus::ok) << i;
    open = std::max(open, driven.state().residual);
    const double phi = calc_joint_value(rssr.machine, driven.state().pose, rssr.machine.joints[3], before);
    before = phi;
    const double by = r * std::cos(theta), bz = r * std::sin(theta);
    // X² + (Y − by)² + s² + bz² − L² + 2 s ((Y − by) cos φ − X sin φ) = 0
    const double k = X * X + (Y - by) * (Y - by) + s * s + bz * bz - L * L;
    const double size = 2 * s * std::hypot(Y - by, X), at = std::atan2(-X, Y - by);
    const double turn = std::acos(-k / size);
    worst = std::max(
        worst, std::min(std::abs(calc_wrapped(phi - at - turn)), std::abs(calc_wrapped(phi - at + turn))));
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(open, 1e-12);
}

TEST(Rssr, VelocitiesAndAccelerationsAreDifferencesOfPositions) {
  const Loaded rssr(build_config("rssr"));
  Driven driven(rssr.machine, rssr.start, rssr.mobility);
  const double h = 1e-4, theta = 1.1, rate = 3.0, second = -2.0;
  const auto step = [&](double t) {
    EXPECT_EQ(driven.step({theta + rate * t + second * t * t / 2}, {rate + second * t}, {second}),
              DrivenStatus::ok);
    return driven.state();
  };
  for (int i = 0; i < 50; ++i) (void)step(-0.4 + i * 0.008);
  const DrivenState before = step(-h), after = step(h), at = step(0);
  for (std::size_t b = 1; b < 4; ++b) {
    const Vector3 velocity = (after.pose.bodies[b].origin - before.pose.bodies[b].origin) / (2 * h);
    const Vector3 acceleration =
        (after.pose.bodies[b].origin - 2 * at.pose.bodies[b].origin + before.pose.bodies[b].origin) / (h * h);
    EXPECT_LT((velocity - at.velocity[b]).norm(), 1e-6) << b;
    EXPECT_LT((acceleration - at.acceleration[b]).norm(), 1e-5) << b;
    const Vector3 turn = 2 * (before.pose.bodies[b].q.conjugate() * after.pose.bodies[b].q).vec();
    EXPECT_LT((turn / (2 * h) - at.spin[b]).norm(), 1e-5) << b;
    EXPECT_LT(((after.spin[b] - before.spin[b]) / (2 * h) - at.spin_rate[b]).norm(), 1e-5) << b;
  }
}

TEST(Bennett, MovesAlthoughGrueblerSaysNo) {
  const Loaded bennett(build_config("bennett"));
  EXPECT_TRUE(bennett.start.assembled) << bennett.start.worst << " " << bennett.start.residual;
  EXPECT_EQ(bennett.mobility.gruebler, -2);
  EXPECT_EQ(bennett.mobility.mobility, 1);
  EXPECT_EQ(bennett.mobility.redundant.size(), 3u);
}

TEST(Bennett, OfOtherLengthsDoesNotMove) {
  Machine machine = build_config("bennett");
  machine.bodies[2].points[1].at.x.value *= 1.01;
  const Loaded bent(machine);
  EXPECT_TRUE(!bent.start.assembled || bent.mobility.mobility <= 0);
}

TEST(Bennett, ClosesOverAFullTurnWithItsRelationOfAngles) {
  const Loaded bennett(build_config("bennett"));
  Driven driven(bennett.machine, bennett.start, bennett.mobility);
  const double alpha = kPi / 6, beta = 7 * kPi / 18;
  const double ratio = std::sin((beta + alpha) / 2) / std::sin((beta - alpha) / 2);
  double open = 0, worst = 0, opposite = 0;
  for (int i = 0; i <= 720; ++i) {
    const double theta = kPi / 3 + i * kPi / 360;
    ASSERT_EQ(driven.step({theta}, {1.0}, {0.0}), DrivenStatus::ok) << i;
    open = std::max(open, driven.state().residual);
    const auto angle = [&](int joint) {
      return calc_joint_value(bennett.machine, driven.state().pose, bennett.machine.joints[joint]);
    };
    // tan(θ/2) tan(φ/2) = ratio, without its poles
    const double b = angle(1);
    worst = std::max(worst, std::abs(std::sin(theta / 2) * std::sin(b / 2) -
                                     ratio * std::cos(theta / 2) * std::cos(b / 2)));
    opposite =
        std::max({opposite, std::abs(calc_wrapped(theta + angle(2))), std::abs(calc_wrapped(b + angle(3)))});
  }
  EXPECT_LT(open, 1e-12);
  EXPECT_LT(worst, 1e-11);
  EXPECT_LT(opposite, 1e-11);
}

}  // namespace
}  // namespace rodeo::spatial
