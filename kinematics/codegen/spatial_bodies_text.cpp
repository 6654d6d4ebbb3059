// SPDX-License-Identifier: MIT
// Vectors, quaternions and bodies as the kernel has them. THEORY S1, S4.
#include "kinematics/codegen/spatial_text.h"

namespace rodeo::codegen {

const char* spatial_bodies_text() {
  return R"(/* Doubles only: it is saved as it is. Velocities are six a body: that of the centre, and the spin in the body's axes. */
typedef struct instance {
  double states[N_STATES], velocity[N_MOVES], acceleration[N_MOVES];
  double drives[3 * N_DRIVES + 1]; /* position, rate, acceleration at the last tick */
  double joints[N_COORDINATES + 1]; /* angles of the joints, which go on past a turn, and slides */
#if N_FREE > 0
  double multipliers[ROOM_ROWS], gain, settled; /* Baumgarte's, 1/s; 1 when the pose agrees with the drives */
  double ahead; /* the gain at which the accelerations are those of the states, 0 if they are not */
#else
  double tangent[N_DRIVES * N_MOVES + 1]; /* velocities at rate 1 of each drive */
#endif
  double margin, stop_margin;
} instance;

/* Finite, and so small that nothing computed from it overflows. */
static int is_finite(const double* values, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += values[i] < 0.0 ? -values[i] : values[i];
  return sum <= 1e50;
}

/* A frame of motion: its centre c in ground axes, orientation q and R, velocity of c, spin w in its own axes and s in the
 * ground's. Body 0 is the ground. */
typedef struct body {
  double c[3], q[4], R[9], v[3], w[3], s[3];
} body;
/* A row at a pose: its derivatives by the two bodies' velocity and spin, its error, what changes its rate at constant speed. */
typedef struct line {
  double d[2][6], error, bias;
} line;

static double dot3(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }
static double size_of(double x) { return x < 0.0 ? -x : x; }
/* Nil for what is nothing beside rounding: in a machine that is flat such numbers shrink to where processors are slow. */
static double flushed(double x) { return x < 1e-60 && x > -1e-60 ? 0.0 : x; }

static void cross3(const double* a, const double* b, double* r) {
  r[0] = a[1] * b[2] - a[2] * b[1];
  r[1] = a[2] * b[0] - a[0] * b[2];
  r[2] = a[0] * b[1] - a[1] * b[0];
}

static void turned(const double* R, const double* p, double* r) {
  r[0] = dot3(R, p);
  r[1] = dot3(R + 3, p);
  r[2] = dot3(R + 6, p);
}
static void turned_back(const double* R, const double* p, double* r) {
  r[0] = R[0] * p[0] + R[3] * p[1] + R[6] * p[2];
  r[1] = R[1] * p[0] + R[4] * p[1] + R[7] * p[2];
  r[2] = R[2] * p[0] + R[5] * p[1] + R[8] * p[2];
}

/* a b, and conj(a) b, of quaternions (w, x, y, z). */
static void times(const double* a, const double* b, double* r) {
  r[0] = a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3];
  r[1] = a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2];
  r[2] = a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1];
  r[3] = a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0];
}
static void conjugate(const double* a, double* r) {
  r[0] = a[0];
  for (int i = 1; i < 4; ++i) r[i] = -a[i];
}

static void normalise(double* q) {
  const double scale = 1.0 / sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3]);
  for (int i = 0; i < 4; ++i) q[i] = flushed(q[i] * scale);
}

static void set_rotation(const double* q, double* R) {
  const double w = q[0], x = q[1], y = q[2], z = q[3];
  R[0] = 1.0 - 2.0 * (y * y + z * z);
  R[1] = 2.0 * (x * y - w * z);
  R[2] = 2.0 * (x * z + w * y);
  R[3] = 2.0 * (x * y + w * z);
  R[4] = 1.0 - 2.0 * (x * x + z * z);
  R[5] = 2.0 * (y * z - w * x);
  R[6] = 2.0 * (x * z - w * y);
  R[7] = 2.0 * (y * z + w * x);
  R[8] = 1.0 - 2.0 * (x * x + y * y);
}

static void set_velocities(const double* v, body* bodies) {
  for (int b = 1; b <= N_BODIES; ++b) {
    memcpy(bodies[b].v, v + 6 * (b - 1), sizeof bodies[b].v);
    memcpy(bodies[b].w, v + 6 * (b - 1) + 3, sizeof bodies[b].w);
    turned(bodies[b].R, bodies[b].w, bodies[b].s);
  }
}

/* All at rest. */
static void place(const double* x, body* bodies) {
  memset(bodies, 0, (N_BODIES + 1) * sizeof *bodies);
  bodies[0].q[0] = bodies[0].R[0] = bodies[0].R[4] = bodies[0].R[8] = 1.0;
  for (int b = 1; b <= N_BODIES; ++b) {
    memcpy(bodies[b].c, x + 7 * (b - 1), sizeof bodies[b].c);
    memcpy(bodies[b].q, x + 7 * (b - 1) + 3, sizeof bodies[b].q);
    normalise(bodies[b].q);
    set_rotation(bodies[b].q, bodies[b].R);
  }
}

/* x + move: shifts are added, turns multiplied by (1, half the turn) and brought to length 1, exact to third order. */
static void move_pose(double* x, const double* move) {
  for (int b = 0; b < N_BODIES; ++b) {
    const double *m = move + 6 * b, turn[4] = {1.0, 0.5 * m[3], 0.5 * m[4], 0.5 * m[5]};
    double q[4];
    for (int i = 0; i < 3; ++i) x[7 * b + i] = flushed(x[7 * b + i] + m[i]);
    times(x + 7 * b + 3, turn, q);
    normalise(q);
    memcpy(x + 7 * b + 3, q, sizeof q);
  }
}

/* A point p of a body: its arm in ground axes; velocity, and acceleration at constant speed w x (w x r). */
typedef struct mark {
  double r[3], v[3], a[3];
} mark;
static void find_arm(const body* b, const double* p, mark* m) { turned(b->R, p, m->r); }
static void find_swing(const body* b, mark* m) {
  double turn[3];
  cross3(b->s, m->r, turn);
  cross3(b->s, turn, m->a);
  for (int i = 0; i < 3; ++i) m->v[i] = b->v[i] + turn[i];
}
static void find_mark(const body* b, const double* p, mark* m) {
  find_arm(b, p, m);
  find_swing(b, m);
}

)";
}

}  // namespace rodeo::codegen
