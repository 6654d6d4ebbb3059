// SPDX-License-Identifier: MIT
// The sparse rank against dense singular values.
#include <gtest/gtest.h>

#include <Eigen/SVD>
#include <random>

#include "kinematics/machine/closure.h"
#include "kinematics/machine/rank.h"
#include "tests/pose/machines.h"

namespace rodeo::machine::testing {
namespace {

int dense_rank(const Eigen::MatrixXd& m) {
  if (m.rows() == 0) return 0;
  Eigen::JacobiSVD<Eigen::MatrixXd> svd(m);
  return static_cast<int>((svd.singularValues().array() > 1e-7).count());
}

/// Integer entries, some rows combinations of earlier ones, some columns empty.
Eigen::MatrixXd random_matrix(std::mt19937& random) {
  const int rows = 1 + static_cast<int>(random() % 12), columns = 1 + static_cast<int>(random() % 12);
  Eigen::MatrixXd m = Eigen::MatrixXd::Zero(rows, columns);
  for (int r = 0; r < rows; ++r) {
    for (int c = 0; c < columns; ++c)
      m(r, c) = random() % 4 == 0 ? static_cast<int>(random() % 5) - 2.0 : 0.0;
    if (r > 1 && random() % 3 == 0) m.row(r) = m.row(r - 1) - 2 * m.row(r - 2);
  }
  return m;
}

TEST(RowRank, EqualsDenseRankAndNamesRowsThatFollowFromEarlierOnes) {
  std::mt19937 random(7);
  for (int i = 0; i < 500; ++i) {
    const Eigen::MatrixXd dense = random_matrix(random);
    const RowRank sparse(dense.sparseView());
    ASSERT_EQ(sparse.rank(), dense_rank(dense)) << dense;
    std::vector<int> expected;
    for (int r = 0; r < dense.rows(); ++r) {
      if (dense_rank(dense.topRows(r + 1)) == dense_rank(dense.topRows(r))) expected.push_back(r);
    }
    ASSERT_EQ(sparse.find_dependent_rows(), expected) << dense;
  }
}

TEST(RowRank, FreeMovesChangeNoRowAndAreIndependent) {
  std::mt19937 random(8);
  for (int i = 0; i < 500; ++i) {
    const Eigen::MatrixXd dense = random_matrix(random);
    const Eigen::MatrixXd moves = RowRank(dense.sparseView()).build_free_moves();
    ASSERT_EQ(moves.cols(), dense.cols() - dense_rank(dense));
    if (moves.cols() == 0) continue;
    ASSERT_LT((dense * moves).cwiseAbs().maxCoeff(), 1e-10) << dense;
    ASSERT_LT((moves.transpose() * moves - Eigen::MatrixXd::Identity(moves.cols(), moves.cols())).norm(),
              1e-10);
  }
}

TEST(RowRank, OfAShuffledChainStaysSparse) {
  const Machine machine = windows(1000, 1.2);
  std::vector<Row> rows = build_rows(machine, true);
  std::mt19937 random(9);
  for (std::size_t i = rows.size(); i > 1; --i) std::swap(rows[i - 1], rows[random() % i]);
  const Closure closure(machine, rows, {1.2});
  // Filled in, this takes minutes.
  EXPECT_EQ(RowRank(closure.calc_jacobian(build_start_pose(machine).pose)).rank(), 6003);
}

}  // namespace
}  // namespace rodeo::machine::testing
