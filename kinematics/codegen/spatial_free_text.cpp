// SPDX-License-Identifier: MIT
// Motion by forces, the constraints kept by multipliers: as kernel_lagrange.cpp in the plane, with six velocities a body and masses
// that are diagonal. THEORY D4, L8, K12.
#include "kinematics/codegen/kernel_profile.h"
#include "kinematics/codegen/spatial_text.h"

namespace rodeo::codegen {

std::string spatial_free_text() {
  return std::string(
             R"(/* [M J^T; J 0] [a; l] = [f; g] by S = J W^-1 J^T + eps, W = M with a trace of inertia where there is none, rows in units of
 * their own size; corrections from the values of the last tick take out what eps and the trace put in. */
typedef struct saddle {
  line lines[ROOM_ROWS];
  double scale[ROOM_ROWS], factor[ROOM_PROFILE];
} saddle;
static const double kDamping = 1e-13;

static double dot6(const double* a, const double* b) { return dot3(a, b) + dot3(a + 3, b + 3); }

static int body_of(int row, int side) { return (side == 0 ? rows[row].first : rows[row].second) - 1; }

/* f -= J^T l */
static void subtract_rows(const saddle* s, const double* l, double* f) {
  for (int row = 0; row < N_ROWS; ++row) {
    for (int side = 0; side < 2; ++side) {
      const int b = body_of(row, side);
      for (int i = 0; b >= 0 && i < 6; ++i) f[6 * b + i] -= s->lines[row].d[side][i] * l[row];
    }
  }
}

static double* entry(saddle* s, int row) { return s->factor + row_offset[row] - row_first[row]; }

/* What row i has in common with those before it by the body on one of its sides. */
static void add_shared(saddle* s, int i, int side, double* to) {
  const int b = body_of(i, side);
  double weighted[6];
  if (b < 0) return;
  for (int k = 0; k < 6; ++k) weighted[k] = s->lines[i].d[side][k] / weight[6 * b + k];
  for (int j = row_first[i]; j <= i; ++j) {
    if (body_of(j, 0) == b) to[j] += dot6(weighted, s->lines[j].d[0]);
    if (body_of(j, 1) == b) to[j] += dot6(weighted, s->lines[j].d[1]);
  }
}

static void fill_schur(saddle* s) {
  for (int i = 0; i < N_ROWS; ++i) {
    double* to = entry(s, i);
    for (int j = row_first[i]; j <= i; ++j) to[j] = 0.0;
    add_shared(s, i, 0, to);
    add_shared(s, i, 1, to);
    s->scale[i] = to[i] > 0.0 ? 1.0 / sqrt(to[i]) : 1.0;
    for (int j = row_first[i]; j < i; ++j) to[j] *= s->scale[i] * s->scale[j];
    to[i] = 1.0 + kDamping;
  }
}

)") + profile_text() +
         R"(#if N_FLAT == 0
static double row_times(const saddle* s, int row, const double* x) {
  double sum = 0.0;
  for (int side = 0; side < 2; ++side) {
    const int b = body_of(row, side);
    if (b >= 0) sum += dot6(s->lines[row].d[side], x + 6 * b);
  }
  return sum;
}

/* From (a, l) as given to the solution. Residuals are measured in roots of energy. */
static void balance(saddle* s, const double* f, const double* g, double* a, double* l) {
  double before = 0.0;
  for (int pass = 0; pass < 7; ++pass) {
    double r[N_MOVES], move[N_MOVES], change[ROOM_ROWS], left = 0.0, size = 0.0;
    for (int i = 0; i < N_MOVES; ++i) {
      r[i] = f[i] - mass[i] * a[i];
      size += mass[i] * a[i] * a[i] + f[i] * f[i] / weight[i];
    }
    subtract_rows(s, l, r);
    for (int i = 0; i < N_MOVES; ++i) {
      move[i] = r[i] / weight[i];
      if (move[i] * r[i] > left) left = move[i] * r[i];
    }
    for (int row = 0; row < N_ROWS; ++row) {
      const double open = g[row] - row_times(s, row, a), measured = open * s->scale[row];
      change[row] = row_times(s, row, move) - open;
      if (measured * measured > left) left = measured * measured;
    }
    if (pass > 0 && (!(left <= 0.0625 * before) || left <= 1e-28 * size)) return;
    before = left;
    solve_schur(s, change);
    subtract_rows(s, change, r);
    for (int row = 0; row < N_ROWS; ++row) l[row] = flushed(l[row] + change[row]);
    for (int i = 0; i < N_MOVES; ++i) a[i] = flushed(a[i] + r[i] / weight[i]);
  }
}

/* What the joints and drives want of the accelerations. */
static void find_right_sides(const saddle* s, const body* bodies, const double* drives, double gain, double* g) {
  for (int i = 0; i < N_ROWS; ++i) {
    const int d = rows[i].drive;
    const double rate = calc_rate(rows + i, s->lines + i, bodies) - (d < 0 ? 0.0 : drives[3 * d + 1]);
    g[i] = (d < 0 ? 0.0 : drives[3 * d + 2]) - s->lines[i].bias - 2.0 * gain * rate - gain * gain * s->lines[i].error;
  }
}

#else
/* From (a, l) as given to the solution; residuals are measured in energies. */
static void balance_flat(const double* s, const double* f, double* a, double* l) {
  double before = 0.0, r[N_MOVES + N_ROWS + 2], change[N_MOVES + N_ROWS];
  for (int pass = 0; pass < 7; ++pass) {
    flat_residual(s, a, l, f, r);
    const double left = r[N_MOVES + N_ROWS], size = r[N_MOVES + N_ROWS + 1];
    if (pass > 0 && (!(left <= 0.0625 * before) || left <= 1e-28 * size)) return;
    before = left;
    flat_correction(s, r, change);
    for (int i = 0; i < N_MOVES; ++i) a[i] = flushed(a[i] + change[i]);
    for (int i = 0; i < N_ROWS; ++i) l[i] = flushed(l[i] + change[N_MOVES + i]);
  }
}
#endif

/* Accelerations of all bodies and the multipliers, from those that are given; drives are position, rate, acceleration. */
static int accelerate(const double* x, const double* v, const double* drives, const double* inputs, double gain, double* a,
                      double* l) {
  double f[N_MOVES];
#if N_FLAT > 0 && N_ELEMENTS + N_PUSHES == 0
  (void)inputs;
  for (int b = 0; b < N_BODIES; ++b) apply_weight(b, v + 6 * b + 3, f);
#else
  body bodies[N_BODIES + 1];
  power unused;
  place(x, bodies);
  set_velocities(v, bodies);
  const int status = apply_forces(bodies, inputs, f, &unused);
  if (status != RODEO_OK) return status;
#endif
#if N_FLAT > 0
  double s[N_FLAT];
  flat_rows(x, v, drives, &gain, s);
  balance_flat(s, f, a, l);
#else
  saddle s;
  double g[ROOM_ROWS];
  calc_rows(N_ROWS, bodies, drives, 3, TERMS | BIAS, s.lines);
  if (!factorise(&s)) return RODEO_BAD_INPUT;
  find_right_sides(&s, bodies, drives, gain, g);
  balance(&s, f, g, a, l);
#endif
  return RODEO_OK;
}

/* -W^-1 J^T S^-1 b: the move of least energy that takes b off the rows. b is lost. */
static void find_move(saddle* s, double* b, double* move) {
  memset(move, 0, N_MOVES * sizeof(double));
  solve_schur(s, b);
  subtract_rows(s, b, move);
  for (int i = 0; i < N_MOVES; ++i) move[i] /= weight[i];
}

/* The nearest pose that agrees with the drives. */
static int settle_pose(instance* I, const double* drives) {
  saddle s;
  body bodies[N_BODIES + 1];
  double b[ROOM_ROWS], move[N_MOVES], before = 0.0;
  for (int pass = 0; pass < 24; ++pass) {
    double open = 0.0;
    place(I->states, bodies);
    calc_rows(N_ROWS, bodies, drives, 3, TERMS, s.lines);
    for (int i = 0; i < N_ROWS; ++i) {
      b[i] = s.lines[i].error;
      const double error = size_of(b[i]) * SIZE / unit_of(i);
      if (!(error <= open)) open = error;
    }
    if (pass > 0 && !(open < 0.5 * before)) break;
    before = open;
    if (!factorise(&s)) return RODEO_BAD_INPUT;
    find_move(&s, b, move);
    move_pose(I->states, move);
  }
  return before <= 1e-9 * SIZE ? RODEO_OK : RODEO_OPEN;
}

/* The nearest velocity, and the accelerations there. */
static int settle(instance* I, const double* drives) {
  saddle s;
  body bodies[N_BODIES + 1];
  double b[ROOM_ROWS], move[N_MOVES], inputs[ROOM_INPUTS];
  memset(inputs, 0, sizeof inputs);
  const int status = settle_pose(I, drives);
  if (status != RODEO_OK) return status;
  for (int pass = 0; pass < 2; ++pass) {
    place(I->states, bodies);
    set_velocities(I->velocity, bodies);
    calc_rows(N_ROWS, bodies, drives, 3, TERMS, s.lines);
    if (!factorise(&s)) return RODEO_BAD_INPUT;
    for (int i = 0; i < N_ROWS; ++i) {
      const int d = rows[i].drive;
      b[i] = calc_rate(rows + i, s.lines + i, bodies) - (d < 0 ? 0.0 : drives[3 * d + 1]);
    }
    find_move(&s, b, move);
    for (int i = 0; i < N_MOVES; ++i) I->velocity[i] += move[i];
  }
  memcpy(I->drives, drives, 3 * N_DRIVES * sizeof(double));
  I->settled = 1.0;
  I->ahead = 0.0;
  follow_joints(bodies, I->joints, I->joints);
  return accelerate(I->states, I->velocity, drives, inputs, 0.0, I->acceleration, I->multipliers);
}

static int is_near(double a, double b) {
  const double difference = a - b, room = 1e-9 * (1.0 + size_of(a));
  return difference <= room && -difference <= room;
}

static int agrees(const instance* I, const double* drives) {
  for (int d = 0; d < N_DRIVES; ++d) {
    if (!is_near(drives[3 * d], I->drives[3 * d]) || !is_near(drives[3 * d + 1], I->drives[3 * d + 1])) return 0;
  }
  return I->settled == 1.0;
}

static int show(const instance* I, const double* rates, double* outputs) {
  (void)rates;
#if N_FLAT > 0
  (void)show_all; /* of larger machines */
  flat_show(I->states, I->velocity, I->acceleration, I->joints, outputs);
#else
  body bodies[N_BODIES + 1];
  double joints[N_COORDINATES + 1];
  place(I->states, bodies);
  set_velocities(I->velocity, bodies);
  follow_joints(bodies, I->joints, joints);
  show_all(bodies, I->acceleration, joints, outputs);
#endif
  return RODEO_OK;
}

static int advance(instance* I, const double* drives, double* outputs) {
  instance next = *I;
  for (int d = 0; d < N_DRIVES; ++d) {
    if (drive_is_angle[d] && !(size_of(drives[3 * d]) <= RODEO_MAX_ANGLE)) return RODEO_BAD_INPUT;
  }
  const int status = agrees(I, drives) ? RODEO_OK : settle(&next, drives);
  if (status != RODEO_OK) return status;
  for (int i = 0; i < 3 * N_DRIVES; ++i) {
    if (drives[i] != next.drives[i]) next.ahead = 0.0;
  }
  memcpy(next.drives, drives, 3 * N_DRIVES * sizeof(double));
  next.margin = 1.0;
  *I = next;
  return show(I, NULL, outputs);
}

static int start(instance* I) {
  memcpy(I->velocity, start_velocity, sizeof I->velocity);
  return RODEO_OK; /* the first step settles it */
}

static int derive(const double* x, const double* rates, double gain, double* result) {
  (void)x; (void)rates; (void)gain; (void)result;
  return RODEO_BAD_INPUT; /* forces make the rates, not the drives alone */
}

static int load(const instance* I, const double* inputs, double* loads) {
  body bodies[N_BODIES + 1];
  line lines[ROOM_ROWS];
  double f[N_MOVES];
  power p;
  place(I->states, bodies);
  set_velocities(I->velocity, bodies);
  const int status = apply_forces(bodies, inputs, f, &p);
  if (status != RODEO_OK) return status;
  calc_rows(N_ROWS, bodies, I->drives, 3, TERMS, lines);
  show_loads(lines, I->multipliers, bodies, I->velocity, &p, loads);
  return RODEO_OK;
}

)";
}

}  // namespace rodeo::codegen
