// SPDX-License-Identifier: MIT
#include "kinematics/codegen/kernel_profile.h"

namespace rodeo::codegen {

const char* profile_text() {
  return R"(/* L D L^T in place; 0 where something is not a number. */
static int factorise(saddle* s) {
  fill_schur(s);
  for (int i = 0; i < N_ROWS; ++i) {
    double* line = entry(s, i);
    for (int j = row_first[i]; j < i; ++j) {
      const double* other = entry(s, j);
      for (int k = row_first[i] > row_first[j] ? row_first[i] : row_first[j]; k < j; ++k) line[j] -= line[k] * other[k];
    }
    for (int j = row_first[i]; j < i; ++j) {
      const double product = line[j];
      line[j] /= entry(s, j)[j];
      line[i] -= product * line[j];
    }
    if (line[i] != line[i]) return 0;
    if (line[i] < 0.25 * kDamping) line[i] = kDamping; /* rounding of a row that says nothing new */
  }
  return 1;
}

static void solve_schur(saddle* s, double* b) {
  for (int i = 0; i < N_ROWS; ++i) {
    b[i] *= s->scale[i];
    for (int j = row_first[i]; j < i; ++j) b[i] -= entry(s, i)[j] * b[j];
  }
  for (int i = 0; i < N_ROWS; ++i) b[i] /= entry(s, i)[i];
  for (int i = N_ROWS - 1; i >= 0; --i) {
    for (int j = row_first[i]; j < i; ++j) b[j] -= entry(s, i)[j] * b[i];
    b[i] *= s->scale[i];
  }
}

)";
}

}  // namespace rodeo::codegen
