// SPDX-License-Identifier: MIT
// Outputs by name from the oracle, and errors relative to the pose's own velocities and accelerations.
#include "tests/codegen/compare.h"

#include <cmath>
#include <map>

#include "tests/codegen/drive_path.h"

namespace rodeo::codegen {
namespace {

struct Named {
  reference::Real value;
  int order;
  bool angular;
};
using ByName = std::map<std::string, Named>;

void add_point(const std::string& name, const reference::PointMotion& p, ByName& all) {
  all[name + ".x"] = {p.p.x(), 0, false};
  all[name + ".y"] = {p.p.y(), 0, false};
  all[name + ".vx"] = {p.v.x(), 1, false};
  all[name + ".vy"] = {p.v.y(), 1, false};
  all[name + ".ax"] = {p.a.x(), 2, false};
  all[name + ".ay"] = {p.a.y(), 2, false};
}

ByName name_all(const reference::AbsoluteOracle& oracle, const reference::Motion& m,
                const reference::Command& command) {
  const machine::Machine& machine = oracle.machine();
  ByName all;
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const auto i = static_cast<Eigen::Index>(3 * (b - 1));
    const std::string& name = machine.bodies[b].name;
    all[name + ".angle"] = {m.q[i + 2], 0, true};
    all[name + ".rate"] = {m.v[i + 2], 1, true};
    all[name + ".acceleration"] = {m.a[i + 2], 2, true};
    add_point(name + ".origin", {m.q.segment<2>(i), m.v.segment<2>(i), m.a.segment<2>(i)}, all);
  }
  for (const machine::Output& output : machine.outputs)
    add_point(output.name, oracle.calc_point(m, output.point), all);
  for (std::size_t d = 0; d < machine.drives.size(); ++d) {
    if (machine.drives[d].kind != machine::DriveKind::cylinder) continue;
    const std::string& name = machine.drives[d].name;
    all[name + ".length"] = {command.position[d], 0, false};
    all[name + ".speed"] = {command.rate[d], 1, false};
    all[name + ".acceleration"] = {command.acceleration[d], 2, false};
  }
  return all;
}

struct Scales {
  double velocity = 0.0, acceleration = 0.0;
};

Scales calc_scales(const Expected& expected, double size) {
  Scales scales;
  for (std::size_t i = 0; i < expected.value.size(); ++i) {
    const double metres = std::abs(expected.value[i]) * (expected.angular[i] ? size : 1.0);
    if (expected.order[i] == 1) scales.velocity = std::max(scales.velocity, metres);
    if (expected.order[i] == 2) scales.acceleration = std::max(scales.acceleration, metres);
  }
  scales.acceleration = std::max(scales.acceleration, scales.velocity * scales.velocity / size);
  return scales;
}

double calc_error(const Expected& expected, std::size_t i, double output, double size, const Scales& scales) {
  const double metres = std::abs(output - expected.value[i]) * (expected.angular[i] ? size : 1.0);
  if (expected.order[i] == 1) return metres / scales.velocity;
  if (expected.order[i] == 2) return metres / scales.acceleration;
  return metres / std::max(size, std::abs(expected.value[i]) * (expected.angular[i] ? size : 1.0));
}

}  // namespace

Expected calc_expected(const reference::AbsoluteOracle& oracle, const reference::Motion& motion,
                       const reference::Command& command, const rodeo_kernel* kernel) {
  const ByName all = name_all(oracle, motion, command);
  Expected expected;
  for (std::size_t i = 0; i < kernel->n_outputs; ++i) {
    const auto found = all.find(kernel->outputs[i].name);
    if (found == all.end())
      throw std::runtime_error(std::string("the oracle knows no ") + kernel->outputs[i].name);
    expected.value.push_back(static_cast<double>(found->second.value));
    expected.order.push_back(found->second.order);
    expected.angular.push_back(found->second.angular);
  }
  return expected;
}

void compare_outputs(const Expected& expected, const std::vector<double>& outputs, double size,
                     const rodeo_kernel* kernel, Comparison& comparison) {
  const Scales scales = calc_scales(expected, size);
  ++comparison.compared;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    double error = calc_error(expected, i, outputs[i], size, scales);
    if (!(error == error)) error = HUGE_VAL;
    double& largest = expected.order[i] == 0   ? comparison.position
                      : expected.order[i] == 1 ? comparison.velocity
                                               : comparison.acceleration;
    const double before = std::max({comparison.position, comparison.velocity, comparison.acceleration});
    if (error > before) comparison.worst = kernel->outputs[i].name;
    largest = std::max(largest, error);
  }
}

Comparison compare_with_oracle(const std::string& file, const Overrides& parameters, int poses, int ticks,
                               double margin) {
  std::vector<std::string> overrides;
  for (const auto& [name, value] : parameters) {
    std::ostringstream text;
    text.precision(17);
    text << name << "=" << value;
    overrides.push_back(text.str());
  }
  const reference::AbsoluteOracle oracle(machine::build_machine_from_file(file, overrides));
  const rodeo_kernel* k = load_kernel(fs::path(built_folder(file)) / "kernel.so");
  std::vector<double> values = default_parameters(k);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = oracle.machine().parameters[i].number;
  const double size = oracle.calc_size();
  const DrivePath path = find_path(oracle.machine(), k, size, values, start_drives(k));
  Instance instance(k);
  Comparison comparison;
  comparison.reach = path.reach();
  reference::Vector q;
  EXPECT_EQ(instance.init(values, start_drives(k)), RODEO_OK);
  if (!oracle.try_start(path.at(0).position, q)) {
    ADD_FAILURE() << "the oracle does not assemble";
    return comparison;
  }
  std::vector<double> outputs;
  for (int i = 0; i <= poses * ticks; ++i) {
    const Command command = path.at(0.001 * i);
    EXPECT_EQ(instance.step(to_drives(command), outputs), RODEO_OK);
    if (i % ticks != 0) continue;
    if (!oracle.try_close(command.position, q)) {
      ADD_FAILURE() << "the oracle does not close at tick " << i;
      return comparison;
    }
    comparison.smallest_margin = std::min(comparison.smallest_margin, instance.margin());
    if (instance.margin() < margin) continue;
    const reference::Motion motion = oracle.calc_motion(q, command);
    compare_outputs(calc_expected(oracle, motion, command, k), outputs, size, k, comparison);
    q += 0.001L * ticks * motion.v + 0.5e-6L * ticks * ticks * motion.a;  // where Newton starts next
  }
  return comparison;
}

double calc_difference_error(const rodeo_kernel* k, const machine::Machine& machine, double size,
                             const std::vector<double>& before, const std::vector<double>& here,
                             const std::vector<double>& after, double h) {
  Expected expected;  // by name: each rate beside the difference of what it is the rate of
  std::vector<double> outputs;
  const auto add = [&](const std::string& of, const std::string& rate, int order, bool angular) {
    const std::size_t p = find_output(k, of);
    expected.value.push_back((after[p] - before[p]) / (2 * h));
    expected.order.push_back(order);
    expected.angular.push_back(angular);
    outputs.push_back(here[find_output(k, rate)]);
  };
  const auto add_point_rates = [&](const std::string& name) {
    for (const std::string axis : {"x", "y"}) {
      add(name + "." + axis, name + ".v" + axis, 1, false);
      add(name + ".v" + axis, name + ".a" + axis, 2, false);
    }
  };
  for (std::size_t b = 1; b < machine.bodies.size(); ++b) {
    const std::string& name = machine.bodies[b].name;
    add(name + ".angle", name + ".rate", 1, true);
    add(name + ".rate", name + ".acceleration", 2, true);
    add_point_rates(name + ".origin");
  }
  for (const machine::Output& output : machine.outputs) add_point_rates(output.name);
  const Scales scales = calc_scales(expected, size);
  double largest = 0.0;
  for (std::size_t i = 0; i < outputs.size(); ++i) {
    const double error = calc_error(expected, i, outputs[i], size, scales);
    largest = error <= largest ? largest : error;
  }
  return largest;
}

}  // namespace rodeo::codegen
