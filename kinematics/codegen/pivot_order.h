// SPDX-License-Identifier: MIT
// The order in which a sparse matrix is eliminated, fixed ahead for all poses of a sampled motion: pivots that are large in most of
// them, and of these the one that fills in least (Markowitz). THEORY K14.
#pragma once
#include <Eigen/Core>
#include <vector>

namespace rodeo::codegen {

struct Pivot {
  int row = 0, column = 0;
};

struct PivotOrder {
  std::vector<Pivot> pivots;
  Eigen::VectorXd columns;  // the largest of each column over the samples
  double share = 0.0;       // of the samples in which no pivot is small
};

/// `pattern` is 0 where the matrix is nil in every pose; rows beyond its rank stay without a pivot. No pivots: it is singular.
[[nodiscard]] PivotOrder build_pivot_order(Eigen::MatrixXi pattern, std::vector<Eigen::MatrixXd> samples);

}  // namespace rodeo::codegen
