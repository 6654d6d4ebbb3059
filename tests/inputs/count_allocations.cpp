// SPDX-License-Identifier: MIT
// The counting malloc, in this program too.
#include "tests/step/count_allocations.cpp"  // NOLINT(bugprone-suspicious-include)
