/* SPDX-License-Identifier: MIT
 * Sine, cosine and arc tangent of a kernel: at most 1 ulp from the true value, and the same bits on every processor
 * and from every compiler, because only + - * / and conversions are used, which IEEE 754 rounds in one way. This text
 * is pasted into every kernel. Compile it without contraction (-ffp-contract=off) and without fast-math; what another
 * program's flags do all the same is prevented below, refused by the compiler, or found by rodeo_is_exact.
 * tools/math_coefficients.py prints every constant. */
#ifndef RODEO_MATH_H
#define RODEO_MATH_H
/* NOLINTBEGIN(modernize-*): C, not C++ */

/* gcc 12 makes vfmaddsub of a pair a*b + c, d*e - f in spite of -ffp-contract=off: from here on there is no such
 * instruction. */
#if defined(__GNUC__) && !defined(__clang__)
#if defined(__FMA__) || defined(__FMA4__) || defined(__AVX512F__)
#pragma GCC target("no-fma,no-fma4,no-avx512f")
#elif defined(__ARM_FEATURE_FMA)
#pragma GCC optimize("fp-contract=off")
#endif
#endif

#include <stdint.h>
#include <string.h>
#if defined(__SSE2__) && defined(__GNUC__)
#include <emmintrin.h>
#endif

#if defined(__FAST_MATH__) || (defined(__FINITE_MATH_ONLY__) && __FINITE_MATH_ONLY__) || \
    (defined(__GCC_IEC_559) && __GCC_IEC_559 == 0) ||                                    \
    (defined(__FLT_EVAL_METHOD__) && (__FLT_EVAL_METHOD__ < 0 || __FLT_EVAL_METHOD__ == 2))
#error "rodeo_math.h needs IEEE doubles: no -ffast-math nor a part of it, no x87 arithmetic"
#endif
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#endif
#ifdef __GNUC__
#define RODEO_MATH static inline __attribute__((unused))
#else
#define RODEO_MATH static inline
#endif

/* Radians; beyond it the sine refuses. */
#define RODEO_MAX_ANGLE 8e5
/* 1.5 * 2^52: what is added to it is rounded to an integer, which stands in the low bits of the sum. */
#define RODEO_ROUND 6755399441055744.0

RODEO_MATH uint64_t rodeo_bits(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return bits;
}

RODEO_MATH double rodeo_from_bits(uint64_t bits) {
  double x;
  memcpy(&x, &bits, sizeof x);
  return x;
}

/* Does every operation round by itself, to nearest, in the order that is written, with signed zeros and small numbers? 0 where
 * flags of a compiler or the state of the processor are otherwise. (1 + 2^-27)(1 - 2^-27) = 1 - 2^-54 rounds to 1, unless
 * fused; 1 + 2^60 - 2^60 is 0, unless reordered; 5/49, 9/49 and 11/49 are not 5, 9 and 11 times 1/49. All is read anew: no product is
 * shared. */
RODEO_MATH int rodeo_is_exact(void) {
  volatile double probe[8] = {1.0 + 0x1p-27, 1.0 - 0x1p-27, 1.0, 0x1p60, 0x1p-60, -0.0, 0x1p-1022, 49.0};
  const double low = probe[0] * probe[1] - probe[2];
  const double high = probe[2] - probe[0] * probe[1];
  const double sum = probe[0] * probe[1] + -probe[2];
  const double large = probe[3], tiny = probe[4], divisor = probe[7];
  const double five = 5.0 * probe[2], nine = 9.0 * probe[2], eleven = 11.0 * probe[2];
  const double quotients[4] = {five / divisor, nine / divisor, eleven / divisor, five / 49.0};
  const int is_plain = low == 0.0 && high == 0.0 && sum == 0.0 && (probe[2] + large) - large == 0.0;
  const int is_nearest = probe[2] + tiny == 1.0 && probe[2] - tiny == 1.0 && -probe[2] - tiny == -1.0;
  const int is_signed = rodeo_bits(probe[5] + 0.0) == 0;
  const int is_divided = quotients[0] == 0x1.a1f58d0fac688p-4 && quotients[1] == 0x1.7829cbc14e5e1p-3 &&
                         quotients[2] == 0x1.cbc14e5e0a72fp-3 && quotients[3] == 0x1.a1f58d0fac688p-4;
  return is_plain && is_nearest && is_signed && is_divided && probe[6] * 0.5 > 0.0;
}

/* The polynomials, for one number or for a pair: S and C of the sine and cosine, A of the arc tangent; z and zz = z². */
#define RODEO_S(z, zz)                                                                    \
  ((0x1.5555555555549p-3 + (zz) * (0x1.a01a019c11fb5p-13 + (zz)*0x1.ae5e6691c863cp-26)) - \
   (z) * (0x1.111111110f87dp-7 + (zz) * (0x1.71de357819823p-19 + (zz)*0x1.5d931cd8ad8cap-33)))
#define RODEO_C(z, zz)                                                                    \
  ((0x1.5555555555552p-5 + (zz) * (0x1.a01a019e15908p-16 + (zz)*0x1.1eea967feb8dfp-29)) - \
   (z) * (0x1.6c16c16c15fcap-10 + (zz) * (0x1.27e4f908631b1p-22 + (zz)*0x1.90058a43c8fb3p-37)))
#define RODEO_A(z, zz)                                                                                    \
  ((0x1.55555555553f6p-2 +                                                                                \
    (zz) * (0x1.24924906441bfp-3 +                                                                        \
            (zz) * (0x1.745b1c4647473p-4 + (zz) * (0x1.0ee807ad39421p-4 + (zz)*0x1.0aaa494ca84dbp-5)))) - \
   (z) * (0x1.999999995b7d5p-3 +                                                                          \
          (zz) * (0x1.c71c633d135d4p-4 + (zz) * (0x1.3ae9bcf5cccfcp-4 + (zz)*0x1.bee07dbbdd567p-5))))

/* Sine and cosine of x. Returns 0 and leaves both as they are if x is not finite or |x| > RODEO_MAX_ANGLE, else 1.
 *
 * x = n π/2 + r - h with integer n and |r| <= π/4. π/2 is cut at 2^-33, 2^-53 and 2^-87, so that for n < 2^19 the
 * products with the first three parts are exact. So are the first two differences, by cancellation; the third is r,
 * its rounding error goes to h with the fourth part. That leaves an error below 2^-105 |r| + 2^-121, and no double of
 * the range is closer than 2^-61 to a multiple of π/2.
 *     z = r²   w = 1 - z/2   sin(r - h) = r - (h w + r z S(z))   cos(r - h) = w + (z² C(z) + r h)
 * S and C have 6 coefficients each and are evaluated as even + z odd. h is +0 for n = 0, so that sin(-0) is -0. */
RODEO_MATH int rodeo_sincos(double x, double* s, double* c) {
  if (!(x * x <= RODEO_MAX_ANGLE * RODEO_MAX_ANGLE)) return 0;
  const double rounded = x * 0x1.45f306dc9c883p-1 + RODEO_ROUND;
  const double n = rounded - RODEO_ROUND;
  const double a = (x - n * 0x1.921fb544p+0) - n * 0x1.0b46p-34;
  const double b = n * 0x1.1a626331p-54;
  const double r = a - b;
  const double h = n * 0x1.1701b839a252p-88 - ((a - r) - b);

  const double z = r * r;
  const double zz = z * z;
  const double half = 0.5 * z;
  const double w = 1.0 - half;
  const uint64_t sine = rodeo_bits(r - (h * w + (r * z) * RODEO_S(z, zz)));
  const uint64_t cosine = rodeo_bits(w + (((1.0 - w) - half) + (zz * RODEO_C(z, zz) + r * h)));

  /* Quadrant n mod 4: 0 (s, c), 1 (c, -s), 2 (-s, -c), 3 (-c, s). */
  const uint64_t quadrant = rodeo_bits(rounded);
  const uint64_t swap = (sine ^ cosine) & (0 - (quadrant & 1));
  *s = rodeo_from_bits(sine ^ swap ^ ((quadrant & 2) << 62));
  *c = rodeo_from_bits(cosine ^ swap ^ (((quadrant + 1) & 2) << 62));
  return 1;
}

/* Angle of the vector (x, y) in [-π, π], with the signs of zero of C's atan2, for all finite x and y.
 *
 * With p <= q the smaller and the larger of |x| and |y|, for p > q/4:
 *     atan(p/q) = atan(1/2) + atan(t)   t = (p - q/2) / (q + p/2)   -2/9 < t <= 1/3
 * where p - q/2 is exact; else t = p/q. The angle is base ± t, the base one of eight by octant and case, in two
 * parts. The quotient t = t1 + t2 is a float and a remainder: t1 times the float d1 is exact, so that
 * t2 = (numerator - t1 d1 - t1 d2) / (d1 + d2) is good to 2^-75; it takes the reciprocal that gave t1.
 * atan(t) = t - t z A(z), z = t², 9 coefficients. */
RODEO_MATH double rodeo_atan2(double y, double x) {
  static const double rows[8][3] = {/* sign of t, base, what base lacks */
                                    {1.0, 0.0, 0.0},
                                    {1.0, 0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                    {-1.0, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                                    {-1.0, 0x1.1b6e192ebbe44p+0, 0x1.b1b466a88828ep-54},
                                    {-1.0, 0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
                                    {-1.0, 0x1.56c6e7397f5aep+1, 0x1.660b64ece6f4bp-53},
                                    {1.0, 0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                                    {1.0, 0x1.0468a8ace4df6p+1, 0x1.0620bf7406affp-55}};
  const uint64_t sign_bit = (uint64_t)1 << 63;
  const uint64_t sign_y = rodeo_bits(y) & sign_bit;
  const uint64_t abs_x = rodeo_bits(x) & ~sign_bit; /* positive doubles are ordered as their bits are */
  const uint64_t abs_y = rodeo_bits(y) & ~sign_bit;
  const int steep = abs_y > abs_x;
  double q = rodeo_from_bits(steep ? abs_y : abs_x);
  double p = rodeo_from_bits(steep ? abs_x : abs_y);
  const int shifted = 4.0 * p > q;
  const double* row = rows[(rodeo_bits(x) >> 63) * 4 + (uint64_t)steep * 2 + (uint64_t)shifted];

  if (!(p >= 0x1p-63 && q <= 0x1p63)) { /* floats may not hold t or the denominator */
    const double t = p / (q == 0.0 ? 1.0 : q);
    if (t < 0x1p-27) return rodeo_from_bits(rodeo_bits(row[1] + (row[0] * t + row[2])) | sign_y);
    const uint64_t exponent = rodeo_bits(q) >> 52;
    const double scale = rodeo_from_bits((exponent < 2045 ? 2045 - exponent : 1) << 52);
    p *= scale;
    q *= scale;
  }

  const double shift = shifted ? 0.5 : 0.0;
  const double numerator = row[0] * (p - shift * q);
  const double denominator = q + shift * p;
  const double inverse = 1.0 / denominator;
  const double t1 = (double)(float)(numerator * inverse);
  const double d1 = (double)(float)denominator;
  const double d2 = (q - d1) + shift * p;
  const double t2 = ((numerator - t1 * d1) - t1 * d2) * inverse;

  const double t = t1 + t2;
  const double z = t * t;
  const double zz = z * z;
  const double angle = row[1] + (t1 + ((t2 - (t * z) * RODEO_A(z, zz)) + row[2]));
  return rodeo_from_bits(rodeo_bits(angle) | sign_y);
}

/* angle + 2π k nearest to `near`, for |angle| <= π and |near| <= RODEO_MAX_ANGLE. 2π is cut at 2^-33, so that for
 * k < 2^17 the product with its first part is exact; the rounding error of the sum is added again with the second. */
RODEO_MATH double rodeo_unwrap(double angle, double near) {
  const double k = ((near - angle) * 0x1.45f306dc9c883p-3 + RODEO_ROUND) - RODEO_ROUND;
  const double turns = k * 0x1.921fb5444p+2;
  const double sum = angle + turns;
  return sum + ((angle - (sum - turns)) + k * 0x1.68c234c4c6629p-37);
}

/* The angle of (x, y) nearest to `near`. */
RODEO_MATH double rodeo_angle(double y, double x, double near) {
  return rodeo_unwrap(rodeo_atan2(y, x), near);
}

/* Two at once: half the time where the processor has pairs of doubles. Lane by lane the operations are those above, in
 * their order, and so the bits are the same. */
#if defined(__SSE2__) && defined(__GNUC__)

/* 0, with nothing written, if one of them is out of range. */
RODEO_MATH int rodeo_sincos_pair(double x0, double x1, double* s0, double* c0, double* s1, double* c1) {
  const __m128d x = _mm_set_pd(x1, x0);
  const __m128d largest = _mm_set1_pd(RODEO_MAX_ANGLE * RODEO_MAX_ANGLE);
  if (_mm_movemask_pd(_mm_cmple_pd(x * x, largest)) != 3) return 0;
  const __m128d rounded = x * 0x1.45f306dc9c883p-1 + RODEO_ROUND;
  const __m128d n = rounded - RODEO_ROUND;
  const __m128d a = (x - n * 0x1.921fb544p+0) - n * 0x1.0b46p-34;
  const __m128d b = n * 0x1.1a626331p-54;
  const __m128d r = a - b;
  const __m128d h = n * 0x1.1701b839a252p-88 - ((a - r) - b);
  const __m128d z = r * r;
  const __m128d zz = z * z;
  const __m128d half = 0.5 * z;
  const __m128d w = 1.0 - half;
  const __m128i sine = _mm_castpd_si128(r - (h * w + (r * z) * RODEO_S(z, zz)));
  const __m128i cosine = _mm_castpd_si128(w + (((1.0 - w) - half) + (zz * RODEO_C(z, zz) + r * h)));

  const __m128i quadrant = _mm_castpd_si128(rounded);
  const __m128i one = _mm_set1_epi64x(1), two = _mm_set1_epi64x(2);
  const __m128i odd = _mm_sub_epi64(_mm_setzero_si128(), _mm_and_si128(quadrant, one));
  const __m128i swap = _mm_and_si128(_mm_xor_si128(sine, cosine), odd);
  const __m128i s_sign = _mm_slli_epi64(_mm_and_si128(quadrant, two), 62);
  const __m128i c_sign = _mm_slli_epi64(_mm_and_si128(_mm_add_epi64(quadrant, one), two), 62);
  const __m128d s = _mm_castsi128_pd(_mm_xor_si128(_mm_xor_si128(sine, swap), s_sign));
  const __m128d c = _mm_castsi128_pd(_mm_xor_si128(_mm_xor_si128(cosine, swap), c_sign));
  *s0 = s[0], *s1 = s[1], *c0 = c[0], *c1 = c[1];
  return 1;
}

/* atan2 of two vectors whose smaller coordinates are not below 2^-63 and larger ones not above 2^63. */
RODEO_MATH __m128d rodeo_atan2_pair(__m128d y, __m128d x, __m128d p, __m128d q, __m128d steep) {
  /* By the sign of x (1), steep (4), shifted (16): two movemasks interleave, and one of them shifted by 1 is the
   * other lane's. */
  static const double rows[22][2] = {{0.0, 0.0},
                                     {0x1.921fb54442d18p+1, 0x1.1a62633145c07p-53},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                                     {0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0x1.dac670561bb4fp-2, 0x1.a2b7f222f65e2p-56},
                                     {0x1.56c6e7397f5aep+1, 0x1.660b64ece6f4bp-53},
                                     {0.0, 0.0},
                                     {0.0, 0.0},
                                     {0x1.1b6e192ebbe44p+0, 0x1.b1b466a88828ep-54},
                                     {0x1.0468a8ace4df6p+1, 0x1.0620bf7406affp-55}};
  const __m128d sign_bit = _mm_set1_pd(-0.0);
  const __m128d shifted = _mm_cmplt_pd(q, 4.0 * p);
  const int at = _mm_movemask_pd(x) + 4 * _mm_movemask_pd(steep) + 16 * _mm_movemask_pd(shifted);
  const __m128d row0 = _mm_loadu_pd(rows[at & 21]), row1 = _mm_loadu_pd(rows[(at >> 1) & 21]);
  const __m128d base = _mm_unpacklo_pd(row0, row1), rest = _mm_unpackhi_pd(row0, row1);
  const __m128d sign = _mm_and_pd(sign_bit, _mm_xor_pd(x, steep));
  const __m128d shift = _mm_and_pd(shifted, _mm_set1_pd(0.5));
  const __m128d numerator = _mm_xor_pd(sign, p - shift * q);
  const __m128d denominator = q + shift * p;
  const __m128d inverse = 1.0 / denominator;
  const __m128d t1 = _mm_cvtps_pd(_mm_cvtpd_ps(numerator * inverse));
  const __m128d d1 = _mm_cvtps_pd(_mm_cvtpd_ps(denominator));
  const __m128d d2 = (q - d1) + shift * p;
  const __m128d t2 = ((numerator - t1 * d1) - t1 * d2) * inverse;
  const __m128d t = t1 + t2;
  const __m128d z = t * t;
  const __m128d zz = z * z;
  const __m128d angle = base + (t1 + ((t2 - (t * z) * RODEO_A(z, zz)) + rest));
  return _mm_or_pd(angle, _mm_and_pd(sign_bit, y));
}

RODEO_MATH void rodeo_angle_pair(double y0, double x0, double near0, double y1, double x1, double near1,
                                 double* a0, double* a1) {
  const __m128d x = _mm_set_pd(x1, x0), y = _mm_set_pd(y1, y0);
  const __m128d ax = _mm_andnot_pd(_mm_set1_pd(-0.0), x), ay = _mm_andnot_pd(_mm_set1_pd(-0.0), y);
  const __m128d q = _mm_max_pd(ax, ay), p = _mm_min_pd(ax, ay);
  const __m128d regular =
      _mm_and_pd(_mm_cmple_pd(_mm_set1_pd(0x1p-63), p), _mm_cmple_pd(q, _mm_set1_pd(0x1p63)));
  const __m128d angle = _mm_movemask_pd(regular) == 3 ? rodeo_atan2_pair(y, x, p, q, _mm_cmplt_pd(ax, ay))
                                                      : _mm_set_pd(rodeo_atan2(y1, x1), rodeo_atan2(y0, x0));
  const __m128d k = ((_mm_set_pd(near1, near0) - angle) * 0x1.45f306dc9c883p-3 + RODEO_ROUND) - RODEO_ROUND;
  const __m128d turns = k * 0x1.921fb5444p+2;
  const __m128d sum = angle + turns;
  const __m128d result = sum + ((angle - (sum - turns)) + k * 0x1.68c234c4c6629p-37);
  *a0 = result[0], *a1 = result[1];
}

#else

RODEO_MATH int rodeo_sincos_pair(double x0, double x1, double* s0, double* c0, double* s1, double* c1) {
  if (!(x1 * x1 <= RODEO_MAX_ANGLE * RODEO_MAX_ANGLE)) return 0;
  return rodeo_sincos(x0, s0, c0) && rodeo_sincos(x1, s1, c1);
}

RODEO_MATH void rodeo_angle_pair(double y0, double x0, double near0, double y1, double x1, double near1,
                                 double* a0, double* a1) {
  *a0 = rodeo_angle(y0, x0, near0);
  *a1 = rodeo_angle(y1, x1, near1);
}

#endif

/* NOLINTEND(modernize-*) */
#endif
