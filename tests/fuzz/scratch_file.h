// SPDX-License-Identifier: MIT
// A file in memory for readers that want a path.
#pragma once
#include <fmt/format.h>
#include <sys/mman.h>
#include <unistd.h>

#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>

namespace rodeo::fuzz {

class ScratchFile {
 public:
  ScratchFile() : file_(::memfd_create("fuzz", 0)) {
    if (file_ < 0) std::abort();
  }
  ~ScratchFile() { ::close(file_); }
  ScratchFile(const ScratchFile&) = delete;
  ScratchFile& operator=(const ScratchFile&) = delete;

  void write(std::span<const std::uint8_t> bytes) {
    if (::ftruncate(file_, 0) != 0) std::abort();
    if (::pwrite(file_, bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size())) std::abort();
  }
  [[nodiscard]] std::string path() const { return fmt::format("/proc/self/fd/{}", file_); }

 private:
  int file_;
};

}  // namespace rodeo::fuzz
