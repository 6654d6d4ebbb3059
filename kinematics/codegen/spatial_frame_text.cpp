// SPDX-License-Identifier: MIT
// The functions that the engine calls, of a machine in space.
#include "kinematics/codegen/kernel_frame.h"
#include "kinematics/codegen/spatial_text.h"

namespace rodeo::codegen {

std::string spatial_frame_text() {
  return std::string(R"(static int kernel_step(void* memory, const double* drives, double* outputs) {
  if (!is_finite(drives, 3 * N_DRIVES)) return RODEO_BAD_INPUT;
  return advance((instance*)memory, drives, outputs);
}

static int kernel_steps(void* memory, const double* drives, double* outputs, size_t n, size_t* done) {
  for (*done = 0; *done < n; ++*done) {
    const int status = kernel_step(memory, drives + *done * 3 * N_DRIVES, outputs + *done * N_OUTPUTS);
    if (status != RODEO_OK) return status;
  }
  return RODEO_OK;
}

/* From the start pose to the given drive positions, in small steps so that the machine stays on its branch. */
static int kernel_init(void* memory, const double* parameters, const double* positions) {
  enum { kSteps = 256 };
  instance next;
  double u[3 * N_DRIVES + 1], outputs[N_OUTPUTS];
  int moves = 0;
  memset(u, 0, sizeof u);
  (void)parameters;
  (void)rodeo_solve; /* of machines in the plane */
  (void)rodeo_largest;
  if (!rodeo_is_exact()) return RODEO_BAD_STATE;
  if (!is_finite(positions, N_DRIVES)) return RODEO_BAD_INPUT;
  memset(&next, 0, sizeof next);
  memcpy(next.states, start_states, sizeof next.states);
  memcpy(next.joints, start_joints, N_COORDINATES * sizeof(double));
  next.stop_margin = 0.01;
  next.margin = 1.0;
  for (int d = 0; d < N_DRIVES; ++d) next.drives[3 * d] = start_drives[d];
  for (int d = 0; d < N_DRIVES; ++d) moves |= positions[d] != start_drives[d];
  int status = start(&next);
  for (int i = moves ? 0 : kSteps; status == RODEO_OK && i <= kSteps; ++i) {
    for (int d = 0; d < N_DRIVES; ++d) {
      u[3 * d] = i == kSteps ? positions[d] : start_drives[d] + (double)i / kSteps * (positions[d] - start_drives[d]);
      u[3 * d + 1] = u[3 * d + 2] = 0.0;
    }
    status = advance(&next, u, outputs);
  }
  if (status == RODEO_OK) memcpy(memory, &next, sizeof next);
  return status;
}

static int kernel_derivatives(const void* memory, const double* states, const double* rates, double* result) {
  (void)memory;
  if (!is_finite(states, N_STATES) || !is_finite(rates, N_DRIVES)) return RODEO_BAD_INPUT;
  return derive(states, rates, 0.0, result);
}

/* Joints, the redundant ones too; of a machine that forces move also its drives. */
static int kernel_closure(const void* memory, const double* states, double* largest) {
  body bodies[N_BODIES + 1];
  line lines[N_CLOSURES + 1];
  double result = 0.0;
  if (!is_finite(states, N_STATES)) return RODEO_BAD_INPUT;
  place(states, bodies);
  calc_rows(N_CLOSURES, bodies, ((const instance*)memory)->drives, 3, 0, lines);
  for (int i = 0; i < N_CLOSURES; ++i) {
    if (rows[i].drive >= 0 && N_FREE == 0) continue;
    const double size = size_of(lines[i].error) * SIZE / unit_of(i);
    if (!(size <= result)) result = size;
  }
  *largest = result;
  return RODEO_OK;
}

static int kernel_poses(const void* memory, const double* rates, double* outputs) {
  if (!is_finite(rates, 2 * N_DRIVES)) return RODEO_BAD_INPUT;
  return show((const instance*)memory, rates, outputs);
}

static int kernel_loads(const void* memory, const double* outputs, const double* inputs, double* loads) {
  (void)outputs;
  if (!is_finite(inputs, N_INPUTS)) return RODEO_BAD_INPUT;
#if N_LOADS > 0
  return load((const instance*)memory, inputs, loads);
#else
  (void)memory; (void)loads;
  return RODEO_OK;
#endif
}

static double kernel_margin(const void* memory) { return ((const instance*)memory)->margin; }
static void kernel_set_stop_margin(void* memory, double margin) { ((instance*)memory)->stop_margin = margin; }

static void kernel_get_state(const void* memory, double* states) {
  memcpy(states, ((const instance*)memory)->states, N_STATES * sizeof(double));
}

static int kernel_set_state(void* memory, const double* states) {
  if (!is_finite(states, N_STATES)) return RODEO_BAD_STATE;
  for (int b = 0; b < N_BODIES; ++b) {
    const double* q = states + 7 * b + 3;
    if (!(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3] > 0.25)) return RODEO_BAD_STATE;
  }
  memcpy(((instance*)memory)->states, states, N_STATES * sizeof(double));
#if N_FREE > 0
  ((instance*)memory)->ahead = 0.0;
#endif
  follow_pose((instance*)memory);
  return RODEO_OK;
}

/* The rates alone over one period; those of the drives at its begin, middle and end. */
static int kernel_integrate(void* memory, const double* rates, double period, int method, int closure, double gain) {
  instance* I = (instance*)memory;
  double u[3][N_DRIVES + 1], k[4][N_STATES], y[N_STATES];
  if (!is_finite(rates, 3 * N_DRIVES) || !is_finite(&gain, 1) || !(period > 0.0)) return RODEO_BAD_INPUT;
  if (N_FREE > 0 || method < RODEO_EULER || method > RODEO_RK4) return RODEO_BAD_INPUT;
  if (closure != RODEO_NONE && closure != RODEO_BAUMGARTE) return RODEO_BAD_INPUT;
  for (int i = 0; i < 3 * N_DRIVES; ++i) u[i % 3][i / 3] = rates[i];
  const int stages = method == RODEO_EULER ? 1 : method == RODEO_HEUN ? 2 : 4;
  for (int i = 0; i < stages; ++i) {
    const double part = i == 0 ? 0.0 : method == RODEO_RK4 && i < 3 ? 0.5 : 1.0;
    for (int s = 0; s < N_STATES; ++s) y[s] = i == 0 ? I->states[s] : I->states[s] + part * period * k[i - 1][s];
    const int status = derive(y, u[part == 0.0 ? 0 : part == 0.5 ? 1 : 2], closure == RODEO_BAUMGARTE ? gain : 0.0, k[i]);
    if (status != RODEO_OK) return status;
  }
  for (int s = 0; s < N_STATES; ++s) {
    const double mean = method == RODEO_EULER ? k[0][s] : method == RODEO_HEUN ? 0.5 * (k[0][s] + k[1][s])
                                              : (k[0][s] + 2.0 * k[1][s] + 2.0 * k[2][s] + k[3][s]) / 6.0;
    y[s] = I->states[s] + period * mean;
  }
  if (!is_finite(y, N_STATES)) return RODEO_BAD_INPUT;
  for (int b = 0; b < N_BODIES; ++b) normalise(y + 7 * b + 3);
  memcpy(I->states, y, sizeof y);
  follow_pose(I);
  return RODEO_OK;
}

static int kernel_move(void* memory, const double* drives, const double* inputs, double period, int method) {
  if (!is_finite(drives, 9 * N_DRIVES) || !is_finite(inputs, N_INPUTS) || !(period > 0.0)) return RODEO_BAD_INPUT;
  if (method < RODEO_EULER || method > RODEO_RK4) return RODEO_BAD_INPUT;
#if N_FREE > 0
  instance next = *(const instance*)memory;
  double begin[3 * N_DRIVES + 1];
  int status = RODEO_OK;
  memset(begin, 0, sizeof begin);
  copy_drives(drives, 0, begin);
  /* Forgets an error in ten steps and leaves the motion alone; a part of a step keeps the gain of the whole. */
  if (!(next.gain > 0.0 && next.gain < 0.1 / period)) next.gain = 0.1 / period;
  if (!agrees(&next, begin)) status = settle(&next, begin); /* a drive's rate jumps, and everything with it */
  if (status == RODEO_OK) status = move_free(&next, drives, inputs, period, method);
  if (status == RODEO_OK) memcpy(memory, &next, sizeof next);
  return status;
#else
  (void)memory;
  return RODEO_OK;
#endif
}

/* Second rate of a quaternion: (q' w + q w') / 2. */
static void kernel_get_free(const void* memory, double* values) {
  const instance* I = (const instance*)memory;
  double rates[N_STATES];
  if (N_FREE == 0) return;
  set_state_rates(I->states, I->velocity, rates);
  for (int b = 0; b < N_BODIES; ++b) {
    const double *w = I->velocity + 6 * b + 3, *e = I->acceleration + 6 * b + 3;
    const double spin[4] = {0.0, w[0], w[1], w[2]}, change[4] = {0.0, e[0], e[1], e[2]};
    double one[4], two[4];
    times(rates + 7 * b + 3, spin, one);
    times(I->states + 7 * b + 3, change, two);
    for (int i = 0; i < 7; ++i) {
      values[3 * (7 * b + i)] = I->states[7 * b + i];
      values[3 * (7 * b + i) + 1] = rates[7 * b + i];
      values[3 * (7 * b + i) + 2] = i < 3 ? I->acceleration[6 * b + i] : 0.5 * (one[i - 3] + two[i - 3]);
    }
  }
}

/* 8 bytes little-endian each: the model's fingerprint (2), then the instance, which is doubles only. */
enum { kNumbers = sizeof(instance) / sizeof(double), kSaved = 2 + kNumbers };
)") + kernel_bytes() +
         R"(static const rodeo_kernel* this_kernel(void);

static void kernel_save(const void* memory, unsigned char* bytes) {
  double values[kNumbers];
  memcpy(values, memory, sizeof values);
  put(bytes, hex(this_kernel()->model_fingerprint));
  put(bytes + 8, hex(this_kernel()->model_fingerprint + 16));
  for (int i = 0; i < kNumbers; ++i) put(bytes + 16 + 8 * i, rodeo_bits(values[i]));
}

static int kernel_restore(void* memory, const unsigned char* bytes) {
  double values[kNumbers];
  if (!rodeo_is_exact() || get(bytes) != hex(this_kernel()->model_fingerprint)) return RODEO_BAD_STATE;
  if (get(bytes + 8) != hex(this_kernel()->model_fingerprint + 16)) return RODEO_BAD_STATE;
  for (int i = 0; i < kNumbers; ++i) values[i] = rodeo_from_bits(get(bytes + 16 + 8 * i));
  if (!is_finite(values, kNumbers)) return RODEO_BAD_STATE;
  memcpy(memory, values, sizeof values);
  return RODEO_OK;
}

)";
}

}  // namespace rodeo::codegen
