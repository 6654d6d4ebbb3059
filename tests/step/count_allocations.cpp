// SPDX-License-Identifier: MIT
// glibc has no malloc hooks any more: this program brings its own malloc, which counts and passes on.
#include "tests/step/count_allocations.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

#ifdef __has_feature
#if __has_feature(realtime_sanitizer)
#define RODEO_MALLOC_IS_TAKEN
#endif
#endif
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__) || defined(RODEO_MALLOC_IS_TAKEN)

namespace rodeo::engine::testing_support {
long allocation_count() noexcept { return -1; }
long thread_allocation_count() noexcept { return -1; }
}  // namespace rodeo::engine::testing_support

#else

namespace {
std::atomic<long> count{0};
constinit thread_local long count_here = 0;

void note() noexcept {
  ++count;
  ++count_here;
}
}  // namespace

extern "C" {
void* __libc_malloc(std::size_t);                 // NOLINT
void* __libc_calloc(std::size_t, std::size_t);    // NOLINT
void* __libc_realloc(void*, std::size_t);         // NOLINT
void* __libc_memalign(std::size_t, std::size_t);  // NOLINT

void* malloc(std::size_t size) noexcept {
  note();
  return __libc_malloc(size);
}
void* calloc(std::size_t n, std::size_t size) noexcept {
  note();
  return __libc_calloc(n, size);
}
void* realloc(void* memory, std::size_t size) noexcept {
  note();
  return __libc_realloc(memory, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  note();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** memory, std::size_t alignment, std::size_t size) noexcept {
  note();
  *memory = __libc_memalign(alignment, size);
  return *memory == nullptr ? ENOMEM : 0;
}
}

namespace rodeo::engine::testing_support {
long allocation_count() noexcept { return count; }
long thread_allocation_count() noexcept { return count_here; }
}  // namespace rodeo::engine::testing_support

#endif
