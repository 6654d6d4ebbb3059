// SPDX-License-Identifier: MIT
// Lengths and angles as outputs of machines in space: a lever about a slanted axis by Rodrigues' formula, written out and by rows.
#include <array>

#include "tests/outputs/logs.h"

namespace rodeo::outputs {
namespace {

using testing::Contains;
using testing::HasSubstr;

using Vec = std::array<double, 3>;

double dot(const Vec& a, const Vec& b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
Vec cross(const Vec& a, const Vec& b) {
  return {a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]};
}

/// |R(q) p − c| about the axis n of length 1, its rate and its acceleration at the rate w and the acceleration a of q.
std::array<double, 3> calc_by_hand(const Vec& p, const Vec& c, const Vec& n, double q, double w, double a) {
  const Vec np = cross(n, p);
  const double along = dot(n, p);
  Vec d{}, v{}, dv{};
  for (std::size_t i = 0; i < 3; ++i) {
    const double flat = p[i] - along * n[i];  // p = along n + flat; R p = along n + cos flat + sin n×p
    d[i] = along * n[i] + std::cos(q) * flat + std::sin(q) * np[i] - c[i];
    v[i] = w * (-std::sin(q) * flat + std::cos(q) * np[i]);
    dv[i] =
        a * (-std::sin(q) * flat + std::cos(q) * np[i]) - w * w * (std::cos(q) * flat + std::sin(q) * np[i]);
  }
  const double l = std::sqrt(dot(d, d)), rate = dot(d, v) / l;
  return {l, rate, (dot(d, dv) + dot(v, v) - rate * rate) / l};
}

const Vec kAxis{0.6, 0, 0.8}, kTip{1.5, 0.2, 0.1}, kPost{0.4, -0.9, 0.3};

/// `more` levers beside it: more than ten bodies are not written out, rows are computed in a loop.
std::string build_levers(int more, bool is_driven) {
  std::string bodies, joints, drives, start;
  for (int i = 0; i <= more; ++i) {
    bodies += fmt::format(
        "  lever{}: {{points: {{O: [0, 0, 0], T: [1.5, 0.2, 0.1]}}, mass: 3, com: [0.7, 0, 0], inertia: [1, "
        "2, 2]}}\n",
        i);
    joints += fmt::format("  - {{revolute: [ground.O, lever{0}.O], axis: [0.6, 0, 0.8], name: pin{0}}}\n", i);
    drives += fmt::format("{}motor{}: {{joint: pin{}}}", i == 0 ? "" : ", ", i, i);
    start += fmt::format("{}{}{}: 0.3", i == 0 ? "" : ", ", is_driven ? "motor" : "pin", i);
  }
  return "name: levers\nspace: 3\nground: {points: {O: [0, 0, 0], P: [0.4, -0.9, 0.3]}}\nbodies:\n" + bodies +
         "joints:\n" + joints + (is_driven ? "drives: {" + drives + "}\n" : "") +
         "gravity: [0, -9.81, 0]\nstart: {" + start + "}\n" +
         "outputs: {tip: lever0.T, reach: {length: [ground.P, lever0.T]}, swing: {angle: pin0}}\n";
}

class OutputsInSpace : public Outputs, public testing::WithParamInterface<int> {
 protected:
  void expect_by_hand(const Log& log, bool has_acceleration, double near) const {
    for (const Row& row : log.rows) {
      const double q = row.at("pin0.angle"), a = has_acceleration ? row.at("swing.acceleration") : 0;
      const auto hand = calc_by_hand(kTip, kPost, kAxis, q, row.at("swing.rate"), a);
      ASSERT_EQ(row.at("swing"), q);
      ASSERT_NEAR(row.at("reach"), hand[0], near);
      ASSERT_NEAR(row.at("reach.rate"), hand[1], 10 * near);
      if (has_acceleration) {
        ASSERT_NEAR(row.at("reach.acceleration"), hand[2], 100 * near);
      }
    }
  }
};

TEST_P(OutputsInSpace, OfADrivenLeverFollowRodriguesFormula) {
  std::string header = "t", from = "0", to = "2";
  for (int i = 0; i <= GetParam(); ++i)
    header += fmt::format(",motor{}", i), from += ",0.3", to += i == 0 ? ",9.3" : ",0.3";
  write("in.csv", header + "\n" + from + "\n" + to + "\n");
  const Log log = simulate(build_levers(GetParam(), true), "--input in.csv --duration 2 --columns all");
  expect_by_hand(log, true, 1e-12);
  EXPECT_GT(log.rows.back().at("swing"), 9.2) << "unwrapped";
  for (const Row& row : log.rows) ASSERT_NEAR(row.at("swing.rate"), row.at("motor0.rate"), 1e-11);
  expect_derivatives(log, "reach", true, 2e-2);
}

TEST_P(OutputsInSpace, OfALeverThatFallsFollowRodriguesFormula) {
  for (const std::string options : {"", "--method minimal"}) {
    SCOPED_TRACE(options);
    const Log log = simulate(build_levers(GetParam(), false), "--duration 0.5 --columns all " + options);
    expect_by_hand(log, options.empty(), options.empty() ? 1e-6 : 1e-11);
    for (const char* name : {"reach", "swing"})
      expect_derivatives(log, name, log.rows[0].contains("reach.acceleration"), 1e-3);
  }
}

INSTANTIATE_TEST_SUITE_P(Levers, OutputsInSpace, testing::Values(0, 11));

/// The drive of the joint and the output of its angle are one.
TEST_F(Outputs, OfAJointThatADriveOfTheSameNameTurnsAreOneColumn) {
  std::string yaml = build_levers(0, true);
  yaml.replace(yaml.find("swing:"), 6, "motor0:");
  write("in.csv", "t,motor0\n0,0.3\n1,1.3\n");
  const Log log = simulate(yaml, "--input in.csv --duration 1 --columns all");
  for (const char* name : {"motor0", "motor0.rate", "motor0.acceleration"})
    EXPECT_EQ(std::count(log.names.begin(), log.names.end(), name), 1) << name;
  for (const Row& row : log.rows) ASSERT_NEAR(row.at("motor0.rate"), 1, 1e-11);
}

TEST_F(Outputs, OfAnglesInSpaceAreOfJoints) {
  for (const auto& [name, says] :
       {std::pair{"lever0",
                  "'lever0' is a body, which in space has no single angle: name a joint that turns (there is "
                  "pin0)"},
        {"pin7", "there is no joint 'pin7': name a joint that turns (there is pin0)"}}) {
    std::string yaml = build_levers(0, true);
    yaml.replace(yaml.find("angle: pin0"), 11, fmt::format("angle: {}", name));
    write("m.yaml", yaml);
    EXPECT_THAT(rodeo("check m.yaml"), HasSubstr(fmt::format("output 'swing': {}\nexit status 1", says)));
  }
}

}  // namespace
}  // namespace rodeo::outputs
