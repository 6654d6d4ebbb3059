// SPDX-License-Identifier: MIT
#include "kinematics/solve/sundials.h"

#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>

namespace rodeo::solve {
namespace {

OwnedContext build_context() {
  SUNContext context = nullptr;
  if (SUNContext_Create(nullptr, &context) != 0) throw std::bad_alloc();
  return OwnedContext(context);
}

template <class Handle>
Handle checked(Handle handle) {
  if (handle == nullptr) throw std::bad_alloc();
  return handle;
}

}  // namespace

Workspace::Workspace(std::size_t size_, const Options& options)
    : size(size_), context(build_context()), relative(options.relative), largest(size_, 0.0) {
  const auto length = static_cast<sunindextype>(std::max<std::size_t>(size, 1));
  state = build_vector();
  tolerance = build_vector();
  matrix.reset(checked(SUNDenseMatrix(length, length, context.get())));
  solver.reset(checked(SUNLinSol_Dense(state.get(), matrix.get(), context.get())));
  if (options.absolute.size() != 1 && options.absolute.size() != size) {
    throw std::invalid_argument("one absolute tolerance, or one a component");
  }
  for (std::size_t i = 0; i < size; ++i) {
    edit(tolerance.get())[i] = options.absolute[options.absolute.size() == 1 ? 0 : i];
  }
  if (size == 0) N_VGetArrayPointer(tolerance.get())[0] = 1.0;
}

OwnedVector Workspace::build_vector() const {
  OwnedVector vector(
      checked(N_VNew_Serial(static_cast<sunindextype>(std::max<std::size_t>(size, 1)), context.get())));
  N_VConst(0.0, vector.get());
  return vector;
}

In Workspace::view(N_Vector vector) const { return {N_VGetArrayPointer(vector), size}; }
Out Workspace::edit(N_Vector vector) const { return {N_VGetArrayPointer(vector), size}; }
void Workspace::copy(In from, N_Vector to) const { std::copy_n(from.begin(), size, N_VGetArrayPointer(to)); }

void Workspace::calc_weights(N_Vector now, N_Vector weights) {
  N_VConst(1.0, weights);
  for (std::size_t i = 0; i < size; ++i) {
    largest[i] = std::max(largest[i], std::abs(view(now)[i]));
    edit(weights)[i] = 1.0 / (relative * largest[i] + view(tolerance.get())[i]);
  }
}

std::ptrdiff_t Guard::find_bad(In values) {
  const auto at = std::find_if(values.begin(), values.end(), [](double v) { return !std::isfinite(v); });
  return at == values.end() ? -1 : at - values.begin();
}

void be_silent(int, const char*, const char*, char*, void*) {}

std::string stop_text(Stop stop, double end, const Options& options, bool has_events) {
  switch (stop) {
    case Stop::too_much_work:
      return fmt::format("{} steps did not reach t = {:.6g} s: loosen the tolerance, or look for {} there",
                         options.most_steps, end, has_events ? "a switch that chatters" : "a singularity");
    case Stop::too_much_accuracy:
      return fmt::format("a relative tolerance of {:.1g} is finer than the arithmetic: loosen it",
                         options.relative);
    case Stop::error_test:
      return "the error stays too large at the smallest step: loosen the tolerance, or look for a jump or a "
             "singularity there";
    case Stop::convergence:
      return "Newton's iteration fails at the smallest step: loosen the tolerance, or look for a jump or a "
             "singularity there";
    case Stop::right_side: return "the equations have no finite value there: look for a division by zero";
    case Stop::other: break;
  }
  return "the solver gave up: try another method";
}

}  // namespace rodeo::solve
