// SPDX-License-Identifier: MIT
// A ring of entries of one size between two threads, one that puts and one that takes, without a lock. Its memory is mapped,
// touched and (where allowed) locked at construction: putting never faults.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>

namespace rodeo::engine {

class EntryRing {
 public:
  /// Throws std::bad_alloc.
  EntryRing(std::size_t entry_bytes, std::size_t entries);
  ~EntryRing();
  EntryRing(const EntryRing&) = delete;
  EntryRing& operator=(const EntryRing&) = delete;

  [[nodiscard]] std::size_t capacity() const noexcept { return capacity_; }

  /// The putting thread: a place to fill, null if the ring is full; then put() hands it over.
  [[nodiscard]] std::byte* try_place() noexcept;
  void put() noexcept;
  /// The taking thread: the oldest entry, null if there is none; then take() gives its place back.
  [[nodiscard]] std::byte* try_front() noexcept;
  void take() noexcept;

 private:
  static constexpr std::size_t kCacheLine = 64;
  [[nodiscard]] std::byte* entry(std::uint64_t count) const noexcept {
    return memory_ + (count % capacity_) * entry_bytes_;
  }

  std::size_t entry_bytes_;
  std::size_t capacity_;
  std::size_t mapped_ = 0;
  std::byte* memory_ = nullptr;
  alignas(kCacheLine) std::atomic<std::uint64_t> put_{0};    // entries ever put
  alignas(kCacheLine) std::atomic<std::uint64_t> taken_{0};  // entries ever taken
};

}  // namespace rodeo::engine
