// SPDX-License-Identifier: MIT
// Fixed text of kernels: mathematics. What a file of engine/kernel has is embedded by the build.
#include "kinematics/codegen/kernel_frame.h"

#include "kinematics/codegen/embedded.h"

namespace rodeo::codegen {

std::string kernel_math() {
  return std::string(kMathText) + R"(
/* Gauss with row pivoting; b becomes the solution. 0 if it cannot be solved. */
static int rodeo_solve(int n, double* a, double* b) {
  for (int c = 0; c < n; ++c) {
    int best = c;
    for (int r = c + 1; r < n; ++r) {
      const double x = a[r * n + c] < 0.0 ? -a[r * n + c] : a[r * n + c];
      const double y = a[best * n + c] < 0.0 ? -a[best * n + c] : a[best * n + c];
      if (x > y) best = r;
    }
    if (best != c) {
      for (int j = 0; j < n; ++j) {
        const double swap = a[c * n + j];
        a[c * n + j] = a[best * n + j];
        a[best * n + j] = swap;
      }
      const double swap = b[c];
      b[c] = b[best];
      b[best] = swap;
    }
    if (!(a[c * n + c] != 0.0)) return 0;
    for (int r = c + 1; r < n; ++r) {
      const double f = a[r * n + c] / a[c * n + c];
      for (int j = c + 1; j < n; ++j) a[r * n + j] -= f * a[c * n + j];
      b[r] -= f * b[c];
    }
  }
  for (int r = n - 1; r >= 0; --r) {
    for (int j = r + 1; j < n; ++j) b[r] -= a[r * n + j] * b[j];
    b[r] /= a[r * n + r];
  }
  return 1;
}

/* Smallest by largest singular value of a, which is destroyed: its columns are turned against each other until they
 * are orthogonal (one-sided Jacobi; six sweeps leave nothing for the sizes that machines have). */
RODEO_MATH double rodeo_singular_ratio(int n, double* a) {
  for (int turn = 0; turn < 6 * n * n; ++turn) {
    const int p = turn / n % n, q = turn % n;
    double pp = 0.0, qq = 0.0, pq = 0.0;
    if (p >= q) continue;
    for (int r = 0; r < n; ++r) {
      pp += a[r * n + p] * a[r * n + p];
      qq += a[r * n + q] * a[r * n + q];
      pq += a[r * n + p] * a[r * n + q];
    }
    if (pq == 0.0) continue;
    const double zeta = (qq - pp) / (2.0 * pq);
    const double tangent = (zeta < 0.0 ? -1.0 : 1.0) / ((zeta < 0.0 ? -zeta : zeta) + sqrt(1.0 + zeta * zeta));
    const double c = 1.0 / sqrt(1.0 + tangent * tangent), s = c * tangent;
    for (int r = 0; r < n; ++r) {
      const double x = a[r * n + p], y = a[r * n + q];
      a[r * n + p] = c * x - s * y;
      a[r * n + q] = s * x + c * y;
    }
  }
  double smallest = 0.0, largest = 0.0;
  for (int p = 0; p < n; ++p) {
    double square = 0.0;
    for (int r = 0; r < n; ++r) square += a[r * n + p] * a[r * n + p];
    if (p == 0 || square < smallest) smallest = square;
    if (square > largest) largest = square;
  }
  return largest > 0.0 ? sqrt(smallest / largest) : 0.0;
}

static double rodeo_largest(int n, const double* values) {
  double largest = 0.0;
  for (int i = 0; i < n; ++i) {
    const double size = values[i] < 0.0 ? -values[i] : values[i];
    if (!(size <= largest)) largest = size;
  }
  return largest;
}
)";
}

std::string kernel_header() { return kHeaderText; }

}  // namespace rodeo::codegen
