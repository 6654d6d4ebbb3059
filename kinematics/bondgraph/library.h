// SPDX-License-Identifier: MIT
// Functions in shared libraries as values of elements (Bondin, section 8). A library is loaded once and stays loaded.
// The function a user writes, in C or with C linkage:
//
//   double hardness(double t, const double* arguments, int count);
//
// Time is handed over by Rodeo, not written among the arguments. In an expression (expr::Op::call) the time is the
// first operand, so that the expression depends on it: `hardness(t, I1.flow, I2.flow)`.
#pragma once
#include <string>
#include <unordered_map>
#include <vector>

#include "kinematics/expr/expr.h"

namespace rodeo::bondgraph {

using LibraryFunction = double (*)(double t, const double* arguments, int count);

class LibraryFunctions {
 public:
  /// Loads the library when it is new. Throws std::invalid_argument with a sentence when the library or the
  /// function is not there.
  [[nodiscard]] LibraryFunction build_function(const std::string& library, const std::string& function);

  /// The value of a library call whose operands are (t, arguments...): fit for expr::Context::call.
  [[nodiscard]] double build_value(const expr::Node& call, const std::vector<double>& operands);

 private:
  std::unordered_map<std::string, void*> libraries_;
  std::unordered_map<std::string, LibraryFunction>
      functions_;  // by "library\nfunction", as expr names a call
};

}  // namespace rodeo::bondgraph
