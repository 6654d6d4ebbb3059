// SPDX-License-Identifier: MIT
// The matrix of a machine in space that its drives move, factorised. THEORY K11.
#include "kinematics/codegen/spatial_text.h"

namespace rodeo::codegen {

const char* spatial_factors_text() {
  return R"(/* The matrix of rows by moves, dimensionless, as L U with row pivoting; what is nil to the left and right of a row's numbers is not
 * touched. Redundant rows take part: at every pose the pivots pick those that say most, and the rest follow from them. */
typedef struct factors {
  double a[N_CLOSURES * N_MOVES], column[N_MOVES]; /* the largest of each column, before */
  int order[N_CLOSURES], begin[N_CLOSURES], end[N_CLOSURES], n, reached;
} factors;

static void fill_row(factors* f, int i, const line* l) {
  const double turn = 1.0 / unit_of(i), shift = SIZE * turn;
  double* a = f->a + i * N_MOVES;
  memset(a, 0, N_MOVES * sizeof(double));
  f->begin[i] = N_MOVES;
  f->end[i] = 0;
  for (int side = 0; side < 2; ++side) {
    const int b = side == 0 ? rows[i].first : rows[i].second;
    if (b == 0) continue;
    for (int j = 0; j < 6; ++j) {
      const int c = 6 * (b - 1) + j;
      a[c] = l->d[side][j] * (j < 3 ? shift : turn);
      if (size_of(a[c]) > f->column[c]) f->column[c] = size_of(a[c]);
    }
    if (6 * (b - 1) < f->begin[i]) f->begin[i] = 6 * (b - 1);
    if (6 * b > f->end[i]) f->end[i] = 6 * b;
  }
}

/* Rows that begin at c or before it, and are no pivots yet, stand from c to f->reached in the order. */
static int find_pivot(factors* f, int c) {
  int best = c;
  double largest = -1.0;
  while (f->reached < f->n && f->begin[f->order[f->reached]] <= c) ++f->reached;
  for (int i = c; i < f->reached; ++i) {
    const double size = size_of(f->a[f->order[i] * N_MOVES + c]);
    if (size > largest) largest = size, best = i;
  }
  return best;
}

static void eliminate(factors* f, int p, int r, int c) {
  double *from = f->a + p * N_MOVES, *to = f->a + r * N_MOVES;
  if (to[c] == 0.0) return;
  const double part = to[c] / from[c];
  to[c] = part;
  for (int j = c + 1; j < f->end[p]; ++j) to[j] -= part * from[j];
  if (f->end[p] > f->end[r]) f->end[r] = f->end[p];
}

/* The margin, the smallest pivot by the largest of its column, much as a sine between one column and those before it; 0 where it
 * cannot be solved. */
static double factorise(const line* lines, int n, factors* f) {
  double least = 1.0;
  memset(f->column, 0, sizeof f->column);
  f->n = f->reached = 0;
  for (int i = 0; i < n; ++i) fill_row(f, i, lines + i);
  for (int i = 0; i < N_CLOSURES; ++i) {
    if (row_order[i] < n) f->order[f->n++] = row_order[i];
  }
  for (int c = 0; c < N_MOVES; ++c) {
    const int best = find_pivot(f, c), p = f->order[best];
    if (best >= f->reached) return 0.0;
    const double size = size_of(f->a[p * N_MOVES + c]);
    f->order[best] = f->order[c];
    f->order[c] = p;
    if (!(size > 1e-9)) return 0.0;
    if (size < least * f->column[c]) least = size / f->column[c];
    for (int i = c + 1; i < f->reached; ++i) eliminate(f, p, f->order[i], c);
  }
  return least;
}

/* Moves x (m, rad) of which the rows' changes are b (m, rad). */
static void solve(const factors* f, const double* b, double* x) {
  for (int i = 0; i < N_MOVES; ++i) {
    const int r = f->order[i];
    const double* a = f->a + r * N_MOVES;
    x[i] = b[r] / unit_of(r);
    for (int j = f->begin[r]; j < i; ++j) x[i] -= a[j] * x[j];
  }
  for (int i = N_MOVES - 1; i >= 0; --i) {
    const double* a = f->a + f->order[i] * N_MOVES;
    for (int j = i + 1; j < f->end[f->order[i]]; ++j) x[i] -= a[j] * x[j];
    x[i] /= a[i];
  }
  for (int i = 0; i < N_MOVES; ++i) {
    x[i] = flushed(i % 6 < 3 ? x[i] * SIZE : x[i]);
  }
}

/* Multipliers l of the rows that give J^T l = b; of independent rows only, so that they are the same ones at every pose. b is lost. */
static void solve_transposed(const factors* f, double* b, double* l) {
  for (int i = 0; i < N_MOVES; ++i) b[i] *= i % 6 < 3 ? SIZE : 1.0;
  for (int i = 0; i < N_MOVES; ++i) {
    const double* a = f->a + f->order[i] * N_MOVES;
    b[i] /= a[i];
    for (int j = i + 1; j < f->end[f->order[i]]; ++j) b[j] -= a[j] * b[i];
  }
  for (int i = N_MOVES - 1; i >= 0; --i) {
    const int r = f->order[i];
    for (int j = f->begin[r]; j < i; ++j) b[j] -= f->a[r * N_MOVES + j] * b[i];
  }
  for (int i = 0; i < N_MOVES; ++i) l[f->order[i]] = b[i] / unit_of(f->order[i]);
}

)";
}

}  // namespace rodeo::codegen
