// SPDX-License-Identifier: MIT
// Each side owns one counter and reads the other's: release after the entry is written (or read), acquire before.
#include "engine/record/entry_ring.h"

#include <sys/mman.h>

#include <cstring>
#include <new>

namespace rodeo::engine {
namespace {

constexpr std::size_t kAlignment = 64;

std::size_t round_up(std::size_t bytes) { return (bytes + kAlignment - 1) / kAlignment * kAlignment; }

}  // namespace

EntryRing::EntryRing(std::size_t entry_bytes, std::size_t entries)
    : entry_bytes_(round_up(entry_bytes)), capacity_(entries), mapped_(entry_bytes_ * entries) {
  void* memory =
      ::mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
  if (memory == MAP_FAILED) throw std::bad_alloc();
  memory_ = static_cast<std::byte*>(memory);
  std::memset(memory_, 0, mapped_);
  static_cast<void>(::mlock(memory_, mapped_));  // a limit may forbid it: then it is as good as it can be
}

EntryRing::~EntryRing() { ::munmap(memory_, mapped_); }

std::byte* EntryRing::try_place() noexcept {
  const std::uint64_t put = put_.load(std::memory_order_relaxed);
  return put - taken_.load(std::memory_order_acquire) < capacity_ ? entry(put) : nullptr;
}

void EntryRing::put() noexcept {
  put_.store(put_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

std::byte* EntryRing::try_front() noexcept {
  const std::uint64_t taken = taken_.load(std::memory_order_relaxed);
  return taken != put_.load(std::memory_order_acquire) ? entry(taken) : nullptr;
}

void EntryRing::take() noexcept {
  taken_.store(taken_.load(std::memory_order_relaxed) + 1, std::memory_order_release);
}

}  // namespace rodeo::engine
