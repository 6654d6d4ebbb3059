// SPDX-License-Identifier: MIT
// The wheel loader of configs/wheel_loader.yaml in closed form, written by hand for that one machine: what a good engineer
// writes for speed with libm, and what the generated kernel is measured against. Dimensions are constants, links are
// carried as plane vectors (no cosines and sines but those of the two drives), an arc tangent only where an angle is an
// output. Outputs as the kernel's: angle, rate, acceleration, and x, y, vx, vy, ax, ay of the origin of each of the
// six bodies, then the points tip and hinge. No history but the previous angles, near which the new ones are unwrapped.
#pragma once
#include <cmath>
#ifdef __SSE2__
#include <emmintrin.h>
#endif

namespace loader {

inline constexpr int kDrives = 6;    // position, rate, acceleration of boom and tilt lever
inline constexpr int kOutputs = 66;  // in the kernel's order
inline constexpr int kBody = 9;      // outputs of one body

// Metres, as in the YAML file.
inline constexpr double kAx = -0.45, kAy = 1.93, kDx = -0.3, kDy = 1.78;
inline constexpr double kBoom = 2.9, kEx = 1.85, kEy = 0.2, kTilt = 0.62;
inline constexpr double kRear = 1.81, kLever = 0.62, kFx = 0.585, kFy = -0.44;
inline constexpr double kFront = 1.13, kKx = 0.22, kKy = 0.45, kReach = 1.3, kDepth = 0.4;

#define LOADER_INLINE __attribute__((always_inline)) inline

struct Vec {
  double x, y;
};
LOADER_INLINE Vec operator+(Vec a, Vec b) { return {a.x + b.x, a.y + b.y}; }
LOADER_INLINE Vec operator-(Vec a, Vec b) { return {a.x - b.x, a.y - b.y}; }
LOADER_INLINE Vec operator*(double k, Vec a) { return {k * a.x, k * a.y}; }
LOADER_INLINE double dot(Vec a, Vec b) { return a.x * b.x + a.y * b.y; }
/// a turned and stretched by the constant z, as complex numbers.
LOADER_INLINE Vec turn(Vec z, Vec a) { return {z.x * a.x - z.y * a.y, z.y * a.x + z.x * a.y}; }

/// A point: where it is, its velocity, its acceleration.
struct Point {
  Vec p, v, a;
};

/// The end of the vector r on a body that turns about `from` with rate w and acceleration e:
/// v = w ẑ×r, a = e ẑ×r - w² r.
LOADER_INLINE Point carry(const Point& from, Vec r, double w, double e) {
  const double ww = w * w;
  return {from.p + r,
          {from.v.x - w * r.y, from.v.y + w * r.x},
          {from.a.x - (e * r.y + ww * r.x), from.a.y + (e * r.x - ww * r.y)}};
}
/// The same about a pin of the ground, whose velocity and acceleration are nil.
LOADER_INLINE Point carry_fixed(Vec pin, Vec r, double w, double e) {
  const double ww = w * w;
  return {pin + r, {-w * r.y, w * r.x}, {-(e * r.y + ww * r.x), e * r.x - ww * r.y}};
}

/// One instruction, as in the kernel, which is compiled without errno of <math.h>.
LOADER_INLINE double root(double square) {
#ifdef __SSE2__
  const __m128d both = _mm_set_sd(square);
  return _mm_cvtsd_f64(_mm_sqrt_sd(both, both));
#else
  return std::sqrt(square);
#endif
}

/// Two links, u from P and v from Q, that meet at one pin; P + u = Q + v.
struct Dyad {
  Vec u, v;
  double wu, wv, eu, ev;  // their rates and accelerations
};

/// |u|, |v| are a, b; the pin is on the left of PQ. False if they do not meet.
///     d = Q - P    α = (d² + a² - b²)/2d²    β = √(a²/d² - α²)    u = α d + β ẑ×d    u×v = β d²
/// Rates from wu ẑ×u - wv ẑ×v = g = Q' - P', by dot products with v and u; accelerations alike.
LOADER_INLINE bool close(const Point& P, const Point& Q, double a, double b, Dyad& dyad) {
  const Vec d = Q.p - P.p;
  const double inverse = 1.0 / dot(d, d);
  const double alpha = 0.5 + 0.5 * (a * a - b * b) * inverse;
  const double square = a * a * inverse - alpha * alpha;
  if (!(square > 0.0)) return false;
  const double beta = root(square);
  const double inverse_cross = inverse / beta;
  const Vec u = {alpha * d.x - beta * d.y, alpha * d.y + beta * d.x};
  const Vec v = u - d;
  const Vec g = Q.v - P.v;
  const double wu = dot(g, v) * inverse_cross;
  const double wv = dot(g, u) * inverse_cross;
  const Vec h = (Q.a - P.a) + (wu * wu) * u - (wv * wv) * v;
  dyad = {u, v, wu, wv, dot(h, v) * inverse_cross, dot(h, u) * inverse_cross};
  return true;
}

/// angle + 2πk nearest to `near`; 1.5 · 2^52 rounds to an integer.
LOADER_INLINE double unwrap(double angle, double near) {
  constexpr double kRound = 6755399441055744.0;
  constexpr double kTurn = 6.283185307179586;
  const double turns = ((near - angle) * (1.0 / kTurn) + kRound) - kRound;
  return angle + turns * kTurn;
}

LOADER_INLINE void put_point(double* out, const Point& point) {
  out[0] = point.p.x, out[1] = point.p.y;
  out[2] = point.v.x, out[3] = point.v.y;
  out[4] = point.a.x, out[5] = point.a.y;
}
LOADER_INLINE void put_body(double* out, double angle, double w, double e, const Point& origin) {
  out[0] = angle, out[1] = w, out[2] = e;
  put_point(out + 3, origin);
}

/// One step. `previous`: angles of rear strut, lever, front strut and bucket, replaced by the new ones.
__attribute__((noinline)) inline bool step(const double* drives, double* previous, double* out) {
  constexpr double kLeverInverse = 1.0 / kLever;
  constexpr double kKK = kKx * kKx + kKy * kKy;
  // Arm H-K of the bucket: its length, the tip as its multiple, and the angle from the floor to it.
  constexpr double kArm = 0.50089919145472775;  // √(Kx² + Ky²)
  constexpr Vec kTip = {(kReach * kKx - kDepth * kKy) / kKK, (-kDepth * kKx - kReach * kKy) / kKK};
  constexpr double kArmAngle = 1.1160770519739271;  // atan2(Ky, Kx)

  const double c1 = std::cos(drives[0]), s1 = std::sin(drives[0]), w1 = drives[1], e1 = drives[2];
  const double c2 = std::cos(drives[3]), s2 = std::sin(drives[3]), w2 = drives[4], e2 = drives[5];
  const Point E = carry_fixed({kAx, kAy}, turn({kEx, kEy}, {c1, s1}), w1, e1);
  const Point H = carry_fixed({kAx, kAy}, {kBoom * c1, kBoom * s1}, w1, e1);
  const Point R = carry_fixed({kDx, kDy}, {kTilt * c2, kTilt * s2}, w2, e2);
  Dyad rear, front;
  if (!close(R, E, kRear, kLever, rear)) return false;
  const Point F = carry(E, turn({kFx * kLeverInverse, kFy * kLeverInverse}, rear.v), rear.wv, rear.ev);
  if (!close(F, H, kFront, kArm, front)) return false;
  const Point tip = carry(H, turn(kTip, front.v), front.wv, front.ev);

  previous[0] = unwrap(std::atan2(rear.u.y, rear.u.x), previous[0]);
  previous[1] = unwrap(std::atan2(rear.v.y, rear.v.x), previous[1]);
  previous[2] = unwrap(std::atan2(front.u.y, front.u.x), previous[2]);
  previous[3] = unwrap(std::atan2(front.v.y, front.v.x) - kArmAngle, previous[3]);

  put_body(out, drives[0], w1, e1, {{kAx, kAy}, {0, 0}, {0, 0}});
  put_body(out + kBody, drives[3], w2, e2, {{kDx, kDy}, {0, 0}, {0, 0}});
  put_body(out + 2 * kBody, previous[0], rear.wu, rear.eu, R);
  put_body(out + 3 * kBody, previous[1], rear.wv, rear.ev, E);
  put_body(out + 4 * kBody, previous[2], front.wu, front.eu, F);
  put_body(out + 5 * kBody, previous[3], front.wv, front.ev, H);
  put_point(out + 6 * kBody, tip);
  put_point(out + 6 * kBody + 6, H);
  return true;
}

}  // namespace loader
