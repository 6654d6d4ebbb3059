// SPDX-License-Identifier: MIT
// An interpreter of tapes.
#include "kinematics/codegen/tape_run.h"

#include <Eigen/SVD>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "kinematics/codegen/positions.h"

namespace rodeo::codegen {
namespace {

constexpr double kClosed =
    1e-8;  // radians: a last correction that is larger means that the block did not close

/// 2πk added so that the angle is nearest to another.
double unwrap(double angle, double near) {
  return angle + 2 * std::numbers::pi * std::round((near - angle) / (2 * std::numbers::pi));
}

/// What is neither a sum nor a product.
double calc(Code code, const double* a) {
  switch (code) {
    case Code::divide: return a[0] / a[1];
    case Code::root: return std::sqrt(a[0]);
    case Code::absolute: return std::fabs(a[0]);
    case Code::smaller: return a[1] < a[0] ? a[1] : a[0];
    case Code::larger: return a[1] > a[0] ? a[1] : a[0];
    case Code::choose: return a[0] < a[1] ? a[2] : a[3];
    case Code::arc_tangent: return std::atan2(a[0], a[1]);
    case Code::angle: return unwrap(std::atan2(a[0], a[1]), a[2]);
    case Code::unwrap: return unwrap(a[0], a[1]);
    case Code::exponential: return std::exp(a[0]);
    case Code::logarithm: return std::log(a[0]);
    default: return std::pow(a[0], a[1]);
  }
}

}  // namespace

void TapeRunner::set_arrays(TapeArrays& arrays) {
  arrays_ = &arrays;
  const auto place = [this](Space space, const std::vector<double>& array) {
    bases_[static_cast<std::size_t>(space)] = array.data();
  };
  place(Space::parameter, arrays.parameters);
  place(Space::derived, arrays.derived);
  place(Space::drive, arrays.drives);
  place(Space::state, arrays.states);
  place(Space::branch, arrays.branches);
  place(Space::output, arrays.outputs);
  place(Space::value, values_);
}

double TapeRunner::read(const Operand& operand) const {
  const double value = operand.space == Space::number
                           ? operand.number
                           : bases_[static_cast<std::size_t>(operand.space)][operand.index];
  return operand.negative ? -value : value;
}

void TapeRunner::store(const Operand& target, double value) {
  std::vector<double>& array = target.space == Space::state     ? arrays_->states
                               : target.space == Space::derived ? arrays_->derived
                                                                : arrays_->outputs;
  array[target.index] = value;
}

bool TapeRunner::test(double value) {
  if (!(value >= stop_margin_)) return false;
  margin_ = std::min(margin_, value);
  return true;
}

void TapeRunner::compute(const Instruction& instruction) {
  const Operand* operands = tape_.operands_of(instruction);
  double* value = values_.data() + instruction.first_value;
  double a[6];
  for (std::uint32_t o = 0; o < instruction.operands; ++o) a[o] = read(operands[o]);
  switch (instruction.code) {
    case Code::add: value[0] = a[0] + a[1]; break;
    case Code::subtract: value[0] = a[0] - a[1]; break;
    case Code::multiply: value[0] = a[0] * a[1]; break;
    case Code::sine_cosine:
    case Code::sine_cosine_pair:
      for (std::size_t o = 0; o < instruction.operands; ++o) {
        value[2 * o] = std::sin(a[o]);
        value[2 * o + 1] = std::cos(a[o]);
      }
      break;
    case Code::angle_pair:
      value[0] = calc(Code::angle, a);
      value[1] = calc(Code::angle, a + 3);
      break;
    default: value[0] = calc(instruction.code, a);
  }
}

/// Into right_; the smallest by the largest singular value of the matrix, 0 if it cannot be solved.
double TapeRunner::solve(const Instruction& instruction) {
  const Eigen::Index n = instruction.values;
  const Operand* operands = tape_.operands_of(instruction);
  Eigen::VectorXd right(n);
  Eigen::MatrixXd matrix(n, n);
  for (Eigen::Index r = 0; r < n; ++r) right[r] = read(operands[r]);
  for (Eigen::Index i = 0; i < n * n; ++i) matrix(i / n, i % n) = read(operands[n + i]);
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(matrix, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const double largest = svd.singularValues()[0], smallest = svd.singularValues()[n - 1];
  if (!(smallest > 0.0)) return 0.0;
  const Eigen::VectorXd solution = svd.solve(right);
  right_.assign(solution.begin(), solution.end());
  return smallest / largest;
}

/// One correction; back to the begin of the block until there were enough.
bool TapeRunner::correct(const Instruction& instruction, std::size_t& at) {
  const double ratio = solve(instruction);
  double* unknowns = values_.data() + instruction.note;
  for (std::size_t u = 0; u < right_.size(); ++u) unknowns[u] -= right_[u];
  if (++corrections_ < kCorrections) {
    at = block_;
    return true;
  }
  std::copy_n(unknowns, right_.size(), values_.data() + instruction.first_value);
  const bool closed =
      std::all_of(right_.begin(), right_.end(), [](double d) { return std::fabs(d) <= kClosed; });
  return test(ratio) && closed;
}

bool TapeRunner::run(TapeArrays& arrays, double stop_margin) {
  set_arrays(arrays);
  stop_margin_ = stop_margin;
  margin_ = 1.0;
  for (std::size_t at = 0; at < tape_.instructions.size(); ++at) {
    const Instruction& instruction = tape_.instructions[at];
    const Operand* operands = tape_.operands_of(instruction);
    double* value = values_.data() + instruction.first_value;
    switch (instruction.code) {
      case Code::test:
        if (!test(read(operands[0]))) return false;
        break;
      case Code::store: store(operands[0], read(operands[1])); break;
      case Code::iterate:
        for (std::uint32_t u = 0; u < instruction.values; ++u) value[u] = read(operands[u]);
        block_ = at;
        corrections_ = 0;
        break;
      case Code::correct:
        if (!correct(instruction, at)) return false;
        break;
      case Code::solve:
        if (!(solve(instruction) > 0.0)) return false;
        std::copy(right_.begin(), right_.end(), value);
        break;
      default: compute(instruction);
    }
  }
  return true;
}

}  // namespace rodeo::codegen
