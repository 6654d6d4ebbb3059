// SPDX-License-Identifier: MIT
// A kernel model as C99 text, by tapes: every value is assigned once before it is used (check_tape proves it), what depends
// on parameters alone is computed by init, each sine-cosine pair once, what repeats is a loop. The same model gives the same
// bytes in every process, whatever it built before.
#pragma once
#include <string>

#include "kinematics/codegen/fold.h"
#include "kinematics/codegen/kernel_model.h"

namespace rodeo::codegen {

/// A kernel's routines, as they are written.
struct KernelTapes {
  Tape prepare, step, derivatives, closure, branches, poses, loads, accelerations;
  std::size_t derived_count = 0;    // constants of the parameters alone, which `prepare` stores
  std::vector<KernelTapes> charts;  // of further charts: step, derivatives, poses, loads, accelerations
};

struct KernelText {
  std::string source;             // kernel.c
  std::string model_fingerprint;  // hex
  std::string interface_fingerprint;
  Operations step;           // operations of one step
  Operations loads;          // and of the loads after it
  Operations accelerations;  // and of one evaluation of the free motion
  KernelTapes tapes;
};

[[nodiscard]] KernelText build_kernel_text(const KernelModel& model, Folding folding = Folding::when_long);

/// FNV-1a over the bytes, twice with different offsets: 32 hex digits. Not for secrets.
[[nodiscard]] std::string fingerprint_of(const std::string& text);

}  // namespace rodeo::codegen
