/* SPDX-License-Identifier: MIT
 * The C ABI of a generated kernel. A kernel is one C99 file that exports one function, rodeo_kernel_get(), once more under a name
 * of its own, rodeo_kernel_get_<machine>(), for programs with several kernels (engine/README.md, Embedding). It allocates nothing,
 * keeps no global state and needs the C library for sqrt (link with -lm), memcpy and memset only: all memory is an instance that
 * the caller owns.
 *
 * Where every degree of freedom is driven, motion is a function of the drives alone; time appears among the inputs only, which
 * the loads and the free coordinates take. One tick:
 *     drives[3*d + 0..2] = position, rate, acceleration of drive d   (rad or m, per second, per second squared)
 *     step(instance, drives, outputs)                                pose, velocity, acceleration of everything
 * On any status but RODEO_OK the instance and the outputs are as they were before the call. What is written may not
 * overlap what is read: outputs and drives, results and states are arrays of their own.
 *
 * Numbers are IEEE doubles; a kernel uses + - * / sqrt and its own sine, cosine and arc tangent, so that the same
 * inputs give the same bits on every processor, if compiled without contraction and fast-math. A kernel guards this itself,
 * whatever flags it is compiled with: it forbids fused multiply-add to gcc, does not compile with -ffast-math or its parts, and
 * init and restore try the arithmetic and refuse with RODEO_BAD_STATE where operations are fused, reordered or rounded otherwise. */
#ifndef RODEO_KERNEL_H
#define RODEO_KERNEL_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define RODEO_KERNEL_ABI 2

enum rodeo_status {
  RODEO_OK = 0,
  RODEO_BAD_INPUT =
      1, /* a value is not finite or beyond 1e50, or an angle beyond what the sine can reduce (8e5 rad) */
  RODEO_SINGULAR =
      2,          /* a block is closer to its singular pose than stop_margin, or cannot be closed at all */
  RODEO_OPEN = 3, /* an iterated block did not close to tolerance in its fixed number of corrections */
  /* set_state or restore: not finite, or from another kernel; init and restore: what compiled the kernel, or the processor's
   * rounding mode, changes its arithmetic */
  RODEO_BAD_STATE = 4
};

/* How the state follows the drives. */
enum rodeo_closure {
  RODEO_EXACT = 0,    /* positions in closed form from the drives' positions (default) */
  RODEO_NONE = 1,     /* the reduced ODE alone, integrated from the drives' rates */
  RODEO_BAUMGARTE = 2 /* the same, with rate of closure error + gain * closure error = 0 */
};
enum rodeo_method { RODEO_EULER = 0, RODEO_HEUN = 1, RODEO_RK4 = 2 };

typedef struct rodeo_channel {
  const char* name; /* `crank`, `coupler.angle`, `tip.x` */
  const char* unit; /* `rad`, `m`, `rad/s` */
} rodeo_channel;

typedef struct rodeo_kernel {
  uint32_t abi; /* RODEO_KERNEL_ABI */
  const char* name;
  const char* version;               /* of the builder */
  const char* model_fingerprint;     /* hex: everything that the kernel computes depends on */
  const char* interface_fingerprint; /* hex: names, order and units of the channels only */

  uint32_t n_parameters, n_drives, n_states, n_outputs, n_blocks;
  uint32_t n_inputs, n_loads; /* none where nothing weighs or pushes; else the first input is the time, s */
  uint32_t n_free;            /* coordinates that nobody drives: they move by forces */
  const rodeo_channel* parameters;
  const rodeo_channel* drives;
  const rodeo_channel* states;
  const rodeo_channel* outputs;
  const rodeo_channel* inputs;
  const rodeo_channel* loads;
  const rodeo_channel* free_coordinates;
  const double* default_parameters;
  const double* start_drives; /* positions at the start pose */

  size_t instance_bytes; /* what the caller provides, aligned as double */

  /* Takes parameters (default_parameters, or others), computes what depends on them alone, and goes to the start pose
   * of the given drive positions (start_drives, or others). */
  int (*init)(void* instance, const double* parameters, const double* positions);

  /* Exact closure. drives: 3 a drive; outputs: n_outputs. */
  int (*step)(void* instance, const double* drives, double* outputs);
  /* n ticks at once: drives n*3*n_drives, outputs n*n_outputs; stops at the first status that is not RODEO_OK, and
   * stores the number of ticks done. */
  int (*steps)(void* instance, const double* drives, double* outputs, size_t n, size_t* done);
  /* The reduced ODE over one period: rates at its begin, middle and end (3 a drive), by method and closure
   * (RODEO_NONE or RODEO_BAUMGARTE). The margin stays that of the last step. */
  int (*integrate)(void* instance, const double* rates, double period, int method, int closure, double gain);

  /* d/dt of the states at given states and drive rates. */
  int (*derivatives)(const void* instance, const double* states, const double* rates, double* result);
  /* Closure error of the loops at given states, metres: the largest of all. */
  int (*closure)(const void* instance, const double* states, double* largest);
  /* Outputs at the instance's state, for given drive rates and accelerations (2 a drive), whatever closed it. */
  int (*poses)(const void* instance, const double* rates, double* outputs);

  /* The free coordinates over one period, by method: position, rate and acceleration of each drive at its begin, middle and
   * end (9 a drive), inputs at its begin. A step after it shows where everything is, with the drives of the end. */
  int (*move)(void* instance, const double* drives, const double* inputs, double period, int method);
  /* Position, rate and acceleration of each free coordinate; while the kernel moves in others, as of the last step. */
  void (*get_free)(const void* instance, double* values);

  /* Forces of the drives, reactions at the joints, energies and powers, from the outputs of a step (or of poses) and the
   * inputs: the time, and the forces, torques and payloads that come from outside. Changes nothing else. */
  int (*calc_loads)(const void* instance, const double* outputs, const double* inputs, double* loads);

  /* Smallest dimensionless distance to a singular pose at the last step: |sin| of the transmission angle of a dyad,
   * ratio of singular values of a larger block. 1 where nothing can be singular. */
  double (*margin)(const void* instance);
  /* step() refuses below this margin; default 0.01. */
  void (*set_stop_margin)(void* instance, double margin);

  void (*get_state)(const void* instance, double* states);
  int (*set_state)(void* instance, const double* states);
  /* The whole instance as state_bytes bytes, little-endian, and back; refuses what another kernel wrote. */
  size_t state_bytes;
  void (*save)(const void* instance, unsigned char* bytes);
  int (*restore)(void* instance, const unsigned char* bytes);
} rodeo_kernel;

/* The one exported function. In a program with several kernels it is any of them: take rodeo_kernel_get_<machine>() there, which
 * you declare yourself. */
const rodeo_kernel* rodeo_kernel_get(void);

#ifdef __cplusplus
}
#endif
#endif
