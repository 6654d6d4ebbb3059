// SPDX-License-Identifier: MIT
// The IFToMM problems in Simbody, by one of its integrators at an accuracy.
#pragma once
#include "tests/bench/engines/iftomm.h"

namespace iftomm {

/// `RungeKuttaMerson`, `RungeKuttaFeldberg`: those of its integrators that have a high order. The third, CPodes, ends the program by
/// an assertion of its own, on both problems.
std::vector<std::string> simbody_integrators();
struct SimbodyStep {
  double accuracy = 1e-3;  // also says how well constraints are kept: to a tenth of it
  double fixed = 0;        // s; 0: chosen by the accuracy
};
Run run_simbody(const Problem& problem, const std::string& integrator, const SimbodyStep& step);

}  // namespace iftomm
