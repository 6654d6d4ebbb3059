// SPDX-License-Identifier: MIT
// Every planar machine that assembles and has as many drives as degrees of freedom gets a kernel: random ones, of pins, prismatic
// joints and sliders, against the oracle in absolute coordinates over a motion. Forces by virtual power with the oracle's
// velocities: a drive's force is Σ m (a - g)·∂v/∂q̇ + J α ∂ω/∂q̇, and zero for a coordinate that is free. Tapes are run by their interpreter:
// what is compiled of them is compared elsewhere, bit for bit.
#include <gtest/gtest.h>

#include <cmath>
#include <optional>

#include "kinematics/codegen/charts.h"
#include "kinematics/codegen/emit.h"
#include "kinematics/codegen/tape_run.h"
#include "kinematics/machine/coordinates.h"
#include "tests/codegen/built_kernel.h"
#include "tests/codegen/random_machine.h"
#include "tests/reference/absolute_oracle.h"

namespace rodeo::codegen {
namespace {

using reference::AbsoluteOracle;
using reference::Command;
using reference::Real;
using reference::Vector;

constexpr double kStopMargin = 0.01;
constexpr double kComparedMargin = 0.1;
constexpr double kTolerance = 1e-9;  // relative, as compare.h has it
constexpr int kTicks = 400;          // of 1 ms
constexpr int kFollow = 4;           // between two poses of the oracle
constexpr int kCompare = 40;         // between two poses that are compared

/// None where the drives that were picked say the same twice, which the reader refuses.
std::optional<machine::Machine> read_machine(const std::string& yaml) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / "random.yaml";
  std::ofstream(file) << yaml;
  try {
    return machine::build_machine_from_file(file.string());
  } catch (const text::ModelError&) {
    return std::nullopt;
  }
}

/// A kernel by the interpreter.
class Interpreted {
 public:
  Interpreted(const machine::Machine& machine, const machine::Assembly& start,
              const machine::Mobility& mobility)
      : model(build_kernel_model(machine, start, mobility)), tapes_(build_kernel_text(model).tapes) {
    for (const expr::Parameter& parameter : model.parameters) arrays.parameters.push_back(parameter.number);
    arrays.derived.resize(tapes_.derived_count);
    arrays.states = model.start_states;
    arrays.branches = model.start_branches;
    arrays.outputs.resize(
        std::max(model.outputs.size() + model.measured_count, model.closure.results.size()));
    ready = TapeRunner(tapes_.prepare).run(arrays, kStopMargin);
  }

  bool step(const Command& command) {
    arrays.drives.clear();
    for (std::size_t d = 0; d < command.position.size(); ++d)
      arrays.drives.insert(arrays.drives.end(),
                           {command.position[d], command.rate[d], command.acceleration[d]});
    TapeRunner runner(tapes_.step);
    if (!ready || !runner.run(arrays, kStopMargin)) return false;
    margin = runner.margin();
    return true;
  }

  /// Of the free coordinates, at the drives of the last step.
  std::vector<double> accelerations() {
    TapeArrays there = arrays;
    there.drives.push_back(0.0);  // the time
    there.outputs.assign(model.accelerations.results.size(), NAN);
    EXPECT_TRUE(TapeRunner(tapes_.accelerations).run(there, kStopMargin));
    return there.outputs;
  }

  /// Largest residual of the loops at the states.
  double closure() {
    TapeArrays there = arrays;
    EXPECT_TRUE(TapeRunner(tapes_.closure).run(there, kStopMargin));
    double largest = 0.0;
    for (std::size_t i = 0; i < model.closure.results.size(); ++i)
      largest = std::max(largest, std::fabs(there.outputs[i]));
    return largest;
  }

  double load(const std::string& name) {
    TapeArrays there = arrays;
    there.states = arrays.outputs;
    there.drives = {0.0};
    there.outputs.assign(model.loads.size(), NAN);
    EXPECT_TRUE(TapeRunner(tapes_.loads).run(there, kStopMargin));
    for (std::size_t i = 0; i < model.loads.size(); ++i) {
      if (model.loads[i].name == name) return there.outputs[i];
    }
    ADD_FAILURE() << "no load " << name;
    return NAN;
  }

  KernelModel model;
  TapeArrays arrays;
  double margin = 0.0;
  bool ready = false;

 private:
  KernelTapes tapes_;
};

Vector to_vector(const machine::Pose& pose) {
  Vector q(3 * (static_cast<Eigen::Index>(pose.bodies.size()) - 1));
  for (std::size_t b = 1; b < pose.bodies.size(); ++b)
    q.segment<3>(static_cast<Eigen::Index>(3 * (b - 1))) << pose.bodies[b].x, pose.bodies[b].y,
        pose.bodies[b].angle;
  return q;
}

/// Small swings about the start, each drive at its own pace.
Command calc_command(const std::vector<double>& start, double t) {
  Command command;
  for (std::size_t d = 0; d < start.size(); ++d) {
    const double pace = 2.0 + 0.7 * static_cast<double>(d), size = 0.15;
    command.position.push_back(start[d] + size * std::sin(pace * t));
    command.rate.push_back(size * pace * std::cos(pace * t));
    command.acceleration.push_back(-size * pace * pace * std::sin(pace * t));
  }
  return command;
}

/// Largest error of all bodies' outputs, relative.
double calc_error(const reference::Motion& motion, const std::vector<double>& outputs, double size) {
  const Eigen::Index n = motion.q.size();
  double scale[3] = {size, 0.0, 0.0};
  const auto metres = [&](Eigen::Index i, Real value) {
    return static_cast<double>(std::abs(value)) * (i % 3 == 2 ? size : 1.0);
  };
  for (Eigen::Index i = 0; i < n; ++i) {
    scale[0] = std::max(scale[0], metres(i, motion.q[i]));
    scale[1] = std::max(scale[1], metres(i, motion.v[i]));
    scale[2] = std::max(scale[2], metres(i, motion.a[i]));
  }
  scale[2] = std::max(scale[2], scale[1] * scale[1] / size);
  double largest = 0.0;
  for (Eigen::Index i = 0; i < n; ++i) {
    const double* out = outputs.data() + 9 * (i / 3);  // angle, rate, acceleration, x, y, vx, vy, ax, ay
    const Eigen::Index c = i % 3;
    const double is[3] = {c == 2 ? out[0] : out[3 + c], c == 2 ? out[1] : out[5 + c],
                          c == 2 ? out[2] : out[7 + c]};
    const Real wanted[3] = {motion.q[i], motion.v[i], motion.a[i]};
    for (int k = 0; k < 3; ++k) {
      const double error = metres(i, wanted[k] - is[k]) / scale[k];
      largest = error <= largest ? largest : error;
    }
  }
  return largest;
}

/// Σ m (a - g)·v' + J α ω' with v', ω' of a unit rate of one drive: the force of that drive. `scale`: the sum without signs.
Real calc_drive_force(const AbsoluteOracle& oracle, const reference::Motion& motion, std::size_t drive,
                      Real& scale) {
  const machine::Machine& machine = oracle.machine();
  Command unit;
  unit.rate.assign(machine.drives.size(), 0.0);
  unit.acceleration = unit.rate;
  unit.rate[drive] = 1.0;
  const reference::Motion along = oracle.calc_motion(motion.q, unit);
  Real force = 0;
  scale = 0;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const machine::Body& body = machine.bodies[b];
    const auto i = static_cast<Eigen::Index>(3 * (b - 1));
    const Real c = std::cos(motion.q[i + 2]), s = std::sin(motion.q[i + 2]);
    const reference::Vector2 r(c * body.com_x->value - s * body.com_y->value,
                               s * body.com_x->value + c * body.com_y->value);
    const Real w = motion.v[i + 2], alpha = motion.a[i + 2];
    const reference::Vector2 a = motion.a.segment<2>(i) + alpha * reference::turned(r) - w * w * r;
    const reference::Vector2 g(machine.gravity_x->value, machine.gravity_y->value);
    const reference::Vector2 v = along.v.segment<2>(i) + along.v[i + 2] * reference::turned(r);
    for (const Real part :
         {Real(body.mass->value) * (a - g).dot(v), Real(body.inertia->value) * alpha * along.v[i + 2]}) {
      force += part;
      scale += std::abs(part);
    }
  }
  return force;
}

struct Count {
  int machines = 0, whole = 0, poses = 0, iterated = 0, redundant = 0;
  double error = 0.0, force_error = 0.0, closure = 0.0;
};

void run_driven(const machine::Machine& machine, const machine::Assembly& start, Interpreted& kernel,
                Count& count) {
  const AbsoluteOracle oracle(machine);
  const double size = std::max(oracle.calc_size(), 0.5);
  Vector q = to_vector(start.pose);
  for (int i = 0; i <= kTicks; ++i) {
    const Command command = calc_command(start.drive_values, 0.001 * i);
    if (!kernel.step(command)) return;  // at a dead point: its margin was small before
    count.closure = std::max(count.closure, kernel.closure());
    if (i % kFollow != 0) continue;
    ASSERT_TRUE(oracle.try_close(command.position, q)) << "the oracle does not close at tick " << i;
    const reference::Motion motion = oracle.calc_motion(q, command);
    q += 0.001L * kFollow * motion.v + 0.5e-6L * kFollow * kFollow * motion.a;  // where Newton starts next
    if (i % kCompare != 0 || kernel.margin < kComparedMargin) continue;
    ++count.poses;
    const double error = calc_error(motion, kernel.arrays.outputs, size);
    ASSERT_LE(error, kTolerance) << "tick " << i << ", margin " << kernel.margin;
    count.error = std::max(count.error, error);
    for (std::size_t d = 0; d < machine.drives.size(); ++d) {
      Real scale = 0;
      const Real wanted = calc_drive_force(oracle, motion, d, scale);
      const bool angular = machine.drives[d].kind == machine::DriveKind::angle ||
                           machine.drives[d].kind == machine::DriveKind::relative_angle;
      const double is = kernel.load(machine.drives[d].name + (angular ? ".torque" : ".force"));
      const double off = static_cast<double>(std::abs(is - wanted) / std::max(scale, Real(1)));
      ASSERT_LE(off, kTolerance) << machine.drives[d].name << ", tick " << i << ", margin " << kernel.margin;
      count.force_error = std::max(count.force_error, off);
    }
  }
  ++count.whole;
}

/// Assembled, every freedom driven, nothing driven twice, and the start pose not singular.
bool is_fit(const machine::Assembly& start, const machine::Mobility& mobility, int free_motions) {
  return start.assembled && mobility.mobility == mobility.start_mobility &&
         mobility.conflicting_drives.empty() && mobility.free_motions == free_motions;
}

TEST(RandomMachines, AllGetAKernelThatAgreesWithTheOracle) {
  Count count;
  for (std::uint32_t seed = 1; count.machines < 300 && seed < 20000; ++seed) {
    RandomMachine random(seed);
    if (random.freedom() < 1 || random.freedom() > 4) continue;
    const std::string yaml = random.build_yaml(true);
    const std::optional<machine::Machine> read = read_machine(yaml);
    if (!read) continue;
    const machine::Machine& machine = *read;
    const machine::Assembly start = machine::build_start_pose(machine);
    if (!start.assembled) continue;
    const machine::Mobility mobility = machine::calc_mobility(machine, start);
    if (!is_fit(start, mobility, 0)) continue;
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, yaml));
    try {
      Interpreted kernel(machine, start, mobility);
      if (!kernel.step(calc_command(start.drive_values, 0.0)) || kernel.margin < kComparedMargin) continue;
      ++count.machines;
      count.iterated += !kernel.model.step.iterated.empty();
      count.redundant += !mobility.redundant.empty();
      run_driven(machine, start, kernel, count);
    } catch (const std::exception& fault) {
      ADD_FAILURE() << fault.what();
    }
    if (HasFatalFailure() || HasNonfatalFailure()) break;
  }
  std::printf(
      "  %d machines, %d with iterated blocks, %d with redundant constraints, %d to the end of the path; %d "
      "poses; largest "
      "errors: motion %.1e, drive forces %.1e, closure %.1e m\n",
      count.machines, count.iterated, count.redundant, count.whole, count.poses, count.error,
      count.force_error, count.closure);
  EXPECT_EQ(count.machines, 300);
  EXPECT_GE(count.iterated, 60);
  EXPECT_GE(count.whole, 200);
  EXPECT_LE(count.closure, 1e-9);
}

/// At the start pose with all coordinates moving: the accelerations that the kernel finds balance every coordinate.
TEST(RandomMachines, ThatMoveByForcesAreBalanced) {
  int machines = 0, iterated = 0;
  double largest = 0.0;
  for (std::uint32_t seed = 30001; machines < 120 && seed < 50000; ++seed) {
    RandomMachine random(seed);
    if (random.freedom() < 1 || random.freedom() > 3) continue;
    const std::string yaml = random.build_yaml(false);
    const std::optional<machine::Machine> read = read_machine(yaml);
    if (!read) continue;
    const machine::Machine& machine = *read;
    const machine::Assembly start = machine::build_start_pose(machine);
    if (!start.assembled) continue;
    const machine::Mobility mobility = machine::calc_mobility(machine, start);
    if (!is_fit(start, mobility, mobility.mobility)) continue;
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, yaml));
    try {
      const machine::FreeCoordinates free = machine::choose_coordinates(machine, start, mobility);
      const AbsoluteOracle oracle(machine::build_with_coordinates(machine, free));
      const machine::Assembly placed = machine::build_with_coordinates(start, oracle.machine(), free);
      Interpreted kernel(machine, start, mobility);
      Command command = calc_command(placed.drive_values, 0.0);
      if (!kernel.step(command) || kernel.margin < kComparedMargin) continue;
      ++machines;
      iterated += !kernel.model.step.iterated.empty();
      command.acceleration = kernel.accelerations();
      Vector q = to_vector(start.pose);
      ASSERT_TRUE(oracle.try_close(command.position, q));
      const reference::Motion motion = oracle.calc_motion(q, command);
      for (std::size_t d = 0; d < oracle.machine().drives.size(); ++d) {
        Real scale = 0;
        const Real left = calc_drive_force(oracle, motion, d, scale);
        const double off = static_cast<double>(std::abs(left) / std::max(scale, Real(1)));
        largest = std::max(largest, off);
        ASSERT_LE(off, kTolerance) << oracle.machine().drives[d].name << ", margin " << kernel.margin;
      }
    } catch (const std::exception& fault) {
      FAIL() << fault.what();
    }
  }
  std::printf("  %d machines, %d with iterated blocks; largest imbalance %.1e\n", machines, iterated,
              largest);
  EXPECT_EQ(machines, 120);
  EXPECT_GE(iterated, 20);
}

}  // namespace
}  // namespace rodeo::codegen
