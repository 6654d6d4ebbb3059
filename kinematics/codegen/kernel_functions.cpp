// SPDX-License-Identifier: MIT
// Exponential, logarithm and power for kernels whose parameters need them: init computes with them, never a step. Sums of two
// doubles all the way (about 100 bits), because they are short so and the speed does not matter; the results are within
// 1 ulp, and the same bits everywhere.
#include "kinematics/codegen/kernel_frame.h"

namespace rodeo::codegen {

const char* kernel_functions() {
  return R"(
/* hi + lo, lo at most half an ulp of hi. */
typedef struct rodeo_two { double hi, lo; } rodeo_two;

RODEO_MATH rodeo_two rodeo_sum(double a, double b) {
  rodeo_two s;
  s.hi = a + b;
  const double part = s.hi - a;
  s.lo = (a - (s.hi - part)) + (b - part);
  return s;
}

/* Exact for factors below 2^990: Dekker's halves. */
RODEO_MATH rodeo_two rodeo_product(double a, double b) {
  const double a_shifted = 134217729.0 * a, b_shifted = 134217729.0 * b;
  const double a1 = a_shifted - (a_shifted - a), a2 = a - a1;
  const double b1 = b_shifted - (b_shifted - b), b2 = b - b1;
  rodeo_two p;
  p.hi = a * b;
  p.lo = ((a1 * b1 - p.hi) + a1 * b2 + a2 * b1) + a2 * b2;
  return p;
}

RODEO_MATH rodeo_two rodeo_two_add(rodeo_two a, rodeo_two b) {
  const rodeo_two s = rodeo_sum(a.hi, b.hi), t = rodeo_sum(a.lo, b.lo);
  const rodeo_two u = rodeo_sum(s.hi, s.lo + t.hi);
  return rodeo_sum(u.hi, u.lo + t.lo);
}

RODEO_MATH rodeo_two rodeo_two_multiply(rodeo_two a, rodeo_two b) {
  const rodeo_two p = rodeo_product(a.hi, b.hi);
  return rodeo_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}

RODEO_MATH rodeo_two rodeo_two_divide(rodeo_two a, rodeo_two b) {
  const double q = a.hi / b.hi;
  rodeo_two p = rodeo_product(q, b.hi);
  p = rodeo_sum(p.hi, p.lo + q * b.lo);
  return rodeo_sum(q, ((a.hi - p.hi) + (a.lo - p.lo)) / b.hi);
}

RODEO_MATH rodeo_two rodeo_whole(double a) {
  const rodeo_two two = {a, 0.0};
  return two;
}

static const rodeo_two rodeo_ln2 = {0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};

RODEO_MATH double rodeo_two_to(int n) { return rodeo_from_bits((uint64_t)(n + 1023) << 52); } /* -1022 <= n <= 1023 */

/* x = 2^e m, 0.7 < m < 1.5, s = (m - 1)/(m + 1): log x = e log 2 + 2 (s + s^3/3 + s^5/5 + ...), s^2 < 0.041. */
RODEO_MATH rodeo_two rodeo_log_of(double x) {
  int e = 0;
  if (x < 0x1p-1000) { /* subnormal numbers have no exponent of their own */
    x *= 0x1p+200;
    e = -200;
  }
  uint64_t bits = rodeo_bits(x);
  e += (int)(bits >> 52) - 1023;
  bits = (bits & 0xfffffffffffffu) | (uint64_t)1023 << 52;
  double m = rodeo_from_bits(bits);
  if (m > 1.4) {
    m *= 0.5;
    e += 1;
  }
  const rodeo_two s = rodeo_two_divide(rodeo_whole(m - 1.0), rodeo_sum(m, 1.0));
  const rodeo_two z = rodeo_two_multiply(s, s);
  rodeo_two sum = rodeo_whole(0.0);
  for (int k = 49; k >= 1; k -= 2)
    sum = rodeo_two_add(rodeo_two_multiply(sum, z), rodeo_two_divide(rodeo_whole(2.0), rodeo_whole(k)));
  return rodeo_two_add(rodeo_two_multiply(rodeo_whole(e), rodeo_ln2), rodeo_two_multiply(s, sum));
}

/* a = n log 2 + r, |r| < 0.35: 2^n (1 + r (1 + r/2 (1 + r/3 (...)))). */
RODEO_MATH double rodeo_exp_of(rodeo_two a) {
  if (a.hi != a.hi) return a.hi;
  if (a.hi > 710.0) return a.hi * 0x1p+1023;
  if (a.hi < -746.0) return 0.0;
  const double n = (a.hi * 0x1.71547652b82fep+0 + RODEO_ROUND) - RODEO_ROUND;
  const rodeo_two r = rodeo_two_add(a, rodeo_two_multiply(rodeo_whole(-n), rodeo_ln2));
  rodeo_two sum = rodeo_whole(1.0);
  for (int k = 26; k >= 1; --k)
    sum = rodeo_two_add(rodeo_whole(1.0), rodeo_two_multiply(rodeo_two_divide(r, rodeo_whole(k)), sum));
  const int exponent = (int)n;
  const double value = sum.hi + sum.lo;
  if (exponent > 1000) return value * rodeo_two_to(exponent - 100) * 0x1p+100;
  if (exponent < -1000) return value * rodeo_two_to(exponent + 100) * 0x1p-100;
  return value * rodeo_two_to(exponent);
}

RODEO_MATH double rodeo_exp(double x) { return rodeo_exp_of(rodeo_whole(x)); }

/* Minus infinity at 0, not a number below. */
RODEO_MATH double rodeo_log(double x) {
  if (!(x > 0.0)) return x == 0.0 ? -1.0 / (x * x) : (x - x) / (x - x);
  if (x - x != 0.0) return x;
  const rodeo_two log = rodeo_log_of(x);
  return log.hi + log.lo;
}

/* As C's pow for finite numbers. */
RODEO_MATH double rodeo_pow(double x, double y) {
  if (y == 0.0 || x == 1.0) return 1.0;
  if (!(x - x == 0.0 && y - y == 0.0)) return x * y;
  const double size = y < 0.0 ? -y : y;
  const int whole = size >= 0x1p53 || (double)(int64_t)size == size;
  const int odd = size < 0x1p53 && whole && ((int64_t)size & 1);
  const double sign = odd && (rodeo_bits(x) >> 63) ? -1.0 : 1.0;
  if (x == 0.0) return y > 0.0 ? sign * 0.0 : sign / (x * x);
  if (x < 0.0 && !whole) return (x - x) / (x - x);
  const rodeo_two log = rodeo_log_of(x < 0.0 ? -x : x);
  if (log.hi == 0.0) return sign;
  if (size > 0x1p70) return (log.hi > 0.0) == (y > 0.0) ? sign * (size * 0x1p+1023) : sign * 0.0;
  return sign * rodeo_exp_of(rodeo_two_multiply(log, rodeo_whole(y)));
}
)";
}

}  // namespace rodeo::codegen
