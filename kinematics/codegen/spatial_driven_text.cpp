// SPDX-License-Identifier: MIT
// Motion that drives impose, as the kernel computes it: the run-time twin of kinematics/spatial/driven.cpp. THEORY S9, K11.
#include "kinematics/codegen/spatial_text.h"

namespace rodeo::codegen {

const char* spatial_driven_text() {
  return R"(/* The largest move, in sizes of the machine or radians. */
static double largest_move(const double* move) {
  double largest = 0.0;
  for (int i = 0; i < N_MOVES; ++i) {
    const double size = size_of(move[i]) * (i % 6 < 3 ? 1.0 / SIZE : 1.0);
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

static double largest_error(int n, const line* lines) {
  double largest = 0.0;
  for (int i = 0; i < n; ++i) {
    const double size = size_of(lines[i].error) / unit_of(i);
    if (!(size <= largest)) largest = size;
  }
  return largest;
}

/* Newton's corrections until rounding is left; below kChord an older matrix does. At the end `bodies` are those of x. */
enum { kMostCorrections = 8 };
static const double kRounding = 2e-15, kChord = 1e-6, kLargestMove = 1.0;
static int correct(const double* drives, double* x, body* bodies, line* lines, factors* f) {
  double b[N_CLOSURES], move[N_MOVES];
  for (int pass = 0;; ++pass) {
    place(x, bodies);
    calc_rows(N_CLOSURES, bodies, drives, 3, pass == 0 ? TERMS : 0, lines);
    const double open = largest_error(N_CLOSURES, lines);
    if (open <= kRounding) return RODEO_OK;
    if (pass == kMostCorrections) return open * SIZE <= 1e-12 && open <= 1e-12 ? RODEO_OK : RODEO_OPEN;
    if (pass > 0 && !(open <= kChord)) calc_rows(N_CLOSURES, bodies, drives, 3, TERMS, lines);
    if ((pass == 0 || !(open <= kChord)) && factorise(lines, N_CLOSURES, f) == 0.0) return RODEO_SINGULAR;
    for (int i = 0; i < N_CLOSURES; ++i) b[i] = -lines[i].error;
    solve(f, b, move);
    if (!(largest_move(move) <= kLargestMove)) return RODEO_OPEN;
    move_pose(x, move);
  }
}

/* v = sum of rate times tangent. */
static void set_velocity(instance* I, const double* drives, int stride) {
  for (int i = 0; i < N_MOVES; ++i) {
    I->velocity[i] = 0.0;
    for (int d = 0; d < N_DRIVES; ++d) I->velocity[i] += I->tangent[d * N_MOVES + i] * drives[stride * d];
  }
}

/* J a = accelerations of the drives - dJ/dt v. */
static void set_motion(instance* I, const double* drives, int stride, body* bodies, line* lines, const factors* f) {
  double b[N_CLOSURES];
  set_velocity(I, drives, stride);
  set_velocities(I->velocity, bodies);
  calc_rows(N_CLOSURES, bodies, I->drives, 3, BIAS, lines);
  for (int i = 0; i < N_CLOSURES; ++i) {
    const int d = rows[i].drive;
    b[i] = (d < 0 ? 0.0 : drives[stride * d + 1]) - lines[i].bias;
  }
  solve(f, b, I->acceleration);
}

static void set_tangents(instance* I, const factors* f) {
  double b[N_CLOSURES];
  for (int d = 0; d < N_DRIVES; ++d) {
    memset(b, 0, sizeof b);
    b[drive_rows[d]] = 1.0;
    solve(f, b, I->tangent + d * N_MOVES);
  }
}

/* Along the tangents of the last pose to where the drives are now, and along its curve as far as they went on as they did: a part
 * `time` of their rates. */
static void predict(instance* I, const double* drives) {
  double move[N_MOVES], change[N_DRIVES + 1], along = 0.0, speed = 0.0;
  for (int d = 0; d < N_DRIVES; ++d) {
    const double rate = I->drives[3 * d + 1];
    change[d] = drives[3 * d] - I->drives[3 * d];
    along += change[d] * rate;
    speed += rate * rate;
  }
  const double time = size_of(along) < speed ? along / speed : 0.0, curve = 0.5 * time * time;
  for (int i = 0; i < N_MOVES; ++i) {
    move[i] = curve * I->acceleration[i];
    for (int d = 0; d < N_DRIVES; ++d) move[i] += I->tangent[d * N_MOVES + i] * (change[d] - curve * I->drives[3 * d + 2]);
  }
  move_pose(I->states, move);
}

#if N_FLAT > 0
static const double kFlatMargin = 0.2, kNear = 1e-8;

static void flush(double* x, int n) {
  for (int i = 0; i < n; ++i) x[i] = flushed(x[i]);
}

/* The same written out, in a fixed order of pivots; 0, and nothing done, where they are too small or it does not close at once. */
static int advance_flat(instance* I, const double* drives) {
  double f[N_FLAT], x[N_STATES], move[N_MOVES], accelerations[N_DRIVES + 1], before = 1.0;
  memcpy(x, I->states, sizeof x);
  for (int pass = 0;; ++pass) {
    double open = 0.0;
    flat_factors(x, drives, f);
    if (!(f[N_CLOSURES] >= kFlatMargin)) return 0;
    for (int i = 0; i < N_CLOSURES; ++i) open = size_of(f[i]) > open ? size_of(f[i]) : open;
    if (open <= kRounding || (before <= kNear && open <= 10.0 * kRounding)) break; /* another correction would change nothing */
    if (pass == 3 || !(open <= 0.1)) return 0;
    flat_correction(f, move);
    move_pose(x, move);
    before = open;
  }
  memcpy(I->states, x, sizeof x);
  I->margin = f[N_CLOSURES];
  flat_tangents(f, I->tangent);
  flush(I->tangent, N_DRIVES * N_MOVES);
  set_velocity(I, drives + 1, 3);
  for (int d = 0; d < N_DRIVES; ++d) accelerations[d] = drives[3 * d + 2];
  flat_accelerations(f, x, I->velocity, accelerations, I->acceleration);
  flush(I->acceleration, N_MOVES);
  return 1;
}
#endif

/* Where the pivots are searched for. */
static int advance_searching(instance* I, const double* drives, body* bodies) {
  line lines[N_CLOSURES];
  factors f;
  const int status = correct(drives, I->states, bodies, lines, &f);
  if (status != RODEO_OK) return status;
  calc_rows(N_CLOSURES, bodies, drives, 3, TERMS, lines);
  I->margin = factorise(lines, N_CLOSURES, &f);
  if (I->margin == 0.0) return RODEO_SINGULAR;
  memcpy(I->drives, drives, 3 * N_DRIVES * sizeof(double));
  set_tangents(I, &f);
  set_motion(I, drives + 1, 3, bodies, lines, &f);
  return RODEO_OK;
}

/* One tick, or a piece of it. */
static int advance_once(instance* I, const double* drives, double* outputs) {
  int status = RODEO_OK;
  predict(I, drives);
#if N_FLAT > 0
  body unused[N_BODIES + 1];
  if (!advance_flat(I, drives)) status = advance_searching(I, drives, unused);
#else
  body bodies[N_BODIES + 1];
  status = advance_searching(I, drives, bodies);
#endif
  if (status != RODEO_OK) return status;
  if (I->margin < I->stop_margin) return RODEO_SINGULAR;
  memcpy(I->drives, drives, 3 * N_DRIVES * sizeof(double));
#if N_FLAT > 0
  flat_show(I->states, I->velocity, I->acceleration, I->joints, outputs);
  memcpy(I->joints, outputs + N_OUTPUTS - N_COORDINATES, N_COORDINATES * sizeof(double));
#else
  follow_joints(bodies, I->joints, I->joints);
  show_all(bodies, I->acceleration, I->joints, outputs);
#endif
  return RODEO_OK;
}

/* How far the tangents say that the drives' jump moves the machine: in pieces of a tenth of a size or radian it stays on its branch. */
static int count_pieces(const instance* I, const double* drives) {
  double move = 0.0;
  for (int d = 0; d < N_DRIVES; ++d)
    move += largest_move(I->tangent + d * N_MOVES) * size_of(drives[3 * d] - I->drives[3 * d]);
  return move <= 0.1 ? 1 : move <= 3.2 ? 1 + (int)(10.0 * move) : 0;
}

static int advance(instance* I, const double* drives, double* outputs) {
  instance next = *I;
  double u[3 * N_DRIVES + 1], shown[N_OUTPUTS];
  for (int d = 0; d < N_DRIVES; ++d) {
    if (drive_is_angle[d] && !(size_of(drives[3 * d]) <= RODEO_MAX_ANGLE)) return RODEO_BAD_INPUT;
  }
  const int pieces = count_pieces(I, drives);
  if (pieces == 0) return RODEO_OPEN;
  for (int i = 1; i <= pieces; ++i) {
    memcpy(u, drives, 3 * N_DRIVES * sizeof(double));
    for (int d = 0; d < N_DRIVES && i < pieces; ++d)
      u[3 * d] = I->drives[3 * d] + (drives[3 * d] - I->drives[3 * d]) * ((double)i / pieces);
    const int status = advance_once(&next, u, shown);
    if (status != RODEO_OK) return status;
  }
  memcpy(outputs, shown, sizeof shown);
  *I = next;
  return RODEO_OK;
}

/* The instance at its state with other rates, `drives` being rate and acceleration of each. */
static int find_motion(instance* I, const double* drives, body* bodies, line* lines, factors* f) {
  place(I->states, bodies);
  calc_rows(N_CLOSURES, bodies, I->drives, 3, TERMS, lines);
  if (factorise(lines, N_CLOSURES, f) == 0.0) return RODEO_SINGULAR;
  set_tangents(I, f);
  set_motion(I, drives, 2, bodies, lines, f);
  return RODEO_OK;
}

static int start(instance* I) {
  body bodies[N_BODIES + 1];
  line lines[N_CLOSURES];
  factors f;
  double still[2 * N_DRIVES + 1];
  memset(still, 0, sizeof still);
  return find_motion(I, still, bodies, lines, &f);
}

static int show(const instance* I, const double* rates, double* outputs) {
  instance here = *I;
  body bodies[N_BODIES + 1];
  line lines[N_CLOSURES];
  factors f;
  const int status = find_motion(&here, rates, bodies, lines, &f);
  if (status != RODEO_OK) return status;
  follow_joints(bodies, I->joints, here.joints);
  show_all(bodies, here.acceleration, here.joints, outputs);
  return RODEO_OK;
}

/* Velocities at the states x from the drives' rates; `gain` draws the joints' errors to nil. */
static int derive(const double* x, const double* rates, double gain, double* result) {
  body bodies[N_BODIES + 1];
  line lines[N_CLOSURES];
  factors f;
  double b[N_CLOSURES], v[N_MOVES], none[N_DRIVES + 1];
  memset(none, 0, sizeof none);
  place(x, bodies);
  calc_rows(N_CLOSURES, bodies, none, 1, TERMS, lines);
  if (factorise(lines, N_CLOSURES, &f) == 0.0) return RODEO_SINGULAR;
  for (int i = 0; i < N_CLOSURES; ++i) b[i] = rows[i].drive < 0 ? -gain * lines[i].error : rates[rows[i].drive];
  solve(&f, b, v);
  set_state_rates(x, v, result);
  return RODEO_OK;
}

#if N_LOADS > 0
/* J^T l = f - M a at the last step. */
static int load(const instance* I, const double* inputs, double* loads) {
  body bodies[N_BODIES + 1];
  line lines[N_CLOSURES];
  factors s;
  double f[N_MOVES], l[N_MOVES];
  power p;
  place(I->states, bodies);
  set_velocities(I->velocity, bodies);
  const int status = apply_forces(bodies, inputs, f, &p);
  if (status != RODEO_OK) return status;
  calc_rows(N_MOVES, bodies, I->drives, 3, TERMS, lines);
  if (factorise(lines, N_ROWS, &s) == 0.0) return RODEO_SINGULAR;
  for (int i = 0; i < N_MOVES; ++i) f[i] -= mass[i] * I->acceleration[i];
  solve_transposed(&s, f, l);
  show_loads(lines, l, bodies, I->velocity, &p, loads);
  return RODEO_OK;
}
#endif

)";
}

}  // namespace rodeo::codegen
