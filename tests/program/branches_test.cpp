// SPDX-License-Identifier: MIT
// Machines whose branches meet, through the program: a parallelogram keeps its coupler level, three parallel cranks too, a crossed
// parallelogram stays crossed; and a machine with a joint that opens, which is a fault.
#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "tests/program/free_support.h"

namespace rodeo::tools {
namespace {

using namespace testing_support;
using testing::HasSubstr;

constexpr double kPi = std::numbers::pi;

/// Cranks of 0.4 m. `third`: one more, its pin not in line with the others; a = 60 deg puts it in parallel, any other value closes at
/// the start only.
std::string build_text(const std::string& start, bool third) {
  const char* more_points =
      third ? ", R: [0.5 + 0.4*cos(60 deg) - 0.4*cos(a), 0.3 + 0.4*sin(60 deg) - 0.4*sin(a)]" : "";
  const char* body = third ? "  third: {points: {R: [0, 0], D: [0.4, 0]}}\n" : "";
  const char* joints =
      third ? "  - {revolute: [coupler.D, third.D]}\n  - {revolute: [ground.R, third.R]}\n" : "";
  return fmt::format(R"(name: cranks
parameters: {{a: 60 deg}}
ground: {{points: {{O: [0, 0], Q: [1, 0]{}}}}}
bodies:
  crank: {{points: {{O: [0, 0], B: [0.4, 0]}}}}
  coupler: {{points: {{B: [0, 0], C: [1, 0], D: [0.5, 0.3]}}}}
  rocker: {{points: {{Q: [0, 0], C: [0.4, 0]}}}}
{}joints:
  - {{revolute: [ground.O, crank.O]}}
  - {{revolute: [crank.B, coupler.B]}}
  - {{revolute: [coupler.C, rocker.C]}}
  - {{revolute: [ground.Q, rocker.Q]}}
{}drives: {{crank: {{angle: crank}}}}
start: {{crank: 60 deg, {}}}
outputs: {{tip: coupler.D}}
)",
                     more_points, body, joints, start);
}

const char* const kParallel = "coupler: 0, rocker: 60 deg";
const char* const kCrossed = "coupler: -47 deg, rocker: -107 deg";

class Branches : public FreeProgram {
 protected:
  void write(const std::string& file, const std::string& text) const {
    std::ofstream(folder() / file, std::ios::binary) << text;
  }
  /// To the flat pose, a stop there, three turns on at a speed that varies, and back at once.
  void write_cycle() const {
    std::string text = "t,crank\n";
    for (int i = 0; i <= 20; ++i) text += fmt::format("{},{}\n", i * 0.05, kPi / 3 + 2 * kPi / 3 * i / 20);
    for (int i = 0; i <= 600; ++i) {
      const double part = i / 600.0, way = part - 0.9 * std::sin(4 * kPi * part) / (4 * kPi);
      text += fmt::format("{},{}\n", 2 + 0.01 * i, kPi + 6 * kPi * way);
    }
    text += fmt::format("12,{}\n", kPi / 3);
    write("cycle.csv", text);
  }
  [[nodiscard]] Table simulate(double rate) const {
    const Result result = run(fmt::format("simulate m.yaml --input cycle.csv --rate {} -o log.csv", rate));
    EXPECT_EQ(result.status, 0) << result.err;
    EXPECT_THAT(result.err, testing::Not(HasSubstr("held")));
    return read_table("log.csv");
  }
};

void expect_level(const Table& log) {
  const std::size_t crank = log.find("crank.angle"), rocker = log.find("rocker.angle"),
                    coupler = log.find("coupler.angle"), rate = log.find("coupler.rate"),
                    follows = log.find("rocker.rate"), leads = log.find("crank.rate");
  double most = 0;
  for (const auto& row : log.rows) {
    ASSERT_NEAR(row[coupler], 0, 1e-12) << row[0];
    ASSERT_NEAR(row[rocker], row[crank], 1e-12) << row[0];
    ASSERT_NEAR(row[rate], 0, 1e-9) << row[0];
    ASSERT_NEAR(row[follows], row[leads], 1e-9) << row[0];
    ASSERT_LE(row.back(), 1e-9) << row[0];
    most = std::max(most, row[crank]);
  }
  EXPECT_NEAR(most, 7 * kPi, 1e-6);
}

TEST_F(Branches, OfAParallelogramAreKeptThroughItsFlatPoses) {
  write("m.yaml", build_text(kParallel, false));
  write_cycle();
  for (const double rate : {250.0, 1000.0}) expect_level(simulate(rate));
}

TEST_F(Branches, OfThreeParallelCranksAreKeptThroughTheirFlatPoses) {
  write("m.yaml", build_text(kParallel + std::string(", third: 60 deg"), true));
  write_cycle();
  for (const double rate : {250.0, 1000.0}) expect_level(simulate(rate));
}

/// tan(rocker/2) = -(1 + 0.4)/(1 - 0.4) tan(crank/2)
TEST_F(Branches, OfACrossedParallelogramAreKeptToo) {
  write("m.yaml", build_text(kCrossed, false));
  write_cycle();
  const Table log = simulate(1000);
  const std::size_t crank = log.find("crank.angle"), rocker = log.find("rocker.angle");
  for (const auto& row : log.rows) {
    ASSERT_NEAR(std::sin(row[rocker] / 2) * std::cos(row[crank] / 2),
                -1.4 / 0.6 * std::sin(row[crank] / 2) * std::cos(row[rocker] / 2), 1e-9)
        << row[0];
    ASSERT_LE(row.back(), 1e-9) << row[0];
  }
}

TEST_F(Branches, AreKeptInRecordingsAndAfterTakeOver) {
  write("m.yaml", build_text(kParallel, false));
  write("cycle.csv", fmt::format("t,crank\n0,{}\n0.1,{}\n0.2,{}\n0.6,{}\n", kPi / 3, kPi, kPi, 3 * kPi));
  const Result live = run("run m.yaml --input cycle.csv --no-realtime --duration 0.5 --record run.mcap");
  ASSERT_EQ(live.status, 0) << live.err;
  const Result replayed = run("replay run.mcap --verify");
  EXPECT_EQ(replayed.status, 0) << replayed.out << replayed.err;
  EXPECT_THAT(replayed.out, HasSubstr("identical"));
  const Result taken =  // 150: it stands in the flat pose
      run("replay run.mcap --take-over 150 --no-realtime --duration 0.05 --record on.mcap");
  EXPECT_EQ(taken.status, 0) << taken.err;
  EXPECT_EQ(run("replay on.mcap --verify").status, 0);
  ASSERT_EQ(run("export run.mcap -o log.csv").status, 0);
  const Table log = read_table("log.csv");
  const std::size_t coupler = log.find("coupler.angle"), crank = log.find("crank.angle");
  for (const auto& row : log.rows) ASSERT_NEAR(row[coupler], 0, 1e-12) << row[0];
  EXPECT_GT(log.rows.back()[crank], 2 * kPi);
}

/// The folder was built with the third crank in parallel; with another `a` it closes at the start and nowhere else.
TEST_F(Branches, AJointThatOpensIsAFault) {
  write("m.yaml", build_text(kParallel + std::string(", third: a"), true));
  write("cycle.csv", fmt::format("t,crank\n0,{}\n0.5,{}\n", kPi / 3, kPi / 2));
  ASSERT_EQ(run("build m.yaml -o built").status, 0);
  EXPECT_EQ(run("simulate built --input cycle.csv -o log.csv").status, 0) << "as built it is closed";
  const Result simulated = run("simulate built -p a=1.2 --input cycle.csv -o log.csv --columns all");
  EXPECT_EQ(simulated.status, 3);
  EXPECT_THAT(simulated.err, HasSubstr("is open by more than 1e-09 m from 0.001 s on"));
  const Table log = read_table("log.csv");
  const std::size_t crank = log.find("crank.angle"), residual = log.find("residual");
  for (const auto& row : log.rows) {
    ASSERT_NEAR(row[crank], kPi / 3, 1e-12) << "it holds";
    ASSERT_LE(row[residual], 1e-9);
  }
  const Result live = run("run built -p a=1.2 --input cycle.csv --no-realtime --duration 0.2");
  EXPECT_EQ(live.status, 3);
  EXPECT_THAT(live.err, HasSubstr("was open by more than 1e-09 m"));
  EXPECT_THAT(live.out, HasSubstr("joint_open"));
}

/// A rear suspension: links of 0.2 kg between a swinging arm of 25 kg and a shock that is too stiff for 1 kHz.
const char* const kSuspension = R"(name: rear
parameters: {k: 3e5, rest: 0.40, c: 1000}
gravity: [0, -9.81]
ground: {points: {P: [0, 0], S: [0.10, 0.35], K: [0.02, 0.08]}}
bodies:
  arm: {points: {P: [0, 0], A: [0.18, 0.02]}, mass: 25, com: [0.5, 0], inertia: 1.2}
  link: {points: {A: [0, 0], B: [0.12, 0]}, mass: 0.2, com: [0.06, 0], inertia: 0.0003}
  rocker: {points: {K: [0, 0], B: [0.10, 0], D: [0.11, 0.05]}, mass: 0.2, com: [0.06, 0.02], inertia: 0.0003}
joints:
  - {revolute: [ground.P, arm.P]}
  - {revolute: [arm.A, link.A]}
  - {revolute: [link.B, rocker.B]}
  - {revolute: [ground.K, rocker.K]}
forces: [{spring: [ground.S, rocker.D], stiffness: k, rest_length: rest, damping: c, name: shock}]
start: {arm: 0 deg, link: 130 deg, rocker: 20 deg}
)";

/// Angle by angle: a body that moves by more than twice what its rates allow, and by 0.05 rad, has leapt.
void expect_no_leap(const Table& log, double period) {
  for (const char* body : {"arm", "link", "rocker"}) {
    const std::size_t angle = log.find(std::string(body) + ".angle"),
                      rate = log.find(std::string(body) + ".rate");
    for (std::size_t i = 1; i < log.rows.size(); ++i) {
      const auto &a = log.rows[i - 1], &b = log.rows[i];
      if (std::equal(a.begin() + 1, a.end(), b.begin() + 1)) continue;  // held
      const double room = std::max(period * std::abs(b[rate] - a[rate]), 0.05);
      ASSERT_LE(std::abs(b[angle] - a[angle] - period * (a[rate] + b[rate]) / 2), room + 1e-9)
          << body << " at " << b[0];
    }
  }
}

TEST_F(Branches, OfFreeMotionAreNotLeftByALeap) {
  write("m.yaml", kSuspension);
  for (const std::string method : {"minimal", "lagrange"}) {
    ASSERT_EQ(run("build m.yaml --method " + method + " -o " + method).status, 0);
    for (const char* stiffness : {"1e5", "3e5", "1e6", "1e7"}) {
      SCOPED_TRACE(method + " " + stiffness);
      const std::string model = fmt::format("{} -p k={} -p c=30", method, stiffness);
      const Result simulated = run("simulate " + model + " --duration 0.3 -o log.csv");
      EXPECT_EQ(simulated.status, 3) << simulated.err;
      EXPECT_THAT(simulated.err, HasSubstr("spring 'shock'"));
      expect_no_leap(read_table("log.csv"), 1e-3);
      const Result live = run("run " + model + " --duration 0.3 --no-realtime");
      EXPECT_EQ(live.status, 3) << live.err;
      EXPECT_THAT(live.err, HasSubstr("spring 'shock'"));
    }
    EXPECT_EQ(run("simulate " + method + " -p k=1e5 -p rest=0.26 -p c=1000 --duration 1 -o log.csv").status,
              0)
        << "which 1 kHz follows";
  }
}

}  // namespace
}  // namespace rodeo::tools
