// SPDX-License-Identifier: MIT
// A nameless file beside a recording, for what the recorder must remember to its end: memory does not grow with the recording, and a
// kill leaves nothing.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace rodeo::engine {

class SpillFile {
 public:
  /// In the folder of `path`. Where the file system has no nameless files, add() is false.
  explicit SpillFile(const std::string& path);
  ~SpillFile();
  SpillFile(const SpillFile&) = delete;
  SpillFile& operator=(const SpillFile&) = delete;

  /// All of it at the end, or nothing.
  [[nodiscard]] bool add(std::string_view bytes) noexcept;
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// Appends so many bytes from there on to `out`. False if they cannot be read.
  [[nodiscard]] bool read(std::uint64_t from, std::size_t count, std::string& out) const;

 private:
  int file_;
  std::uint64_t size_ = 0;
};

}  // namespace rodeo::engine
