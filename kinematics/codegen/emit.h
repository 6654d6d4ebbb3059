// SPDX-License-Identifier: MIT
// A kernel model as C99 text. Every value is assigned once before it is used (the writer proves it), what depends on
// parameters alone is computed by init, each sine-cosine pair once. The same model gives the same bytes on every run.
#pragma once
#include <string>

#include "kinematics/codegen/kernel_model.h"

namespace rodeo::codegen {

struct Operations {
  int adds = 0, multiplies = 0, divides = 0, roots = 0, trigonometric = 0;
};

struct KernelText {
  std::string source;             // kernel.c
  std::string model_fingerprint;  // hex
  std::string interface_fingerprint;
  Operations step;  // operations of one step
};

[[nodiscard]] KernelText build_kernel_text(const KernelModel& model);

/// FNV-1a over the bytes, twice with different offsets: 32 hex digits. Not for secrets.
[[nodiscard]] std::string fingerprint_of(const std::string& text);

}  // namespace rodeo::codegen
