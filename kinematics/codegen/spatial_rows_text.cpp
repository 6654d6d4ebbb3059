// SPDX-License-Identifier: MIT
// Rows as the kernel computes them: the run-time twin of kinematics/spatial/rows.cpp. THEORY S5, K13.
#include "kinematics/codegen/spatial_text.h"

namespace rodeo::codegen {

const char* spatial_rows_text() {
  return R"(/* Doubles only: it is saved as it is. Velocities are six a body: that of the centre, and the spin in the body's axes. */
typedef struct instance {
  double states[N_STATES], velocity[N_MOVES], acceleration[N_MOVES];
  double drives[3 * N_DRIVES + 1]; /* position, rate, acceleration at the last tick */
  double joints[N_COORDINATES + 1]; /* angles of the joints, which go on past a turn, and slides */
#if N_FREE > 0
  double multipliers[ROOM_ROWS], gain, settled; /* Baumgarte's, 1/s; 1 when the pose agrees with the drives */
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
static double dot6(const double* a, const double* b) { return dot3(a, b) + dot3(a + 3, b + 3); }
static double size_of(double x) { return x < 0.0 ? -x : x; }
/* Nil for what is nothing beside rounding: in a machine that is flat such numbers shrink to where processors are slow. */
static double flushed(double x) { return x < 1e-60 && x > -1e-60 ? 0.0 : x; }

static void cross3(const double* a, const double* b, double* r) {
  r[0] = a[1] * b[2] - a[2] * b[1];
  r[1] = a[2] * b[0] - a[0] * b[2];
  r[2] = a[0] * b[1] - a[1] * b[0];
}

static void turned(const double* R, const double* p, double* r) {
  for (int i = 0; i < 3; ++i) r[i] = dot3(R + 3 * i, p);
}
static void turned_back(const double* R, const double* p, double* r) {
  for (int i = 0; i < 3; ++i) r[i] = R[i] * p[0] + R[3 + i] * p[1] + R[6 + i] * p[2];
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

/* A point p of a body: its arm in ground axes, velocity, and acceleration at constant speed w x (w x r). */
typedef struct mark {
  double r[3], v[3], a[3];
} mark;
static void find_mark(const body* b, const double* p, mark* m) {
  double turn[3];
  turned(b->R, p, m->r);
  cross3(b->s, m->r, turn);
  cross3(b->s, turn, m->a);
  for (int i = 0; i < 3; ++i) m->v[i] = b->v[i] + turn[i];
}

/* d(u^T (p2 - p1)); `moment`: what u's own turning adds for the first body's spin. */
static void set_gap_terms(const row* r, const body* a, const body* b, const double* u, const double* moment, line* l) {
  double own[3], m[3];
  turned_back(a->R, u, own);
  cross3(r->p1, own, m);
  for (int i = 0; i < 3; ++i) l->d[0][i] = -u[i], l->d[0][3 + i] = moment[i] - m[i];
  turned_back(b->R, u, own);
  cross3(r->p2, own, m);
  for (int i = 0; i < 3; ++i) l->d[1][i] = u[i], l->d[1][3 + i] = m[i];
}

static void find_gap(const body* a, const body* b, const mark* first, const mark* second, double* gap) {
  for (int i = 0; i < 3; ++i) gap[i] = (b->c[i] - a->c[i]) + (second->r[i] - first->r[i]);
}

static void calc_along(const row* r, const body* a, const body* b, double value, line* l) {
  double u[3], own[3], moment[3], gap[3], speed[3], wu[3], wwu[3], swing[3];
  mark first, second;
  find_mark(a, r->p1, &first);
  find_mark(b, r->p2, &second);
  find_gap(a, b, &first, &second, gap);
  turned(a->R, r->u, u);
  turned_back(a->R, gap, own);
  cross3(r->u, own, moment);
  set_gap_terms(r, a, b, u, moment, l);
  cross3(a->s, u, wu);
  cross3(a->s, wu, wwu);
  for (int i = 0; i < 3; ++i) speed[i] = second.v[i] - first.v[i], swing[i] = second.a[i] - first.a[i];
  l->error = dot3(u, gap) - value;
  l->bias = dot3(u, swing) + 2.0 * dot3(wu, speed) + dot3(wwu, gap);
}

static void calc_across(const row* r, const body* a, const body* b, double value, line* l) {
  double u[3], w[3], normal[3], own[3], wu[3], ww[3], wwu[3], www[3];
  turned(a->R, r->u, u);
  turned(b->R, r->w, w);
  cross3(u, w, normal);
  turned_back(a->R, normal, l->d[0] + 3);
  turned_back(b->R, normal, own);
  for (int i = 0; i < 3; ++i) l->d[0][i] = l->d[1][i] = 0.0, l->d[1][3 + i] = -own[i];
  cross3(a->s, u, wu);
  cross3(b->s, w, ww);
  cross3(a->s, wu, wwu);
  cross3(b->s, ww, www);
  l->error = dot3(u, w) - value;
  l->bias = dot3(wwu, w) + 2.0 * dot3(wu, ww) + dot3(u, www);
}

/* The turn of b against a since its zero, with a scalar part that is not negative. */
static void find_turn(const row* r, const body* a, const body* b, double* q) {
  double back[4], both[4];
  conjugate(a->q, back);
  times(back, b->q, both);
  conjugate(r->zero, back);
  times(both, back, q);
  if (q[0] < 0.0) {
    for (int i = 0; i < 4; ++i) q[i] = -q[i];
  }
}

/* The turn 2 atan2(s, c) about u, less the value, by the shorter way round. */
static void calc_turn(const row* r, const body* a, const body* b, double value, line* l) {
  double q[4], uv[3], k[3], k2[3], world[3], x[3], w1[3], x0[3], turn[3], side[3];
  find_turn(r, a, b, q);
  const double c = q[0], s = dot3(r->u, q + 1), n = c * c + s * s;
  cross3(r->u, q + 1, uv);
  for (int i = 0; i < 3; ++i) side[i] = c * r->u[i] + uv[i], k[i] = (c * side[i] + s * q[1 + i]) / n;
  turned_back(r->G, k, k2);
  turned(b->R, k2, world);
  turned_back(a->R, world, x);
  for (int i = 0; i < 3; ++i) l->d[0][i] = l->d[1][i] = 0.0, l->d[0][3 + i] = -x[i], l->d[1][3 + i] = k2[i];
  turned_back(b->R, a->s, w1);
  for (int i = 0; i < 3; ++i) x0[i] = b->w[i] - w1[i];
  turned(r->G, x0, x);
  cross3(b->w, w1, turn);
  const double ds = 0.5 * dot3(x, side), dc = -0.5 * dot3(x, q + 1);
  l->bias = dot3(k2, turn) - 4.0 * (c * ds - s * dc) * (c * dc + s * ds) / (n * n);
  l->error = rodeo_unwrap(2.0 * rodeo_atan2(s, c), value) - value;
}

/* The slide less the pitch (value, m/rad) times the turn, to the nearest whole turn. */
static void calc_screw(const row* r, const body* a, const body* b, double value, line* l) {
  line turn;
  calc_along(r, a, b, 0.0, l);
  calc_turn(r, a, b, 0.0, &turn);
  for (int i = 0; i < 6; ++i) l->d[0][i] -= value * turn.d[0][i], l->d[1][i] -= value * turn.d[1][i];
  l->error = value * (l->error / value - rodeo_unwrap(turn.error, l->error / value));
  l->bias -= value * turn.bias;
}

static void calc_distance(const row* r, const body* a, const body* b, double value, line* l) {
  static const double none[3] = {0.0, 0.0, 0.0};
  double gap[3], u[3] = {1.0, 0.0, 0.0}, speed[3], swing[3];
  mark first, second;
  find_mark(a, r->p1, &first);
  find_mark(b, r->p2, &second);
  find_gap(a, b, &first, &second, gap);
  const double length = sqrt(dot3(gap, gap));
  for (int i = 0; i < 3; ++i) {
    if (length > 0.0) u[i] = gap[i] / length; /* without a direction any will do */
    speed[i] = second.v[i] - first.v[i];
    swing[i] = second.a[i] - first.a[i];
  }
  set_gap_terms(r, a, b, u, none, l);
  const double rate = dot3(u, speed);
  l->error = length - value;
  l->bias = dot3(u, swing) + (length > 0.0 ? (dot3(speed, speed) - rate * rate) / length : 0.0);
}

static void calc_row(const row* r, const body* bodies, double value, line* l) {
  const body *a = bodies + r->first, *b = bodies + r->second;
  switch (r->kind) {
    case ALONG: calc_along(r, a, b, value, l); break;
    case ACROSS: calc_across(r, a, b, value, l); break;
    case TURN: calc_turn(r, a, b, value, l); break;
    case SCREW: calc_screw(r, a, b, value, l); break;
    default: calc_distance(r, a, b, value, l); break;
  }
}

/* The first n rows; `positions` of the drives, `stride` apart. */
static void calc_rows(int n, const body* bodies, const double* positions, int stride, line* lines) {
  for (int i = 0; i < n; ++i) {
    const int drive = rows[i].drive;
    calc_row(rows + i, bodies, drive < 0 ? rows[i].value : positions[stride * drive], lines + i);
  }
}

static double find_angle(const row* r, const body* bodies, double near) {
  double q[4];
  find_turn(r, bodies + r->first, bodies + r->second, q);
  return rodeo_unwrap(2.0 * rodeo_atan2(dot3(r->u, q + 1), q[0]), near);
}

static double find_slide(const row* r, const body* bodies) {
  const body *a = bodies + r->first, *b = bodies + r->second;
  mark first, second;
  double gap[3], u[3];
  find_mark(a, r->p1, &first);
  find_mark(b, r->p2, &second);
  find_gap(a, b, &first, &second, gap);
  turned(a->R, r->u, u);
  return dot3(u, gap);
}

/* Where the joints are now; of all the turns that an angle may have, that nearest to before. */
static void follow_joints(const body* bodies, const double* before, double* now) {
  for (int i = 0; i < N_COORDINATES; ++i) {
    const row* r = coordinates + i;
    now[i] = r->kind == TURN ? find_angle(r, bodies, before[i]) : find_slide(r, bodies);
  }
}
static void follow_pose(instance* I) {
  body bodies[N_BODIES + 1];
  place(I->states, bodies);
  follow_joints(bodies, I->joints, I->joints);
}

static double unit_of(int i) { return rows[i].angular ? 1.0 : SIZE; }

static double calc_rate(const row* r, const line* l, const body* bodies) {
  const body *a = bodies + r->first, *b = bodies + r->second;
  return dot3(l->d[0], a->v) + dot3(l->d[0] + 3, a->w) + dot3(l->d[1], b->v) + dot3(l->d[1] + 3, b->w);
}

/* q' = q w / 2 */
static void set_state_rates(const double* x, const double* v, double* rates) {
  for (int b = 0; b < N_BODIES; ++b) {
    const double spin[4] = {0.0, 0.5 * v[6 * b + 3], 0.5 * v[6 * b + 4], 0.5 * v[6 * b + 5]};
    memcpy(rates + 7 * b, v + 6 * b, 3 * sizeof(double));
    times(x + 7 * b + 3, spin, rates + 7 * b + 3);
  }
}

)";
}

}  // namespace rodeo::codegen
