/* SPDX-License-Identifier: MIT
 * One number for all the bits that rodeo_math.h returns for 100 000 arguments. C99 and C++: the test compiles it in
 * several ways and compares. */
#ifndef RODEO_HASH_BITS_H
#define RODEO_HASH_BITS_H
/* NOLINTBEGIN(modernize-*): C, not C++ */
#include "engine/kernel/rodeo_math.h"

RODEO_MATH uint64_t rodeo_hash(uint64_t hash, double x) {
  return ((hash ^ rodeo_bits(x)) * UINT64_C(0x9e3779b97f4a7c15)) ^ (hash >> 29);
}

RODEO_MATH uint64_t rodeo_hash_bits(void) {
  uint64_t state = 1;
  uint64_t hash = 0;
  for (int i = 0; i < 100000; ++i) {
    double v[2];
    for (int k = 0; k < 2; ++k) {
      state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
      v[k] = (double)(int32_t)(uint32_t)(state >> 32) * (i % 2 == 0 ? 0x1p-12 : 0x1p-28);
    }
    double s = 0.0;
    double c = 0.0;
    hash = rodeo_hash(hash, rodeo_sincos(v[0], &s, &c));
    hash = rodeo_hash(rodeo_hash(hash, s), c);
    hash = rodeo_hash(hash, rodeo_atan2(v[0], v[1]));
    hash = rodeo_hash(hash, rodeo_atan2(rodeo_from_bits(state & ~((uint64_t)1 << 62)), v[1])); /* all sizes */
    hash = rodeo_hash(hash, rodeo_unwrap(rodeo_atan2(s, c), v[1]));
    double s1 = 0.0, c1 = 0.0, a0 = 0.0, a1 = 0.0;
    hash = rodeo_hash(hash, rodeo_sincos_pair(v[1], v[0], &s, &c, &s1, &c1));
    rodeo_angle_pair(v[0], v[1], s, c1, s1, v[0], &a0, &a1);
    hash = rodeo_hash(rodeo_hash(rodeo_hash(hash, c), a0), a1);
  }
  return hash;
}

/* NOLINTEND(modernize-*) */
#endif
