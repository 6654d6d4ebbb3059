// SPDX-License-Identifier: MIT
// Loads of kernels against d'Alembert and virtual power, with the motion of an oracle in absolute coordinates: every body in
// balance under all that acts on it, and every drive's force by the power that it needs.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "tests/codegen/drive_path.h"
#include "tests/reference/balance.h"

namespace rodeo::codegen {
namespace {

using machine::Machine;
using reference::AbsoluteOracle;
using reference::Balance;
using reference::Real;

/// A machine on its path, with its loads.
class LoadedRun {
 public:
  explicit LoadedRun(const std::string& file)
      : machine(machine::build_machine_from_file(file)),
        k(load_kernel(fs::path(built_folder(file)) / "kernel.so")),
        oracle(machine),
        path(find_path(machine, k, oracle.calc_size(), default_parameters(k), start_drives(k))),
        instance(k) {
    EXPECT_EQ(instance.init(), RODEO_OK);
  }

  void step(double t) {
    command = path.at(t);
    inputs = {t};
    for (std::size_t i = 1; i < k->n_inputs; ++i) {
      const bool is_mass = std::string(k->inputs[i].unit) == "kg";
      const double u = holds_inputs ? 1 : t;
      inputs.push_back(is_mass ? 500 + 100 * std::sin(u) : 0.1 * static_cast<double>(i) * std::cos(u));
    }
    ASSERT_EQ(instance.step(to_drives(command), outputs), RODEO_OK);
    loads.assign(k->n_loads, NAN);
    ASSERT_EQ(k->calc_loads(instance.memory.data(), outputs.data(), inputs.data(), loads.data()), RODEO_OK);
  }

  [[nodiscard]] double load(const std::string& name) const {
    for (std::size_t i = 0; i < k->n_loads; ++i) {
      if (k->loads[i].name == name) return loads[i];
    }
    ADD_FAILURE() << "no load " << name;
    return 0;
  }

  [[nodiscard]] std::map<std::string, double> named() const {
    std::map<std::string, double> values;
    for (std::size_t i = 0; i < k->n_loads; ++i) values[k->loads[i].name] = loads[i];
    for (std::size_t i = 0; i < k->n_inputs; ++i) values[k->inputs[i].name] = inputs[i];
    return values;
  }

  Machine machine;
  const rodeo_kernel* k;
  AbsoluteOracle oracle;
  DrivePath path;
  Instance instance;
  Command command;
  std::vector<double> outputs, loads, inputs;
  bool holds_inputs = false;
};

std::vector<std::string> find_weighty() {
  std::vector<std::string> files;
  for (const std::string& file :
       find_machines({"configs", "configs/loads", "tests/machines", "tests/loads"})) {
    const std::string text = read_text(file);
    if (text.find("mass:") != std::string::npos && text.find("elements:") == std::string::npos)
      files.push_back(file);
  }
  return files;
}

class LoadsOf : public testing::TestWithParam<std::string> {};

/// Forces are as good as accelerations: relative 1e-16/margin².
TEST_P(LoadsOf, HoldEveryBodyInBalance) {
  LoadedRun run(GetParam());
  reference::Vector q;
  ASSERT_TRUE(run.oracle.try_start(run.path.at(0).position, q));
  Real largest = 0;
  int compared = 0;
  for (int i = 1; i <= 16000; ++i) {
    const double t = 0.001 * i;
    run.step(t);
    if (i % 40 != 0) continue;
    ASSERT_TRUE(run.oracle.try_close(run.command.position, q));
    if (run.instance.margin() < 0.1) continue;
    const reference::Motion motion = run.oracle.calc_motion(q, run.command);
    largest = std::max(largest, Balance(run.machine, motion, run.named(), t).calc_error());
    ++compared;
  }
  std::printf("  %d poses, largest error of the balance %.1Le of the forces\n", compared, largest);
  EXPECT_GE(compared, 200);
  EXPECT_LE(largest, 1e-10L);
}

/// Power of drives and forces = change of energy + what is lost; the change by differences of sixth order over 1 ms: their
/// cutting error is below 1e-15 of the power for paces near 1 rad/s, what is left is rounding of the energy over h.
TEST_P(LoadsOf, BalanceTheirPower) {
  LoadedRun run(GetParam());
  run.holds_inputs = true;  // a payload that changes brings energy of its own
  constexpr double h = 0.004;
  double largest = 0, size = 0;
  std::vector<double> energy, supplied;
  for (int i = 0; i <= 4000; ++i) {
    run.step(h * i);
    if (HasFatalFailure()) return;
    energy.push_back(run.load("energy.kinetic") + run.load("energy.potential"));
    supplied.push_back(run.load("power.drives") + run.load("power.forces") - run.load("power.lost"));
    size = std::max(size, std::abs(supplied.back()));
  }
  for (std::size_t i = 3; i + 3 < energy.size(); ++i) {
    const double change = (45 * (energy[i + 1] - energy[i - 1]) - 9 * (energy[i + 2] - energy[i - 2]) +
                           (energy[i + 3] - energy[i - 3])) /
                          (60 * h);
    largest = std::max(largest, std::abs(change - supplied[i]));
  }
  std::printf("  largest power %.3e W, largest difference %.1e of it\n", size, largest / size);
  EXPECT_LE(largest, 1e-9 * size);
}

INSTANTIATE_TEST_SUITE_P(Machines, LoadsOf, testing::ValuesIn(find_weighty()), machine_name);

/// A weight on an arm held still: torque = m g l cos a, pin = weight.
TEST(Loads, OfAnArmHeldStillAreItsWeight) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "arm.yaml";
  std::ofstream(file) << R"(name: arm
ground: {points: {O: [0, 0]}}
bodies: {arm: {points: {O: [0, 0], T: [2, 0]}, mass: 3, com: [1.5, 0], inertia: 0.4}}
joints: [{revolute: [ground.O, arm.O], name: pin}]
drives: {lift: {angle: arm}}
start: {arm: 0.3}
gravity: [0, -9.81]
)";
  const rodeo_kernel* k = load_kernel(fs::path(built_folder(file.string())) / "kernel.so");
  Instance instance(k);
  ASSERT_EQ(instance.init(), RODEO_OK);
  std::vector<double> outputs, loads(k->n_loads), inputs{0.0};
  ASSERT_EQ(instance.step({0.3, 0, 0}, outputs), RODEO_OK);
  ASSERT_EQ(k->calc_loads(instance.memory.data(), outputs.data(), inputs.data(), loads.data()), RODEO_OK);
  std::vector<std::string> names;
  for (std::size_t i = 0; i < k->n_loads; ++i)
    names.push_back(std::string(k->loads[i].name) + " " + k->loads[i].unit);
  EXPECT_EQ(names, (std::vector<std::string>{"pin.fx N", "pin.fy N", "lift.torque N m", "energy.kinetic J",
                                             "energy.potential J", "power.drives W", "power.forces W",
                                             "power.lost W"}));
  EXPECT_NEAR(loads[0], 0.0, 1e-12);
  EXPECT_NEAR(loads[1], 3 * 9.81, 1e-12);
  EXPECT_NEAR(loads[2], 3 * 9.81 * 1.5 * std::cos(0.3), 1e-12);
  EXPECT_NEAR(loads[4], 3 * 9.81 * 1.5 * std::sin(0.3), 1e-12);
  inputs[0] = NAN;
  EXPECT_EQ(k->calc_loads(instance.memory.data(), outputs.data(), inputs.data(), loads.data()),
            RODEO_BAD_INPUT);
}

/// The program, with a payload that a CSV brings: a bar held level at 1 m carries (3 + payload) g.
TEST(Loads, TakeForcesAndPayloadsFromAnInputFile) {
  const TemporaryFolder folder;
  std::ofstream(folder.path() / "arm.yaml") << R"(name: arm
ground: {points: {O: [0, 0]}}
bodies: {arm: {points: {O: [0, 0], T: [2, 0]}, mass: 3, com: [1, 0], inertia: 0.4}}
joints: [{revolute: [ground.O, arm.O], name: pin}]
drives: {lift: {angle: arm}}
forces: [{payload: arm, name: load, com: [1, 0]}, {force: arm.T, name: push}]
start: {arm: 0}
gravity: [0, -10]
)";
  std::ofstream(folder.path() / "in.csv") << "t,lift,push.y,load.mass\n0,0,0,2\n1,0,0,2\n2,0,8,4\n";
  const std::string go = "cd '" + folder.path().string() + "' && '" RODEO_PROGRAM "' simulate arm.yaml ";
  EXPECT_EQ(run(go + "--input in.csv --rate 2 --columns all -o log.csv"), "");
  std::ifstream log(folder.path() / "log.csv");
  std::string line;
  std::getline(log, line);
  std::vector<std::string> names;
  std::istringstream header(line);
  for (std::string cell; std::getline(header, cell, ',');) names.push_back(cell);
  const auto column = std::find(names.begin(), names.end(), "lift.torque") - names.begin();
  std::vector<double> torques;
  while (std::getline(log, line)) {
    std::istringstream row(line);
    std::string cell;
    for (std::ptrdiff_t c = 0; c <= column; ++c) std::getline(row, cell, ',');
    torques.push_back(std::stod(cell));
  }
  EXPECT_THAT(torques, testing::ElementsAre(50, 50, 50, 52, 54)) << "(3 + m) g - 2 F at 0, 0.5, ... 2 s";
  std::ofstream(folder.path() / "bad.csv") << "t,lift,pull\n0,0,0\n1,0,0\n";
  EXPECT_EQ(run(go + "--input bad.csv -o no.csv"),
            "bad.csv:1: column 'pull' is no drive or input of this machine (it has lift, load.mass, push.x, "
            "push.y)\n");
}

TEST(Loads, AreNoneWhereNothingWeighsOrPushes) {
  const rodeo_kernel* k = load_kernel(fs::path(built_folder(config("triad"))) / "kernel.so");
  EXPECT_EQ(k->n_loads, 0u);
  EXPECT_EQ(k->n_inputs, 0u);
}

}  // namespace
}  // namespace rodeo::codegen
