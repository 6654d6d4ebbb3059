// SPDX-License-Identifier: MIT
// Fixed text of kernels: the instance, how it starts, steps and tells what it knows, and the table of functions.
#include "kinematics/codegen/kernel_frame.h"

namespace rodeo::codegen {

const char* kernel_instance() {
  return R"(typedef struct instance {
  double parameters[ROOM_PARAMETERS];
  double derived[ROOM_DERIVED];
  double states[ROOM_STATES];
  double free[3 * ROOM_FREE]; /* position, rate, acceleration of what nobody drives */
#if N_CHARTS > 1
  double measured[N_MEASURED]; /* the same of the coordinates of every chart, at the last step */
  int chart;                   /* whose coordinates `free` are */
#endif
#if LAGRANGE
  double multipliers[ROOM_ROWS], drives[3 * N_DRIVES + 1]; /* at the last tick */
  double gain;                                             /* of Baumgarte's correction, 1/s */
  int settled;                                             /* the pose agrees with the drives */
#endif
#if N_BRANCHES > 0
  double branches[N_BRANCHES]; /* 1 or -1: which of two places each closed form takes */
#endif
  double margin, stop_margin;
} instance;

)";
}

const char* kernel_steps() {
  return R"(/* Finite, and so small that nothing computed from it overflows. */
static int is_finite(const double* values, size_t n) {
  double sum = 0.0;
  for (size_t i = 0; i < n; ++i) sum += values[i] < 0.0 ? -values[i] : values[i];
  return sum <= 1e50;
}

/* `stride` numbers a drive, then the same of what is free, from the number `first` of its three on. */
static void gather(const instance* I, const double* drives, int stride, int first, double* u) {
  for (int i = 0; i < stride * N_DRIVES; ++i) u[i] = drives[i];
  for (int f = 0; f < N_FREE; ++f) {
    for (int i = 0; i < stride; ++i) u[stride * (N_DRIVES + f) + i] = I->free[3 * f + first + i];
  }
}

static int kernel_step(void* memory, const double* drives, double* outputs) {
  double u[3 * N_ALL + 1];
  if (!is_finite(drives, 3 * N_DRIVES)) return RODEO_BAD_INPUT;
  if (N_FREE == 0) return advance((instance*)memory, drives, outputs);
  gather((const instance*)memory, drives, 3, 0, u);
  return advance((instance*)memory, u, outputs);
}

/* Accelerations of what is free, at positions and rates in u. */
static int find_accelerations(const instance* I, double* u, double* result) {
  for (int f = 0; f < N_FREE; ++f) u[3 * (N_DRIVES + f) + 2] = 0.0;
  return accelerate(I, I->states, u, result);
}

static int kernel_steps(void* memory, const double* drives, double* outputs, size_t n, size_t* done) {
  for (*done = 0; *done < n; ++*done) {
    const int status = kernel_step(memory, drives + *done * 3 * N_DRIVES, outputs + *done * N_OUTPUTS);
    if (status != RODEO_OK) return status;
  }
  return RODEO_OK;
}

/* From the start pose to the given drive positions, in small steps so that every block stays on its branch. */
static int kernel_init(void* memory, const double* parameters, const double* positions) {
  instance next; /* takes the place of the caller's when all is well */
  instance* I = &next;
  enum { kSteps = 256 };
  double u[3 * N_ALL + ROOM_INPUTS], outputs[ROOM_OUTPUTS];
  int moves = 0;
  if (!rodeo_is_exact()) return RODEO_BAD_STATE;
  if (!is_finite(parameters, N_PARAMETERS) || !is_finite(positions, N_DRIVES)) return RODEO_BAD_INPUT;
  memset(I, 0, sizeof *I);
  for (int i = 0; i < N_PARAMETERS; ++i) I->parameters[i] = parameters[i];
  for (int i = 0; i < N_STATES; ++i) I->states[i] = start_states[i];
  I->stop_margin = 0.01;
  I->margin = 1.0;
#if N_BRANCHES > 0
  memcpy(I->branches, start_branches, sizeof I->branches);
#endif
#if LAGRANGE
  for (int f = 0; f < N_FREE; ++f) {
    I->free[3 * f] = start_drives[N_DRIVES + f];
    I->free[3 * f + 1] = start_free_rates[f];
  }
#endif
  int status = prepare(I);
  for (int d = 0; d < N_DRIVES; ++d) moves |= positions[d] != start_drives[d];
  for (int i = moves ? 0 : kSteps; status == RODEO_OK && i <= kSteps; ++i) {
    const double part = (double)i / kSteps;
    for (int d = 0; d < N_DRIVES; ++d) {
      u[3 * d] = i == kSteps ? positions[d] : start_drives[d] + part * (positions[d] - start_drives[d]);
      u[3 * d + 1] = u[3 * d + 2] = 0.0;
    }
    for (int d = N_DRIVES; d < N_ALL; ++d) {
      u[3 * d] = start_drives[d];
      u[3 * d + 1] = u[3 * d + 2] = 0.0;
    }
    status = advance(I, u, outputs);
  }
#if !LAGRANGE
  double result[ROOM_FREE];
  for (int i = 0; i < N_INPUTS; ++i) u[3 * N_ALL + i] = 0.0;
  for (int f = 0; f < N_FREE; ++f) {
    I->free[3 * f] = start_drives[N_DRIVES + f];
    u[3 * (N_DRIVES + f) + 1] = I->free[3 * f + 1] = start_free_rates[f];
  }
  if (N_FREE > 0 && status == RODEO_OK) status = find_accelerations(I, u, result);
  for (int f = 0; f < N_FREE && status == RODEO_OK; ++f) I->free[3 * f + 2] = result[f];
#endif
  if (status == RODEO_OK) memcpy(memory, I, sizeof *I);
  return status;
}

static int kernel_derivatives(const void* memory, const double* states, const double* rates, double* result) {
  double u[N_ALL + 1];
  if (!is_finite(states, N_STATES) || !is_finite(rates, N_DRIVES)) return RODEO_BAD_INPUT;
  gather((const instance*)memory, rates, 1, 1, u);
  return derive((const instance*)memory, states, u, result);
}

static int kernel_closure(const void* memory, const double* states, double* largest) {
  double errors[ROOM_CLOSURES];
  if (!is_finite(states, N_STATES)) return RODEO_BAD_INPUT;
  const int status = close_loops((const instance*)memory, states, NULL, errors);
  if (status == RODEO_OK) *largest = rodeo_largest(N_CLOSURES, errors);
  return status;
}

static int kernel_poses(const void* memory, const double* rates, double* outputs) {
  const instance* I = (const instance*)memory;
  double u[2 * N_ALL + 1];
  if (!is_finite(rates, 2 * N_DRIVES)) return RODEO_BAD_INPUT;
  gather(I, rates, 2, 1, u);
  return show(I, I->states, u, outputs);
}

static int kernel_loads(const void* memory, const double* outputs, const double* inputs, double* loads) {
  if (!is_finite(inputs, N_INPUTS)) return RODEO_BAD_INPUT;
#if LAGRANGE
  double u[ROOM_INPUTS + ROOM_ROWS];
  memcpy(u, inputs, N_INPUTS * sizeof(double));
  memcpy(u + N_INPUTS, ((const instance*)memory)->multipliers, N_ROWS * sizeof(double));
  inputs = u;
#endif
  return load((const instance*)memory, outputs, inputs, loads);
}

static double kernel_margin(const void* memory) { return ((const instance*)memory)->margin; }
static void kernel_set_stop_margin(void* memory, double margin) { ((instance*)memory)->stop_margin = margin; }

static void kernel_get_state(const void* memory, double* states) {
  memcpy(states, ((const instance*)memory)->states, N_STATES * sizeof(double));
}

/* The branches are those of the states. */
static int take_branches(instance* I, const double* states) {
#if N_BRANCHES > 0
  double signs[N_BRANCHES];
  if (find_branches(I, states, NULL, signs) != RODEO_OK) return RODEO_BAD_STATE;
  for (int b = 0; b < N_BRANCHES; ++b) I->branches[b] = signs[b] < 0.0 ? -1.0 : 1.0;
#else
  (void)I; (void)states;
#endif
  return RODEO_OK;
}

static int kernel_set_state(void* memory, const double* states) {
  if (!is_finite(states, N_STATES) || take_branches((instance*)memory, states) != RODEO_OK) return RODEO_BAD_STATE;
  memcpy(((instance*)memory)->states, states, N_STATES * sizeof(double));
#if LAGRANGE
  for (int f = 0; f < N_FREE; ++f) ((instance*)memory)->free[3 * f] = states[f];
#endif
  return RODEO_OK;
}

)";
}

std::string kernel_frame() {
  return std::string(kernel_steps()) + kernel_integrate() + kernel_move() + kernel_save();
}

std::string kernel_getter(const std::string& machine) {
  std::string name = "rodeo_kernel_get_" + machine;
  for (char& letter : name) {
    const bool fits = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                      (letter >= '0' && letter <= '9');
    if (!fits) letter = '_';
  }
  return name;
}

const char* kernel_descriptor() {
  return R"(static const rodeo_kernel* this_kernel(void) {{
  static const rodeo_kernel kernel = {{
    .abi = RODEO_KERNEL_ABI,
    .name = {name},
    .version = {version},
    .model_fingerprint = {model},
    .interface_fingerprint = {interface},
    .n_parameters = N_PARAMETERS, .n_drives = N_DRIVES, .n_states = N_STATES, .n_outputs = N_OUTPUTS, .n_blocks = N_BLOCKS,
    .n_inputs = N_INPUTS, .n_loads = N_LOADS, .n_free = N_FREE,
    .parameters = parameter_channels, .drives = drive_channels, .states = state_channels, .outputs = output_channels,
    .inputs = input_channels, .loads = load_channels, .free_coordinates = drive_channels + N_DRIVES,
    .default_parameters = default_parameters, .start_drives = start_drives,
    .instance_bytes = sizeof(instance),
    .init = kernel_init, .step = kernel_step, .steps = kernel_steps, .integrate = kernel_integrate,
    .derivatives = kernel_derivatives, .closure = kernel_closure, .poses = kernel_poses, .calc_loads = kernel_loads,
    .move = kernel_move, .get_free = kernel_get_free,
    .margin = kernel_margin, .set_stop_margin = kernel_set_stop_margin,
    .get_state = kernel_get_state, .set_state = kernel_set_state,
    .state_bytes = 8 * kSaved, .save = kernel_save, .restore = kernel_restore
  }};
  return &kernel;
}}

/* A getter of its own, so that several kernels fit into one program; of two machines of one name compile one with
 * -DRODEO_KERNEL_GETTER=another_name. */
#ifndef RODEO_KERNEL_GETTER
#define RODEO_KERNEL_GETTER {getter}
#endif
const rodeo_kernel* RODEO_KERNEL_GETTER(void);
const rodeo_kernel* RODEO_KERNEL_GETTER(void) {{ return this_kernel(); }}

/* The one that loaders ask for. Weak: of several kernels in one program it is any of them. */
#ifdef __GNUC__
__attribute__((weak))
#endif
const rodeo_kernel* rodeo_kernel_get(void) {{ return this_kernel(); }}
)";
}

}  // namespace rodeo::codegen
