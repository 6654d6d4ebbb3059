// SPDX-License-Identifier: MIT
// Kernels of method lagrange: against the library's lagrange, the minimal kernel, a closed form, energy, and flat poses. THEORY L8.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "kinematics/dynamics/method.h"
#include "kinematics/dynamics/run.h"
#include "kinematics/text/fault.h"
#include "tests/free/free_run.h"

namespace rodeo::codegen {
namespace {

const std::string kPendulum = R"(name: pendulum
ground: {points: {O: [0, 0]}}
bodies: {bob: {points: {O: [0, 0], G: [1, 0]}, mass: 1, com: [1, 0]}}
joints: [{revolute: [ground.O, bob.O], name: pin}]
start: {bob: 0}
gravity: [0, -9.81]
outputs: {tip: bob.G}
)";

/// From horizontal to horizontal and back: T = 4 √(l/g) K(sin 45°). A point mass has no inertia at all.
TEST(Lagrange, GivesThePendulumItsPeriod) {
  FreeRun run(kPendulum, "lagrange");
  const double period = 4 * std::sqrt(1 / 9.81) * std::comp_ellint_1(std::sqrt(0.5));
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(run.move(period / 5000), RODEO_OK);
  std::printf("  after a period %.1e rad, %.1e rad/s\n", run.output("bob.angle"), run.output("bob.rate"));
  EXPECT_NEAR(run.output("bob.angle"), 0, 1e-8);
  EXPECT_NEAR(run.output("bob.rate"), 0, 1e-7);
  EXPECT_NEAR(run.output("tip.y"), 0, 1e-8);
  EXPECT_NEAR(run.named().at("pin.fy"), 0, 1e-6);  // it falls freely there
}

/// The library's rows and solver share nothing with the kernel but their equations.
TEST(Lagrange, StepsAsTheLibraryDoes) {
  FreeRun run(undriven("wheel_loader"), "lagrange");
  dynamics::Problem problem = dynamics::build_problem(run.machine, machine::build_start_pose(run.machine));
  dynamics::MethodOptions options;
  options.solver = dynamics::Solver::rk4;
  const auto method = dynamics::build_method("lagrange", problem, options);
  double largest = 0;
  int tick = 0;
  dynamics::run(*method, 1.0, 1e-3, [&](const dynamics::Sample& sample) {
    const int status = tick++ > 0 ? run.move(1e-3) : RODEO_OK;
    EXPECT_EQ(status, RODEO_OK);
    for (std::size_t b = 1; b < run.machine.bodies.size(); ++b) {
      const double angle = run.output(run.machine.bodies[b].name + ".angle");
      largest = std::max(largest, std::abs(angle - sample.state.q[static_cast<Eigen::Index>(3 * b - 1)]));
    }
    return true;
  });
  std::printf("  %d ticks, %.1e rad apart\n", tick, largest);
  EXPECT_EQ(tick, 1001);
  EXPECT_LE(largest, 1e-10);
}

std::vector<std::string> names_of(const rodeo_channel* channels, std::size_t n) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < n; ++i) names.push_back(std::string(channels[i].name) + " " + channels[i].unit);
  return names;
}

/// Same names, same forces, another kernel.
TEST(Lagrange, PutsOutWhatTheMinimalKernelPutsOut) {
  FreeRun minimal(undriven("crank_slider")), lagrange(undriven("crank_slider"), "lagrange");
  EXPECT_EQ(names_of(minimal.k->outputs, minimal.k->n_outputs),
            names_of(lagrange.k->outputs, lagrange.k->n_outputs));
  EXPECT_EQ(names_of(minimal.k->loads, minimal.k->n_loads), names_of(lagrange.k->loads, lagrange.k->n_loads));
  EXPECT_STRNE(minimal.k->model_fingerprint, lagrange.k->model_fingerprint);
  EXPECT_EQ(lagrange.instance->margin(), 1.0);
  const auto compare = [&](double tolerance) {
    for (std::size_t i = 0; i < minimal.outputs.size(); ++i)
      EXPECT_NEAR(lagrange.outputs[i], minimal.outputs[i], tolerance * (1 + std::abs(minimal.outputs[i])))
          << minimal.k->outputs[i].name;
    double size = 0;
    for (const double load : minimal.loads) size = std::max(size, std::abs(load));
    for (std::size_t i = 0; i < minimal.loads.size(); ++i)
      EXPECT_NEAR(lagrange.loads[i], minimal.loads[i], tolerance * size) << minimal.k->loads[i].name;
  };
  compare(1e-9);
  for (int i = 0; i < 200; ++i) {
    ASSERT_EQ(minimal.move(1e-3), RODEO_OK);
    ASSERT_EQ(lagrange.move(1e-3), RODEO_OK);
  }
  compare(1e-5);  // β² of an error of closure of 1e-9 m is an acceleration
}

/// tools/windows N free: through the flat pose and round.
std::string windows(int n) {
  return run((kSource / "tools/windows").string() + " " + std::to_string(n) + " free");
}

TEST(Lagrange, GoesThroughFlatPosesWhereTheMinimalKernelStops) {
  FreeRun run(windows(4), "lagrange");
  const double begin = run.energy();
  double largest = 0, open = 0;
  for (int i = 0; i < 4000; ++i) {
    ASSERT_EQ(run.move(1e-3), RODEO_OK) << i;
    largest = std::max(largest, std::abs(run.energy() - begin));
    open = std::max(open, run.instance->closure());
    for (const char* leg : {"leg1.angle", "leg4.angle"})
      ASSERT_NEAR(run.output(leg), run.output("leg0.angle"), 1e-6)
          << i;  // it stays a chain of parallelograms
  }
  std::printf("  energy error %.1e J, closure %.1e m, leg at %.2f rad\n", largest, open,
              run.output("leg0.angle"));
  EXPECT_LE(largest, 1e-4);
  EXPECT_LE(open, 1e-7);
  EXPECT_LT(run.output("leg0.angle"), -6.0);
  FreeRun minimal(windows(4));
  int status = RODEO_OK;
  for (int i = 0; i < 4000 && status == RODEO_OK; ++i) status = minimal.move(1e-3);
  EXPECT_EQ(status, RODEO_SINGULAR);
}

TEST(Lagrange, ForgetsItsErrorsOfClosure) {
  FreeRun run(undriven("four_bar"), "lagrange");
  const double begin = run.energy();
  double early = 0, late = 0, lost = 0;
  for (int i = 0; i < 100000; ++i) {
    ASSERT_EQ(run.move(1e-3), RODEO_OK);
    if (i % 50 != 0) continue;
    (i < 10000 ? early : late) = std::max(i < 10000 ? early : late, run.instance->closure());
    lost = std::max(lost, std::abs(run.energy() - begin));
  }
  std::printf("  closure %.1e m in the first tenth, %.1e m after; energy error %.1e J\n", early, late, lost);
  EXPECT_GT(late, 0);
  EXPECT_LE(late, 2 * early);
  EXPECT_LE(early, 1e-6);
}

TEST(Lagrange, SavesAllThatItsNextTickDependsOn) {
  FreeRun run(windows(2), "lagrange"), again(windows(2), "lagrange");
  for (int i = 0; i < 700; ++i) ASSERT_EQ(run.move(1e-3), RODEO_OK);
  std::vector<unsigned char> saved(run.k->state_bytes);
  run.k->save(run.instance->memory.data(), saved.data());
  ASSERT_EQ(again.k->restore(again.instance->memory.data(), saved.data()), RODEO_OK);
  for (int i = 0; i < 1000; ++i) {
    ASSERT_EQ(run.move(1e-3), RODEO_OK);
    ASSERT_EQ(again.move(1e-3), RODEO_OK);
    ASSERT_EQ(run.outputs, again.outputs) << i;
    ASSERT_EQ(run.loads, again.loads) << i;
  }
}

/// A driven machine: the crank by a smooth path, everything else against closed forms.
TEST(Lagrange, FollowsItsDrives) {
  const rodeo_kernel* exact = load_kernel(fs::path(built_folder(config("four_bar"))) / "kernel.so");
  const rodeo_kernel* k =
      load_kernel(fs::path(built_folder(config("four_bar"), {}, "lagrange")) / "kernel.so");
  Instance reference(exact), instance(k);
  ASSERT_EQ(reference.init(), RODEO_OK);
  ASSERT_EQ(instance.init(), RODEO_OK);
  const double from = exact->start_drives[0], h = 1e-3;
  const auto path = [&](double t) {  // from rest
    return std::array{from + 1.5 * (1 - std::cos(2 * t)), 3 * std::sin(2 * t), 6 * std::cos(2 * t)};
  };
  std::vector<double> outputs, wanted, loads(k->n_loads), torques(exact->n_loads);
  double largest = 0, heaviest = 0, size = 0;
  for (int i = 1; i <= 3000; ++i) {
    std::vector<double> drives;
    for (const double part : {0.0, 0.5, 1.0}) {
      for (const double value : path((i - 1 + part) * h)) drives.push_back(value);
    }
    const std::vector<double> inputs(k->n_inputs, i * h);
    ASSERT_EQ(k->move(instance.memory.data(), drives.data(), inputs.data(), h, RODEO_RK4), RODEO_OK);
    const std::vector<double> there(drives.end() - 3, drives.end());
    ASSERT_EQ(instance.step(there, outputs), RODEO_OK);
    ASSERT_EQ(reference.step(there, wanted), RODEO_OK);
    for (const char* name : {"crank.angle", "rocker.angle", "coupler.origin.x", "rocker.rate"}) {
      const double error = outputs[find_output(k, name)] - wanted[find_output(exact, name)];
      largest = std::max(largest, std::abs(error));
    }
    ASSERT_EQ(k->calc_loads(instance.memory.data(), outputs.data(), inputs.data(), loads.data()), RODEO_OK);
    ASSERT_EQ(exact->calc_loads(reference.memory.data(), wanted.data(), inputs.data(), torques.data()),
              RODEO_OK);
    for (std::size_t f = 0; f < loads.size(); ++f) {
      heaviest = std::max(heaviest, std::abs(loads[f] - torques[f]));
      size = std::max(size, std::abs(torques[f]));
    }
  }
  std::printf("  %.1e rad, m or rad/s apart; loads %.1e of %.3g\n", largest, heaviest, size);
  EXPECT_LE(largest, 1e-6);
  EXPECT_LE(heaviest, 1e-4 * size);
}

/// A drive that jumps takes the machine along, to the pose of the other place.
TEST(Lagrange, GoesToOtherDrivePositions) {
  const rodeo_kernel* exact = load_kernel(fs::path(built_folder(config("four_bar"))) / "kernel.so");
  const rodeo_kernel* k =
      load_kernel(fs::path(built_folder(config("four_bar"), {}, "lagrange")) / "kernel.so");
  Instance reference(exact), instance(k);
  std::vector<double> outputs, wanted;
  for (const double there : {2.5, -1.0}) {
    ASSERT_EQ(reference.init(default_parameters(exact), {there}), RODEO_OK);
    ASSERT_EQ(instance.init(default_parameters(k), {there}), RODEO_OK);
    ASSERT_EQ(reference.step({there, 0.7, 0.0}, wanted), RODEO_OK);
    ASSERT_EQ(instance.step({there, 0.7, 0.0}, outputs), RODEO_OK);
    for (const char* name :
         {"crank.angle", "coupler.angle", "rocker.angle", "rocker.rate", "coupler.origin.vy"})
      EXPECT_NEAR(outputs[find_output(k, name)], wanted[find_output(exact, name)], 1e-10) << name;
  }
}

/// A payload that comes from outside changes masses while the machine runs; so it does in the minimal kernel.
TEST(Lagrange, TakesPayloadsFromOutside) {
  const std::string text = R"(name: swing
ground: {points: {O: [0, 0]}}
bodies:
  upper: {points: {O: [0, 0], B: [1, 0]}, mass: 2, com: [0.5, 0], inertia: 0.2}
  lower: {points: {B: [0, 0], C: [0.8, 0]}, mass: 1, com: [0.4, 0], inertia: 0.1}
joints: [{revolute: [ground.O, upper.O]}, {revolute: [upper.B, lower.B]}]
start: {upper: -0.4, lower: -1.1}
gravity: [0, -9.81]
forces:
  - {payload: lower, name: load}
  - {payload: upper, mass: 0.3, com: [0.2, 0.3]}
)";
  FreeRun minimal(text), lagrange(text, "lagrange");
  ASSERT_EQ(minimal.k->n_inputs, 4u);
  for (int i = 0; i < 1000; ++i) {
    for (FreeRun* run : {&minimal, &lagrange}) {
      run->inputs[1] = i < 300 ? 0.0 : 2.5;
      run->inputs[2] = 0.6;
      run->inputs[3] = -0.2;
      ASSERT_EQ(run->move(1e-3), RODEO_OK);
    }
  }
  for (const char* name : {"upper.angle", "lower.angle"})
    EXPECT_NEAR(minimal.output(name), lagrange.output(name), 2e-7) << name;  // RK4's own error at this step
}

TEST(Lagrange, RefusesABodyWithoutMass) {
  const std::string text =
      "name: m\nground: {points: {O: [0, 0]}}\nbodies: {bar: {points: {O: [0, 0], P: [1, 0]}}}\n"
      "joints: [{revolute: [ground.O, bar.O]}]\ndrives: {bar: {angle: bar}}\nstart: {bar: 0}\n";
  const TemporaryFolder folder;
  const std::string file = (folder.path() / "m.yaml").string();
  std::ofstream(file) << text;
  try {
    static_cast<void>(built_folder(file, {}, "lagrange"));
    FAIL();
  } catch (const text::ModelError& error) {
    EXPECT_EQ(
        std::string(error.what()),
        file +
            ":3: body 'bar' has no mass: method lagrange moves every body by its forces and needs it (kg)");
  }
}

/// Rates that the joints do not allow are changed, and both methods and the library say so.
TEST(StartRates, ThatDoNotFitAreChangedAndTold) {
  std::string text = undriven("four_bar");
  const std::size_t at = text.find("start: {");
  ASSERT_NE(at, std::string::npos);
  text.insert(at + 8, "rates: {crank: 1.0, rocker: 5.0}, ");
  FreeRun run(text);
  const auto notes = nlohmann::json::parse(read_text(fs::path(run.built) / "interface.json")).at("notes");
  const dynamics::Problem problem =
      dynamics::build_problem(run.machine, machine::build_start_pose(run.machine));
  ASSERT_EQ(notes.size(), problem.changes.size());
  ASSERT_EQ(notes.size(), 2u);
  EXPECT_EQ(
      notes[0].get<std::string>(),
      fmt::format("start rate 'crank' does not fit the joints: 1 became {:.6g}", run.output("crank.rate")));
  EXPECT_EQ(
      notes[1].get<std::string>(),
      fmt::format("start rate 'rocker' does not fit the joints: 5 became {:.6g}", run.output("rocker.rate")));
}

/// One rate of two freedoms: the other is 0, as in the library.
TEST(StartRates, ThatLeaveAFreedomOpenAreThoseOfTheLibrary) {
  std::string text = undriven("double_pendulum");
  const std::size_t at = text.find("start: {");
  ASSERT_NE(at, std::string::npos);
  text.insert(at + 8, "rates: {rod1: 2.0}, ");
  FreeRun run(text);
  const dynamics::Problem problem =
      dynamics::build_problem(run.machine, machine::build_start_pose(run.machine));
  for (std::size_t b = 1; b < run.machine.bodies.size(); ++b) {
    EXPECT_NEAR(run.output(run.machine.bodies[b].name + ".rate"),
                problem.v[static_cast<Eigen::Index>(3 * b - 1)], 1e-9);
  }
}

}  // namespace
}  // namespace rodeo::codegen
