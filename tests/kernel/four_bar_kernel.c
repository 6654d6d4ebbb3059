/* SPDX-License-Identifier: MIT
 * A four-bar written by hand against rodeo_kernel.h, with libm: what the loader, the stepper and the logs are tested
 * on, so that they do not wait for the code generator. Ground pins O = (0, 0) and Q = (L0, 0); crank O-B, coupler B-C,
 * rocker Q-C. Closed form: C is where the circles about B (L2) and Q (L3) meet, on the left of B -> Q, or on the right if the states
 * that it was set to have it there. Tests compile
 * it with -D to break it: RODEO_TEST_ABI (another version), RODEO_TEST_NULL (a function missing),
 * RODEO_TEST_COUNTS (impossible), RODEO_TEST_FINGERPRINT. */
#include "engine/kernel/rodeo_kernel.h"

#include <math.h>
#include <string.h>

#ifndef RODEO_TEST_ABI
#define RODEO_TEST_ABI RODEO_KERNEL_ABI
#endif
#ifndef RODEO_TEST_FINGERPRINT
#define RODEO_TEST_FINGERPRINT "4ba40000"
#endif

enum { N_OUT = 15, N_STATE = 3 };

typedef struct {
  double length[4];
  double state[N_STATE]; /* angles of crank, coupler, rocker, unwrapped */
  double side; /* 1 or -1: C on the left or the right of B -> Q */
  double margin, stop_margin;
} four_bar;

/* The angle nearest to `near` that equals `angle` up to whole turns. */
static double unwrap(double angle, double near) {
  const double turn = 6.283185307179586;
  return angle + turn * floor((near - angle) / turn + 0.5);
}

/* Angles of coupler and rocker, and |sin| of the angle between them, for a crank angle. */
static int close_loop(const four_bar* f, double crank, double* coupler, double* rocker, double* margin) {
  const double *L = f->length, bx = L[1] * cos(crank), by = L[1] * sin(crank);
  const double dx = L[0] - bx, dy = -by, d2 = dx * dx + dy * dy;
  const double a = (L[2] * L[2] - L[3] * L[3] + d2) / (2 * d2), h2 = L[2] * L[2] / d2 - a * a;
  double h, cx, cy;
  if (!(h2 > 0)) return RODEO_SINGULAR;
  h = f->side * sqrt(h2);
  cx = bx + a * dx - h * dy;
  cy = by + a * dy + h * dx;
  *coupler = unwrap(atan2(cy - by, cx - bx), f->state[1]);
  *rocker = unwrap(atan2(cy, cx - L[0]), f->state[2]);
  *margin = fabs(sin(*rocker - *coupler));
  return *margin < f->stop_margin ? RODEO_SINGULAR : RODEO_OK;
}

/* The two unknowns of the loop: -L2 s2 u2 + L3 s3 u3 = x and L2 c2 u2 - L3 c3 u3 = y. */
static void solve(const four_bar* f, const double* q, double x, double y, double* u2, double* u3) {
  const double *L = f->length, det = -L[2] * L[3] * sin(q[2] - q[1]);
  *u2 = -L[3] * (x * cos(q[2]) + y * sin(q[2])) / det;
  *u3 = -L[2] * (y * sin(q[1]) + x * cos(q[1])) / det;
}

/* d/dt of the loop: L1 + L2 - L3 = const, with the closure error fed back by `gain`. */
static void calc_closing(const four_bar* f, const double* q, double w1, double gain, double* w);

static void calc_rates(const four_bar* f, const double* q, double w1, double* w) { calc_closing(f, q, w1, 0, w); }

/* d2/dt2 of the loop. */
static void calc_accelerations(const four_bar* f, const double* q, const double* w, double a1, double* a) {
  const double* L = f->length;
  const double c1 = L[1] * w[0] * w[0], c2 = L[2] * w[1] * w[1], c3 = L[3] * w[2] * w[2];
  a[0] = a1;
  solve(f, q, L[1] * sin(q[0]) * a1 + c1 * cos(q[0]) + c2 * cos(q[1]) - c3 * cos(q[2]),
        -L[1] * cos(q[0]) * a1 + c1 * sin(q[0]) + c2 * sin(q[1]) - c3 * sin(q[2]), &a[1], &a[2]);
}

static void put_outputs(const four_bar* f, double w1, double a1, double* out) {
  const double *q = f->state, *L = f->length;
  double w[3], a[3];
  calc_rates(f, q, w1, w);
  calc_accelerations(f, q, w, a1, a);
  memcpy(out, q, sizeof w);
  memcpy(out + 3, w, sizeof w);
  memcpy(out + 6, a, sizeof a);
  out[9] = L[1] * cos(q[0]) + L[2] * cos(q[1]);
  out[10] = L[1] * sin(q[0]) + L[2] * sin(q[1]);
  out[11] = -L[1] * sin(q[0]) * w[0] - L[2] * sin(q[1]) * w[1];
  out[12] = L[1] * cos(q[0]) * w[0] + L[2] * cos(q[1]) * w[1];
  out[13] = L[1] * cos(q[0]);
  out[14] = L[1] * sin(q[0]);
}

static int step(void* instance, const double* drives, double* outputs) {
  four_bar* f = instance;
  double coupler, rocker, margin;
  int status;
  if (!isfinite(drives[0]) || !isfinite(drives[1]) || !isfinite(drives[2]) || fabs(drives[0]) > 8e5)
    return RODEO_BAD_INPUT;
  status = close_loop(f, drives[0], &coupler, &rocker, &margin);
  if (status != RODEO_OK) return status;
  f->state[0] = drives[0];
  f->state[1] = coupler;
  f->state[2] = rocker;
  f->margin = margin;
  put_outputs(f, drives[1], drives[2], outputs);
  return RODEO_OK;
}

static int init(void* instance, const double* parameters, const double* positions) {
  four_bar* f = instance;
  double outputs[N_OUT], drives[3] = {0, 0, 0};
  memset(f, 0, sizeof *f);
  memcpy(f->length, parameters, sizeof f->length);
  f->stop_margin = 0.01;
  f->side = 1;
  drives[0] = positions[0];
  return step(instance, drives, outputs);
}

static int steps(void* instance, const double* drives, double* outputs, size_t n, size_t* done) {
  int status = RODEO_OK;
  for (*done = 0; *done < n; ++*done) {
    status = step(instance, drives + 3 * *done, outputs + N_OUT * *done);
    if (status != RODEO_OK) break;
  }
  return status;
}

static void calc_error(const four_bar* f, const double* q, double* x, double* y) {
  const double* L = f->length;
  *x = L[1] * cos(q[0]) + L[2] * cos(q[1]) - L[0] - L[3] * cos(q[2]);
  *y = L[1] * sin(q[0]) + L[2] * sin(q[1]) - L[3] * sin(q[2]);
}

static int derivatives(const void* instance, const double* states, const double* rates, double* result) {
  calc_rates(instance, states, rates[0], result);
  return RODEO_OK;
}

static void calc_closing(const four_bar* f, const double* q, double w1, double gain, double* w) {
  double x, y;
  calc_error(f, q, &x, &y);
  w[0] = w1;
  solve(f, q, f->length[1] * sin(q[0]) * w1 - gain * x, -f->length[1] * cos(q[0]) * w1 - gain * y, &w[1], &w[2]);
}

static void add_scaled(double* to, const double* q, double h, const double* w) {
  int i;
  for (i = 0; i < N_STATE; ++i) to[i] = q[i] + h * w[i];
}

static int integrate(void* instance, const double* rates, double h, int method, int closure, double gain) {
  four_bar* f = instance;
  const double* q = f->state;
  const double g = closure == RODEO_BAUMGARTE ? gain : 0;
  double k1[3], k2[3], k3[3], k4[3], sum[3], at[3];
  int i;
  calc_closing(f, q, rates[0], g, k1);
  memcpy(sum, k1, sizeof sum);
  if (method == RODEO_HEUN) {
    add_scaled(at, q, h, k1);
    calc_closing(f, at, rates[2], g, k2);
    for (i = 0; i < 3; ++i) sum[i] = (k1[i] + k2[i]) / 2;
  } else if (method == RODEO_RK4) {
    add_scaled(at, q, h / 2, k1);
    calc_closing(f, at, rates[1], g, k2);
    add_scaled(at, q, h / 2, k2);
    calc_closing(f, at, rates[1], g, k3);
    add_scaled(at, q, h, k3);
    calc_closing(f, at, rates[2], g, k4);
    for (i = 0; i < 3; ++i) sum[i] = (k1[i] + 2 * k2[i] + 2 * k3[i] + k4[i]) / 6;
  }
  add_scaled(at, q, h, sum);
  if (!(fabs(sin(at[2] - at[1])) >= f->stop_margin)) return RODEO_SINGULAR;
  memcpy(f->state, at, sizeof at);
  f->margin = fabs(sin(at[2] - at[1]));
  return RODEO_OK;
}

static int closure(const void* instance, const double* states, double* largest) {
  double x, y;
  calc_error(instance, states, &x, &y);
  *largest = sqrt(x * x + y * y);
  return RODEO_OK;
}

static int poses(const void* instance, const double* rates, double* outputs) {
  put_outputs(instance, rates[0], rates[1], outputs);
  return RODEO_OK;
}

static double margin(const void* instance) { return ((const four_bar*)instance)->margin; }
static void set_stop_margin(void* instance, double stop) { ((four_bar*)instance)->stop_margin = stop; }
static void get_state(const void* instance, double* states) {
  memcpy(states, ((const four_bar*)instance)->state, sizeof(double) * N_STATE);
}
static int set_state(void* instance, const double* states) {
  four_bar* f = instance;
  int i;
  for (i = 0; i < N_STATE; ++i)
    if (!isfinite(states[i])) return RODEO_BAD_STATE;
  memcpy(f->state, states, sizeof f->state);
  f->margin = fabs(sin(states[2] - states[1]));
  f->side = sin(states[2] - states[1]) < 0 ? -1 : 1;
  return RODEO_OK;
}
static void save(const void* instance, unsigned char* bytes) { memcpy(bytes, instance, sizeof(four_bar)); }
static int restore(void* instance, const unsigned char* bytes) {
  four_bar f;
  memcpy(&f, bytes, sizeof f);
  if (!(f.stop_margin > 0 && f.stop_margin < 1)) return RODEO_BAD_STATE;
  memcpy(instance, &f, sizeof f);
  return RODEO_OK;
}

static const rodeo_channel kParameters[] = {{"L0", "m"}, {"L1", "m"}, {"L2", "m"}, {"L3", "m"}};
static const rodeo_channel kDrives[] = {{"crank", "rad"}};
static const rodeo_channel kStates[] = {{"crank", "rad"}, {"coupler", "rad"}, {"rocker", "rad"}};
static const rodeo_channel kOutputs[N_OUT] = {
    {"crank.angle", "rad"},          {"coupler.angle", "rad"},          {"rocker.angle", "rad"},
    {"crank.rate", "rad/s"},         {"coupler.rate", "rad/s"},         {"rocker.rate", "rad/s"},
    {"crank.acceleration", "rad/s^2"}, {"coupler.acceleration", "rad/s^2"}, {"rocker.acceleration", "rad/s^2"},
    {"tip.x", "m"},                  {"tip.y", "m"},                    {"tip.vx", "m/s"},
    {"tip.vy", "m/s"},               {"coupler.origin.x", "m"},         {"coupler.origin.y", "m"}};
static const double kDefaults[] = {1.4, 0.5, 1.2, 1.0};
static const double kStart[] = {1.0471975511965976};

static const rodeo_kernel kKernel = {
    .abi = RODEO_TEST_ABI,
    .name = "four_bar",
    .version = "by hand",
    .model_fingerprint = RODEO_TEST_FINGERPRINT,
    .interface_fingerprint = "f00d",
    .n_parameters = 4,
    .n_drives = 1,
    .n_states = N_STATE,
#ifdef RODEO_TEST_COUNTS
    .n_outputs = 4000000000u,
#else
    .n_outputs = N_OUT,
#endif
    .n_blocks = 1,
    .parameters = kParameters,
    .drives = kDrives,
    .states = kStates,
    .outputs = kOutputs,
    .default_parameters = kDefaults,
    .start_drives = kStart,
    .instance_bytes = sizeof(four_bar),
    .init = init,
#ifndef RODEO_TEST_NULL
    .step = step,
#endif
    .steps = steps,
    .integrate = integrate,
    .derivatives = derivatives,
    .closure = closure,
    .poses = poses,
    .margin = margin,
    .set_stop_margin = set_stop_margin,
    .get_state = get_state,
    .set_state = set_state,
    .state_bytes = sizeof(four_bar),
    .save = save,
    .restore = restore,
};

const rodeo_kernel* rodeo_kernel_get(void) { return &kKernel; }
