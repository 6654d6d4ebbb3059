// SPDX-License-Identifier: MIT
// Reduced rates against an oracle that shares no code with them: poses by Newton in absolute coordinates with constraints
// written here, and central differences of the angles over small changes of the drives.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <functional>
#include <numbers>

#include "kinematics/expr/eval.h"
#include "tests/reduction/evaluated.h"
#include "tests/reduction/paper.h"

namespace rodeo::reduction {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector2d;
using Eigen::VectorXd;
using machine::DriveKind;
using machine::JointKind;
using machine::Machine;
using machine::PointRef;

/// p_WP; q holds x, y, angle of every body but the ground.
Vector2d calc_point(const Machine& m, const VectorXd& q, PointRef ref) {
  const Vector2d p(m.point(ref).x.value, m.point(ref).y.value);
  if (ref.body == 0) return p;
  const auto body = q.segment<3>(3 * (ref.body - 1));
  return body.head<2>() + Eigen::Rotation2Dd(body[2]) * p;
}

/// Joints closed, drives at their values. Revolute pins and guides on the ground, angles and cylinders: what configs/ has.
VectorXd calc_closure(const Machine& m, const VectorXd& q, const VectorXd& drives) {
  std::vector<double> rows;
  for (const machine::Joint& joint : m.joints) {
    const Vector2d gap = calc_point(m, q, joint.second) - calc_point(m, q, joint.first);
    if (joint.kind == JointKind::revolute) {
      rows.insert(rows.end(), {gap.x(), gap.y()});
    } else {
      EXPECT_EQ(joint.first.body, 0);
      rows.push_back(joint.direction_x.value * gap.y() - joint.direction_y.value * gap.x());
    }
  }
  for (std::size_t d = 0; d < m.drives.size(); ++d) {
    const machine::Drive& drive = m.drives[d];
    const double value = drive.kind == DriveKind::cylinder
                             ? (calc_point(m, q, drive.second) - calc_point(m, q, drive.first)).norm()
                             : q[3 * (drive.second_body - 1) + 2];
    rows.push_back(value - drives[static_cast<Eigen::Index>(d)]);
  }
  return Eigen::Map<VectorXd>(rows.data(), static_cast<Eigen::Index>(rows.size()));
}

VectorXd solve_pose(const Machine& m, VectorXd q, const VectorXd& drives) {
  for (int iteration = 0; iteration < 30; ++iteration) {
    const VectorXd residual = calc_closure(m, q, drives);
    MatrixXd jacobian(residual.size(), q.size());
    for (Eigen::Index i = 0; i < q.size(); ++i) {
      VectorXd moved = q;
      moved[i] += 1e-6;
      VectorXd back = q;
      back[i] -= 1e-6;
      jacobian.col(i) = (calc_closure(m, moved, drives) - calc_closure(m, back, drives)) / 2e-6;
    }
    const VectorXd step = jacobian.fullPivLu().solve(residual);
    q -= step;
    if (step.cwiseAbs().maxCoeff() < 1e-15) break;
  }
  EXPECT_LT(calc_closure(m, q, drives).cwiseAbs().maxCoeff(), 1e-14);
  return q;
}

/// The start angles of the file, bodies at the origin: Newton does the rest in steps of the drives.
VectorXd solve_start(const Machine& m, VectorXd& drives) {
  VectorXd q = VectorXd::Zero(3 * static_cast<Eigen::Index>(m.bodies.size() - 1));
  for (std::size_t b = 1; b < m.bodies.size(); ++b)
    q[static_cast<Eigen::Index>(3 * b - 1)] = m.start_angles[b].value();
  // first the places: with the angles held, one pin a body puts it in place
  for (std::size_t pass = 0; pass < m.bodies.size(); ++pass) {
    for (const machine::Joint& joint : m.joints) {
      const auto [from, to] = std::minmax(joint.first.body, joint.second.body);
      const PointRef a = joint.first.body == from ? joint.first : joint.second;
      const PointRef b = joint.first.body == from ? joint.second : joint.first;
      if (joint.kind == JointKind::revolute)
        q.segment<2>(3 * (to - 1)) += calc_point(m, q, a) - calc_point(m, q, b);
    }
  }
  drives.resize(static_cast<Eigen::Index>(m.drives.size()));
  for (std::size_t d = 0; d < m.drives.size(); ++d) {
    const machine::Drive& drive = m.drives[d];
    drives[static_cast<Eigen::Index>(d)] =
        drive.kind == DriveKind::cylinder
            ? (calc_point(m, q, drive.second) - calc_point(m, q, drive.first)).norm()
            : m.start_angles[place(drive.second_body)].value();
  }
  return solve_pose(m, q, drives);
}

/// The states of our model in a pose, by name.
expr::Values calc_states(const Machine& m, const VectorXd& q) {
  expr::Values values;
  for (const expr::Parameter& parameter : m.parameters) values[parameter.name] = parameter.number;
  for (std::size_t b = 1; b < m.bodies.size(); ++b) {
    values[m.bodies[b].name + ".J.displacement"] = q[static_cast<Eigen::Index>(3 * b - 1)];
  }
  for (const machine::Drive& drive : m.drives) {
    if (drive.kind != DriveKind::cylinder) continue;
    const Vector2d span = calc_point(m, q, drive.second) - calc_point(m, q, drive.first);
    values[drive.name + ".angle.displacement"] = std::atan2(span.y(), span.x());
    values[drive.name + ".length.displacement"] = span.norm();
  }
  return values;
}

/// Central differences, h = 1e-5: cutting error about h²·f'''/6, rounding 1e-15/h, both near 1e-10.
constexpr double kStep = 1e-5;
constexpr double kTolerance = 1e-8;

void compare_at(const Machine& m, const Model& model, const VectorXd& q, const VectorXd& drives) {
  for (Eigen::Index d = 0; d < drives.size(); ++d) {
    const VectorXd h = kStep * VectorXd::Unit(drives.size(), d);
    const expr::Values ahead = calc_states(m, solve_pose(m, q, drives + h));
    const expr::Values behind = calc_states(m, solve_pose(m, q, drives - h));
    expr::Values values = calc_states(m, q);
    for (std::size_t i = 0; i < model.system.inputs.size(); ++i) {
      values[model.system.inputs[i].symbol->name] = static_cast<Eigen::Index>(i) == d ? 1.0 : 0.0;
    }
    const std::vector<double> rates = calc_rates(model, values);
    for (std::size_t s = 0; s < rates.size(); ++s) {
      const std::string& name = model.system.states[s].name;
      if (name.ends_with(".Ix.displacement") || name.ends_with(".Iy.displacement")) continue;  // centres
      const double expected = (ahead.at(name) - behind.at(name)) / (2 * kStep);
      EXPECT_NEAR(rates[s], expected, kTolerance * std::max(1.0, std::abs(expected)))
          << name << " by drive " << d;
    }
  }
}

/// 20 poses along `path`, which gives the drives' values from 0 to 1; ten steps of continuation between two of them.
void compare_along(const std::string& file, RodForm form,
                   const std::function<VectorXd(const VectorXd& start, double s)>& path) {
  const Machine m = machine::build_machine_from_file(config(file));
  const Model model = build_model(machine::build_rods(m, {form, true, {}}));
  VectorXd start;
  VectorXd q = solve_start(m, start);
  constexpr int kPoses = 20, kSteps = 10;
  for (int i = 1; i <= kPoses * kSteps; ++i) {
    const VectorXd drives = path(start, static_cast<double>(i) / (kPoses * kSteps));
    q = solve_pose(m, q, drives);
    if (i % kSteps == 0) compare_at(m, model, q, drives);
  }
}

class RatesOracle : public testing::TestWithParam<RodForm> {};

VectorXd full_turn(const VectorXd& start, double s) {
  return start + VectorXd::Constant(1, 2 * std::numbers::pi * s);
}

/// Both drives sweep between `low` and `high`, at different paces.
auto sweep(const Vector2d& low, const Vector2d& high) {
  return [=](const VectorXd& start, double s) -> VectorXd {
    const Vector2d wave(0.5 - 0.5 * std::cos(2 * std::numbers::pi * s),
                        0.5 - 0.5 * std::cos(6 * std::numbers::pi * s));
    const Vector2d goal = low + wave.cwiseProduct(high - low);
    const double blend = std::min(1.0, 5 * s);
    return (1 - blend) * start + blend * goal;
  };
}

constexpr double kDegree = std::numbers::pi / 180;

TEST_P(RatesOracle, AgreesOverAFullTurnOfTheFourBar) {
  compare_along("four_bar.yaml", GetParam(), full_turn);
}
TEST_P(RatesOracle, AgreesOverAFullTurnOfTheCrankSlider) {
  compare_along("crank_slider.yaml", GetParam(), full_turn);
}
TEST_P(RatesOracle, AgreesOverTheRangeOfTheWheelLoader) {
  compare_along("wheel_loader.yaml", GetParam(),
                sweep(Vector2d(-34, 100) * kDegree, Vector2d(44, 156) * kDegree));
}
TEST_P(RatesOracle, AgreesOverTheStrokesOfTheWheelLoadersCylinders) {
  compare_along("wheel_loader_cylinders.yaml", GetParam(), sweep({1.24, 1.05}, {1.98, 1.47}));
}

INSTANTIATE_TEST_SUITE_P(Forms, RatesOracle, testing::Values(RodForm::traditional, RodForm::equivalent),
                         [](const auto& param_info) {
                           return param_info.param == RodForm::traditional ? "traditional" : "equivalent";
                         });

}  // namespace
}  // namespace rodeo::reduction
