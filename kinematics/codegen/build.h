// SPDX-License-Identifier: MIT
// The folder that `rodeo build` makes: kernel.c, rodeo_kernel.h, kernel.so, interface.json, certificate.json.
#pragma once
#include <stdexcept>
#include <string>
#include <vector>

#include "kinematics/codegen/emit.h"
#include "kinematics/machine/machine.h"
#include "kinematics/machine/pose.h"

namespace rodeo::codegen {

/// A kernel with all that is told about it.
struct Kernel {
  KernelModel model;
  KernelText text;
};

/// How a machine that nobody drives moves: in as few coordinates as can be, or in all with multipliers.
enum class KernelMethod { minimal, lagrange };

[[nodiscard]] Kernel build_kernel(const machine::Machine& machine, const machine::Assembly& start,
                                  const machine::Mobility& mobility, Folding folding = Folding::when_long,
                                  KernelMethod method = KernelMethod::minimal);

/// There is no C compiler on this machine.
class NoCompiler : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

/// optimised: for running; quick: a third of the time, the same bits, for a look at the start.
enum class Compilation { optimised, quick };

/// Compiles kernel.c in a folder to kernel.so with the C compiler; throws std::runtime_error with what it said.
void compile_kernel(const std::string& folder, Compilation how = Compilation::optimised);

/// Command line of the compiler, without files: part of what a cached kernel depends on.
[[nodiscard]] const char* compiler_flags();

}  // namespace rodeo::codegen
