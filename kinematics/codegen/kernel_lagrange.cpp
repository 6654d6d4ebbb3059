// SPDX-License-Identifier: MIT
// Fixed text of kernels of method lagrange: the linear system of constrained motion, solved in the profile of its rows. It is the
// run-time twin of kinematics/dynamics/saddle.h. THEORY D4, L8.
#include "kinematics/codegen/kernel_frame.h"
#include "kinematics/codegen/kernel_profile.h"

namespace rodeo::codegen {

std::string kernel_lagrange() {
  return std::string(
             R"(/* [M J^T; J 0] [a; l] = [f; g] by S = J W^-1 J^T + eps, W = M with a trace of inertia where there is none, rows in units of
 * their own size; corrections from the values of the last tick take out what eps and the trace put in. What the rows leave open (a
 * flat pose) stays as it was. */
typedef struct saddle {
  double values[9 * N_ROWS + 7 * N_BODIES]; /* a row: J of its two bodies, error, rate, bias; a body: forces, mass */
  double scale[ROOM_ROWS], factor[ROOM_PROFILE];
} saddle;
static const double kDamping = 1e-13;

static const double* row_of(const saddle* s, int row) { return s->values + 9 * row; }
static const double* force_on(const saddle* s, int body) { return s->values + 9 * N_ROWS + 3 * body; }
static const double* mass_of(const saddle* s, int body) {
  return s->values + 9 * N_ROWS + 3 * N_BODIES + 4 * body;
}

static void times_mass(const double* mass, const double* x, double* r) {
  r[0] = mass[0] * x[0] - mass[2] * x[2];
  r[1] = mass[0] * x[1] + mass[1] * x[2];
  r[2] = mass[1] * x[1] - mass[2] * x[0] + mass[3] * x[2];
}

static void over_mass(const double* mass, const double* r, double* x) {
  const double m = mass[0], least = 1e-9 * SIZE * SIZE * m;
  const double own = mass[3] - (mass[1] * mass[1] + mass[2] * mass[2]) / m;
  const double turn = (r[2] - (mass[1] * r[1] - mass[2] * r[0]) / m) / (own < least ? least : own);
  x[0] = (r[0] + mass[2] * turn) / m;
  x[1] = (r[1] - mass[1] * turn) / m;
  x[2] = turn;
}

static double dot3(const double* a, const double* b) { return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]; }

static double row_times(const saddle* s, int row, const double* x) {
  double sum = 0.0;
  for (int side = 0; side < 2; ++side) {
    const int body = row_bodies[row][side];
    if (body >= 0) sum += dot3(row_of(s, row) + 3 * side, x + 3 * body);
  }
  return sum;
}

/* f -= J^T l */
static void subtract_rows(const saddle* s, const double* l, double* f) {
  for (int row = 0; row < N_ROWS; ++row) {
    for (int side = 0; side < 2; ++side) {
      const int body = row_bodies[row][side];
      const double* d = row_of(s, row) + 3 * side;
      for (int i = 0; body >= 0 && i < 3; ++i) f[3 * body + i] -= d[i] * l[row];
    }
  }
}

static double* entry(saddle* s, int row) { return s->factor + row_offset[row] - row_first[row]; }

static void fill_schur(saddle* s) {
  for (int i = 0; i < N_ROWS; ++i) {
    double weighted[2][3], *line = entry(s, i);
    for (int side = 0; side < 2; ++side) {
      if (row_bodies[i][side] >= 0) over_mass(mass_of(s, row_bodies[i][side]), row_of(s, i) + 3 * side, weighted[side]);
    }
    for (int j = row_first[i]; j <= i; ++j) {
      line[j] = 0.0;
      for (int k = 0; k < 4; ++k) {
        const int side = k / 2, other = k % 2;
        if (row_bodies[i][side] >= 0 && row_bodies[i][side] == row_bodies[j][other])
          line[j] += dot3(weighted[side], row_of(s, j) + 3 * other);
      }
    }
    s->scale[i] = line[i] > 0.0 ? 1.0 / sqrt(line[i]) : 1.0;
    for (int j = row_first[i]; j < i; ++j) line[j] *= s->scale[i] * s->scale[j];
    line[i] = 1.0 + kDamping;
  }
}

)") + profile_text() +
         R"(/* x -= W^-1 J^T S^-1 b: the move of least energy that takes b off the rows. b is lost. */
static void move_rows(saddle* s, double* b, double* x) {
  double f[N_FREE], move[3];
  memset(f, 0, sizeof f);
  solve_schur(s, b);
  subtract_rows(s, b, f);
  for (int body = 0; body < N_BODIES; ++body) {
    over_mass(mass_of(s, body), f + 3 * body, move);
    for (int i = 0; i < 3; ++i) x[3 * body + i] += move[i];
  }
}

/* From (a, l) as given to the solution. Residuals are measured in roots of energy. */
static void balance(saddle* s, const double* g, double* a, double* l) {
  double before = 0.0;
  for (int pass = 0; pass < 7; ++pass) {
    double r[N_FREE], move[N_FREE], change[ROOM_ROWS], left = 0.0, size = 0.0, work[3];
    for (int body = 0; body < N_BODIES; ++body) {
      const double* f = force_on(s, body);
      times_mass(mass_of(s, body), a + 3 * body, work);
      size = size + dot3(work, a + 3 * body);
      for (int i = 0; i < 3; ++i) r[3 * body + i] = f[i] - work[i];
      over_mass(mass_of(s, body), f, work);
      size = size + dot3(work, f);
    }
    subtract_rows(s, l, r);
    for (int body = 0; body < N_BODIES; ++body) {
      over_mass(mass_of(s, body), r + 3 * body, move + 3 * body);
      const double square = dot3(move + 3 * body, r + 3 * body);
      if (square > left) left = square;
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
    for (int row = 0; row < N_ROWS; ++row) l[row] += change[row];
    for (int body = 0; body < N_BODIES; ++body) {
      over_mass(mass_of(s, body), r + 3 * body, work);
      for (int i = 0; i < 3; ++i) a[3 * body + i] += work[i];
    }
  }
}

/* Accelerations of all coordinates, then the multipliers, then the largest error of closure, metres. */
static int accelerate(const instance* I, const double* x, const double* u, double* result) {
  saddle s;
  double g[ROOM_ROWS], open = 0.0;
  const int status = evaluate(I, x, u, s.values);
  if (status != RODEO_OK) return status;
  if (!factorise(&s)) return RODEO_BAD_INPUT;
  for (int row = 0; row < N_ROWS; ++row) {
    const double* v = row_of(&s, row);
    const double error = (v[6] < 0.0 ? -v[6] : v[6]) * row_units[row];
    if (!(error <= open)) open = error;
    g[row] = -v[8] - 2.0 * I->gain * v[7] - I->gain * I->gain * v[6];
  }
  result[N_FREE + N_ROWS] = open;
  for (int f = 0; f < N_FREE; ++f) result[f] = I->free[3 * f + 2];
  memcpy(result + N_FREE, I->multipliers, N_ROWS * sizeof(double));
  balance(&s, g, result, result + N_FREE);
  return RODEO_OK;
}

static void set_drives(instance* I, const double* drives) {
  memcpy(I->drives, drives, 3 * N_DRIVES * sizeof(double));
  for (int f = 0; f < N_FREE; ++f) I->states[f] = I->free[3 * f];
  I->margin = 1.0;
  I->settled = 1;
}

/* The nearest pose and velocity that agree with the drives, where these did not come by moving. */
static int settle(instance* I, const double* drives) {
  saddle s;
  double u[3 * N_ALL + ROOM_INPUTS], x[N_FREE], b[ROOM_ROWS], result[N_FREE + N_ROWS + 1], before = 0.0;
  memset(u, 0, sizeof u);
  memcpy(u, drives, 3 * N_DRIVES * sizeof(double));
  memcpy(u + 3 * N_DRIVES, I->free, 3 * N_FREE * sizeof(double));
  for (int f = 0; f < N_FREE; ++f) u[3 * (N_DRIVES + f) + 2] = 0.0;
  for (int i = 0; i < 26; ++i) {
    const int of_rates = i >= 24; /* first the pose, then twice the velocity */
    double open = 0.0;
    const int status = evaluate(I, I->states, u, s.values);
    if (status != RODEO_OK) return status;
    for (int row = 0; row < N_ROWS; ++row) {
      b[row] = row_of(&s, row)[of_rates ? 7 : 6];
      const double error = (b[row] < 0.0 ? -b[row] : b[row]) * row_units[row];
      if (!(error <= open)) open = error;
    }
    if (!of_rates && i > 0 && !(open < 0.5 * before)) {
      i = 23;
      continue;
    }
    if (!of_rates) before = open;
    if (!factorise(&s)) return RODEO_BAD_INPUT;
    memset(x, 0, sizeof x);
    move_rows(&s, b, x);
    for (int f = 0; f < N_FREE; ++f) u[3 * (N_DRIVES + f) + of_rates] += x[f];
  }
  if (!(before <= 1e-9 * SIZE)) return RODEO_OPEN;
  const int status = accelerate(I, I->states, u, result);
  if (status != RODEO_OK) return status;
  memcpy(I->multipliers, result + N_FREE, N_ROWS * sizeof(double));
  memcpy(I->free, u + 3 * N_DRIVES, 3 * N_FREE * sizeof(double));
  for (int f = 0; f < N_FREE; ++f) I->free[3 * f + 2] = result[f];
  set_drives(I, drives);
  return RODEO_OK;
}

static int is_near(double a, double b) {
  const double difference = a - b, room = 1e-9 * (1.0 + (a < 0.0 ? -a : a));
  return difference <= room && -difference <= room;
}

static int agrees(const instance* I, const double* drives) {
  for (int d = 0; d < N_DRIVES; ++d) {
    if (!is_near(drives[3 * d], I->drives[3 * d]) || !is_near(drives[3 * d + 1], I->drives[3 * d + 1])) return 0;
  }
  return I->settled;
}

/* Whether a drive's rate changes by more than its acceleration says. Nine numbers a drive. */
static int jumps(const double* drives, double period) {
  for (int d = 0; d < N_DRIVES; ++d) {
    const double* path = drives + 9 * d;
    if (!is_near(path[7], path[1] + 0.5 * period * (path[2] + path[8]))) return 1;
  }
  return 0;
}

static int advance(instance* I, const double* drives, double* outputs) {
  instance next = *I;
  double u[2 * N_ALL];
  int status = agrees(I, drives) ? RODEO_OK : settle(&next, drives);
  if (status != RODEO_OK) return status;
  set_drives(&next, drives);
  for (int i = 0; i < 2 * N_DRIVES; ++i) u[i] = drives[3 * (i / 2) + 1 + i % 2];
  for (int i = 0; i < 2 * N_FREE; ++i) u[2 * N_DRIVES + i] = next.free[3 * (i / 2) + 1 + i % 2];
  status = show(&next, next.states, u, outputs);
  if (status == RODEO_OK) *I = next;
  return status;
}

static int derive(const instance* I, const double* x, const double* u, double* result) {
  (void)x; (void)u;
  for (int f = 0; f < N_FREE; ++f) result[f] = I->free[3 * f + 1];
  return RODEO_OK;
}

/* Errors of all rows, the drives' too, in metres. */
static int close_loops(const instance* I, const double* x, const double* none, double* result) {
  saddle s;
  double u[3 * N_ALL + ROOM_INPUTS];
  (void)none;
  memset(u, 0, sizeof u);
  memcpy(u, I->drives, 3 * N_DRIVES * sizeof(double));
  for (int f = 0; f < N_FREE; ++f) u[3 * (N_DRIVES + f)] = x[f];
  const int status = evaluate(I, x, u, s.values);
  for (int row = 0; row < N_ROWS && status == RODEO_OK; ++row) result[row] = row_of(&s, row)[6] * row_units[row];
  return status;
}

)";
}

}  // namespace rodeo::codegen
