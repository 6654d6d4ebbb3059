// SPDX-License-Identifier: MIT
// A period of motion by forces. THEORY K12.
#include "kinematics/codegen/spatial_text.h"

namespace rodeo::codegen {

const char* spatial_runge_kutta_text() {
  return R"(/* Runge and Kutta's stages on states and velocities together. The last evaluation gives the accelerations at the end. */
enum { N_BOTH = N_STATES + N_MOVES };
static void find_stage(int stage, int stages, const double* start, double k[4][N_BOTH], double step, double* y) {
  for (int j = 0; j < N_BOTH; ++j) {
    const double mean = stage < stages || stages == 1 ? k[stage - 1][j] : stages == 2 ? 0.5 * (k[0][j] + k[1][j])
                            : (1.0 / 6.0) * (k[0][j] + 2.0 * k[1][j] + 2.0 * k[2][j] + k[3][j]);
    y[j] = flushed(start[j] + step * mean);
  }
}

/* Of begin, middle and end of a period one: 0, 1, 2. */
static void copy_drives(const double* drives, int when, double* u) {
  for (int j = 0; j < 3 * N_DRIVES; ++j) u[j] = drives[9 * (j / 3) + 3 * when + j % 3];
}

/* Whether the last step ended with the accelerations that this one begins with. */
static int is_ahead(const instance* I, const double* u) {
  for (int j = 0; j < 3 * N_DRIVES; ++j) {
    if (u[j] != I->drives[j]) return 0;
  }
  return N_PUSHES == 0 && I->ahead == I->gain;
}

static int move_free(instance* I, const double* drives, const double* inputs, double period, int method) {
  double start[N_BOTH], y[N_BOTH], k[4][N_BOTH], u[3 * N_DRIVES + 1], t[ROOM_INPUTS];
  const int stages = method == RODEO_EULER ? 1 : method == RODEO_HEUN ? 2 : 4;
  memcpy(start, I->states, sizeof I->states);
  memcpy(start + N_STATES, I->velocity, sizeof I->velocity);
  memcpy(y, start, sizeof y);
  memset(u, 0, sizeof u);
  for (int i = 0; i <= stages; ++i) {
    const double part = i == 0 ? 0.0 : method == RODEO_RK4 && i < 3 ? 0.5 : 1.0;
    const int when = part == 0.0 ? 0 : part == 0.5 ? 1 : 2;
    copy_drives(drives, when, u);
    for (int j = 0; j < N_INPUTS; ++j) t[j] = inputs[j] + (j == 0 ? part * period : 0.0);
    if (i > 0) find_stage(i, stages, start, k, part * period, y);
    if (!is_finite(y, N_BOTH)) return RODEO_BAD_INPUT;
    const int status = i == 0 && is_ahead(I, u) ? RODEO_OK : accelerate(y, y + N_STATES, u, t, I->gain, I->acceleration, I->multipliers);
    if (status != RODEO_OK) return status;
    if (i == stages) break;
    set_state_rates(y, y + N_STATES, k[i]);
    memcpy(k[i] + N_STATES, I->acceleration, sizeof I->acceleration);
  }
  for (int b = 0; b < N_BODIES; ++b) normalise(y + 7 * b + 3);
  memcpy(I->states, y, sizeof I->states);
  memcpy(I->velocity, y + N_STATES, sizeof I->velocity);
  memcpy(I->drives, u, 3 * N_DRIVES * sizeof(double));
  I->ahead = I->gain;
  follow_pose(I);
  return is_finite(I->acceleration, N_MOVES) ? RODEO_OK : RODEO_BAD_INPUT;
}

)";
}

}  // namespace rodeo::codegen
