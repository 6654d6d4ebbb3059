// SPDX-License-Identifier: MIT
// Fixed text of kernels. kernel_math() and kernel_header() are files of engine/kernel, embedded by the build.
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

const char* kernel_instance() {
  return R"(typedef struct instance {
  double parameters[ROOM_PARAMETERS];
  double derived[ROOM_DERIVED];
  double states[ROOM_STATES];
  double free[3 * ROOM_FREE]; /* position, rate, acceleration of what nobody drives */
#if N_CHARTS > 1
  double measured[N_MEASURED]; /* the same of the coordinates of every chart, at the last step */
  int chart;                   /* whose coordinates `free` are */
#endif
#if LAGRANGE
  double multipliers[ROOM_ROWS], drives[3 * N_DRIVES + 1]; /* at the last tick */
  double gain;                                             /* of Baumgarte's correction, 1/s */
  int settled;                                             /* the pose agrees with the drives */
#endif
  double margin, stop_margin;
} instance;

)";
}

const char* kernel_frame() {
  return R"(/* Finite, and so small that nothing computed from it overflows. */
static int is_finite(const double* values, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += values[i] < 0.0 ? -values[i] : values[i];
  return sum <= 1e50;
}

/* `stride` numbers a drive, then the same of what is free, from the number `first` of its three on. */
static void gather(const instance* I, const double* drives, int stride, int first, double* u) {
  for (int i = 0; i < stride * N_DRIVES; ++i) u[i] = drives[i];
  for (int f = 0; f < N_FREE; ++f) {
    for (int i = 0; i < stride; ++i) u[stride * (N_DRIVES + f) + i] = I->free[3 * f + first + i];
  }
}

static int kernel_step(void* memory, const double* drives, double* outputs) {
  double u[3 * N_ALL + 1];
  if (!is_finite(drives, 3 * N_DRIVES)) return RODEO_BAD_INPUT;
  if (N_FREE == 0) return advance((instance*)memory, drives, outputs);
  gather((const instance*)memory, drives, 3, 0, u);
  return advance((instance*)memory, u, outputs);
}

/* Accelerations of what is free, at positions and rates in u. */
static int find_accelerations(const instance* I, double* u, double* result) {
  for (int f = 0; f < N_FREE; ++f) u[3 * (N_DRIVES + f) + 2] = 0.0;
  return accelerate(I, I->states, u, result);
}

static int kernel_steps(void* memory, const double* drives, double* outputs, size_t n, size_t* done) {
  for (*done = 0; *done < n; ++*done) {
    const int status = kernel_step(memory, drives + *done * 3 * N_DRIVES, outputs + *done * N_OUTPUTS);
    if (status != RODEO_OK) return status;
  }
  return RODEO_OK;
}

/* From the start pose to the given drive positions, in small steps so that every block stays on its branch. */
static int kernel_init(void* memory, const double* parameters, const double* positions) {
  instance next; /* takes the place of the caller's when all is well */
  instance* I = &next;
  enum { kSteps = 256 };
  double u[3 * N_ALL + ROOM_INPUTS], outputs[ROOM_OUTPUTS];
  int moves = 0;
  if (!is_finite(parameters, N_PARAMETERS) || !is_finite(positions, N_DRIVES)) return RODEO_BAD_INPUT;
  memset(I, 0, sizeof *I);
  for (int i = 0; i < N_PARAMETERS; ++i) I->parameters[i] = parameters[i];
  for (int i = 0; i < N_STATES; ++i) I->states[i] = start_states[i];
  I->stop_margin = 0.01;
  I->margin = 1.0;
#if LAGRANGE
  for (int f = 0; f < N_FREE; ++f) {
    I->free[3 * f] = start_drives[N_DRIVES + f];
    I->free[3 * f + 1] = start_free_rates[f];
  }
#endif
  int status = prepare(I);
  for (int d = 0; d < N_DRIVES; ++d) moves |= positions[d] != start_drives[d];
  for (int i = moves ? 0 : kSteps; status == RODEO_OK && i <= kSteps; ++i) {
    const double part = (double)i / kSteps;
    for (int d = 0; d < N_DRIVES; ++d) {
      u[3 * d] = i == kSteps ? positions[d] : start_drives[d] + part * (positions[d] - start_drives[d]);
      u[3 * d + 1] = u[3 * d + 2] = 0.0;
    }
    for (int d = N_DRIVES; d < N_ALL; ++d) {
      u[3 * d] = start_drives[d];
      u[3 * d + 1] = u[3 * d + 2] = 0.0;
    }
    status = advance(I, u, outputs);
  }
#if !LAGRANGE
  double result[ROOM_FREE];
  for (int i = 0; i < N_INPUTS; ++i) u[3 * N_ALL + i] = 0.0;
  for (int f = 0; f < N_FREE; ++f) {
    I->free[3 * f] = start_drives[N_DRIVES + f];
    u[3 * (N_DRIVES + f) + 1] = I->free[3 * f + 1] = start_free_rates[f];
  }
  if (N_FREE > 0 && status == RODEO_OK) status = find_accelerations(I, u, result);
  for (int f = 0; f < N_FREE && status == RODEO_OK; ++f) I->free[3 * f + 2] = result[f];
#endif
  if (status == RODEO_OK) memcpy(memory, I, sizeof *I);
  return status;
}

static int kernel_derivatives(const void* memory, const double* states, const double* rates, double* result) {
  double u[N_ALL + 1];
  if (!is_finite(states, N_STATES) || !is_finite(rates, N_DRIVES)) return RODEO_BAD_INPUT;
  gather((const instance*)memory, rates, 1, 1, u);
  return derive((const instance*)memory, states, u, result);
}

static int kernel_closure(const void* memory, const double* states, double* largest) {
  double errors[ROOM_CLOSURES];
  if (!is_finite(states, N_STATES)) return RODEO_BAD_INPUT;
  const int status = close_loops((const instance*)memory, states, NULL, errors);
  if (status == RODEO_OK) *largest = rodeo_largest(N_CLOSURES, errors);
  return status;
}

static int kernel_poses(const void* memory, const double* rates, double* outputs) {
  const instance* I = (const instance*)memory;
  double u[2 * N_ALL + 1];
  if (!is_finite(rates, 2 * N_DRIVES)) return RODEO_BAD_INPUT;
  gather(I, rates, 2, 1, u);
  return show(I, I->states, u, outputs);
}

static int kernel_loads(const void* memory, const double* outputs, const double* inputs, double* loads) {
  if (!is_finite(inputs, N_INPUTS)) return RODEO_BAD_INPUT;
#if LAGRANGE
  double u[ROOM_INPUTS + ROOM_ROWS];
  memcpy(u, inputs, N_INPUTS * sizeof(double));
  memcpy(u + N_INPUTS, ((const instance*)memory)->multipliers, N_ROWS * sizeof(double));
  inputs = u;
#endif
  return load((const instance*)memory, outputs, inputs, loads);
}

static double kernel_margin(const void* memory) { return ((const instance*)memory)->margin; }
static void kernel_set_stop_margin(void* memory, double margin) { ((instance*)memory)->stop_margin = margin; }

static void kernel_get_state(const void* memory, double* states) {
  memcpy(states, ((const instance*)memory)->states, N_STATES * sizeof(double));
}

static int kernel_set_state(void* memory, const double* states) {
  if (!is_finite(states, N_STATES)) return RODEO_BAD_STATE;
  memcpy(((instance*)memory)->states, states, N_STATES * sizeof(double));
#if LAGRANGE
  for (int f = 0; f < N_FREE; ++f) ((instance*)memory)->free[3 * f] = states[f];
#endif
  return RODEO_OK;
}

/* Rate of the states with the closure error drawn to zero: the loops' errors e(x) give a correction c by finite
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

#if N_CHARTS > 1
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
  next.gain = 0.1 / period; /* forgets an error in ten steps and leaves the motion alone */
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

/* 8 bytes little-endian each: the model's fingerprint (2), parameters, states, what is free, margin, stop margin; where there
 * are charts, what they measure and which is in use; of method lagrange the multipliers, drives and gain. */
enum { kCharted = N_CHARTS > 1 ? N_MEASURED + 1 : LAGRANGE ? N_ROWS + 3 * N_DRIVES + 1 : 0, kFree = N_PARAMETERS + N_STATES };
enum { kNumbers = kFree + 3 * N_FREE + 2 + kCharted, kSaved = 2 + kNumbers };
static void put(unsigned char* bytes, uint64_t bits) {
  for (int i = 0; i < 8; ++i) bytes[i] = (unsigned char)(bits >> (8 * i));
}
static uint64_t get(const unsigned char* bytes) {
  uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits |= (uint64_t)bytes[i] << (8 * i);
  return bits;
}
static uint64_t hex(const char* text) {
  uint64_t bits = 0;
  for (int i = 0; i < 16; ++i) bits = bits << 4 | (uint64_t)(text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);
  return bits;
}

static void kernel_save(const void* memory, unsigned char* bytes) {
  const instance* I = (const instance*)memory;
  double values[kNumbers];
  memcpy(values, I->parameters, N_PARAMETERS * sizeof(double));
  memcpy(values + N_PARAMETERS, I->states, N_STATES * sizeof(double));
  memcpy(values + kFree, I->free, 3 * N_FREE * sizeof(double));
  values[kFree + 3 * N_FREE] = I->margin;
  values[kFree + 3 * N_FREE + 1] = I->stop_margin;
#if N_CHARTS > 1
  memcpy(values + kNumbers - kCharted, I->measured, N_MEASURED * sizeof(double));
  values[kNumbers - 1] = I->chart;
#elif LAGRANGE
  memcpy(values + kNumbers - kCharted, I->multipliers, N_ROWS * sizeof(double));
  memcpy(values + kNumbers - kCharted + N_ROWS, I->drives, 3 * N_DRIVES * sizeof(double));
  values[kNumbers - 1] = I->gain;
#endif
  put(bytes, hex(rodeo_kernel_get()->model_fingerprint));
  put(bytes + 8, hex(rodeo_kernel_get()->model_fingerprint + 16));
  for (int i = 0; i < kNumbers; ++i) {
    uint64_t bits;
    memcpy(&bits, &values[i], 8);
    put(bytes + 16 + 8 * i, bits);
  }
}

static int kernel_restore(void* memory, const unsigned char* bytes) {
  instance next;
  instance* I = &next;
  double values[kNumbers];
  if (get(bytes) != hex(rodeo_kernel_get()->model_fingerprint)) return RODEO_BAD_STATE;
  if (get(bytes + 8) != hex(rodeo_kernel_get()->model_fingerprint + 16)) return RODEO_BAD_STATE;
  for (int i = 0; i < kNumbers; ++i) {
    const uint64_t bits = get(bytes + 16 + 8 * i);
    memcpy(&values[i], &bits, 8);
  }
  if (!is_finite(values, kNumbers)) return RODEO_BAD_STATE;
  memset(I, 0, sizeof *I);
  memcpy(I->parameters, values, N_PARAMETERS * sizeof(double));
  memcpy(I->states, values + N_PARAMETERS, N_STATES * sizeof(double));
  memcpy(I->free, values + kFree, 3 * N_FREE * sizeof(double));
  I->margin = values[kFree + 3 * N_FREE];
  I->stop_margin = values[kFree + 3 * N_FREE + 1];
#if N_CHARTS > 1
  memcpy(I->measured, values + kNumbers - kCharted, N_MEASURED * sizeof(double));
  if (!(values[kNumbers - 1] >= 0.0 && values[kNumbers - 1] < N_CHARTS)) return RODEO_BAD_STATE;
  I->chart = (int)values[kNumbers - 1];
#elif LAGRANGE
  memcpy(I->multipliers, values + kNumbers - kCharted, N_ROWS * sizeof(double));
  memcpy(I->drives, values + kNumbers - kCharted + N_ROWS, 3 * N_DRIVES * sizeof(double));
  I->gain = values[kNumbers - 1];
  I->settled = 1;
#endif
  if (prepare(I) != RODEO_OK) return RODEO_BAD_STATE;
  memcpy(memory, I, sizeof *I);
  return RODEO_OK;
}

)";
}

const char* kernel_descriptor() {
  return R"(const rodeo_kernel* rodeo_kernel_get(void) {{
  static const rodeo_kernel kernel = {{
    .abi = RODEO_KERNEL_ABI,
    .name = {name},
    .version = {version},
    .model_fingerprint = {model},
    .interface_fingerprint = {interface},
    .n_parameters = N_PARAMETERS, .n_drives = N_DRIVES, .n_states = N_STATES, .n_outputs = N_OUTPUTS, .n_blocks = N_BLOCKS,
    .n_inputs = N_INPUTS, .n_loads = N_LOADS, .n_free = N_FREE,
    .parameters = parameter_channels, .drives = drive_channels, .states = state_channels, .outputs = output_channels,
    .inputs = input_channels, .loads = load_channels, .free_coordinates = drive_channels + N_DRIVES,
    .default_parameters = default_parameters, .start_drives = start_drives,
    .instance_bytes = sizeof(instance),
    .init = kernel_init, .step = kernel_step, .steps = kernel_steps, .integrate = kernel_integrate,
    .derivatives = kernel_derivatives, .closure = kernel_closure, .poses = kernel_poses, .calc_loads = kernel_loads,
    .move = kernel_move, .get_free = kernel_get_free,
    .margin = kernel_margin, .set_stop_margin = kernel_set_stop_margin,
    .get_state = kernel_get_state, .set_state = kernel_set_state,
    .state_bytes = 8 * kSaved, .save = kernel_save, .restore = kernel_restore
  }};
  return &kernel;
}}
)";
}

}  // namespace rodeo::codegen
