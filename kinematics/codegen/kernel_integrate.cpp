// SPDX-License-Identifier: MIT
// Fixed text of kernels: the reduced ODE over one period, with Baumgarte's correction where it is asked for.
#include "kinematics/codegen/kernel_frame.h"

namespace rodeo::codegen {

const char* kernel_integrate() {
  return R"(/* Rate of the states with the closure error drawn to zero: the loops' errors e(x) give a correction c by finite
 * differences of e along the states, J c = -gain e, least change. Only for RODEO_BAUMGARTE, and only for machines of a
 * size at which full matrices fit a stack; larger ones are refused. */
enum {
  kCorrects = N_CLOSURES <= 192 && N_STATES <= 384,
  kRows = kCorrects ? ROOM_CLOSURES : 1,
  kColumns = kCorrects ? ROOM_STATES : 1
};
static int add_correction(const instance* I, const double* x, double gain, double* rate) {
  double e[ROOM_CLOSURES], moved[ROOM_CLOSURES], y[ROOM_STATES], jt[kColumns * kRows];
  double a[kRows * kRows], b[kRows];
  const double h = 1e-7;
  if (!kCorrects) return RODEO_BAD_INPUT;
  int status = close_loops(I, x, NULL, e);
  for (int s = 0; status == RODEO_OK && s < N_STATES; ++s) {
    memcpy(y, x, N_STATES * sizeof(double));
    y[s] += h;
    status = close_loops(I, y, NULL, moved);
    for (int r = 0; r < N_CLOSURES; ++r) jt[s * N_CLOSURES + r] = (moved[r] - e[r]) / h;
  }
  if (status != RODEO_OK) return status;
  for (int r = 0; r < N_CLOSURES; ++r) {
    b[r] = -gain * e[r];
    for (int c = 0; c < N_CLOSURES; ++c) {
      a[r * N_CLOSURES + c] = r == c ? 1e-12 : 0.0;
      for (int s = 0; s < N_STATES; ++s) a[r * N_CLOSURES + c] += jt[s * N_CLOSURES + r] * jt[s * N_CLOSURES + c];
    }
  }
  if (N_CLOSURES > 0 && !rodeo_solve(N_CLOSURES, a, b)) return RODEO_SINGULAR;
  for (int s = 0; s < N_STATES; ++s) {
    for (int r = 0; r < N_CLOSURES; ++r) rate[s] += jt[s * N_CLOSURES + r] * b[r];
  }
  return RODEO_OK;
}

static int rate_at(const instance* I, const double* x, const double* u, int closure, double gain, double* rate) {
  const int status = derive(I, x, u, rate);
  if (status != RODEO_OK || closure != RODEO_BAUMGARTE) return status;
  return add_correction(I, x, gain, rate);
}

/* The reduced ODE over one period; rates of the drives at its begin, middle and end. */
static int kernel_integrate(void* memory, const double* rates, double period, int method, int closure, double gain) {
  instance* I = (instance*)memory;
  double u[3][N_DRIVES + 1], k[4][ROOM_STATES], y[ROOM_STATES];
  if (!is_finite(rates, 3 * N_DRIVES) || !is_finite(&gain, 1) || !(period > 0.0)) return RODEO_BAD_INPUT;
  if (N_FREE > 0 || method < RODEO_EULER || method > RODEO_RK4) return RODEO_BAD_INPUT;
  if (closure != RODEO_NONE && closure != RODEO_BAUMGARTE) return RODEO_BAD_INPUT;
  for (int i = 0; i < 3; ++i) {
    for (int d = 0; d < N_DRIVES; ++d) u[i][d] = rates[3 * d + i];
  }
  const int stages = method == RODEO_EULER ? 1 : method == RODEO_HEUN ? 2 : 4;
  for (int i = 0; i < stages; ++i) {
    const double part = i == 0 ? 0.0 : method == RODEO_RK4 && i < 3 ? 0.5 : 1.0;
    for (int s = 0; s < N_STATES; ++s) y[s] = i == 0 ? I->states[s] : I->states[s] + part * period * k[i - 1][s];
    const int status = rate_at(I, y, u[part == 0.0 ? 0 : part == 0.5 ? 1 : 2], closure, gain, k[i]);
    if (status != RODEO_OK) return status;
  }
  for (int s = 0; s < N_STATES; ++s) {
    const double mean = method == RODEO_EULER ? k[0][s] : method == RODEO_HEUN ? 0.5 * (k[0][s] + k[1][s])
                                              : (k[0][s] + 2.0 * k[1][s] + 2.0 * k[2][s] + k[3][s]) / 6.0;
    y[s] = I->states[s] + period * mean;
  }
  if (!is_finite(y, N_STATES)) return RODEO_BAD_INPUT;
  memcpy(I->states, y, N_STATES * sizeof(double));
  return RODEO_OK;
}

)";
}

}  // namespace rodeo::codegen
