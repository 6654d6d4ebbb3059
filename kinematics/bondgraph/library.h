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

/// Why a library cannot be asked for this function, empty if it can. Looks at the file; nothing of it is loaded or run.
[[nodiscard]] std::string find_function_fault(const std::string& library, const std::string& function);

/// A library is native code, and a model may come from a stranger: none is loaded that the user has not allowed, in this
/// process, by its path as the model's expressions have it.
void allow_library(const std::string& library);
[[nodiscard]] bool is_library_allowed(const std::string& library);

using LibraryFunction = double (*)(double t, const double* arguments, int count);

class LibraryFunctions {
 public:
  /// Loads the library when it is new. Throws std::invalid_argument with a sentence when the library is not allowed, or it or
  /// the function is not there.
  [[nodiscard]] LibraryFunction build_function(const std::string& library, const std::string& function);

  /// The value of a library call whose operands are (t, arguments...): fit for expr::Context::call.
  [[nodiscard]] double build_value(const expr::Node& call, const std::vector<double>& operands);

 private:
  std::unordered_map<std::string, void*> libraries_;
  std::unordered_map<std::string, LibraryFunction>
      functions_;  // by "library\nfunction", as expr names a call
};

}  // namespace rodeo::bondgraph
