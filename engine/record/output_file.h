// SPDX-License-Identifier: MIT
// The file that a recording is written to, under its own name from the first byte on: a run that is killed must leave it
// behind. What has this name already is kept under another. No exceptions after opening: a status, as the machine goes on whatever
// happens to its record.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace rodeo::engine {

class OutputFile {
 public:
  /// Makes the file anew. An older one that is not empty becomes `run.1.mcap`, or the next number that is free, unless it is to be
  /// replaced; whoever reads it keeps it. Locked as long as it is open. Throws IoError, also if another process is recording to it:
  /// of several that start together one gets the name.
  explicit OutputFile(const std::string& path, bool replaces = false);
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
  /// False if somebody has removed or replaced it.
  [[nodiscard]] bool is_there() const noexcept;
  /// The name of the older one now; empty if there was none.
  [[nodiscard]] const std::string& kept() const noexcept { return kept_; }

 private:
  void open_regular(bool replaces);
  void move_older();
  void take_signature_along(const std::string& name);
  [[noreturn]] void refuse(int error_number) const;

  std::string path_;
  std::string target_;
  std::string kept_;
  int file_ = -1;
  std::uint64_t size_ = 0;
};

}  // namespace rodeo::engine
