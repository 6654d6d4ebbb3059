// SPDX-License-Identifier: MIT
// As tests/step/count_allocations.cpp, but by thread: the recorder's writer may allocate, the loop may not.
#include "tests/record/thread_allocations.h"

#include <cerrno>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)

namespace rodeo::engine::testing_support {
long thread_allocation_count() noexcept { return -1; }
}  // namespace rodeo::engine::testing_support

#else

namespace {
thread_local long count = 0;
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);                 // NOLINT
void* __libc_calloc(std::size_t, std::size_t);    // NOLINT
void* __libc_realloc(void*, std::size_t);         // NOLINT
void* __libc_memalign(std::size_t, std::size_t);  // NOLINT

void* malloc(std::size_t size) noexcept {
  ++count;
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  ++count;
  return __libc_calloc(n, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  ++count;
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  ++count;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  ++count;
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}

namespace rodeo::engine::testing_support {
long thread_allocation_count() noexcept { return count; }
}  // namespace rodeo::engine::testing_support

#endif
