// SPDX-License-Identifier: MIT
// Inside kinematics/solve only: what CVODE and IDA share. SUNDIALS is C, so nothing may be thrown through it: a callback
// keeps what its problem threw and the integrator throws it again.
#pragma once
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nvector.h>

#include <exception>
#include <memory>
#include <utility>

#include "kinematics/solve/solve.h"

namespace rodeo::solve {

struct ContextEnd {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct VectorEnd {
  void operator()(N_Vector vector) const { N_VDestroy(vector); }
};
struct MatrixEnd {
  void operator()(SUNMatrix matrix) const { SUNMatDestroy(matrix); }
};
struct SolverEnd {
  void operator()(SUNLinearSolver solver) const { SUNLinSolFree(solver); }
};
template <class Handle, class End>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, End>;
using OwnedContext = Owned<SUNContext, ContextEnd>;
using OwnedVector = Owned<N_Vector, VectorEnd>;
using OwnedMatrix = Owned<SUNMatrix, MatrixEnd>;
using OwnedSolver = Owned<SUNLinearSolver, SolverEnd>;

/// Vectors and the dense solver of one problem. A problem without unknowns gets one that never changes, as SUNDIALS
/// knows no empty vector.
class Workspace {
 public:
  Workspace(std::size_t size, const Options& options);

  [[nodiscard]] OwnedVector build_vector() const;
  [[nodiscard]] In view(N_Vector vector) const;
  [[nodiscard]] Out edit(N_Vector vector) const;
  void copy(In from, N_Vector to) const;
  /// 1/(relative · size + absolute) of each component, with the largest size so far.
  void calc_weights(N_Vector now, N_Vector weights);

  std::size_t size;
  OwnedContext context;
  OwnedVector state, tolerance;
  OwnedMatrix matrix;
  OwnedSolver solver;
  double relative;
  std::vector<double> largest;
};

/// What a callback answers to SUNDIALS.
enum Answer : int { kFine = 0, kSmallerStep = 1, kGiveUp = -1 };

/// Calls `compute`, which fills `out`; remembers in `thrown` what it throws, and in `bad` a component that is not finite.
struct Guard {
  std::exception_ptr thrown;
  long calls = 0;
  std::ptrdiff_t bad = -1;

  template <class Compute>
  int run(Out out, const Compute& compute) {
    ++calls;
    try {
      compute();
    } catch (...) {
      thrown = std::current_exception();
      return kGiveUp;
    }
    bad = find_bad(out);
    return bad < 0 ? kFine : kSmallerStep;
  }
  void rethrow() {
    if (thrown) std::rethrow_exception(std::exchange(thrown, nullptr));
  }
  [[nodiscard]] static std::ptrdiff_t find_bad(In values);
};

/// Of one step, before the smallest step is reached: a first step from rest may have to shrink by ten orders.
inline constexpr int kMostRefusals = 60;

/// SUNDIALS' own messages are not for our users.
void be_silent(int code, const char* module, const char* function, char* message, void* data);

/// Why it stopped, from SUNDIALS' flag (the numbers of CVODE and IDA agree where it matters), as the end of a sentence.
enum class Stop { too_much_work, too_much_accuracy, error_test, convergence, right_side, other };
[[nodiscard]] std::string stop_text(Stop stop, double end, const Options& options, bool has_events);

}  // namespace rodeo::solve
