// SPDX-License-Identifier: MIT
// IFToMM's benchmark A02: a chain of four-bar windows through its flat pose, where every window may turn into an
// antiparallelogram. On its branch it is one pendulum: N + 1 legs that turn, N bars that only move.
#include <cstdio>

#include "kinematics/dynamics/minimal.h"
#include "tests/dynamics/support.h"

namespace rodeo::dynamics {
namespace {

using testing_support::build;
using testing_support::build_text;
using testing_support::Reference;

machine::Machine build_windows(int count) {
  const std::string command =
      std::string(RODEO_SOURCE_DIR) + "/tools/windows " + std::to_string(count) + " free";
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(command.c_str(), "r"), &pclose);
  std::string text;
  std::array<char, 4096> buffer{};
  for (std::size_t n = 0; (n = fread(buffer.data(), 1, buffer.size(), pipe.get())) > 0;)
    text.append(buffer.data(), n);
  return build_text(text);
}

/// ((N + 1)/3 + N) θ̈ = −g cos θ ((N + 1)/2 + N), for links of 1 kg and 1 m.
Reference build_reference(int n) {
  const double ratio = 9.81 * ((n + 1) / 2.0 + n) / ((n + 1) / 3.0 + n);
  return {[ratio](double, double angle, double) { return -ratio * std::cos(angle); }, std::acos(-1.0) / 2,
          -1.0, 1e-4};
}

struct Outcome {
  RunReport report;
  double angle = 0;  // the largest difference of any leg from the reference
  int flat_poses = 0;
};

Outcome run_windows(const std::string& name, int count, double duration, double step) {
  const auto problem = build(build_windows(count));
  const auto method = build_method(name, *problem, {.step = step});
  Reference reference = build_reference(count);
  Outcome outcome;
  double side = 1;
  outcome.report = run(*method, duration, step, [&](const Sample& sample) {
    reference.advance(sample.t);
    if (std::sin(reference.x()) * side < 0) {
      side = -side;
      ++outcome.flat_poses;
    }
    for (int leg = 0; leg <= count; ++leg) {
      outcome.angle = std::max(outcome.angle, std::abs(sample.state.q[3 * leg + 2] - reference.x()));
    }
    return true;
  });
  return outcome;
}

TEST(BenchmarkA02, FortyWindowsPassTheirFlatPoseOnTheirBranch) {
  const Outcome outcome = run_windows("minimal", 40, 10, 4e-3);
  EXPECT_GE(outcome.flat_poses, 10);
  EXPECT_LT(outcome.report.largest_energy_error, 0.1);
  EXPECT_LT(outcome.angle,
            1e-2);  // after ten seconds and some 50 rad: what an energy error of 0.1 J in 800 would allow
  EXPECT_LT(outcome.report.largest_residual, 1e-9);
  std::printf("A02 minimal: %.2f s, energy error %.2e J, angle %.2e rad\n", outcome.report.seconds,
              outcome.report.largest_energy_error, outcome.angle);
}

TEST(BenchmarkA02, MultipliersPassItToo) {
  const Outcome outcome = run_windows("lagrange", 40, 10, 4e-3);
  EXPECT_LT(outcome.report.largest_energy_error, 0.1);
  EXPECT_LT(outcome.angle, 1e-2);
  std::printf("A02 lagrange: %.2f s, energy error %.2e J\n", outcome.report.seconds,
              outcome.report.largest_energy_error);
}

TEST(BenchmarkA02, OneWindowAtASmallStepIsMoreExact) {
  const Outcome outcome = run_windows("minimal", 1, 10, 1e-3);
  EXPECT_GE(outcome.flat_poses, 10);
  EXPECT_LT(outcome.report.largest_energy_error, 1e-4);
  EXPECT_LT(outcome.angle, 1e-4);
}

TEST(Zcp, SaysThatItHasNoAnswerInASingularPose) {
  try {
    run_windows("zcp", 1, 1, 1e-3);
    FAIL();
  } catch (const solve::SolveError& error) {
    EXPECT_STREQ(error.what(),
                 "zcp: the machine comes to a singular pose at t = 0.708 s, where break variables have no "
                 "value: use minimal or lagrange");
  }
}

}  // namespace
}  // namespace rodeo::dynamics
