// SPDX-License-Identifier: MIT
#include "kinematics/dynamics/saddle.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

namespace rodeo::dynamics {
namespace {

constexpr Eigen::Index kMostDense = 32;  // rows
constexpr int kMostCorrections = 6;
constexpr double kExact = 1e-14;  // relative residual at which nothing can be gained

/// (row, side) of every use of a body.
using Uses = std::vector<std::vector<std::array<int, 2>>>;
/// (column, row) of the lower half, in the order of storage.
using Entries = std::map<std::array<int, 2>, int>;

Uses find_uses(const std::vector<RowTerms>& rows, Eigen::Index bodies) {
  Uses uses(static_cast<std::size_t>(bodies));
  for (int i = 0; i < static_cast<int>(rows.size()); ++i) {
    for (int side = 0; side < 2; ++side) {
      if (rows[i].body[side] != 0) uses[rows[i].body[side]].push_back({i, side});
    }
  }
  return uses;
}

Entries find_entries(const Uses& uses, int rows) {
  Entries entries;
  for (int i = 0; i < rows; ++i) entries[{i, i}] = 0;
  for (const auto& body : uses) {
    for (const auto& a : body) {
      for (const auto& b : body) {
        if (a[0] >= b[0]) entries[{b[0], a[0]}] = 0;
      }
    }
  }
  return entries;
}

}  // namespace

Saddle::Saddle(Vector weights)
    : weights_(std::move(weights)), inverse_(weights_.cwiseInverse()), root_inverse_(inverse_.cwiseSqrt()) {}

bool Saddle::is_dense() const noexcept { return schur_.rows() <= kMostDense; }

// Entries of S are pairs of rows that share a body; which ones does not depend on the pose.
void Saddle::analyse(const std::vector<RowTerms>& rows) {
  const int width = rows.empty() ? 3 : rows[0].width;
  const Uses uses = find_uses(rows, weights_.size() / width + 1);
  Entries entries = find_entries(uses, static_cast<int>(rows.size()));
  build_pattern(entries, static_cast<int>(rows.size()));
  products_.clear();
  for (std::size_t b = 1; b < uses.size(); ++b) {
    for (const auto& r : uses[b]) {
      for (const auto& c : uses[b]) {
        if (r[0] < c[0]) continue;
        products_.push_back(
            {entries[{c[0], r[0]}], r[0], c[0], r[1], c[1], static_cast<Eigen::Index>(b - 1) * width});
      }
    }
  }
  pattern_.clear();
  for (const RowTerms& row : rows) pattern_.push_back(row.body);
  if (!is_dense()) sparse_.analyzePattern(schur_);
}

/// Numbers the entries in the order of storage.
void Saddle::build_pattern(std::map<std::array<int, 2>, int>& entries, int rows) {
  std::vector<Eigen::Triplet<double>> triplets;
  diagonal_.assign(static_cast<std::size_t>(rows), 0);
  int next = 0;
  for (auto& [at, index] : entries) {
    index = next++;
    if (at[0] == at[1]) diagonal_[at[0]] = index;
    triplets.emplace_back(at[1], at[0], 1.0);
  }
  schur_.resize(rows, rows);
  schur_.setFromTriplets(triplets.begin(), triplets.end());
  schur_.makeCompressed();
}

void Saddle::fill(const std::vector<RowTerms>& rows, double damping) {
  double* values = schur_.valuePtr();
  std::fill(values, values + schur_.nonZeros(), 0.0);
  for (const Product& p : products_) {
    const auto& a = rows[p.row].d[p.row_side];
    const auto& b = rows[p.column].d[p.column_side];
    const double* w = inverse_.data() + p.at;
    values[p.entry] += a[0] * w[0] * b[0] + a[1] * w[1] * b[1] + a[2] * w[2] * b[2];
    if (rows[p.row].width == 6)
      values[p.entry] += a[3] * w[3] * b[3] + a[4] * w[4] * b[4] + a[5] * w[5] * b[5];
  }
  scale_.resize(schur_.rows());
  for (Eigen::Index i = 0; i < schur_.rows(); ++i) {
    const double size = values[diagonal_[i]];
    scale_[i] = size > 0 ? 1.0 / std::sqrt(size) : 1.0;
  }
  for (int c = 0; c < schur_.cols(); ++c) {
    for (Eigen::SparseMatrix<double>::InnerIterator it(schur_, c); it; ++it)
      it.valueRef() *= scale_[it.row()] * scale_[c];
  }
  for (const int entry : diagonal_) values[entry] = 1.0 + damping;
}

void Saddle::factor(const std::vector<RowTerms>& rows, double damping) {
  const bool same = pattern_.size() == rows.size() &&
                    std::equal(rows.begin(), rows.end(), pattern_.begin(),
                               [](const RowTerms& row, const auto& body) { return row.body == body; });
  if (!same) analyse(rows);
  rows_ = rows;
  if (rows.empty()) return;
  fill(rows, damping);
  if (is_dense()) {
    full_ = schur_;
    dense_.compute(full_);
    least_pivot_ = dense_.vectorD().minCoeff();
  } else {
    sparse_.factorize(schur_);
    least_pivot_ = sparse_.vectorD().minCoeff();
  }
}

void Saddle::calc_schur(Vector& b) const {
  b.array() *= scale_.array();
  if (is_dense()) {
    dense_.solveInPlace(b);
  } else {
    b = sparse_.solve(b);
  }
  b.array() *= scale_.array();
}

double Saddle::calc_residual(const Vector& mass, const Vector& f, const Vector& g, const Vector& x,
                             const Vector& lambda) const {
  r_ = f - mass.cwiseProduct(x);
  add_transposed(rows_, lambda, r_, -1.0);
  s_ = g - calc_product(rows_, x);
  const double rows = rows_.empty() ? 0.0 : scale_.cwiseProduct(s_).cwiseAbs().maxCoeff();
  return std::max(rows, root_inverse_.cwiseProduct(r_).cwiseAbs().maxCoeff());
}

// A correction: S dλ = J W⁻¹ r − s,  dx = W⁻¹(r − Jᵀdλ)  with r = f − M x − Jᵀλ,  s = g − J x. Residuals are measured in
// √energy: r by W^-1/2, rows in units of their own size.
void Saddle::solve(const Vector& mass, const Vector& f, const Vector& g, Vector& x, Vector& lambda) const {
  double before = HUGE_VAL;
  for (int pass = 0; pass <= kMostCorrections; ++pass) {
    const double left = calc_residual(mass, f, g, x, lambda);
    if (!std::isfinite(left) || left > 0.25 * before) return;
    if (pass > 0 && left <= kExact * calc_size(f, x)) return;
    before = left;
    move_ = inverse_.cwiseProduct(r_);
    change_ = calc_product(rows_, move_) - s_;
    if (!rows_.empty()) calc_schur(change_);
    add_transposed(rows_, change_, r_, -1.0);
    lambda += change_;
    x += inverse_.cwiseProduct(r_);
  }
}

double Saddle::calc_size(const Vector& f, const Vector& x) const {
  return (x.cwiseQuotient(root_inverse_).cwiseAbs() + f.cwiseProduct(root_inverse_).cwiseAbs()).maxCoeff();
}

void Saddle::project(const Vector& g, Vector& x) const {
  Vector lambda = Vector::Zero(static_cast<Eigen::Index>(rows_.size()));
  const Vector f = weights_.cwiseProduct(x);
  solve(weights_, f, g, x, lambda);
}

}  // namespace rodeo::dynamics
