// SPDX-License-Identifier: MIT
// Rows as the kernel computes them: the run-time twin of kinematics/spatial/rows.cpp. THEORY S5, K13.
#include "kinematics/codegen/spatial_text.h"

namespace rodeo::codegen {

const char* spatial_rows_text() {
  return R"(/* What is wanted of a row beside its error. */
enum { TERMS = 1, BIAS = 2 };

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

/* From p1 to p2, and with BIAS how that changes at constant speed. */
typedef struct span {
  double gap[3], speed[3], swing[3];
} span;
static void find_span(const row* r, const body* bodies, int want, span* s) {
  const body *a = bodies + r->first, *b = bodies + r->second;
  mark first, second;
  find_arm(a, r->p1, &first);
  find_arm(b, r->p2, &second);
  for (int i = 0; i < 3; ++i) s->gap[i] = (b->c[i] - a->c[i]) + (second.r[i] - first.r[i]);
  if (!(want & BIAS)) return;
  find_swing(a, &first);
  find_swing(b, &second);
  for (int i = 0; i < 3; ++i) s->speed[i] = second.v[i] - first.v[i], s->swing[i] = second.a[i] - first.a[i];
}

static void calc_along(const row* r, const body* a, const body* b, const span* s, double value, int want, line* l) {
  double u[3], own[3], moment[3], wu[3], wwu[3];
  turned(a->R, r->u, u);
  l->error = dot3(u, s->gap) - value;
  if (want & TERMS) {
    turned_back(a->R, s->gap, own);
    cross3(r->u, own, moment);
    set_gap_terms(r, a, b, u, moment, l);
  }
  if (want & BIAS) {
    cross3(a->s, u, wu);
    cross3(a->s, wu, wwu);
    l->bias = dot3(u, s->swing) + 2.0 * dot3(wu, s->speed) + dot3(wwu, s->gap);
  }
}

static void calc_across(const row* r, const body* a, const body* b, double value, int want, line* l) {
  double u[3], w[3], normal[3], own[3], wu[3], ww[3], wwu[3], www[3];
  turned(a->R, r->u, u);
  turned(b->R, r->w, w);
  l->error = dot3(u, w) - value;
  if (want & TERMS) {
    cross3(u, w, normal);
    turned_back(a->R, normal, l->d[0] + 3);
    turned_back(b->R, normal, own);
    for (int i = 0; i < 3; ++i) l->d[0][i] = l->d[1][i] = 0.0, l->d[1][3 + i] = -own[i];
  }
  if (want & BIAS) {
    cross3(a->s, u, wu);
    cross3(b->s, w, ww);
    cross3(a->s, wu, wwu);
    cross3(b->s, ww, www);
    l->bias = dot3(wwu, w) + 2.0 * dot3(wu, ww) + dot3(u, www);
  }
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
static void calc_turn(const row* r, const body* a, const body* b, double value, int want, line* l) {
  double q[4], uv[3], k[3], k2[3], world[3], x[3], w1[3], x0[3], turn[3], side[3];
  find_turn(r, a, b, q);
  const double c = q[0], s = dot3(r->u, q + 1), n = c * c + s * s;
  l->error = rodeo_unwrap(2.0 * rodeo_atan2(s, c), value) - value;
  if (want == 0) return;
  cross3(r->u, q + 1, uv);
  for (int i = 0; i < 3; ++i) side[i] = c * r->u[i] + uv[i], k[i] = (c * side[i] + s * q[1 + i]) / n;
  turned_back(r->G, k, k2);
  if (want & TERMS) {
    turned(b->R, k2, world);
    turned_back(a->R, world, x);
    for (int i = 0; i < 3; ++i) l->d[0][i] = l->d[1][i] = 0.0, l->d[0][3 + i] = -x[i], l->d[1][3 + i] = k2[i];
  }
  if (want & BIAS) {
    turned_back(b->R, a->s, w1);
    for (int i = 0; i < 3; ++i) x0[i] = b->w[i] - w1[i];
    turned(r->G, x0, x);
    cross3(b->w, w1, turn);
    const double ds = 0.5 * dot3(x, side), dc = -0.5 * dot3(x, q + 1);
    l->bias = dot3(k2, turn) - 4.0 * (c * ds - s * dc) * (c * dc + s * ds) / (n * n);
  }
}

/* The slide less the pitch (value, m/rad) times the turn, to the nearest whole turn. */
static void calc_screw(const row* r, const body* a, const body* b, const span* s, double value, int want, line* l) {
  line turn;
  memset(&turn, 0, sizeof turn);
  calc_along(r, a, b, s, 0.0, want, l);
  calc_turn(r, a, b, 0.0, want, &turn);
  l->error = value * (l->error / value - rodeo_unwrap(turn.error, l->error / value));
  for (int i = 0; (want & TERMS) && i < 6; ++i) l->d[0][i] -= value * turn.d[0][i], l->d[1][i] -= value * turn.d[1][i];
  if (want & BIAS) l->bias -= value * turn.bias;
}

static void calc_distance(const row* r, const body* a, const body* b, const span* s, double value, int want, line* l) {
  static const double none[3] = {0.0, 0.0, 0.0};
  double u[3] = {1.0, 0.0, 0.0};
  const double length = sqrt(dot3(s->gap, s->gap));
  l->error = length - value;
  for (int i = 0; length > 0.0 && i < 3; ++i) u[i] = s->gap[i] / length; /* without a direction any will do */
  if (want & TERMS) set_gap_terms(r, a, b, u, none, l);
  if (want & BIAS) {
    const double rate = dot3(u, s->speed);
    l->bias = dot3(u, s->swing) + (length > 0.0 ? (dot3(s->speed, s->speed) - rate * rate) / length : 0.0);
  }
}

/* The span of the row before serves where both are between the same points. */
static void calc_row(const row* r, const body* bodies, double value, int want, span* s, line* l) {
  const body *a = bodies + r->first, *b = bodies + r->second;
  if (r->has_span) find_span(r, bodies, want, s);
  switch (r->kind) {
    case ALONG: calc_along(r, a, b, s, value, want, l); break;
    case ACROSS: calc_across(r, a, b, value, want, l); break;
    case TURN: calc_turn(r, a, b, value, want, l); break;
    case SCREW: calc_screw(r, a, b, s, value, want, l); break;
    default: calc_distance(r, a, b, s, value, want, l); break;
  }
}

/* The first n rows; `positions` of the drives, `stride` apart. */
static void calc_rows(int n, const body* bodies, const double* positions, int stride, int want, line* lines) {
  span s;
  memset(&s, 0, sizeof s);
  for (int i = 0; i < n; ++i) {
    const int drive = rows[i].drive;
    calc_row(rows + i, bodies, drive < 0 ? rows[i].value : positions[stride * drive], want, &s, lines + i);
  }
}

static double find_angle(const row* r, const body* bodies, double near) {
  double q[4];
  find_turn(r, bodies + r->first, bodies + r->second, q);
  return rodeo_unwrap(2.0 * rodeo_atan2(dot3(r->u, q + 1), q[0]), near);
}

static double find_slide(const row* r, const body* bodies) {
  span s;
  double u[3];
  find_span(r, bodies, 0, &s);
  turned(bodies[r->first].R, r->u, u);
  return dot3(u, s.gap);
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
