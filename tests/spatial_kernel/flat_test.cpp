// SPDX-License-Identifier: MIT
// What is written out against what shares no code with it: Eigen's own elimination, closed forms, the path that searches for pivots.
#include <gtest/gtest.h>

#include <Eigen/LU>
#include <random>

#include "kinematics/codegen/flat_lu.h"
#include "kinematics/expr/eval.h"
#include "tests/spatial_kernel/rssr.h"
#include "tests/spatial_kernel/support.h"

namespace rodeo::spatial_kernel {
namespace {

using codegen::ExprRow;
using codegen::Pivot;
using codegen::PivotOrder;
using Eigen::MatrixXd;

Eigen::MatrixXi pattern_of(const MatrixXd& matrix) { return (matrix.array() != 0.0).cast<int>(); }

/// Sparse, with one row more than columns: a row of its own in every third place, the last the sum of the first two.
MatrixXd build_sparse(std::mt19937& random) {
  std::uniform_real_distribution<double> number(0.5, 1.5);
  MatrixXd matrix = MatrixXd::Zero(9, 8);
  for (int i = 0; i < 8; ++i) {
    matrix(i, (3 * i) % 8) = number(random);
    matrix(i, (i + 1) % 8) += 0.4 * number(random);
  }
  matrix.row(8) = matrix.row(0) + matrix.row(1);
  return matrix;
}

TEST(PivotOrder, LeavesAlonePivotsThatVanishOnTheWay) {
  std::vector<MatrixXd> samples;
  for (int i = -10; i <= 10; ++i) samples.push_back((MatrixXd(2, 2) << 0.1 * i, 1, 1, 0.2).finished());
  const PivotOrder order = codegen::build_pivot_order(Eigen::MatrixXi::Ones(2, 2), samples);
  ASSERT_EQ(order.pivots.size(), 2U);
  for (const Pivot& pivot : order.pivots) EXPECT_NE(pivot.row, pivot.column);
  EXPECT_EQ(order.share, 1.0);
}

TEST(PivotOrder, SaysInHowManyPosesItsPivotsAreLarge) {
  std::vector<MatrixXd> samples;
  for (int i = 0; i < 100; ++i) samples.push_back(MatrixXd::Constant(1, 1, i < 5 ? 0.01 : 1.0));
  EXPECT_EQ(codegen::build_pivot_order(Eigen::MatrixXi::Ones(1, 1), samples).share, 0.95);
}

TEST(PivotOrder, HasNoneForWhatIsSingularEverywhere) {
  const MatrixXd matrix = MatrixXd::Ones(2, 2);
  EXPECT_TRUE(codegen::build_pivot_order(pattern_of(matrix), {matrix}).pivots.empty());
}

TEST(FlatLu, SolvesAsEigenDoes) {
  std::mt19937 random(1);
  for (int round = 0; round < 20; ++round) {
    const MatrixXd matrix = build_sparse(random);
    std::vector<ExprRow> symbols;
    ExprRow inputs, right;
    std::vector<double> numbers;
    for (int i = 0; i < 9; ++i) {
      ExprRow& row = symbols.emplace_back();
      for (int j = 0; j < 8; ++j) {
        row.emplace_back(0.0);
        if (matrix(i, j) == 0.0) continue;
        row.back() = expr::variable(fmt::format("a{}_{}", i, j));
        inputs.push_back(row.back());
        numbers.push_back(matrix(i, j));
      }
    }
    const Eigen::VectorXd x = Eigen::VectorXd::Random(8), b = matrix * x;
    for (int i = 0; i < 9; ++i) right.emplace_back(b[i]);
    const codegen::FlatLu lu(symbols, codegen::build_pivot_order(pattern_of(matrix), {matrix}));
    Eigen::VectorXd found(8);
    expr::Program(lu.solve(right), inputs).run(numbers.data(), found.data());
    EXPECT_LT((found - x).norm(), 1e-12) << round;
    EXPECT_LT((found - matrix.topRows(8).fullPivLu().solve(b.head(8))).norm(), 1e-12) << round;
  }
}

/// Towards a dead point the fixed pivots hand over to the search: the machine does not notice.
TEST(DrivenKernel, FollowsTheClosedFormUpToADeadPoint) {
  Moving machine(build_config("rssr", {"r=1"}));
  const Rssr hand{.r = 1.0};
  double angle = 0, worst = 0, least = 1, largest = 0;
  while (machine.step({angle, 1, 0}) == KernelStatus::ok && angle < 2 * kPi) {
    const double margin = machine.instance().calc_margin();
    worst = std::max(worst, (machine.triple("C.") - hand.C(hand.rocker(angle))).norm() * margin);
    EXPECT_LT(machine.residual(), 1e-12) << angle;
    least = std::min(least, margin);
    largest = std::max(largest, margin);
    angle += 1e-3;
  }
  EXPECT_LT(worst, 1e-12);
  EXPECT_LT(least, 0.1);
  EXPECT_GT(largest, 0.3);
}

/// The loops over tables that larger machines have.
class LoopsAndLines : public testing::TestWithParam<std::string> {};

TEST_P(LoopsAndLines, AgreeOverAFullTurn) {
  Moving flat(build_config(GetParam())), loops(build_config(GetParam()), false);
  const double start = flat.kernel().start_drives()[0];
  for (int i = 0; i <= 700; ++i) {
    const std::vector<double> drives{start + 0.01 * i, 2.0, -1.5};
    ASSERT_EQ(flat.step(drives), KernelStatus::ok) << i;
    ASSERT_EQ(loops.step(drives), KernelStatus::ok) << i;
    for (std::size_t k = 0; k < flat.outputs().size(); ++k)
      ASSERT_NEAR(flat.outputs()[k], loops.outputs()[k], 2e-12) << i << " " << k;
  }
}
INSTANTIATE_TEST_SUITE_P(Machines, LoopsAndLines, testing::Values("rssr", "bennett"));

TEST(LoopsAndLinesFree, AgreeOnAMotionByForces) {
  Moving flat(build_config("slider_crank_hyperstatic")),
      loops(build_config("slider_crank_hyperstatic"), false);
  for (int i = 0; i < 300; ++i) {
    flat.move(1e-3);
    loops.move(1e-3);
  }
  for (std::size_t k = 0; k < flat.outputs().size(); ++k)
    EXPECT_NEAR(flat.outputs()[k], loops.outputs()[k], 1e-9) << k;
  EXPECT_NEAR(flat.load("bearing.fx"), loops.load("bearing.fx"), 1e-7);
}

/// A step that has to compute the accelerations it begins with, and one that has them from the step before.
TEST(FreeKernel, GoesOnAsAfterItsStatesWereSetAnew) {
  Moving machine(build_config("slider_crank_isostatic")), other(build_config("slider_crank_isostatic"));
  std::vector<double> states(machine.kernel().state_count());
  for (int i = 0; i < 200; ++i) {
    machine.move(1e-3);
    other.move(1e-3);
    other.instance().get_state(states);
    ASSERT_EQ(other.instance().try_set_state(states), KernelStatus::ok);
  }
  for (std::size_t i = 0; i < machine.outputs().size(); ++i)
    EXPECT_NEAR(machine.outputs()[i], other.outputs()[i], 1e-9 * (1 + std::abs(other.outputs()[i])));
}

}  // namespace
}  // namespace rodeo::spatial_kernel
