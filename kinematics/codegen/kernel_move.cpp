// SPDX-License-Identifier: MIT
// Fixed text of kernels: what nobody drives, over one period, with a change of coordinates where those in use go bad.
#include "kinematics/codegen/kernel_frame.h"

namespace rodeo::codegen {

const char* kernel_move() {
  return R"(#if N_CHARTS > 1
/* Other coordinates where those in use go bad: the pose stays, and the new ones are what it measures. Drives as in
 * kernel_move, of which the begin counts. 0 if none is better. */
static int change_chart(instance* I, const double* drives) {
  instance here = *I, best = *I;
  double now[3 * N_DRIVES + 1], u[3 * N_ALL + 1], outputs[ROOM_OUTPUTS], margin = BETTER_MARGIN * I->margin;
  for (int d = 0; d < N_DRIVES; ++d) memcpy(now + 3 * d, drives + 9 * d, 3 * sizeof(double));
  gather(&here, now, 3, 0, u);
  if (advance(&here, u, outputs) != RODEO_OK) return 0;
  for (int c = 0; c < N_CHARTS; ++c) {
    instance other = here;
    double apart = 0.0;
    if (c == here.chart) continue;
    other.chart = c;
    memcpy(other.free, here.measured + 3 * N_FREE * c, 3 * N_FREE * sizeof(double));
    gather(&other, now, 3, 0, u);
    if (advance(&other, u, outputs) != RODEO_OK) continue;
    for (int s = 0; s < N_STATES; ++s) {
      const double difference = other.states[s] - here.states[s];
      if (!(difference <= apart && -difference <= apart)) apart = difference < 0.0 ? -difference : difference;
    }
    if (!(apart <= 1e-6) || !(other.margin > margin)) continue; /* another branch, or no better */
    margin = other.margin;
    best = other;
  }
  if (best.chart == I->chart) return 0;
  *I = best;
  return 1;
}
#endif

/* Positions and rates of what is free over one period. At each stage the drives are where they are then; the last evaluation
 * gives the accelerations at the end. */
static int move_free(instance* I, const double* drives, const double* inputs, double period, int method) {
  double u[3 * N_ALL + ROOM_INPUTS], rate[5][ROOM_FREE], acceleration[5][ROOM_FREE + N_ROWS + LAGRANGE], next[3 * ROOM_FREE];
  const int stages = method == RODEO_EULER ? 1 : method == RODEO_HEUN ? 2 : 4;
  if (N_FREE > 0) memcpy(next, I->free, 3 * N_FREE * sizeof(double));
  for (int i = 0; N_FREE > 0 && i <= stages; ++i) {
    const double part = i == 0 ? 0.0 : method == RODEO_RK4 && i < 3 ? 0.5 : 1.0;
    const int when = part == 0.0 ? 0 : part == 0.5 ? 1 : 2;
    for (int d = 0; d < N_DRIVES; ++d) {
      for (int j = 0; j < 3; ++j) u[3 * d + j] = drives[9 * d + 3 * when + j];
    }
    for (int j = 0; j < N_INPUTS; ++j) u[3 * N_ALL + j] = inputs[j] + (j == 0 ? part * period : 0.0);
    for (int f = 0; f < N_FREE; ++f) {
      double v = i == 0 ? 0.0 : rate[i - 1][f], a = i == 0 ? 0.0 : acceleration[i - 1][f];
      if (i == stages && method == RODEO_HEUN) {
        v = 0.5 * (rate[0][f] + rate[1][f]);
        a = 0.5 * (acceleration[0][f] + acceleration[1][f]);
      }
      if (i == stages && method == RODEO_RK4) {
        v = (rate[0][f] + 2.0 * rate[1][f] + 2.0 * rate[2][f] + rate[3][f]) / 6.0;
        a = (acceleration[0][f] + 2.0 * acceleration[1][f] + 2.0 * acceleration[2][f] + acceleration[3][f]) / 6.0;
      }
      next[3 * f] = u[3 * (N_DRIVES + f)] = I->free[3 * f] + part * period * v;
      next[3 * f + 1] = u[3 * (N_DRIVES + f) + 1] = rate[i][f] = I->free[3 * f + 1] + part * period * a;
    }
    if (!is_finite(next, 3 * N_FREE)) return RODEO_BAD_INPUT;
    const int status = find_accelerations(I, u, acceleration[i]);
    if (status != RODEO_OK) return status;
    for (int f = 0; f < N_FREE; ++f) next[3 * f + 2] = acceleration[i][f];
  }
  if (N_FREE > 0 && !is_finite(next, 3 * N_FREE)) return RODEO_BAD_INPUT;
  if (N_FREE > 0) memcpy(I->free, next, 3 * N_FREE * sizeof(double));
#if LAGRANGE
  if (!(acceleration[stages][N_FREE + N_ROWS] <= 0.01 * SIZE)) return RODEO_OPEN; /* more than can be forgotten */
  memcpy(I->multipliers, acceleration[stages] + N_FREE, N_ROWS * sizeof(double));
  for (int d = 0; d < N_DRIVES; ++d) memcpy(u + 3 * d, drives + 9 * d + 6, 3 * sizeof(double));
  set_drives(I, u);
#endif
  return RODEO_OK;
}

static int kernel_move(void* memory, const double* drives, const double* inputs, double period, int method) {
  if (!is_finite(drives, 9 * N_DRIVES) || !is_finite(inputs, N_INPUTS) || !(period > 0.0)) return RODEO_BAD_INPUT;
  if (method < RODEO_EULER || method > RODEO_RK4) return RODEO_BAD_INPUT;
#if N_CHARTS > 1
  instance next = *(const instance*)memory; /* the chart stays as it was where the move is refused */
  const int changed = next.margin < SWITCH_MARGIN && change_chart(&next, drives);
  int status = move_free(&next, drives, inputs, period, method);
  if (status == RODEO_SINGULAR && !changed && change_chart(&next, drives))
    status = move_free(&next, drives, inputs, period, method);
  if (status == RODEO_OK) memcpy(memory, &next, sizeof next);
  return status;
#elif LAGRANGE
  instance next = *(const instance*)memory;
  double at[3 * N_DRIVES + 1];
  int status = RODEO_OK;
  for (int d = 0; d < N_DRIVES; ++d) memcpy(at + 3 * d, drives + 9 * d, 3 * sizeof(double));
  /* Forgets an error in ten steps and leaves the motion alone; a part of a step keeps the gain of the whole. */
  if (!(next.gain > 0.0 && next.gain < 0.1 / period)) next.gain = 0.1 / period;
  if (!agrees(&next, at)) status = settle(&next, at); /* a drive's rate jumps, and everything with it */
  if (status == RODEO_OK) status = move_free(&next, drives, inputs, period, method);
  for (int d = 0; d < N_DRIVES; ++d) memcpy(at + 3 * d, drives + 9 * d + 6, 3 * sizeof(double));
  if (status == RODEO_OK && jumps(drives, period)) status = settle(&next, at);
  if (status == RODEO_OK) memcpy(memory, &next, sizeof next);
  return status;
#else
  return move_free((instance*)memory, drives, inputs, period, method);
#endif
}

/* Of the first chart's coordinates, whatever chart is in use: then as of the last step. */
static void kernel_get_free(const void* memory, double* values) {
  const instance* I = (const instance*)memory;
#if N_CHARTS > 1
  memcpy(values, I->chart == 0 ? I->free : I->measured, 3 * N_FREE * sizeof(double));
#else
  memcpy(values, I->free, 3 * N_FREE * sizeof(double));
#endif
}

)";
}

}  // namespace rodeo::codegen
