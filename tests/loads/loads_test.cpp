// SPDX-License-Identifier: MIT
// Loads of kernels against d'Alembert and virtual power, with the motion of an oracle in absolute coordinates: every body in
// balance under all that acts on it, and every drive's force by the power that it needs.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>

#include "kinematics/expr/eval.h"
#include "tests/codegen/drive_path.h"

namespace rodeo::codegen {
namespace {

using machine::Force;
using machine::ForceKind;
using machine::Joint;
using machine::JointKind;
using machine::Machine;
using machine::PointRef;
using reference::AbsoluteOracle;
using reference::Motion;
using reference::PointMotion;
using reference::Real;
using reference::Vector2;

Real cross(const Vector2& a, const Vector2& b) { return a.x() * b.y() - a.y() * b.x(); }

/// What acts on one body: force, and moment about the origin of the page.
struct Wrench {
  Vector2 force = Vector2::Zero();
  Real moment = 0;
  Real size = 0;  // of all that was added, for relative errors

  void push(const Vector2& at, const Vector2& f) {
    force += f;
    moment += cross(at, f);
    size += f.norm();
  }
  void turn(Real torque) {
    moment += torque;
    size += std::abs(torque);
  }
};

/// The balance of a machine, written again by hand.
class Balance {
 public:
  Balance(const Machine& machine, const Motion& motion, std::map<std::string, double> values, double time)
      : machine_(machine),
        oracle_(machine),
        motion_(motion),
        values_(std::move(values)),
        time_(time),
        wrenches_(machine.bodies.size()) {}

  [[nodiscard]] Real calc_error() {
    for (std::size_t b = 1; b < machine_.bodies.size(); ++b) add_mass_of(static_cast<int>(b));
    for (const Force& force : machine_.forces) add(force);
    for (const Joint& joint : machine_.joints) add(joint);
    for (const machine::Drive& drive : machine_.drives) add(drive);
    Real largest = 0;
    for (std::size_t b = 1; b < wrenches_.size(); ++b) {
      const Real size = wrenches_[b].size + 1e-9L;
      largest = std::max({largest, wrenches_[b].force.norm() / size, std::abs(wrenches_[b].moment) / size});
    }
    return largest;
  }

 private:
  Wrench& on(int body) { return wrenches_[static_cast<std::size_t>(body)]; }
  PointMotion point(PointRef ref) { return oracle_.calc_point(motion_, ref); }
  [[nodiscard]] Real value(const std::string& name) const {
    const auto found = values_.find(name);
    return found == values_.end() ? 0.0L : found->second;  // a redundant row carries nothing
  }
  [[nodiscard]] Real number(expr::Expr e) const {
    const expr::Expr known = expr::substitute(e, [&](expr::Expr symbol) -> expr::Expr {
      if (symbol == expr::time_symbol()) return time_;
      for (const expr::Parameter& p : machine_.parameters) {
        if (symbol == expr::symbol(p.name)) return p.number;
      }
      return values_.at(symbol->name.substr(2));  // u:dig.x
    });
    EXPECT_TRUE(known.is_number());
    return known->value;
  }
  [[nodiscard]] Real rate(int body) const { return body == 0 ? 0.0L : motion_.v[3 * body - 1]; }

  /// A point of a body that is none of the file's.
  PointMotion place(int body, Real x, Real y) const {
    const Eigen::Index i = 3 * (body - 1);
    const Real c = std::cos(motion_.q[i + 2]), s = std::sin(motion_.q[i + 2]), w = motion_.v[i + 2];
    const Vector2 r(c * x - s * y, s * x + c * y);
    return {motion_.q.segment<2>(i) + r, motion_.v.segment<2>(i) + w * reference::turned(r),
            motion_.a.segment<2>(i) + motion_.a[i + 2] * reference::turned(r) - w * w * r};
  }

  void add_mass(int body, Real x, Real y, Real mass) {
    const Vector2 g(machine_.gravity_x ? machine_.gravity_x->value : 0.0,
                    machine_.gravity_y ? machine_.gravity_y->value : 0.0);
    const PointMotion at = place(body, x, y);
    on(body).push(at.p, -mass * (at.a - g));
  }

  void add_mass_of(int b) {
    const machine::Body& body = machine_.bodies[static_cast<std::size_t>(b)];
    if (!body.mass) return;
    ASSERT_TRUE(body.com_x) << "tests give every centre";
    add_mass(b, body.com_x->value, body.com_y->value, body.mass->value);
    if (body.inertia) on(b).turn(-body.inertia->value * motion_.a[3 * b - 1]);
  }

  void add(const Force& force) {
    switch (force.kind) {
      case ForceKind::spring:
      case ForceKind::damper: {
        const PointMotion a = point(force.first), b = point(force.second);
        const Vector2 d = b.p - a.p;
        const Vector2 e = d.normalized();
        const Vector2 pull = (force.stiffness.value * (d.norm() - force.rest_length.value) +
                              force.damping.value * e.dot(b.v - a.v)) *
                             e;
        on(force.first.body).push(a.p, pull);
        on(force.second.body).push(b.p, -pull);
        return;
      }
      case ForceKind::torque:
        on(force.body).turn(number(force.value_x));
        on(force.against).turn(-number(force.value_x));
        return;
      case ForceKind::force:
        on(force.first.body).push(point(force.first).p, {number(force.value_x), number(force.value_y)});
        return;
      case ForceKind::payload:
        add_mass(force.body, number(force.com_x), number(force.com_y), number(force.mass));
        return;
      case ForceKind::friction: add_friction(force); return;
    }
  }

  void add_friction(const Force& force) {
    const Joint& joint = machine_.joints[static_cast<std::size_t>(force.joint)];
    const int a = joint.first.body, b = joint.second.body;
    if (joint.kind == JointKind::revolute) {
      const Real torque = force.viscous.value * (rate(b) - rate(a));
      on(b).turn(-torque);
      on(a).turn(torque);
      return;
    }
    const PointMotion p = point(joint.second), q = point(joint.first);
    const Vector2 u = direction(joint);
    const Real speed = u.dot(p.v - q.v - rate(a) * reference::turned(p.p - q.p));
    on(b).push(p.p, -force.viscous.value * speed * u);
    on(a).push(p.p, force.viscous.value * speed * u);
  }

  [[nodiscard]] Vector2 direction(const Joint& joint) const {
    const Real angle = joint.first.body == 0 ? 0.0L : motion_.q[3 * joint.first.body - 1];
    const Real x = joint.direction_x.value, y = joint.direction_y.value;
    return {std::cos(angle) * x - std::sin(angle) * y, std::sin(angle) * x + std::cos(angle) * y};
  }

  void couple(int a, int b, const Vector2& at, const Vector2& f) {
    on(b).push(at, f);
    on(a).push(at, -f);
  }

  void add(const Joint& joint) {
    const int a = joint.first.body, b = joint.second.body;
    const Vector2 at = point(joint.second).p;
    if (joint.kind == JointKind::revolute)
      return couple(a, b, at, {value(joint.name + ".fx"), value(joint.name + ".fy")});
    couple(a, b, at, value(joint.name + ".force") * reference::turned(direction(joint)));
    if (joint.kind != JointKind::prismatic) return;
    on(b).turn(value(joint.name + ".torque"));
    on(a).turn(-value(joint.name + ".torque"));
  }

  void add(const machine::Drive& drive) {
    if (drive.kind == machine::DriveKind::angle || drive.kind == machine::DriveKind::relative_angle) {
      on(drive.second_body).turn(value(drive.name + ".torque"));
      on(drive.first_body).turn(-value(drive.name + ".torque"));
      return;
    }
    const Real f = value(drive.name + ".force");
    if (drive.kind == machine::DriveKind::cylinder) {
      const Vector2 a = point(drive.first).p, b = point(drive.second).p;
      const Vector2 e = (b - a).normalized();
      on(drive.second.body).push(b, f * e);
      on(drive.first.body).push(a, -f * e);
      return;
    }
    const Joint& joint = machine_.joints[static_cast<std::size_t>(drive.joint)];
    couple(joint.first.body, joint.second.body, point(joint.second).p, f * direction(joint));
  }

  const Machine& machine_;
  AbsoluteOracle oracle_;
  const Motion& motion_;
  std::map<std::string, double> values_;
  double time_;
  std::vector<Wrench> wrenches_;
};

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
  for (const std::string& file : find_machines({"configs", "tests/machines", "tests/loads"})) {
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
    const Motion motion = run.oracle.calc_motion(q, run.command);
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

TEST(Loads, AreNoneWhereNothingWeighsOrPushes) {
  const rodeo_kernel* k = load_kernel(fs::path(built_folder(config("triad"))) / "kernel.so");
  EXPECT_EQ(k->n_loads, 0u);
  EXPECT_EQ(k->n_inputs, 0u);
}

}  // namespace
}  // namespace rodeo::codegen
