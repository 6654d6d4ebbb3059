/* SPDX-License-Identifier: MIT
 * The damper of library_damper.yaml (Bondin, section 8): resistance in N s/m from the two speeds. Build it with
 *   gcc -shared -fPIC -o configs/graphs/hardness.so configs/graphs/hardness.c -lm
 * Rodeo hands over the time; `arguments` are those of the model file. */
#include <math.h>

double hardness(double t, const double* arguments, int count) {
  (void)t;
  if (count != 2) return NAN;
  const double slip = fabs(arguments[0] - arguments[1]);
  return slip <= 5 ? 750 : slip <= 10 ? 1000 : 1500;
}
