// SPDX-License-Identifier: MIT
// Ranks by elimination, orthogonality by products, at random values of all variables.
#include "kinematics/bondgraph/moduli.h"

#include <fmt/format.h>

#include <cmath>
#include <optional>
#include <random>

#include "kinematics/expr/eval.h"

namespace rodeo::bondgraph {
namespace {

using Numbers = std::vector<std::vector<double>>;

constexpr int kSamples = 4;
constexpr double kRank = 1e-9;         // of a pivot, against the largest entry
constexpr double kOrthogonal = 1e-12;  // of a product that should be 0 or 1
constexpr std::size_t kMaxInverse = 4;

/// The matrix with every variable at a random value; nothing where it has none.
std::optional<Numbers> find_numbers(const Graph& graph, const Element& element, std::mt19937& random) {
  expr::Values values;
  std::uniform_real_distribution<double> uniform(0.3, 1.7);
  for (const Expr symbol : expr::symbols_of(element.value)) values[symbol->name] = uniform(random);
  for (const expr::Parameter& parameter : graph.parameters) values[parameter.name] = parameter.number;
  Numbers numbers;
  try {
    for (const std::vector<Expr>& row : build_matrix(element)) {
      numbers.emplace_back();
      for (const Expr value : row) numbers.back().push_back(expr::calc_value(value, values));
    }
  } catch (const std::exception&) {
    return std::nullopt;  // a function of a shared library
  }
  return numbers;
}

double calc_largest(const Numbers& matrix) {
  double largest = 0.0;
  for (const auto& row : matrix) {
    for (const double value : row) largest = std::max(largest, std::abs(value));
  }
  return largest;
}

/// Elimination with pivots of rows.
std::size_t calc_rank(Numbers matrix) {
  const double least = kRank * calc_largest(matrix);
  std::size_t rank = 0;
  for (std::size_t column = 0; column < matrix[0].size() && rank < matrix.size(); ++column) {
    std::size_t best = rank;
    for (std::size_t row = rank; row < matrix.size(); ++row) {
      if (std::abs(matrix[row][column]) > std::abs(matrix[best][column])) best = row;
    }
    if (!(std::abs(matrix[best][column]) > least)) continue;
    std::swap(matrix[rank], matrix[best]);
    for (std::size_t row = rank + 1; row < matrix.size(); ++row) {
      const double factor = matrix[row][column] / matrix[rank][column];
      for (std::size_t k = column; k < matrix[row].size(); ++k) matrix[row][k] -= factor * matrix[rank][k];
    }
    ++rank;
  }
  return rank;
}

bool is_orthogonal(const Numbers& matrix) {
  for (std::size_t i = 0; i < matrix.size(); ++i) {
    for (std::size_t j = 0; j <= i; ++j) {
      double product = 0.0;
      for (std::size_t k = 0; k < matrix[i].size(); ++k) product += matrix[i][k] * matrix[j][k];
      if (!(std::abs(product - (i == j ? 1.0 : 0.0)) < kOrthogonal)) return false;
    }
  }
  return true;
}

bool is_square(const Element& element) { return element.shape.rows == element.shape.columns; }

/// Whether `holds` is true at every sample.
template <typename Predicate>
bool holds_at_samples(const Graph& graph, const Element& element, Predicate holds) {
  std::mt19937 random(1);
  for (int i = 0; i < kSamples; ++i) {
    const auto numbers = find_numbers(graph, element, random);
    if (!numbers || !holds(*numbers)) return false;
  }
  return true;
}

}  // namespace

expr::Matrix build_matrix(const Element& element) {
  expr::Matrix matrix;
  for (int row = 0; row < element.shape.rows; ++row) {
    const auto first = element.value.begin() + row * element.shape.columns;
    matrix.emplace_back(first, first + element.shape.columns);
  }
  return matrix;
}

bool is_invertible(const Graph& graph, const Element& element) {
  if (!is_square(element)) return false;
  return holds_at_samples(graph, element,
                          [](const Numbers& numbers) { return calc_rank(numbers) == numbers.size(); });
}

expr::Matrix build_inverse_transposed(const Graph& graph, const Element& element) {
  expr::Matrix matrix = build_matrix(element);
  if (holds_at_samples(graph, element, is_orthogonal)) return matrix;
  if (matrix.size() <= kMaxInverse) return expr::inverse_transposed(matrix);
  throw text::ModelError(
      element.where,
      fmt::format("element '{}': causality turns its matrix of {} rows round, and only matrices of up to {} "
                  "rows, and "
                  "orthogonal ones, are inverted: give the inverse, with its bonds the other way",
                  element.name, matrix.size(), kMaxInverse));
}

}  // namespace rodeo::bondgraph
