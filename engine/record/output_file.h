// SPDX-License-Identifier: MIT
// The file that a recording is written to, under its own name from the first byte on: a run that is killed must leave it
// behind. No exceptions after opening: a status, as the machine goes on whatever happens to its record.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace rodeo::engine {

class OutputFile {
 public:
  /// Makes the file anew: whoever reads or records an older one of this name keeps that. Locked as long as it is open. Throws
  /// IoError, also if another process is recording to it.
  explicit OutputFile(const std::string& path);
  ~OutputFile();
  OutputFile(const OutputFile&) = delete;
  OutputFile& operator=(const OutputFile&) = delete;

  /// All of it: 0, or the errno; then the file ends where it ended before the call.
  [[nodiscard]] int write(std::string_view bytes) noexcept;
  /// To the disk: 0 or the errno.
  [[nodiscard]] int sync() noexcept;
  [[nodiscard]] std::uint64_t size() const noexcept { return size_; }
  /// The name of the file to the disk too, once.
  void sync_folder() const noexcept;

 private:
  void open_regular(const std::string& target);
  [[noreturn]] void refuse(int error_number) const;

  std::string path_;
  std::string target_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace rodeo::engine
