// SPDX-License-Identifier: MIT
// Fixed text of kernels: an instance as bytes, the same on every computer.
#include "kinematics/codegen/kernel_frame.h"

namespace rodeo::codegen {

const char* kernel_bytes() {
  return R"(static void put(unsigned char* bytes, uint64_t bits) {
  for (int i = 0; i < 8; ++i) bytes[i] = (unsigned char)(bits >> (8 * i));
}
static uint64_t get(const unsigned char* bytes) {
  uint64_t bits = 0;
  for (int i = 0; i < 8; ++i) bits |= (uint64_t)bytes[i] << (8 * i);
  return bits;
}
static uint64_t hex(const char* text) {
  uint64_t bits = 0;
  for (int i = 0; i < 16; ++i) bits = bits << 4 | (uint64_t)(text[i] <= '9' ? text[i] - '0' : text[i] - 'a' + 10);
  return bits;
}

)";
}

std::string kernel_save() {
  return std::string(
             R"(/* 8 bytes little-endian each: the model's fingerprint (2), parameters, states, what is free, margin, stop margin; where there
 * are charts, what they measure and which is in use; of method lagrange the multipliers, drives and gain. */
enum { kCharted = N_CHARTS > 1 ? N_MEASURED + 1 : LAGRANGE ? N_ROWS + 3 * N_DRIVES + 1 : 0, kFree = N_PARAMETERS + N_STATES };
enum { kNumbers = kFree + 3 * N_FREE + 2 + kCharted, kSaved = 2 + kNumbers };
)") + kernel_bytes() +
         R"(static const rodeo_kernel* this_kernel(void);

static void kernel_save(const void* memory, unsigned char* bytes) {
  const instance* I = (const instance*)memory;
  double values[kNumbers];
  memcpy(values, I->parameters, N_PARAMETERS * sizeof(double));
  memcpy(values + N_PARAMETERS, I->states, N_STATES * sizeof(double));
  memcpy(values + kFree, I->free, 3 * N_FREE * sizeof(double));
  values[kFree + 3 * N_FREE] = I->margin;
  values[kFree + 3 * N_FREE + 1] = I->stop_margin;
#if N_CHARTS > 1
  memcpy(values + kNumbers - kCharted, I->measured, N_MEASURED * sizeof(double));
  values[kNumbers - 1] = I->chart;
#elif LAGRANGE
  memcpy(values + kNumbers - kCharted, I->multipliers, N_ROWS * sizeof(double));
  memcpy(values + kNumbers - kCharted + N_ROWS, I->drives, 3 * N_DRIVES * sizeof(double));
  values[kNumbers - 1] = I->gain;
#endif
  put(bytes, hex(this_kernel()->model_fingerprint));
  put(bytes + 8, hex(this_kernel()->model_fingerprint + 16));
  for (int i = 0; i < kNumbers; ++i) {
    uint64_t bits;
    memcpy(&bits, &values[i], 8);
    put(bytes + 16 + 8 * i, bits);
  }
}

static int kernel_restore(void* memory, const unsigned char* bytes) {
  instance next;
  instance* I = &next;
  double values[kNumbers];
  if (!rodeo_is_exact() || get(bytes) != hex(this_kernel()->model_fingerprint)) return RODEO_BAD_STATE;
  if (get(bytes + 8) != hex(this_kernel()->model_fingerprint + 16)) return RODEO_BAD_STATE;
  for (int i = 0; i < kNumbers; ++i) {
    const uint64_t bits = get(bytes + 16 + 8 * i);
    memcpy(&values[i], &bits, 8);
  }
  if (!is_finite(values, kNumbers)) return RODEO_BAD_STATE;
  memset(I, 0, sizeof *I);
  memcpy(I->parameters, values, N_PARAMETERS * sizeof(double));
  memcpy(I->states, values + N_PARAMETERS, N_STATES * sizeof(double));
  memcpy(I->free, values + kFree, 3 * N_FREE * sizeof(double));
  I->margin = values[kFree + 3 * N_FREE];
  I->stop_margin = values[kFree + 3 * N_FREE + 1];
#if N_CHARTS > 1
  memcpy(I->measured, values + kNumbers - kCharted, N_MEASURED * sizeof(double));
  if (!(values[kNumbers - 1] >= 0.0 && values[kNumbers - 1] < N_CHARTS)) return RODEO_BAD_STATE;
  I->chart = (int)values[kNumbers - 1];
#elif LAGRANGE
  memcpy(I->multipliers, values + kNumbers - kCharted, N_ROWS * sizeof(double));
  memcpy(I->drives, values + kNumbers - kCharted + N_ROWS, 3 * N_DRIVES * sizeof(double));
  I->gain = values[kNumbers - 1];
  I->settled = 1;
#endif
  if (prepare(I) != RODEO_OK || take_branches(I, I->states) != RODEO_OK) return RODEO_BAD_STATE;
  memcpy(memory, I, sizeof *I);
  return RODEO_OK;
}

)";
}

}  // namespace rodeo::codegen
